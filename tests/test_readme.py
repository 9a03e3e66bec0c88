"""What the README shows is what happens."""

from __future__ import annotations

import copy
import json
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from ruamel.yaml import YAML

import frieze
from frieze.emit import write_bundle
from frieze.resources import profiles_folder
from frieze.runtime import Bundle, restate
from frieze.runtime.guard import Action
from frieze.template import freeze
from support import examples, sessions
from support.projects import write_files

README = (Path(__file__).parents[1] / "README.md").read_text("utf-8")
BLOCKS = re.findall(r"```(\w*)\n(.*?)```", README, re.DOTALL)


def block(language: str, containing: str = "") -> str:
    """Return the first block of a language with these words in it."""
    return next(text for name, text in BLOCKS if name == language and containing in text)


def test_the_whole_way(tmp_path: Path) -> None:
    profiles = tmp_path / "profiles"
    profiles.mkdir()
    (tmp_path / "frieze.yaml").write_text("kind: project\nname: bakery\n", "utf-8")
    (profiles / "helper.yaml").write_text(block("yaml"), "utf-8")
    result = frieze.compile(tmp_path)
    assert result.diagnostics == ()
    assert result.bundle is not None
    assert write_bundle(result.bundle, tmp_path / "dist" / result.bundle.package) == []
    code = block("python").replace("}}})", "}}}, now)")
    script = (
        f"import sys, datetime; sys.path.insert(0, {str(tmp_path / 'dist')!r})\n"
        "now = datetime.datetime(2026, 3, 14, 9, 26, tzinfo=datetime.timezone.utc)\n"
        f"{code}\nsys.stdout.buffer.write(result.text.encode())"
    )
    run = subprocess.run([sys.executable, "-I", "-S", "-c", script], capture_output=True, check=True)
    assert run.stdout.decode() + "\n" == block("")


def test_sending_it() -> None:
    sent: list[dict] = []
    create = SimpleNamespace(create=lambda **request: sent.append(request))
    client = SimpleNamespace(messages=create, chat=SimpleNamespace(completions=create), responses=create)
    names: dict = {"client": client, "messages": [{"role": "user", "content": "Hello."}]}
    names["result"] = examples.bundle("support-desk").prompt("concierge").render()
    exec(block("python", "client."), names)
    assert [set(request) & {"system", "messages", "input"} for request in sent] == [
        {"system", "messages"},
        {"messages"},
        {"input"},
    ]
    assert [message["role"] for message in names["messages"]] == ["system", "user"]


def test_sessions() -> None:
    start, compaction = (block("python", words) for words in ("history = {}, []", "bakery.strip("))
    sent: list[dict] = []

    def create(**request: Any) -> SimpleNamespace:
        sent.append(copy.deepcopy(request))
        return SimpleNamespace(output=[{"role": "assistant", "content": "There."}])

    names: dict = {
        "client": SimpleNamespace(responses=SimpleNamespace(create=create)),
        "prompt": sessions.bundle().prompt("clerk", personality="warm"),
        "context": {"desk": {"approval": "ask", "documents": "Read this."}},
        "bakery": SimpleNamespace(strip=sessions.bundle().strip, restate=restate),
    }
    exec(start, names)
    assert [[item["role"] for item in request["input"]][:6] for request in sent] == [
        ["developer", "user", "user"],
        ["developer", "user", "user", "assistant", "user"],
    ]
    exec(compaction, names)
    assert [item["content"] for item in names["talk"]] == [
        *("Where is it?", "There.", "And when does it open?", "There."),
    ]
    assert [item["role"] for item in names["history"]] == ["user", "developer", "user", "user"]
    assert names["prompt"].render(names["context"], previous=names["snapshot"]).updates == ()


def test_a_permission_policy(tmp_path: Path) -> None:
    agent = "kind: agent\nname: coder\npermissions: careful\ninstructions: Write code.\nlayout: coding\n"
    files = {"frieze.yaml": "kind: project\nname: bakery\n", "profiles/coder.yaml": agent}
    write_files(tmp_path, {**files, "profiles/careful.yaml": block("yaml", "kind: permissions")})
    result = frieze.compile(tmp_path)
    assert result.diagnostics == ()
    assert result.bundle
    prompt = Bundle.from_files(result.bundle.files).prompt("coder", mode="implement")
    assert "waits for a person" in prompt.render({}).text
    assert "waits for a person" not in prompt.render({"session": {"interactive": False}}).text
    guard = prompt.guard(workspace=tmp_path)
    effects = [guard.decide(Action("run", command=text)).effect for text in ("pytest -q", "git push -f", "rm x")]
    assert effects == ["allow", "deny", "ask"]


def test_a_coding_agent(tmp_path: Path) -> None:
    agent, rule = (block("yaml", f"kind: {kind}\n") for kind in ("agent\nname: coder", "rule"))
    files = {"frieze.yaml": "kind: project\nname: bakery\n", "profiles/coder.yaml": agent, "profiles/rule.yaml": rule}
    result = frieze.compile(write_files(tmp_path / "prompts", files))
    assert result.diagnostics == ()
    assert result.bundle
    write_files(tmp_path / "site", {".git/HEAD": "", "AGENTS.md": "Bake early.\n", "shop/app.py": ""})
    names: dict = {
        "prompt": Bundle.from_files(result.bundle.files).prompt("coder"),
        "cwd": tmp_path / "site/shop",
        "snapshot": {},
    }
    exec(block("python", "prompt.project_docs("), names)
    said = [text for message in names["result"].updates for text in message.parts]
    expected = (
        "web site of a bakery",
        "*** Begin Patch",
        "small-steps",
        "<permissions instructions>",
        "Bake early.",
        "<cwd>",
    )
    assert [words for words in expected if not any(words in text for text in said)] == []
    assert [document.path for document in names["docs"].documents] == [str(tmp_path / "site/AGENTS.md")]


def test_the_layouts_of_the_library_are_listed() -> None:
    tables = re.findall(r"^\| block \|.*\n\|[-|]+\|\n((?:\|.*\n)+)", README, re.MULTILINE)
    rows = [
        [name for row in table.splitlines() for name in re.findall(r"`([^`]+)`", row.split("|")[1])] for table in tables
    ]
    layouts = [YAML(typ="safe").load(profiles_folder() / f"layouts/{name}.yaml") for name in ("coding", "std")]
    assert rows == [list(layout["blocks"]) for layout in layouts]


def test_the_guard(tmp_path: Path) -> None:
    agent = "kind: agent\nname: coder\npermissions: std/coding\ndefaults: {mode: implement}\ninstructions: Code.\n"
    files = {"frieze.yaml": "kind: project\nname: bakery\n", "profiles/coder.yaml": agent}
    result = frieze.compile(write_files(tmp_path / "project", files))
    assert result.bundle
    asked: list[str] = []
    (tmp_path / "work").mkdir()
    names: dict = {
        "bakery": SimpleNamespace(Action=Action),
        "prompt": Bundle.from_files(result.bundle.files).prompt("coder"),
        "workspace": tmp_path / "work",
        "agreed": lambda prompt: asked.append(prompt) or len(asked) > 1,
        "subprocess": subprocess,
    }
    exec(block("python", "prompt.guard("), names)
    commands = ["ls", "rm -rf old", "rm -rf old", "cat .env", "cat no-such-file"]
    found = [names["tool"](command)["status"] for command in commands]
    assert found == ["ok", "needs_confirmation", "ok", "denied", "failed"]
    assert all("rm -rf old" in prompt for prompt in asked)


def test_the_guard_on_the_command_line(tmp_path: Path) -> None:
    lines = block("sh", "frieze guard").splitlines()
    frieze_command = f"{sys.executable} -m frieze"
    found = []
    for line in lines:
        done = subprocess.run(
            ["bash", "-c", re.sub(r"\bfrieze guard", f"{frieze_command} guard", line)],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.stderr == ""
        found.append((done.returncode, re.findall(r"allow|ask|deny", done.stdout)[0]))
    assert found == [(1, "deny"), (1, "deny"), (0, "allow")]


def test_restricting_the_search(tmp_path: Path) -> None:
    limit = next(text for name, text in BLOCKS if name == "yaml" and text.startswith("retrieval:"))
    code = next(text for name, text in BLOCKS if name == "python" and "prompt.retrieval(" in text)
    agent = f"kind: agent\nname: helper\ninstructions: Help.\nknowledge_bases: [handbook, prices]\n{limit}"
    write_files(tmp_path, {"frieze.yaml": "kind: project\nname: bakery\n", "profiles/helper.yaml": agent})
    result = frieze.compile(tmp_path)
    assert result.diagnostics == ()
    assert result.bundle
    found = [
        SimpleNamespace(knowledge_base="handbook", document="price-list-2026", tags={"region": "uk"}),
        SimpleNamespace(
            knowledge_base="handbook", document="price-list-2026", tags={"region": ["eu"], "audience": "internal"}
        ),
        SimpleNamespace(knowledge_base="prices", document="price-list-2026", tags={"region": "uk"}),
        SimpleNamespace(knowledge_base="handbook", document="price-list-2025", tags={"region": "uk"}),
    ]
    names: dict = {
        "prompt": Bundle.from_files(result.bundle.files).prompt("helper"),
        "search": lambda question, limits: found if json.dumps(limits) and question else [],
        "question": "How much is it?",
        "context": {"contact": {"retrieval": {"knowledge_bases": ["handbook"]}}},
    }
    exec(code, names)
    assert names["hits"] == found[:1]
    names["context"] = {"contact": {"retrieval": "handbook"}}
    exec(code, names)
    assert names["hits"] == []
    assert [note.source for note in names["limits"].notes] == ["contact.retrieval"]


def test_context_and_keys(tmp_path: Path) -> None:
    shown = "{% for name, value in extras | items %}\n  - {{ name | quoted }}: {{ value | quoted }}\n  {% endfor %}"
    order = (
        f"kind: block\nname: order\nheading: Order\nwhen: number and extras\n{block('yaml', 'inputs:  ')}"
        f"body: |\n  Number: {{{{ number | quoted }}}}\n  {shown}\n"
    )
    agent = "kind: agent\nname: helper\nlayout: {insert: {order: {after: instructions}}}\ninstructions: Help.\n"
    project = f"kind: project\nname: bakery\n{block('yaml', 'context:  ')}"
    files = {"frieze.yaml": project, "profiles/helper.yaml": agent, "profiles/order.yaml": order}
    result = frieze.compile(write_files(tmp_path, files))
    assert result.diagnostics == ()
    assert result.bundle
    prompt = Bundle.from_files(result.bundle.files).prompt("helper")
    extras = {"wrapping": "box", "phone": "+81 3 1234", "inner": "x"}
    rendered = prompt.render({"order": {"number": "A-17", "extras": extras}})
    assert rendered.text == 'Help.\n\nOrder\nNumber: "A-17"\n- "phone": "[masked]"\n- "wrapping": "box"'
    assert [note.code for note in rendered.notes] == ["unknown-attribute"]


def test_sharing_sentences(tmp_path: Path) -> None:
    include, extends = (re.findall(rf"`([^`\n]*{word}[^`\n]*)`", README)[0] for word in ("include", "extends: helper"))
    files = {
        "frieze.yaml": "kind: project\nname: bakery\n",
        "profiles/emergency.yaml": "kind: block\nname: emergency\nbody: Call 119 first.\n",
        "profiles/helper.yaml": f"kind: agent\nname: helper\ninstructions: |\n  Help.\n  {include}\n",
        "profiles/second.yaml": f"kind: agent\nname: second\n{extends}\ndescription: Another.\n",
    }
    result = frieze.compile(write_files(tmp_path, files))
    assert result.diagnostics == ()
    assert result.bundle
    bundle = Bundle.from_files(result.bundle.files)
    assert [bundle.prompt(name).render().text for name in bundle.agents] == ["Help.\nCall 119 first."] * 2


def test_freezing_one_template() -> None:
    names: dict = {"freeze": freeze}
    code_block = next(text for name, text in BLOCKS if name == "python" and "freeze(" in text)
    for line in code_block.splitlines()[2:]:
        code, _, comment = line.partition("  # ")
        if comment:
            assert repr(eval(code, names)) == comment
        else:
            exec(code, names)


def test_every_command_of_the_table_exists() -> None:
    from frieze.cli import group

    named = set(re.findall(r"^\| `frieze (\w+)", README, re.MULTILINE))
    assert named == set(group.commands)


def test_every_local_link_leads_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#:]+)\)", README):
        assert (Path(__file__).parents[1] / target).exists(), target
