"""A proof that would take too long is given up with a finding, not with a wrong answer."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.template import formulas
from support.projects import write_minimal_project


def pigeons(number: int) -> str:
    """Return a block whose `if` can never be true: `number` pigeons, each in a hole of its own, one hole too few.

    No short proof by cases of the pigeonhole principle exists (Haken 1985, "The intractability of resolution").
    """
    holes = range(number - 1)
    sits = [[f"p{pigeon}h{hole} is defined" for hole in holes] for pigeon in range(number)]
    clauses = [f"({' or '.join(places)})" for places in sits]
    clauses += [
        f"not ({sits[one][hole]} and {sits[other][hole]})"
        for hole in holes
        for one in range(number)
        for other in range(one)
    ]
    names = ["x", *(place.split()[0] for places in sits for place in places)]
    inputs = "".join(f"  {name}: {{type: line, from: contact.name}}\n" for name in names)
    body = f"body: |\n  {{% if {' and '.join(clauses)} %}}\n  Name: {{{{ x }}}}\n  {{% endif %}}\n"
    return f"kind: block\nname: pigeons\nheading: Pigeons\ninputs:\n{inputs}{body}"


def codes(root: Path, number: int) -> list[str]:
    return [item.code for item in frieze.check(write_minimal_project(root, pigeons(number))).diagnostics]


def test_a_small_proof_is_found(tmp_path: Path) -> None:
    assert codes(tmp_path, 4) == []


def test_a_large_one_is_given_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(formulas, "SPLITS", 30)
    assert codes(tmp_path, 4) == ["F503"]
