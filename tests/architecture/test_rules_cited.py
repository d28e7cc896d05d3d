"""Every clause of the rules is proved by a test that cites it, and the report that says so can fail."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests import rules_report

TESTS = """
import pytest

@pytest.mark.rule("WS-A-1", "SR-B-1")
def test_cites(): ...

@pytest.mark.rule("WS-A-9")
class TestCites: ...

@pytest.mark.rule("WS-A-2")
def helper(): ...

pytestmark = pytest.mark.rule("WS-A-2")
"""


@pytest.mark.clauses
def test_every_clause_is_cited_and_every_citation_is_a_clause() -> None:
    found = rules_report.report()
    assert found.uncited == []
    assert found.unknown == []


def test_the_documents_define_clauses_in_both_forms() -> None:
    known = rules_report.clauses()
    for clause in ("WS-TERM-1", "WS-DECK-34", "WS-EX-6", "SR-COMP-1", "SR-DEC-1", "SR-DEC-8"):
        assert clause in known
    assert not [clause for clause in known if clause.startswith("D-")]


def small_repo(root: Path, tests: str) -> Path:
    rules = root / "docs/rules"
    rules.mkdir(parents=True)
    (rules / "wild-space.md").write_text("| WS-A-1 | one |\n| WS-A-2 | two, see WS-A-7 |\n")
    (rules / "space-race.md").write_text("- **SR-B-1** one\n| **SR-B-2** | two |\n")
    (root / "tests").mkdir()
    (root / "tests/test_small.py").write_text(tests)
    return root


def test_only_marks_on_test_functions_and_classes_count(tmp_path: Path) -> None:
    found = rules_report.report(small_repo(tmp_path, TESTS))
    assert found.clauses == 4
    assert found.uncited == ["WS-A-2", "SR-B-2"]
    assert [citation.clause for citation in found.unknown] == ["WS-A-9"]
    assert not found.clean


def test_an_id_that_is_not_literal_is_refused(tmp_path: Path) -> None:
    tests = "import pytest\n\n@pytest.mark.rule(*IDS)\ndef test_x(): ...\n"
    with pytest.raises(ValueError, match=r"tests/test_small.py:3: .* is not a literal clause id"):
        rules_report.report(small_repo(tmp_path, tests))
