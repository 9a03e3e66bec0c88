"""The shipped schema of the context is the one that the library's contract gives."""

from __future__ import annotations

import json

import jsonschema

from frieze.emit.context_schema import context_schema
from frieze.profiles import load_graph
from support import examples
from support.golden import check_golden


def test_the_shipped_schema_follows_the_contract_of_the_library() -> None:
    graph, faults = load_graph(examples.ROOT / "examples/minimal")
    assert graph is not None
    assert faults == []
    contract = {
        path: {"type": row.type, "description": row.description, **row.options}
        for path, row in graph.project.context.items()
    }
    text = json.dumps(context_schema(contract, "a project"), ensure_ascii=False, indent=2) + "\n"
    check_golden(examples.ROOT / "schema/context.schema.json", text)


def test_the_contexts_of_the_examples_fit_the_schema_of_their_project() -> None:
    checked = 0
    for name in examples.NAMES:
        schema = json.loads(examples.files(name).files["context.schema.json"])
        for context, value in examples.given_contexts(name).items():
            if not context.startswith("hostile"):
                jsonschema.validate(value, schema)
                checked += 1
    assert checked > 5
