"""Pydantic models of options, in which files, requests and commands give them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, get_args

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
)

from cookmas.files.errors import InputError
from cookmas.files.naming import suggest_name
from cookmas.files.options import Option, options_of
from cookmas.files.wording import describe_field


class Options(BaseModel, frozen=True):
    """The base of immutable options. The constructor raises InputError for the first bad option.

    A model may also inherit from records that declare options; those of the last record come first.
    If it is `partial`, each of these options may be left out as None.
    """

    model_config = ConfigDict(extra="forbid", protected_namespaces=())

    def __init_subclass__(cls, *, partial: bool = False, **config: Any) -> None:
        super().__init_subclass__(**config)
        records: list[Any] = [base for base in cls.__bases__ if not issubclass(base, BaseModel)]
        for option in (each for record in records for each in options_of(record).values()):
            cls.__annotations__[option.name] = _kind(option, partial=partial)
            setattr(cls, option.name, _field(option, None if partial else option.default))

    def __init__(self, **given: Any) -> None:
        try:
            super().__init__(**given)
        except ValidationError as error:
            errors = error.errors(include_url=False)
            unknown = [each for each in errors if each["type"] == "extra_forbidden"]
            name = str((unknown or errors)[0]["loc"][0])
            if unknown:
                raise InputError(name, refuse_name(name, type(self).model_fields)) from None
            raise InputError(f"--{name.replace('_', '-')}", describe_field(error)[1]) from None


def refuse_name(name: str, known: Iterable[str]) -> str:
    """Return what is said of an option that is none of the known ones."""
    known = list(known)
    return f"there is no such option, only {', '.join(known)}{suggest_name(name, known)}"


def _kind(option: Option, *, partial: bool) -> Any:
    """Return the type of a field: an option with a parser is text outside the process."""
    kind = option.kind | None if partial else option.kind
    if (parse := option.parse) is None:
        return kind
    read = BeforeValidator(lambda given: parse(given) if isinstance(given, str) else given)
    return Annotated[kind, read, PlainSerializer(lambda value: value and str(value))]


def field_in(record: type, name: str) -> Any:
    """Return a field of a model with the default, limits and text of an option.

    The option is declared as the field `name` of the class `record`. A model need not inherit all
    options of the class then, and has this one at any place among its own fields.
    """
    option = options_of(record)[name]
    return _field(option, option.default)


def _field(option: Option, default: Any) -> Any:
    bounds = {"ge": option.least, "le": option.most}
    limits: dict[str, Any] = {name: bound for name, bound in bounds.items() if bound is not None}
    if float in (option.kind, *get_args(option.kind)):
        limits["allow_inf_nan"] = False
    return Field(default, description=option.meaning or option.about, **limits)
