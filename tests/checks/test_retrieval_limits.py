"""Limits of the search, from the profile to the service: checked, frozen, hashed, and in no prompt."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

import frieze
from frieze.diagnostics import Severity
from frieze.emit import bundle_of
from frieze.freeze import freeze_project
from frieze.runtime import Bundle, BundleError, ContextError
from support import examples
from support.projects import split_files, write_files

SCHEMA = json.loads((examples.ROOT / "schema/bundle.schema.json").read_text("utf-8"))

PROJECT = """# file: frieze.yaml
kind: project
name: shop
context:
  desk.retrieval: {type: retrieval, zone: session, trust: service, description: What may be searched at this desk.}
# file: profiles/web.yaml
kind: platform
name: web
retrieval:
  tags: [{tag: audience, none: [internal, draft, internal]}]
# file: profiles/phone.yaml
kind: platform
name: phone
# file: profiles/base.yaml
kind: agent
name: base
instructions: Help.
knowledge_bases: [prices, handbook, legal]
retrieval:
  knowledge_bases: [handbook, prices]
  documents: [terms]
# file: profiles/helper.yaml
kind: agent
name: helper
extends: base
retrieval:
  documents: null
  tags:
    - {tag: region, any: [uk, eu]}
    - {tag: reviewed, all: ['yes']}
# file: profiles/greeter.yaml
kind: agent
name: greeter
instructions: Greet.
"""


def project(root: Path, text: str = PROJECT) -> Path:
    return write_files(root, split_files(text))


def codes(root: Path, text: str) -> list[tuple[str, str, int]]:
    found = frieze.check(project(root, text)).diagnostics
    return [(entry.code, Path(entry.span.file).name, entry.span.line) for entry in found]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    result = frieze.compile(project(tmp_path_factory.mktemp("shop")))
    assert result.diagnostics == ()
    assert result.bundle
    return dict(result.bundle.files)


def test_the_manifest_holds_what_is_known(files: dict[str, bytes]) -> None:
    manifest = json.loads(files["bundle.json"])
    assert {name: agent.get("retrieval") for name, agent in manifest["agents"].items()} == {
        "base": {"knowledge_bases": ["handbook", "prices"], "documents": ["terms"]},
        "helper": {
            "knowledge_bases": ["handbook", "prices"],
            "tags": [{"tag": "region", "any": ["eu", "uk"]}, {"tag": "reviewed", "all": ["yes"]}],
        },
        "greeter": None,
    }
    assert manifest["platforms"] == {
        "web": {"retrieval": {"tags": [{"tag": "audience", "none": ["draft", "internal"]}]}}
    }
    assert [error.message[:200] for error in Draft202012Validator(SCHEMA).iter_errors(manifest)] == []


def test_the_service_gets_what_all_levels_allow(files: dict[str, bytes]) -> None:
    prompt = Bundle.from_files(files).prompt("helper", platform="web")
    limits = prompt.retrieval(
        {
            "contact": {"name": "Aiko", "retrieval": {"knowledge_bases": ["handbook", "legal"]}},
            "conversation": {"retrieval": {"documents": ["terms", "opening-hours"]}},
            "message": {"retrieval": {"tags": [{"tag": "language", "any": ["ja"]}]}},
            "desk": {"retrieval": {"documents": ["terms"]}},
        }
    )
    assert limits.as_data() == {
        "closed": False,
        "knowledge_bases": ["handbook"],
        "documents": ["terms"],
        "tags": [
            {"tag": "audience", "none": ["draft", "internal"]},
            {"tag": "language", "any": ["ja"]},
            {"tag": "region", "any": ["eu", "uk"]},
            {"tag": "reviewed", "all": ["yes"]},
        ],
    }
    assert limits.notes == ()
    assert limits.allows("handbook", "terms", {"language": "ja", "region": "eu", "reviewed": "yes"})


def test_every_target_and_no_context(files: dict[str, bytes]) -> None:
    bundle = Bundle.from_files(files)
    seen = {
        (agent, platform): bundle.prompt(agent, platform=platform).retrieval().as_data()
        for agent in bundle.agents
        for platform in ("web", "phone")
    }
    assert seen["greeter", "web"] == seen["greeter", "phone"]
    assert seen["greeter", "web"]["closed"]
    assert seen["base", "phone"] == {
        "closed": False,
        "knowledge_bases": ["handbook", "prices"],
        "documents": ["terms"],
        "tags": [],
    }
    assert [row["tag"] for row in seen["helper", "web"]["tags"]] == ["audience", "region", "reviewed"]
    assert [row["tag"] for row in seen["helper", "phone"]["tags"]] == ["region", "reviewed"]


def test_a_wrong_limit_in_the_context_closes(files: dict[str, bytes]) -> None:
    prompt = Bundle.from_files(files).prompt("base", platform="phone")
    for level in ("contact", "conversation", "message", "desk"):
        limits = prompt.retrieval({level: {"retrieval": {"knowledge_base": ["handbook"]}}})
        assert limits.closed
        assert [(note.code, note.source) for note in limits.notes] == [("invalid-limit", f"{level}.retrieval")]
    with pytest.raises(ContextError):
        prompt.retrieval({"contact": ["handbook"]})


def test_no_prompt_shows_a_limit(files: dict[str, bytes]) -> None:
    prompt = Bundle.from_files(files).prompt("helper", platform="web")
    limit = {"knowledge_bases": ["handbook"], "tags": [{"tag": "audience", "none": ["internal"]}]}
    limited = prompt.render({level: {"retrieval": limit} for level in ("contact", "conversation", "message", "desk")})
    assert limited.text == prompt.render({}).text
    assert limited.notes == ()
    assert "internal" not in limited.text


def test_a_changed_limit_is_noticed(files: dict[str, bytes]) -> None:
    for old, new in (
        (
            b'"retrieval":{"knowledge_bases":["handbook","prices"]',
            b'"retrieval":{"knowledge_bases":["handbook","legal"]',
        ),
        (b'"none":["draft","internal"]', b'"none":["draft"]'),
        (b'"documents":["terms"],', b""),
    ):
        changed = files["bundle.json"].replace(old, new)
        assert changed != files["bundle.json"]
        with pytest.raises(BundleError):
            Bundle.from_files({**files, "bundle.json": changed})


def test_the_context_schema_knows_the_levels(files: dict[str, bytes]) -> None:
    validator = Draft202012Validator(json.loads(files["context.schema.json"]))
    for level in ("contact", "conversation", "message", "desk"):
        limit: dict[str, Any] = {"documents": ["terms"], "tags": [{"tag": "region", "any": ["eu"]}]}
        assert validator.is_valid({level: {"retrieval": limit}})
        assert validator.is_valid({level: {"retrieval": None}})
        assert not validator.is_valid({level: {"retrieval": {"document": ["terms"]}}})
        assert not validator.is_valid({level: {"retrieval": {"tags": [{"tag": "region"}]}}})


@pytest.mark.parametrize("source", ["contact.retrieval", "message.retrieval.documents", "agent.retrieval"])
@pytest.mark.parametrize("kind", ["list", "attributes", "line"])
def test_no_input_reads_a_limit(tmp_path: Path, source: str, kind: str) -> None:
    fields = {"list": "of: line, from", "attributes": "merge", "line": "from"}[kind]
    text = f"kind: block\nname: leak\ninputs:\n  found: {{type: {kind}, {fields}: {source}}}\nbody: none\n"
    found = frieze.check(project(tmp_path, PROJECT + "# file: profiles/leak.yaml\n" + text)).diagnostics
    errors = [entry for entry in found if entry.severity is Severity.ERROR]
    assert {entry.code for entry in errors} <= {"F332", "F333"}
    assert len(errors) == 1
    if not source.startswith("agent"):
        assert errors[0].advice == "a limit of the search is data for `prompt.retrieval`; no prompt shows it"


def test_no_template_sees_a_limit(tmp_path: Path) -> None:
    text = PROJECT.replace("instructions: Greet.", "instructions: 'Hide {{ agent.retrieval }}'")
    assert [code for code, _, _ in codes(tmp_path, text)] != []


WRONG = {
    "{documents: terms}": ("F204", "F205"),
    "{document: [terms]}": ("F201",),
    "{documents: [7]}": ("F206",),
    "{documents: ['']}": ("F209",),
    "{tags: {tag: a, any: [b]}}": ("F204",),
    "{tags: [{tag: a}]}": ("F211",),
    "{tags: [{any: [b]}]}": ("F202", "F211"),
    "{tags: [{tag: a, any: []}]}": ("F210",),
    "{tags: [{tag: a, any: [b], none: [c]}]}": ("F211",),
    "{tags: [{tag: a, is: [b]}]}": ("F201",),
}


@pytest.mark.parametrize("limit", WRONG)
@pytest.mark.parametrize("kind", ["agent", "platform"])
def test_a_wrong_limit_of_a_profile_is_an_error(tmp_path: Path, kind: str, limit: str) -> None:
    rest = "instructions: Help.\n" if kind == "agent" else ""
    own = f"# file: profiles/own.yaml\nkind: {kind}\nname: own\n{rest}retrieval: {limit}\n"
    found = {code for code, file, _ in codes(tmp_path, PROJECT + own) if file == "own.yaml"}
    assert found
    assert found <= {*WRONG[limit]}


def test_two_questions_in_a_condition_are_told_what_to_keep(tmp_path: Path) -> None:
    own = "# file: profiles/own.yaml\nkind: platform\nname: own\nretrieval: {tags: [{tag: a, any: [b], none: [c]}]}\n"
    found = frieze.check(project(tmp_path, PROJECT + own)).diagnostics
    assert "exactly one of `any`, `all` or `none`" in found[0].message


AGENT = """# file: frieze.yaml
kind: project
name: shop
# file: profiles/shop.yaml
kind: platform
name: shop
retrieval: PLATFORM
# file: profiles/helper.yaml
kind: agent
name: helper
instructions: Help.
knowledge_bases: [faq, hr]
retrieval: AGENT
"""


@pytest.mark.parametrize(
    ("agent", "platform", "expected"),
    [
        ("{}", "{}", []),
        ("{knowledge_bases: [faq]}", "{knowledge_bases: [faq, hr]}", []),
        ("{knowledge_bases: [faq]}", "{knowledge_bases: [hr]}", [("F720", "helper.yaml", 5)]),
        ("{documents: [a]}", "{documents: [b]}", [("F720", "helper.yaml", 5)]),
        ("{}", "{knowledge_bases: []}", []),
        ("{}", "{documents: []}", []),
        ("{knowledge_bases: []}", "{documents: [b]}", []),
        (
            "{tags: [{tag: a, any: [x, y]}]}",
            "{tags: [{tag: a, none: [x]}, {tag: a, none: [y]}]}",
            [("F720", "helper.yaml", 5)],
        ),
        ("{tags: [{tag: a, any: [x]}, {tag: a, none: [x]}]}", "{}", [("F720", "helper.yaml", 5)]),
        ("{tags: [{tag: a, any: [x]}]}", "{tags: [{tag: a, any: [y]}]}", []),
        ("{knowledge_bases: [faq, fqa]}", "{}", [("F721", "helper.yaml", 5)]),
        ("{knowledge_bases: [fqa]}", "{}", [("F721", "helper.yaml", 5)]),
        ("{}", "{knowledge_bases: [faq, fqa]}", [("F721", "shop.yaml", 3)]),
    ],
)
def test_limits_that_exclude_each_other(
    tmp_path: Path, agent: str, platform: str, expected: list[tuple[str, str, int]]
) -> None:
    text = AGENT.replace("PLATFORM", platform).replace("AGENT", agent)
    assert codes(tmp_path, text) == expected


def test_warnings_say_who_and_where(tmp_path: Path) -> None:
    text = AGENT.replace("PLATFORM", "{knowledge_bases: [hr, faqs]}").replace("AGENT", "{knowledge_bases: [faq]}")
    empty, unknown = frieze.check(project(tmp_path, text)).diagnostics
    assert empty.severity is unknown.severity is Severity.WARNING
    assert "the agent `helper` may search nothing on the platform `shop`" in empty.message
    assert [Path(entry.span.file).name for entry in empty.related] == ["shop.yaml"]
    assert unknown.message == "no agent on the platform `shop` has the knowledge base `faqs`"
    assert unknown.advice == "did you mean `faq`?"


def test_a_platform_may_name_what_only_some_agents_have(tmp_path: Path) -> None:
    other = "# file: profiles/other.yaml\nkind: agent\nname: other\ninstructions: Help.\nknowledge_bases: [legal]\n"
    text = AGENT.replace("PLATFORM", "{knowledge_bases: [faq, legal]}").replace("AGENT", "{}")
    assert codes(tmp_path, text + other) == []


def test_a_project_compiles_the_same_with_limits_in_any_order(tmp_path: Path) -> None:
    def manifest(root: Path, text: str) -> Any:
        graph, faults = frieze.load(project(root, text))
        assert graph
        assert faults == []
        return json.loads(bundle_of(freeze_project(graph)[0]).files["bundle.json"])["agents"]

    turned = PROJECT.replace("[prices, handbook, legal]", "[legal, handbook, prices]").replace(
        "[uk, eu]", "[eu, uk, eu]"
    )
    assert turned != PROJECT
    assert manifest(tmp_path / "one", PROJECT) == manifest(tmp_path / "other", turned)
