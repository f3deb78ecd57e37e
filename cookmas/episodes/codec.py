"""The form of named tuples as plain data: how traces, checkpoints and prompts have a state.

    State(timestep=3, orders=(Order(7, "soup"),), busy={"pot0": 2})
    {"timestep": 3, "orders": [[7, "soup"]], "busy": {"pot0": 2}}

The state itself is a mapping by field; a field that has its default is left out. A named tuple
inside of it is a row, the list of its values. A tuple is a list, and a mapping has texts as keys.
Annotations of a type name the exceptions: `PlainForm`, `SORTED` and `BY_WORKER`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import lru_cache
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Final,
    Literal,
    NamedTuple,
    TypeVar,
    Union,
    get_args,
    get_origin,
    get_type_hints,
)

T = TypeVar("T")

SORTED: Final = "sorted"
"""Annotation of a mapping whose keys are sorted in plain data."""
BY_WORKER: Final = "by worker"
"""Annotation of a field with a value for each worker: a mapping by the workers' names."""


class PlainForm(NamedTuple):
    """Annotation of a type with its own form, such as `PlainForm(str, parse_thing)` for a text."""

    write: Callable[[Any], Any] | None
    """Returns a value as plain data; None: the value is plain data as it is."""
    read: Callable[[Any], Any]
    """Returns the value of plain data. Raises ValueError if they are of another form."""


class _Fields(NamedTuple):
    """The fields of a named tuple."""

    forms: Mapping[str, PlainForm]
    writes: Sequence[tuple[str, Callable[[Any], Any]]]
    """The fields that are not plain data as they are."""
    by_worker: Sequence[str]
    defaults: Mapping[str, Any]
    """The defaults as plain data."""


def to_plain(value: Any, workers: Sequence[str] = ()) -> dict[str, Any]:
    """Return a named tuple as plain data. `workers` are the names for fields `BY_WORKER`."""
    kind: Any = type(value)
    _, writes, by_worker, defaults = _fields(kind)
    data: dict[str, Any] = value._asdict()
    for name, write in writes:
        data[name] = write(data[name])
    for name in by_worker:
        data[name] = dict(zip(workers, data[name], strict=True))
    for name in defaults:
        if data[name] == defaults[name]:
            del data[name]
    return data


def from_plain(kind: type[T], data: Mapping[str, Any], workers: Sequence[str] = ()) -> T:
    """Return the named tuple of the plain data that `to_plain` returned.

    Raise ValueError that names the field if data are missing or have another form.
    """
    fields: Any = kind
    forms, _, by_worker, defaults = _fields(fields)
    given, values = _mapping(data), {}
    for name, form in forms.items():
        if name not in given and name in defaults:
            continue
        try:
            plain = given[name]
            named = [plain[each] for each in workers] if name in by_worker else plain
            values[name] = form.read(named)
        except KeyError as error:
            raise ValueError(f"there is no {error.args[0]}") from None
        except (TypeError, ValueError) as error:
            raise ValueError(f"{name}: {error}") from None
    return kind(**values)


@lru_cache(maxsize=256)
def _fields(kind: Any) -> _Fields:
    hints = get_type_hints(kind, include_extras=True)
    forms = {name: _form_of(hint) for name, hint in hints.items()}
    writes = [(name, form.write) for name, form in forms.items() if form.write]
    by_worker = [name for name in hints if BY_WORKER in getattr(hints[name], "__metadata__", ())]
    defaults = dict(kind._field_defaults)
    defaults |= {name: write(defaults[name]) for name, write in writes if name in defaults}
    return _Fields(forms, writes, by_worker, defaults)


def _form_of(kind: Any) -> PlainForm:
    """Return the form of the values of a type. Raise TypeError if there is none."""
    base, arguments = get_origin(kind), get_args(kind)
    if base is Annotated:
        inner, mark = arguments
        if mark == SORTED:
            return _mapping_of(_form_of(get_args(inner)[1]), sorted)
        return mark if isinstance(mark, PlainForm) else _form_of(inner)
    if base in (Union, UnionType):
        (inner,) = (each for each in arguments if each is not NoneType)
        return _optional(_form_of(inner))
    if base is tuple and arguments[1:] == (Ellipsis,):
        return _list_of(_form_of(arguments[0]))
    if base is Mapping:
        return _mapping_of(_form_of(arguments[1]))
    if hasattr(kind, "_fields"):
        return _row_of(kind)
    if base is Literal or kind in (str, int, float, bool):
        return _scalar(arguments or (kind,))
    raise TypeError(f"{kind} has no form as plain data")


def _scalar(expected: Sequence[Any]) -> PlainForm:
    """Return the form of a type such as `int`, or of the values of a `Literal`."""

    def read(data: Any) -> Any:
        if data not in expected and type(data) not in expected:
            words = " or ".join(getattr(each, "__name__", repr(each)) for each in expected)
            raise _unexpected(words, data)
        return data

    return PlainForm(None, read)


def _optional(inner: PlainForm) -> PlainForm:
    write, read = inner
    return PlainForm(
        write and (lambda value: None if value is None else write(value)),
        lambda data: None if data is None else read(data),
    )


def _list_of(inner: PlainForm) -> PlainForm:
    write, read = inner
    return PlainForm(
        (lambda value: [*map(write, value)]) if write else list,
        lambda data: (*map(read, _list(data)),),
    )


def _mapping_of(inner: PlainForm, order: Callable[[Any], Iterable[str]] = iter) -> PlainForm:
    read, write_one = inner.read, inner.write or (lambda value: value)

    def write(value: Mapping[str, Any]) -> dict[str, Any]:
        return {name: write_one(value[name]) for name in order(value)}

    return PlainForm(
        dict if inner.write is None and order is iter else write,
        lambda data: {name: read(each) for name, each in _mapping(data).items()},
    )


def _row_of(kind: Any) -> PlainForm:
    """Return the form of a named tuple as a list; last values with a default may be missing."""
    forms = [*_fields(kind).forms.values()]
    writes = [(place, form.write) for place, form in enumerate(forms) if form.write]

    def write(value: Sequence[Any]) -> list[Any]:
        row = list(value)
        for place, each in writes:
            row[place] = each(row[place])
        return row

    def read(data: Any) -> Any:
        row = _list(data)
        if len(row) > len(forms):
            raise _unexpected(f"at most {len(forms)} values", data)
        return kind(*[form.read(each) for form, each in zip(forms, row, strict=False)])

    return PlainForm(write if writes else list, read)


def _list(data: Any) -> Sequence[Any]:
    if not isinstance(data, list | tuple):
        raise _unexpected("a list", data)
    return data


def _mapping(data: Any) -> Mapping[str, Any]:
    if not isinstance(data, Mapping):
        raise _unexpected("a mapping", data)
    return data


def _unexpected(expected: str, data: Any) -> ValueError:
    return ValueError(f"expected {expected}, not {str(data)[:80]!r}")
