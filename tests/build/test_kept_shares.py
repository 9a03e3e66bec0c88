"""What is kept of an agent is all that a run needs which changes another one."""

from __future__ import annotations

from pathlib import Path

import pytest

import frieze.pipeline
from frieze.bench.projects import write_project
from frieze.build.shares import Workshop
from frieze.cache import Store
from frieze.checks import run_checks
from frieze.diagnostics import Code, Diagnostic
from frieze.diagnostics.catalogue import CODES
from frieze.emit import bundle_of
from frieze.freeze import freeze_project
from frieze.policy import compile_policies
from frieze.profiles import load_graph
from support.projects import write_files, write_minimal_project

CHECKED = sorted(
    (entry for entry in CODES.values() if entry.bad and entry.code[:2] == "F7"), key=lambda entry: entry.code
)
"""What checks find."""

OTHERS = ("one-more", "another-one")
"""Agents beside those of an example, so that what each agent decides is kept apart."""


def told(root: Path, cache: Store | None) -> list[tuple[Diagnostic, object, str]]:
    found = frieze.pipeline.check(root, cache=cache).diagnostics
    return [(entry, entry.related, entry.advice) for entry in found]


@pytest.mark.parametrize("entry", CHECKED, ids=lambda entry: f"{entry.code}-{entry.name}")
def test_a_finding_is_kept_with_its_agent(entry: Code, tmp_path: Path) -> None:
    root = write_minimal_project(tmp_path / "project", entry.bad)
    folder = root / "profiles"
    folder.mkdir(exist_ok=True)
    for name in OTHERS:
        (folder / f"{name}.yaml").write_text(
            f"kind: agent\nname: {name}\ndescription: Nobody.\ninstructions: You help.\n", encoding="utf-8"
        )
    cache = Store(tmp_path / "cache")
    alone = told(root, None)
    assert told(root, cache) == alone
    for name in OTHERS:
        path = folder / f"{name}.yaml"
        path.write_text(path.read_text("utf-8").replace("help", "help everybody"), encoding="utf-8")
        assert told(root, cache) == told(root, None)
    assert entry.code in {found.code for found, _, _ in alone}


@pytest.mark.parametrize("text", ["{{ nobody }}", "{% if %}", "{{ agent.nothing }}", "{% include 'nowhere' %}"])
def test_what_is_wrong_is_kept_with_its_agent(text: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    paths = write_project(root, agents=3, platforms=2)
    paths[-1].write_text(paths[-1].read_text("utf-8") + f"  {text}\n", encoding="utf-8")
    cache = Store(tmp_path / "cache")
    assert told(root, cache) == told(root, None)
    paths[-2].write_text(paths[-2].read_text("utf-8") + "  A new sentence.\n", encoding="utf-8")
    alone = told(root, None)
    assert told(root, cache) == alone
    assert {found.span.file for found, _, _ in alone} == {"profiles/agents/agent-0002.yaml"}


@pytest.mark.parametrize("named", ["platforms: [slack]", "models: [gpt-5.5]"])
def test_what_one_agent_names_is_a_choice_of_all(named: str, tmp_path: Path) -> None:
    root = tmp_path / "project"
    paths = write_project(root, agents=4, platforms=2)
    cache = Store(tmp_path / "cache")
    before = frieze.pipeline.compile(root, cache=cache).bundle
    paths[-1].with_name("guest.yaml").write_text(
        f"kind: agent\nname: guest\ninstructions: You help.\nallows: {{{named}}}\n", encoding="utf-8"
    )
    after = frieze.pipeline.compile(root, cache=cache).bundle
    alone = frieze.pipeline.compile(root).bundle
    assert before
    assert after
    assert alone
    assert after.files == alone.files


def test_a_folder_with_the_name_of_the_library_is_the_projects_own(tmp_path: Path) -> None:
    agent = "kind: agent\nname: {name}\ninstructions: |\n  Answer with a table.\n  {{% include 'opening' %}}\n"
    root = write_files(
        tmp_path / "project",
        {
            "frieze.yaml": "kind: project\nname: own\nprofiles: [std]\n",
            "std/blocks/opening.yaml": "kind: block\nname: opening\nbody: Welcome them.\n",
            "std/platform.yaml": "kind: platform\nname: plain\nmarkup: none\n",
            **{f"std/{name}.yaml": agent.format(name=name) for name in OTHERS},
        },
    )
    cache = Store(tmp_path / "cache")
    alone = told(root, None)
    assert {(found.code, found.span.file) for found, _, _ in alone} == {
        ("F711", f"./std/{name}.yaml") for name in OTHERS
    }
    assert told(root, cache) == alone
    block = root / "std/blocks/opening.yaml"
    block.write_text(block.read_text("utf-8").replace("Welcome", "Always welcome"), encoding="utf-8")
    after = frieze.pipeline.compile(root, cache=cache).bundle
    assert after
    assert b"Always welcome" in after.files["residuals/agents/one-more/std/instructions.json"]


def test_an_agent_that_is_kept_is_left_alone(tmp_path: Path) -> None:
    root = tmp_path / "project"
    paths = write_project(root, agents=5, platforms=3)
    cache = Store(tmp_path / "cache")
    whole = frieze.pipeline.compile(root, cache=cache)
    assert whole.bundle
    paths[-1].write_text(paths[-1].read_text("utf-8") + "  A new sentence.\n", encoding="utf-8")

    graph, found = load_graph(root)
    assert graph
    graph, _ = compile_policies(graph)
    workshop = Workshop(cache)
    frozen, more = freeze_project(graph, None, workshop.shares)
    run_checks(frozen, [*found, *more])
    bundle = bundle_of(frozen, workshop.files)

    kept = {
        agent: part for agent, share in frozen.shares.items() for part in share.parts.values() if hasattr(part, "_read")
    }
    assert len(kept) == 4
    assert not any(part._read for part in kept.values())
    assert bundle.files == (frieze.pipeline.compile(root).bundle or whole.bundle).files
    trees = [part.tree for part in kept.values()]
    assert trees == [part._read for part in kept.values()]
