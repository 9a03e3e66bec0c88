"""A field of a list that changes more often than the list: only who reads it changes with it."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze
from frieze.runtime import Bundle
from support.projects import split_files, write_files

PROJECT = """# file: frieze.yaml
kind: project
name: probe
context:
  orders:
    type: list
    of: {fields: {name: {type: line}, state: {type: line, zone: ZONE}}}
    zone: session
# file: profiles/orders.yaml
kind: block
name: orders
heading: Orders
when: orders
inputs:
  orders: {type: list, of: OF, from: FROM}
body: There are {{ orders | length }}.
# file: profiles/helper.yaml
kind: agent
name: helper
defaults: {platform: api, model: claude-sonnet-4-6, personality: none}
layout: {insert: {orders: {at: last}}}
instructions: Help.
"""


@pytest.mark.parametrize(
    ("of", "zone", "source", "expected"),
    [
        ("{fields: {name: {type: line}}}", "turn", "orders", ("session", "session")),
        ("{fields: {name: {type: line}, state: {type: line}}}", "turn", "orders", ("turn", "turn")),
        ("{fields: {state: {type: line}}}", "{direct: session, group: turn}", "orders", ("session", "turn")),
        ("{fields: {name: {type: line}}}", "turn", "[{path: orders, when: orders}]", ("turn", "turn")),
    ],
)
def test_the_zone_follows_the_fields_that_are_read(
    tmp_path: Path, of: str, zone: str, source: str, expected: tuple[str, str]
) -> None:
    project = PROJECT.replace("OF,", f"{of},").replace("ZONE", zone).replace("FROM", source)
    result = frieze.compile(write_files(tmp_path, split_files(project)))
    assert result.bundle is not None, result.diagnostics
    bundle = Bundle.from_files(result.bundle.files)
    context = {"orders": [{"name": "a", "state": "sent"}]}
    zones = [
        part.zone
        for audience in ("direct", "group")
        for part in bundle.prompt("helper", audience=audience).render(context).parts
        if part.id == "orders"
    ]
    assert tuple(zones) == expected
