"""Check, compile, render and explain, from the command line to the files and back."""

from __future__ import annotations

import json
import os
import re
import shutil
from pathlib import Path

import pytest

from support.commands import Outcome, frieze
from support.projects import write_files

NOW = "2026-03-14T09:26:53Z"

FILES = {
    "frieze.yaml": """\
kind: project
name: little-desk
version: 1.2.3
context:
  order.number:
    type: line
    zone: session
    trust: user
    description: The order that the conversation is about.
""",
    "profiles/helper.yaml": """\
kind: agent
name: helper
defaults: {platform: api, model: claude-sonnet-4-6, personality: friendly}
allows: {platforms: [api, line], models: [claude-sonnet-4-6, gemma-3-4b-it], personalities: [friendly]}
instructions: |
  You help with orders.
  Be brief.
layout:
  from: std
  insert:
    order: {after: instructions}
""",
    "profiles/order.yaml": """\
kind: block
name: order
heading: Order
when: number is defined
inputs:
  number: {type: line, from: order.number}
body: |
  Order number: {{ number }}
""",
    "profiles/strict.yaml": """\
kind: agent
name: strict
allows: {platforms: [api, line], models: [gemma-3-4b-it], personalities: [friendly]}
inputs:
  number: {type: line, from: order.number, required: true}
zone: session
instructions: |
  You handle one order only: {{ number }}
""",
}
CONTEXT = {
    "order": {"number": "A-17"},
    "contact": {"name": "Aiko"},
    "message": {"metadata": {"timezone": "Asia/Tokyo"}},
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    write_files(tmp_path / "desk", FILES)
    (tmp_path / "desk/context.json").write_text(json.dumps(CONTEXT))
    return tmp_path / "desk"


def helper(command: str, folder: Path, *more: str | Path, stdin: bytes = b"") -> Outcome:
    return frieze(command, "--agent", "helper", "--now", NOW, *more, cwd=folder, stdin=stdin)


def broken(project: Path) -> Path:
    """Put one fault each into a block and into an agent's instructions."""
    for name, wrong in {"profiles/order.yaml": "nmber", "profiles/strict.yaml": "numbr"}.items():
        (project / name).write_text(FILES[name].replace("{{ number }}", f"{{{{ {wrong} }}}}"))
    return project


def snapshot(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


class TestCheck:
    def test_a_good_project(self, project: Path) -> None:
        outcome = frieze("check", cwd=project)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith("little-desk: all good (2 agents")

    def test_several_faults_in_one_run_with_paths_from_here(self, project: Path) -> None:
        outcome = frieze("check", "desk", cwd=broken(project).parent)
        assert outcome.code == 1
        assert "--> desk/profiles/order.yaml:8:" in outcome.out
        assert "8 |   Order number: {{ nmber }}" in outcome.out
        assert "--> desk/profiles/strict.yaml:8:" in outcome.out
        assert outcome.out.count("did you mean `number`?") == 2
        assert "2 errors in 2 files" in outcome.out

    def test_the_machine_forms_say_the_same(self, project: Path) -> None:
        broken(project)
        found = json.loads(frieze("check", "--format", "json", cwd=project).out)
        assert found["summary"]["errors"] == len(found["diagnostics"]) == 2
        sarif = json.loads(frieze("check", "--format", "sarif", cwd=project).out)
        assert [item["code"] for item in found["diagnostics"]] == [
            result["ruleId"] for result in sarif["runs"][0]["results"]
        ]
        github = frieze("check", "--format", "github", cwd=project)
        assert github.code == 1
        assert github.out.count("::error file=profiles/") == 2

    def test_a_broken_file_does_not_hide_what_is_wrong_in_others(self, project: Path) -> None:
        broken(project)
        write_files(
            project, {"profiles/a.yaml": "kind: block\nkind: block\n", "profiles/b.yaml": "kind: skill\nname: b\n"}
        )
        found = json.loads(frieze("check", "--format", "json", cwd=project).out)
        assert {"profiles/a.yaml", "profiles/b.yaml", "profiles/order.yaml", "profiles/strict.yaml"} == {
            item["file"] for item in found["diagnostics"]
        }

    def test_findings_come_in_a_fixed_order(self, project: Path) -> None:
        broken(project)
        outputs = {frieze("check", "--format", "json", cwd=project).out for _ in range(2)}
        assert len(outputs) == 1

    @pytest.mark.parametrize("make", ["mkdir", "mkfifo", "loop", "empty", "unreadable"])
    def test_a_frieze_yaml_that_is_no_readable_file(self, tmp_path: Path, make: str) -> None:
        path = tmp_path / "frieze.yaml"
        match make:
            case "mkdir":
                path.mkdir()
            case "mkfifo":
                os.mkfifo(path)
            case "loop":
                path.symlink_to(path)
            case "empty":
                path.write_bytes(b"")
            case "unreadable":
                path.symlink_to("/nowhere/at/all")
        outcome = frieze("check", cwd=tmp_path)
        assert outcome.code == 1
        assert "error[F" in outcome.out
        assert "--> frieze.yaml" in outcome.out


class TestCompile:
    def test_the_default_folder_and_check(self, project: Path) -> None:
        outcome = frieze("compile", cwd=project)
        assert (outcome.code, outcome.err) == (0, "")
        assert outcome.out.startswith("dist/little_desk: written (")
        written = snapshot(project / "dist/little_desk")
        assert "bundle.json" in written
        again = frieze("compile", "--check", cwd=project)
        assert (again.code, again.err) == (0, "")
        assert again.out.startswith("dist/little_desk: is up to date (")
        (project / "profiles/order.yaml").write_text(FILES["profiles/order.yaml"].replace("Order number", "Number"))
        stale = frieze("compile", "--check", cwd=project)
        assert stale.code == 1
        assert "error[F604]" in stale.err
        assert snapshot(project / "dist/little_desk") == written
        (project / "dist/little_desk/bundle.json").write_text("{}")
        for name in sorted((project / "dist/little_desk/resolver").glob("*.py"))[:20]:
            name.unlink()
        many = frieze("compile", "--check", cwd=project).err
        assert many.count("error[F604]") == 5
        assert re.search(r"^Of the bundle [0-9]{2} more files differ as well\.$", many, re.MULTILINE)

    def test_a_folder_of_ones_own_choice(self, project: Path) -> None:
        outcome = frieze("compile", "desk", "-o", "out/here", cwd=project.parent)
        assert outcome.code == 0
        assert outcome.out.startswith("out/here: written (")
        assert not (project / "dist").exists()
        assert helper("render", project.parent, "out/here").code == 0

    def test_check_without_a_bundle(self, project: Path) -> None:
        outcome = frieze("compile", "--check", cwd=project)
        assert outcome.code == 1
        assert "error[F603]" in outcome.err
        assert not (project / "dist").exists()

    def test_a_project_with_errors_writes_nothing(self, project: Path) -> None:
        outcome = frieze("compile", cwd=broken(project))
        assert outcome.code == 1
        assert "2 errors" in outcome.err
        assert outcome.out == ""
        assert not (project / "dist").exists()

    def test_a_folder_that_is_not_friezes_is_refused(self, project: Path) -> None:
        (project / "dist/little_desk").mkdir(parents=True)
        (project / "dist/little_desk/thesis.txt").write_text("mine")
        outcome = frieze("compile", cwd=project)
        assert outcome.code == 1
        assert "error[F602]" in outcome.err
        assert snapshot(project / "dist") == {"little_desk/thesis.txt": b"mine"}


class TestRender:
    def test_project_and_bundle_give_the_same_text(self, project: Path) -> None:
        assert frieze("compile", cwd=project).code == 0
        from_project = helper("render", project, "--context", "context.json")
        from_bundle = helper("render", project, "dist/little_desk", "--context", "context.json")
        assert from_project.code == from_bundle.code == 0
        assert from_project.out == from_bundle.out
        assert "You help with orders.\nBe brief.\n" in from_project.out
        assert "Order\nOrder number: A-17\n" in from_project.out
        assert "Aiko" in from_project.out

    def test_a_bundle_works_without_its_project(self, project: Path, tmp_path: Path) -> None:
        frieze("compile", cwd=project)
        shutil.copytree(project / "dist/little_desk", tmp_path / "moved")
        shutil.rmtree(project)
        outcome = helper("render", tmp_path / "moved")
        assert outcome.code == 0
        assert "You help with orders." in outcome.out

    def test_json_holds_the_parts(self, project: Path) -> None:
        outcome = helper("render", project, "--context", "context.json", "--format", "json")
        found = json.loads(outcome.out)
        text = helper("render", project, "--context", "context.json").out
        assert found["text"] == text.rstrip("\n")
        assert found["target"]["platform"] == "api"
        assert found["attributes"]["gen_ai.prompt.version"] == "1.2.3"
        assert {"id", "role", "authority", "text", "zone", "tag", "source", "place"} == set(found["parts"][0])
        assert "\n\n".join(filter(None, (found["prefix"], found["tail"]))) == found["text"]
        nothing = {"closed": True, "knowledge_bases": [], "documents": [], "tags": [], "notes": []}
        assert found["retrieval"] == nothing

    def test_selectors_change_the_target(self, project: Path) -> None:
        outcome = helper("render", project, "--platform", "line", "--model", "gemma-3-4b-it", "--format", "json")
        target = json.loads(outcome.out)["target"]
        assert (target["platform"], target["model"]) == ("line", "gemma-3-4b-it")

    def test_the_context_may_come_from_stdin(self, project: Path) -> None:
        outcome = helper("render", project, "--context", "-", stdin=json.dumps(CONTEXT).encode())
        assert "Order number: A-17" in outcome.out

    def test_notes_go_to_stderr(self, project: Path) -> None:
        outcome = helper("render", project, "--context", "-", stdin=b'{"order": {"number": 17}, "nonsense": 1}')
        assert outcome.code == 0
        assert "note[wrong-type]: `number` from `order.number`" in outcome.err
        assert "note[unknown-path]: nonsense\n" in outcome.err
        assert outcome.err.endswith("`frieze rule NAME` says what a note means.\n")
        assert "Order number" not in outcome.out

    @pytest.mark.parametrize("compiled", [False, True])
    def test_a_slip_in_a_key_of_the_context(self, project: Path, tmp_path: Path, compiled: bool) -> None:
        if compiled:
            assert frieze("compile", project, "-o", tmp_path / "out").code == 0
        context = b'{"contct": {"x": "secret"}, "contact": {"nmae": "secret", "it is": 1}, "message": {"a": 1}}'
        outcome = helper("render", tmp_path / "out" if compiled else project, "--context", "-", stdin=context)
        assert outcome.code == 0
        assert "note[unknown-path]: contct; did you mean `contact`?\n" in outcome.err
        assert "note[unknown-path]: `contact`: nmae; did you mean `name`?\n" in outcome.err
        assert "note[unknown-path]: `contact`\n" in outcome.err
        assert "secret" not in outcome.err

    @pytest.mark.parametrize(
        ("context", "code", "words"),
        [
            (b"{'a': 1}", "F801", "<stdin>:1:2"),
            (b"[]", "F802", "--> <stdin>"),
            (b'{"order": "A-17"}', "F802", "`order`"),
            (b'{"contact": []}', "F802", "`contact`"),
        ],
    )
    def test_a_bad_context_is_a_finding(self, project: Path, context: bytes, code: str, words: str) -> None:
        for command in ("render", "explain"):
            outcome = helper(command, project, "--context", "-", stdin=context)
            assert outcome.code == 1
            assert outcome.out == ""
            assert f"error[{code}]" in outcome.err
            assert words in outcome.err

    def test_a_required_input_that_is_missing(self, project: Path) -> None:
        outcome = frieze(
            "render", "--agent", "strict", "--platform", "api", "--model", "gemma-3-4b-it", "--personality", "friendly",
            cwd=project,
        )  # fmt: skip
        assert outcome.code == 1
        assert "error[F803]: the required input `number`" in outcome.err
        assert "`order.number`" in outcome.err

    def test_a_template_without_a_result(self, project: Path) -> None:
        count = "  order.count: {type: integer, zone: session, trust: service, description: How many were ordered.}\n"
        block = FILES["profiles/order.yaml"].replace(
            "type: line, from: order.number", "type: integer, from: order.count"
        )
        (project / "frieze.yaml").write_text(FILES["frieze.yaml"] + count)
        (project / "profiles/order.yaml").write_text(block.replace("{{ number }}", "{{ 100 // number }}"))
        assert "Order number: 14" in helper("render", project, "--context", "-", stdin=b'{"order": {"count": 7}}').out
        outcome = helper("render", project, "--context", "-", stdin=b'{"order": {"count": 0}}')
        assert (outcome.code, outcome.out) == (1, "")
        assert "error[F804]" in outcome.err
        assert "ZeroDivisionError" in outcome.err

    @pytest.mark.parametrize(
        ("arguments", "words"),
        [
            (["--agent", "helpr"], "There is no agent `helpr`; did you mean `helper`?"),
            (
                ["--agent", "helper", "--platform", "lime"],
                "Agent `helper` has no platform `lime`; did you mean `line`?",
            ),
            (["--agent", "helper", "--platform", "zzz"], "choose from api, line"),
            (["--agent", "strict"], "Agent `strict` has no default platform; give --platform, one of api, line"),
            (["--agent", "helper", "--mode", "plan"], "Agent `helper` has no mode to choose."),
            ([], "Say which agent: --agent helper | strict."),
        ],
    )
    def test_a_wrong_selector_is_wrong_usage(self, project: Path, arguments: list[str], words: str) -> None:
        outcome = frieze("render", *arguments, cwd=project)
        assert outcome.code == 2
        assert words in outcome.err

    def test_a_project_with_errors(self, project: Path) -> None:
        outcome = helper("render", broken(project))
        assert outcome.code == 1
        assert outcome.out == ""
        assert "2 errors" in outcome.err

    @pytest.mark.parametrize("how", ["edited", "cut", "removed", "no manifest"])
    def test_a_bundle_that_is_not_whole(self, project: Path, how: str) -> None:
        frieze("compile", cwd=project)
        bundle = project / "dist/little_desk"
        victim = next(path for path in sorted(bundle.glob("residuals/**/*.json")) if b"rder" in path.read_bytes())
        match how:
            case "edited":
                victim.write_bytes(victim.read_bytes().replace(b"rder", b"RDER"))
            case "cut":
                victim.write_bytes(victim.read_bytes()[:20])
            case "removed":
                victim.unlink()
            case "no manifest":
                (bundle / "bundle.json").write_text("[]")
        outcome = helper("render", project, "dist/little_desk")
        assert outcome.code == 1
        assert "error[F805]" in outcome.err
        assert "--> dist/little_desk/" in outcome.err


class TestExplain:
    def test_every_line_of_the_prompt_has_its_origin(self, project: Path) -> None:
        text = helper("render", project, "--context", "context.json").out.rstrip("\n")
        found = json.loads(helper("explain", project, "--context", "context.json", "--format", "json").out)
        assert "\n".join(line["text"] for line in found["lines"]) == text
        for line in found["lines"]:
            if not line["file"].startswith("std/"):
                source = (project / line["file"]).read_text().split("\n")
                assert line["line"] <= len(source)
        said = {line["text"]: (line["file"], line["line"], line["block"]) for line in found["lines"]}
        assert said["You help with orders."] == ("profiles/helper.yaml", 6, "instructions")
        assert said["Be brief."] == ("profiles/helper.yaml", 7, "instructions")
        assert said["Order number: A-17"] == ("profiles/order.yaml", 8, "order")

    def test_the_text_form_shows_the_same(self, project: Path) -> None:
        outcome = helper("explain", project.parent, "desk", "--context", "desk/context.json")
        assert outcome.code == 0
        lines, blocks = outcome.out.split("Blocks:\n")
        assert any(
            line.startswith("desk/profiles/helper.yaml:7 ") and line.endswith("| Be brief.")
            for line in lines.split("\n")
        )
        assert "prefix:\n" in lines
        assert "turn_context:\n" in lines
        states = {line.split()[1]: line.split()[0] for line in blocks.strip().split("\n")}
        assert states["instructions"] == states["order"] == "in"

    def test_a_block_that_is_out_says_why(self, project: Path) -> None:
        outcome = helper("explain", project)
        assert outcome.code == 0
        (order,) = [line for line in outcome.out.split("\n") if line.startswith("out") and " order " in line]
        assert "`when` is false for this context; absent: number" in order
        assert "(profiles/order.yaml:4)" in order

    def test_bundle_and_project_explain_alike(self, project: Path) -> None:
        frieze("compile", cwd=project)
        assert helper("explain", project, "--format", "json").out == (
            helper("explain", project, "dist/little_desk", "--format", "json").out
        )
