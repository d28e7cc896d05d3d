"""Compares the clauses of the rules with those that tests cite; run it as `python tests/rules_report.py`."""

from __future__ import annotations

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parent.parent
TEST_FOLDERS = ("libs", "tests")

# A clause is defined where its id opens a table row or stands in bold at the start of an item.
CLAUSE_FORMS = {
    "docs/rules/wild-space.md": re.compile(r"^\| (WS-[A-Z]+-\d+) \|", re.MULTILINE),
    "docs/rules/space-race.md": re.compile(r"^(?:- |\| )\*\*(SR-[A-Z]+-\d+)\*\*", re.MULTILINE),
}


class Citation(NamedTuple):
    clause: str
    where: str


class Report(NamedTuple):
    clauses: int
    uncited: list[str]
    unknown: list[Citation]

    @property
    def clean(self) -> bool:
        return not self.uncited and not self.unknown


def clauses(root: Path = ROOT) -> list[str]:
    """Every clause id in the order of the documents, each defined once."""
    found: list[str] = []
    for document, form in CLAUSE_FORMS.items():
        ids = form.findall((root / document).read_text(encoding="utf-8"))
        twice = {clause for clause in ids if ids.count(clause) > 1}
        if not ids:
            raise ValueError(f"{document}: no clauses found")
        if twice:
            raise ValueError(f"{document}: defined twice: {', '.join(sorted(twice))}")
        found += ids
    return found


def citations(root: Path = ROOT) -> Iterator[Citation]:
    """What the `rule` marks of all test functions and test classes name."""
    for folder in TEST_FOLDERS:
        for path in sorted((root / folder).rglob("test_*.py")):
            yield from citations_of(path.read_text(encoding="utf-8"), str(path.relative_to(root)))


def citations_of(source: str, where: str) -> Iterator[Citation]:
    for node in ast.walk(ast.parse(source, where)):
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) if name.startswith("test_"):
                marks = node.decorator_list
            case ast.ClassDef(name=name) if name.startswith("Test"):
                marks = node.decorator_list
            case _:
                continue
        for mark in marks:
            yield from cited_by(mark, where)


def cited_by(mark: ast.expr, where: str) -> Iterator[Citation]:
    """The ids in one decorator; anything but literal ids could not be found by reading, so it is refused."""
    if not (isinstance(mark, ast.Call) and ast.unparse(mark.func) == "pytest.mark.rule"):
        return
    spot = f"{where}:{mark.lineno}"
    if not mark.args or mark.keywords:
        raise ValueError(f"{spot}: a rule mark names one clause or more")
    for argument in mark.args:
        if not (isinstance(argument, ast.Constant) and isinstance(argument.value, str)):
            raise ValueError(f"{spot}: {ast.unparse(argument)} is not a literal clause id")
        yield Citation(argument.value, spot)


def report(root: Path = ROOT) -> Report:
    known = clauses(root)
    cited = list(citations(root))
    names = {citation.clause for citation in cited}
    return Report(
        clauses=len(known),
        uncited=[clause for clause in known if clause not in names],
        unknown=[citation for citation in cited if citation.clause not in set(known)],
    )


def main() -> int:
    found = report()
    for clause in found.uncited:
        print(f"uncited: {clause}")
    for citation in found.unknown:
        print(f"unknown: {citation.clause} ({citation.where})")
    print(f"{found.clauses - len(found.uncited)} of {found.clauses} clauses are cited by tests")
    return 0 if found.clean else 1


if __name__ == "__main__":
    sys.exit(main())
