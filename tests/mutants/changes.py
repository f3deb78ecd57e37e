"""Small changes of a Python file that should let a test fail.

What no test can see is left as it is: docstrings, annotations, texts, what is logged, and how an
object prints itself.
"""

from __future__ import annotations

import ast
import copy
import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

COMPARED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
}

CALCULATED: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
}

SWAPPED = {"min": "max", "max": "min", "any": "all", "all": "any"}

SILENT = {
    "strict",
    "encoding",
    "maxsize",
    "help",
    "metavar",
    "stacklevel",
    "repr",
    "daemon",
    "name",
}
"""Arguments without which a call does the same, or only reads otherwise."""

LOGGED = {"debug", "info", "warning", "error", "exception", "log"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Mutant:
    """A part of a file, and what replaces it.

    `reads` says who sees the change: whoever executes it (None), whoever enters the function that
    begins at a line, or whoever mentions a name; an empty name is that of nobody.
    """

    file: str
    line: int
    start: int
    end: int
    text: str
    old: str
    new: str
    is_statement: bool
    reads: int | str | None

    def apply(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    def describe(self, source: bytes) -> str:
        """Return the change as a diff without context."""
        before, after = source.decode().splitlines(), self.apply(source).decode().splitlines()
        lines = difflib.unified_diff(before, after, self.file, self.file, lineterm="", n=0)
        return "\n".join(lines)


def starts_of(source: bytes) -> list[int]:
    """Return the offsets at which the lines begin."""
    lengths = (len(line) for line in source.splitlines(keepends=True))
    return [*accumulate(lengths, initial=0)]


def mutants_of(root: Path, file: str) -> list[Mutant]:
    """Return all mutants of a file, in its order."""
    source = (root / file).read_bytes()
    finder = _Finder(file, source)
    finder.visit(ast.parse(source))
    return sorted(finder.found, key=lambda each: (each.start, -each.end, each.new))


class _Finder(ast.NodeVisitor):
    def __init__(self, file: str, source: bytes) -> None:
        self.found: list[Mutant] = []
        self._file = file
        self._source = source
        self._lines = source.splitlines()
        self._starts = starts_of(source)
        self._has_paths = b"Path" in source
        self._reads: int | str | None = ""
        self._function = ""

    def _add(self, node: ast.expr | ast.stmt, new: ast.AST | str) -> None:
        assert node.end_lineno is not None
        assert node.end_col_offset is not None
        start = self._starts[node.lineno - 1] + node.col_offset
        end = self._starts[node.end_lineno - 1] + node.end_col_offset
        if isinstance(new, ast.AST):
            new = f"({ast.unparse(new)})"
        self.found.append(
            Mutant(
                file=self._file,
                line=node.lineno,
                start=start,
                end=end,
                text=self._lines[node.lineno - 1].decode().strip(),
                old=self._source[start:end].decode(),
                new=new,
                is_statement=isinstance(node, ast.stmt),
                reads=self._reads,
            )
        )

    def _visit_all(self, nodes: Sequence[ast.AST | None], reads: int | str | None) -> None:
        before, self._reads = self._reads, reads
        for node in nodes:
            if node is not None:
                self.visit(node)
        self._reads = before

    # What is left as it is.

    def visit_JoinedStr(self, _: ast.JoinedStr) -> None:
        """Its parts have no positions of their own."""

    def visit_Assert(self, _: ast.Assert) -> None:
        """It says what is true anyway."""

    def visit_match_case(self, node: ast.match_case) -> None:
        self._visit_all([node.guard, *node.body], self._reads)

    def visit_Subscript(self, node: ast.Subscript) -> None:
        if _name_of(node.value) != "Literal":
            self.generic_visit(node)

    # Who sees a change.

    def visit_FunctionDef(self, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
        decorated = {_name_of(each) for each in node.decorator_list}
        if node.name in {"__repr__", "__str__"} or "overload" in decorated:
            return
        self._visit_all([*node.args.defaults, *node.args.kw_defaults], node.lineno)
        outer, self._function = self._function, node.name
        self._visit_all(node.body, None)
        self._function = outer

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> None:
        self.visit_FunctionDef(node)

    def visit_Lambda(self, node: ast.Lambda) -> None:
        self._visit_all([node.body], None)

    def visit_ClassDef(self, node: ast.ClassDef) -> None:
        self._visit_all(node.body, node.name if self._reads is not None else None)

    def visit_Assign(self, node: ast.Assign) -> None:
        changes = [each for each in node.targets if isinstance(each, ast.Attribute | ast.Subscript)]
        if changes and self._function != "__init__":
            self._add(node, "pass")
        name = _name_of(node.targets[0]) if self._reads is not None else None
        self._visit_all([node.value], name)
        self._visit_all(changes, self._reads)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        name = _name_of(node.target) if self._reads is not None else None
        self._visit_all([node.value], name)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._add(node, "pass")
        if changed := CALCULATED.get(type(node.op)):
            self._add(node, ast.unparse(_changed(node, op=changed())))
        self.generic_visit(node)

    # The changes.

    def visit_Compare(self, node: ast.Compare) -> None:
        for place, each in enumerate(node.ops):
            ops = [*node.ops[:place], COMPARED[type(each)](), *node.ops[place + 1 :]]
            self._add(node, _changed(node, ops=ops))
        self.generic_visit(node)

    def visit_BinOp(self, node: ast.BinOp) -> None:
        changed = CALCULATED.get(type(node.op))
        if isinstance(node.op, ast.Div) and not self._has_paths:
            changed = ast.Mult
        is_type = isinstance(node.op, ast.BitOr) and self._reads is not None
        sides = (node.left, node.right)
        if changed and not is_type and not any(map(_is_text, sides)):
            self._add(node, _changed(node, op=changed()))
        self.generic_visit(node)

    def visit_Constant(self, node: ast.Constant) -> None:
        if isinstance(node.value, bool):
            self._add(node, str(not node.value))
        elif isinstance(node.value, int):
            self._add(node, str(node.value + 1))
            if node.value:
                self._add(node, str(node.value - 1))
        elif isinstance(node.value, float):
            self._add(node, repr(node.value * 2 or 1.0))

    def visit_BoolOp(self, node: ast.BoolOp) -> None:
        self._add(node, _changed(node, op=ast.Or() if isinstance(node.op, ast.And) else ast.And()))
        for place in range(len(node.values)):
            values = [*node.values[:place], *node.values[place + 1 :]]
            self._add(node, _changed(node, values=values) if len(values) > 1 else values[0])
        self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> None:
        if isinstance(node.op, ast.Not | ast.USub):
            self._add(node, node.operand)
        self.generic_visit(node)

    def visit_IfExp(self, node: ast.IfExp) -> None:
        self._add(node, _changed(node, body=node.orelse, orelse=node.body))
        self.generic_visit(node)

    def visit_If(self, node: ast.If) -> None:
        if _name_of(node.test) == "TYPE_CHECKING":
            return
        self._add(node.test, "True")
        self._add(node.test, "False")
        self.generic_visit(node)

    def visit_While(self, node: ast.While) -> None:
        if not isinstance(node.test, ast.Constant):
            self._add(node.test, "False")
            self.visit(node.test)
        self._visit_all([*node.body, *node.orelse], self._reads)

    def visit_comprehension(self, node: ast.comprehension) -> None:
        for each in node.ifs:
            self._add(each, "True")
        self.generic_visit(node)

    def visit_Expr(self, node: ast.Expr) -> None:
        value = node.value.value if isinstance(node.value, ast.Await) else node.value
        if isinstance(value, ast.Call):
            if _is_logging(value):
                return
            self._add(node, "pass")
        self.generic_visit(node)

    def visit_Raise(self, node: ast.Raise) -> None:
        self._add(node, "pass")

    def visit_Delete(self, node: ast.Delete) -> None:
        self._add(node, "pass")

    def visit_Break(self, node: ast.Break) -> None:
        self._add(node, "continue")

    def visit_Continue(self, node: ast.Continue) -> None:
        self._add(node, "break")

    def visit_Call(self, node: ast.Call) -> None:
        name = _name_of(node.func)
        if name in {"cast", "TypeVar", "NewType"}:
            return
        if isinstance(node.func, ast.Name) and name in SWAPPED:
            self._add(node.func, SWAPPED[name])
        for each in node.keywords:
            if each.arg and each.arg not in SILENT:
                keywords = [other for other in node.keywords if other is not each]
                self._add(node, _changed(node, keywords=keywords))
        loud = [each for each in node.keywords if each.arg not in SILENT]
        self._visit_all([node.func, *node.args, *loud], self._reads)


def _changed(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _name_of(node: ast.AST) -> str:
    """Return the last name of a function, a decorator or a target; empty if it has none."""
    match node:
        case ast.Name():
            return node.id
        case ast.Attribute():
            return node.attr
        case ast.Call():
            return _name_of(node.func)
    return ""


def _is_text(node: ast.expr) -> bool:
    """Return whether it is surely no number and no set."""
    if isinstance(node, ast.BinOp):
        return _is_text(node.left) or _is_text(node.right)
    texts = isinstance(node, ast.Constant) and isinstance(node.value, str | bytes)
    return texts or isinstance(node, ast.JoinedStr | ast.List | ast.Tuple | ast.ListComp)


def _is_logging(node: ast.Call) -> bool:
    on = node.func.value if isinstance(node.func, ast.Attribute) else None
    return _name_of(node.func) in LOGGED and "log" in ast.unparse(on or node.func).lower()
