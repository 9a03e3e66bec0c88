"""What folders can do to a project, and what the graph holds."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest

from frieze.diagnostics import Diagnostic, Severity
from frieze.profiles import layout_for, load_graph, personality_data, personality_text, unset_data
from frieze.profiles.declarations import Graph
from frieze.resources import profiles_folder
from support.projects import split_files, write_files

PROJECT = "kind: project\nname: example\n"
AGENT = "kind: agent\nname: helper\ninstructions: Help with orders.\n"


def project(root: Path, text: str = "") -> Path:
    files = {"frieze.yaml": PROJECT, "profiles/helper.yaml": AGENT, **split_files(text)}
    return write_files(root, {name: content for name, content in files.items() if content})


def loaded(root: Path, text: str = "") -> Graph:
    graph, faults = load_graph(project(root, text))
    assert not [fault for fault in faults if fault.severity is Severity.ERROR], faults
    assert graph
    return graph


def places(faults: list[Diagnostic]) -> list[tuple[str, str, int]]:
    return [(fault.code, fault.span.file, fault.span.line) for fault in faults]


def test_a_folder_that_is_none(tmp_path: Path) -> None:
    graph, faults = load_graph(tmp_path / "nowhere")
    assert graph is None
    assert places(faults) == [("F301", "frieze.yaml", 0)]


def test_an_empty_folder_says_F301(tmp_path: Path) -> None:
    graph, faults = load_graph(tmp_path)
    assert graph is None
    assert places(faults) == [("F301", "frieze.yaml", 0)]


def test_a_library_that_is_missing(tmp_path: Path) -> None:
    graph, faults = load_graph(project(tmp_path / "own"), tmp_path / "library")
    assert graph is None
    assert places(faults) == [("F301", "std/frieze.yaml", 0)]


def test_a_project_without_agents_says_F309(tmp_path: Path) -> None:
    graph, faults = load_graph(write_files(tmp_path, {"frieze.yaml": PROJECT}))
    assert graph
    assert places(faults) == [("F309", "frieze.yaml", 2)]
    assert faults[0].severity is Severity.WARNING


def test_a_link_to_a_folder_says_F308(tmp_path: Path) -> None:
    outside = write_files(tmp_path / "outside", {"calm.yaml": "kind: personality\nname: calm\ntext: Be calm.\n"})
    root = project(tmp_path / "own")
    (root / "profiles" / "shared").symlink_to(outside, target_is_directory=True)
    graph, faults = load_graph(root)
    assert graph
    assert places(faults) == [("F308", "profiles/shared", 0)]


def test_a_link_to_a_file_outside_is_refused(tmp_path: Path) -> None:
    outside = write_files(tmp_path / "outside", {"calm.yaml": "kind: personality\nname: calm\ntext: Be calm.\n"})
    root = project(tmp_path / "own")
    (root / "profiles" / "calm.yaml").symlink_to(outside / "calm.yaml")
    assert places(load_graph(root)[1]) == [("F304", "profiles/calm.yaml", 0)]


def test_a_link_to_a_text_outside_is_refused(tmp_path: Path) -> None:
    outside = write_files(tmp_path / "outside", {"calm.md": "Be calm.\n"})
    root = project(
        tmp_path / "own", "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: {file: calm.md}\n"
    )
    (root / "profiles" / "calm.md").symlink_to(outside / "calm.md")
    assert places(load_graph(root)[1]) == [("F321", "profiles/calm.yaml", 3)]


def test_a_link_inside_the_project_is_followed(tmp_path: Path) -> None:
    root = project(
        tmp_path,
        "# file: texts/calm.md\nBe calm.\n"
        "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: {file: link.md}\n",
    )
    (root / "profiles" / "link.md").symlink_to(root / "texts" / "calm.md")
    graph, faults = load_graph(root)
    assert faults == []
    assert graph
    text = graph.personalities["calm"].text
    assert text
    assert (text.value, text.span.file) == ("Be calm.\n", "profiles/link.md")


@pytest.mark.parametrize("target", ["nowhere.md", "calm.md"])
def test_a_text_that_is_a_link_to_no_file_is_not_proposed_itself(tmp_path: Path, target: str) -> None:
    root = project(tmp_path, "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: {file: calm.md}\n")
    (root / "profiles" / "calm.md").symlink_to(target)
    [fault] = load_graph(root)[1]
    assert (fault.code, fault.advice) == ("F320", "it is a link that leads to no file")


def test_a_folder_pipe_or_link_loop_named_like_a_profile(tmp_path: Path) -> None:
    root = project(tmp_path)
    (root / "profiles" / "folder.yaml").mkdir()
    os.mkfifo(root / "profiles" / "pipe.yaml")
    (root / "profiles" / "loop.yaml").symlink_to("loop.yaml")
    graph, faults = load_graph(root)
    assert places(faults) == [
        ("F103", "profiles/folder.yaml", 0),
        ("F104", "profiles/loop.yaml", 0),
        ("F103", "profiles/pipe.yaml", 0),
    ]
    assert graph
    assert set(graph.agents) == {"helper"}


def test_a_pipe_as_project_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "frieze.yaml")
    graph, faults = load_graph(tmp_path)
    assert graph is None
    assert places(faults) == [("F103", "frieze.yaml", 0)]


def test_hidden_folders_and_other_files_are_passed_over(tmp_path: Path) -> None:
    root = project(tmp_path, "# file: profiles/.cache/x.yaml\nnothing: here\n# file: profiles/notes.md\nnot yaml: [\n")
    assert load_graph(root)[1] == []


def test_an_agent_of_which_nothing_is_said(tmp_path: Path) -> None:
    agent = loaded(tmp_path).agents["helper"]
    assert agent.defaults == {"audience": "direct"}
    assert agent.allows == {
        "platform": (), "model": (), "personality": (), "audience": ("direct", "group"), "mode": (),
    }  # fmt: skip
    assert unset_data("platform")["awareness"] == {"time": False, "sender_name": False, "location": False}
    assert unset_data("personality") == {"name": None, "description": None, "text": "", "removes": [], "data": {}}


def test_what_the_project_declares_or_names_may_be_chosen(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/own.yaml\nkind: platform\nname: own\n"
        "# file: profiles/zeta.yaml\nkind: model\nname: zeta\ndefaults: {personality: pragmatic}\n"
        "# file: profiles/second.yaml\nkind: agent\nname: second\ninstructions: Help.\ndefaults: {platform: line}\n",
    )
    agent = graph.agents["helper"]
    assert agent.allows["platform"] == ("own", "std/line")
    assert agent.allows["model"] == ("zeta",)
    assert agent.allows["personality"] == ("std/pragmatic",)
    assert set(graph.platforms) == {"own", "std/line"}
    assert graph.models["zeta"].default_personality == "std/pragmatic"
    assert graph.agents["second"].defaults == {"platform": "std/line", "audience": "direct"}


def test_names_mean_the_projects_own_before_the_library(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/line.yaml\nkind: platform\nname: line\nextends: line\nlanguage: ja\n"
        "# file: profiles/helper.yaml\n" + AGENT + "allows: {platforms: [line, std/line]}\n",
    )
    assert graph.agents["helper"].allows["platform"] == ("line", "std/line")
    assert graph.platforms["line"].data["language"] == "ja"
    assert graph.platforms["line"].data["limits"] == graph.platforms["std/line"].data["limits"]
    assert graph.platforms["std/line"].data["language"] is None


def test_a_name_in_the_library_means_the_librarys(tmp_path: Path) -> None:
    graph = loaded(tmp_path, "# file: profiles/user-name.yaml\nkind: block\nname: user-name\nbody: Own.\n")
    assert ("user-name", "std/user-name") in layout_for(graph, "helper", None)[0]


def test_a_layout_of_the_project_named_std_is_the_default(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/user-name.yaml\nkind: block\nname: user-name\nbody: Own.\n"
        "# file: profiles/std.yaml\nkind: layout\nname: std\nextends: std/std\nblocks: {user-name: {block: user-name}}\n",
    )
    slots = layout_for(graph, "helper", None)[0]
    assert ("user-name", "user-name") in slots
    assert [slot for slot, _ in slots] == [slot for slot, _ in graph.layouts["std/std"].blocks]


def test_instructions_take_the_place_of_the_placeholder(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/helper.yaml\n" + AGENT + "zone: session\nsend: on-change\n"
        "inputs:\n  name: {type: line, from: contact.name, max_length: 50}\n",
    )
    block = graph.agents["helper"].instructions
    assert block
    assert (block.name, block.zone, block.send, block.role) == ("std/instructions", "session", "on-change", "system")
    assert block.body
    assert block.body.value == "Help with orders."
    assert block.body.locate(0, 4) == block.body.span._replace(end_column=block.body.span.column + 4)
    assert block.inputs["name"].options == {"max_length": 50}
    assert block.inputs["name"].sources[0].path == "contact.name"


def test_a_text_in_a_file_keeps_its_places(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/helper.yaml\nkind: agent\nname: helper\ninstructions: {file: deep/helper.md}\n"
        "# file: profiles/deep/helper.md\nFirst line.\nSecond line.\n",
    )
    block = graph.agents["helper"].instructions
    assert block
    assert block.body
    span = block.body.locate(12, 18)
    assert (span.file, span.line, span.column) == ("profiles/deep/helper.md", 2, 1)
    assert graph.texts["profiles/deep/helper.md"] == "First line.\nSecond line.\n"
    assert graph.texts["profiles/helper.yaml"].startswith("kind: agent")
    assert "std/blocks/user-name.yaml" in graph.texts


def test_the_text_of_a_personality_depends_on_the_model(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: |\n  Be calm.\n"
        "# file: profiles/bare.yaml\nkind: personality\nname: bare\n"
        "# file: profiles/one.yaml\nkind: model\nname: one\npersonalities: {calm: Calm., bare: Bare., std/none: ''}\n"
        "# file: profiles/two.yaml\nkind: model\nname: two\n",
    )
    calm, bare = graph.personalities["calm"], graph.personalities["bare"]
    one, two = graph.models["one"], graph.models["two"]
    assert personality_data(calm, one)["text"] == "Calm."
    assert personality_data(calm, two)["text"] == personality_data(calm, None)["text"] == "Be calm."
    assert personality_data(bare, two)["text"] == ""
    assert personality_text(bare, two) is None
    assert set(one.personalities) == {"calm", "bare", "std/none"}


def test_skills_are_shown_to_templates_by_name(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/refunds.yaml\nkind: skill\nname: refunds\nwhen_to_use: Money back.\ntext: Ask first.\n"
        "# file: profiles/unused.yaml\nkind: skill\nname: unused\nwhen_to_use: Never.\ntext: Nothing.\n"
        "# file: profiles/helper.yaml\n" + AGENT + "skills: [refunds]\n",
    )
    agent = graph.agents["helper"]
    assert agent.skills == ("refunds",)
    assert agent.data["skills"] == [{"name": "refunds", "description": None, "when_to_use": "Money back."}]
    assert set(graph.skills) == {"refunds"}
    text = graph.skills["refunds"].text
    assert text
    assert text.value == "Ask first."


def test_attribute_maps_refuse_the_reserved_keys_of_library_and_project(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: frieze.yaml\nkind: project\nname: example\nreserved: [crm_id]\n"
        "# file: profiles/order.yaml\nkind: block\nname: order\nbody: One.\n"
        "inputs:\n  order: {type: line, from: message.metadata.order}\n"
        "  rest: {type: attributes, merge: [message.metadata], reserved: [order]}\n",
    )
    assert {"crm_id", "timezone"} <= set(graph.project.reserved)
    assert "order" not in graph.project.reserved
    reserved = graph.blocks["std/contact-attributes"].inputs["attributes"].options["reserved"]
    assert reserved == list(graph.project.reserved)
    assert graph.blocks["order"].inputs["rest"].options["reserved"] == sorted([*reserved, "order"])
    assert "reserved" not in graph.blocks["order"].inputs["order"].options


def test_a_platforms_edit_of_one_layout_leaves_agents_on_another_alone(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/chat.yaml\nkind: platform\nname: chat\nlayout: {from: std, remove: [location]}\n"
        "# file: profiles/short.yaml\nkind: layout\nname: short\nblocks: {instructions: {}, location: {}}\n"
        "# file: profiles/second.yaml\nkind: agent\nname: second\ninstructions: Help.\nlayout: short\n",
    )
    assert [slot for slot, _ in layout_for(graph, "second", "chat")[0]] == ["instructions", "location"]
    assert "location" not in dict(layout_for(graph, "helper", "chat")[0])


def test_a_platforms_layout_holds_where_the_agent_names_none(tmp_path: Path) -> None:
    graph = loaded(
        tmp_path,
        "# file: profiles/chat.yaml\nkind: platform\nname: chat\nlayout: short\n"
        "# file: profiles/short.yaml\nkind: layout\nname: short\nblocks: {instructions: {}, location: {}}\n"
        "# file: profiles/second.yaml\nkind: agent\nname: second\ninstructions: Help.\nlayout: {remove: [location]}\n",
    )
    assert [slot for slot, _ in layout_for(graph, "helper", "chat")[0]] == ["instructions", "location"]
    assert [slot for slot, _ in layout_for(graph, "second", "chat")[0]] == ["instructions"]


@pytest.mark.parametrize("name", ["frieze.yaml", "profiles/helper.yaml"])
def test_a_broken_file_stops_itself_and_not_the_others(tmp_path: Path, name: str) -> None:
    root = project(tmp_path, "# file: profiles/odd.yaml\nkind: block\nname: odd\nbdy: One.\n")
    (root / name).write_text("kind: [\n", "utf-8")
    graph, faults = load_graph(root)
    codes = {fault.span.file: fault.code for fault in faults}
    assert name in codes
    if name == "frieze.yaml":
        assert graph is None
    else:
        assert codes["profiles/odd.yaml"] == "F201"
        assert graph
        assert not graph.agents


@pytest.mark.parametrize("spelling", ["own", "./own", "other/../own", "own/profiles/.."])
def test_the_way_to_the_folder_changes_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, spelling: str) -> None:
    project(
        tmp_path / "own", "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: {file: ./x/../calm.md}\n"
    )
    write_files(tmp_path, {"own/profiles/calm.md": "Be calm.\n", "other/nothing.txt": ""})
    monkeypatch.chdir(tmp_path)
    graph, faults = load_graph(Path(spelling))
    assert faults == []
    assert graph
    assert "profiles/calm.md" in graph.texts


def test_a_project_reached_through_a_link(tmp_path: Path) -> None:
    project(tmp_path / "own", "# file: profiles/calm.yaml\nkind: personality\nname: calm\ntext: {file: calm.md}\n")
    write_files(tmp_path, {"own/profiles/calm.md": "Be calm.\n"})
    (tmp_path / "link").symlink_to("own", target_is_directory=True)
    assert load_graph(tmp_path / "link")[1] == []


def test_a_link_loop_as_project_folder_says_F301(tmp_path: Path) -> None:
    (tmp_path / "loop").symlink_to("loop")
    assert places(load_graph(tmp_path / "loop")[1]) == [("F301", "frieze.yaml", 0)]


def test_the_order_of_the_listed_folders_changes_nothing(tmp_path: Path) -> None:
    calm = "kind: personality\nname: calm\ntext: Be calm.\n"
    for order in ("[b, a]", "[a, b]"):
        root = write_files(
            tmp_path / order,
            {
                "frieze.yaml": f"{PROJECT}profiles: {order}\n",
                "a/helper.yaml": AGENT,
                "a/calm.yaml": calm,
                "b/calm.yaml": calm,
            },
        )
        assert places(load_graph(root)[1]) == [("F310", "b/calm.yaml", 2)]


def test_the_default_personality_of_a_library_model_may_be_chosen(tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(profiles_folder(), library)
    model = "kind: model\nname: own\ndefaults: {personality: pragmatic}\n"
    write_files(library, {"models/own.yaml": model})
    root = project(tmp_path / "own", "# file: profiles/helper.yaml\n" + AGENT + "defaults: {model: own}\n")
    graph, faults = load_graph(root, library)
    assert faults == []
    assert graph
    assert graph.models["std/own"].default_personality == "std/pragmatic"
    assert graph.agents["helper"].allows["personality"] == ("std/pragmatic",)


def test_a_library_with_a_fault_says_so_under_its_own_name(tmp_path: Path) -> None:
    library = tmp_path / "library"
    shutil.copytree(profiles_folder(), library)
    write_files(library, {"models/odd.yaml": "kind: model\nname: odd\nvendr: nobody\n"})
    assert places(load_graph(project(tmp_path / "own"), library)[1]) == [("F201", "std/models/odd.yaml", 3)]


def test_texts_know_where_their_lines_stand(tmp_path: Path) -> None:
    text = "one\n\n  two {{ x }}\n"
    agent = "kind: agent\nname: {name}\ninstructions: "
    files = {
        "profiles/inline.yaml": agent.replace("{name}", "inline") + "|\n    one\n\n      two {{ x }}\n",
        "profiles/folded.yaml": agent.replace("{name}", "folded") + ">\n  one\n  two\n",
        "profiles/beside.yaml": agent.replace("{name}", "beside") + "{file: text.md}\n",
        "profiles/text.md": text.replace("\n", "\r\n"),
        "profiles/child.yaml": "kind: agent\nname: child\nextends: inline\n",
    }
    write_files(tmp_path, {"frieze.yaml": PROJECT, **files})
    graph, faults = load_graph(tmp_path)
    assert graph
    assert not faults
    texts = {name: agent.instructions.body for name, agent in graph.agents.items() if agent.instructions}
    assert {name: text and text.affine for name, text in texts.items()} == {
        "inline": ("profiles/inline.yaml", 4, 5),
        "child": ("profiles/inline.yaml", 4, 5),
        "beside": ("profiles/text.md", 1, 1),
        "folded": None,
    }
    for name in ("inline", "child", "beside"):
        body = texts[name]
        assert body
        assert body.affine
        assert body.value.rstrip("\n") == text.rstrip("\n")
        at = body.value.index("two")
        assert body.locate(at, at + 3)[:3] == (body.affine[0], body.affine[1] + 2, body.affine[2] + 2)
