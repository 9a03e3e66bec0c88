"""The emitted package against the bundle that is opened from the same files: two back ends, one prompt."""

from __future__ import annotations

import ast
import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import frieze.pipeline
from frieze.bench.projects import write_project
from frieze.emit import write_bundle
from support import examples
from support.contexts import NOWS, contexts
from support.language_server import NODE

CALM = settings(max_examples=120, deadline=None, suppress_health_check=list(HealthCheck))


@pytest.fixture(scope="module")
def packages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, ModuleType]]:
    """Return the packages of the examples, written to a folder and imported."""
    root = tmp_path_factory.mktemp("dist")
    for name in examples.NAMES:
        write_bundle(examples.files(name), root / examples.files(name).package)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    names = {name: examples.files(name).package for name in examples.NAMES}
    yield {name: importlib.import_module(package) for name, package in names.items()}
    sys.path.remove(str(root))
    for loaded in [name for name in sys.modules if name.split(".")[0] in names.values()]:
        del sys.modules[loaded]


def seen(prompt: Any, context: Any, now: Any) -> tuple[Any, ...]:
    """Return all that a render gives, or the error; classes of the package's own resolver by name."""
    try:
        result = prompt.render(context, now)
    except Exception as error:  # noqa: BLE001 - the two must raise the same, whatever it is
        return type(error).__name__, str(error)
    notes = [(note.code, note.input, note.source, note.detail) for note in result.notes]
    parts = [(part.id, part.text, part.zone, part.place) for part in result.parts]
    return result.text, result.prefix, result.tail, notes, parts


@pytest.mark.parametrize("name", examples.NAMES)
def test_every_target_renders_as_in_the_interpreter(packages: dict[str, ModuleType], name: str) -> None:
    targets = list(examples.bundle(name).targets())
    given_contexts = [{}, *examples.given_contexts(name).values()]

    @CALM
    @given(
        st.sampled_from(targets), contexts(examples.manifest(name)["contract"]) | st.sampled_from(given_contexts), NOWS
    )
    def same(target: dict[str, Any], context: dict[str, Any], now: Any) -> None:
        generated = packages[name].prompt(**target)
        assert seen(generated, context, now) == seen(examples.bundle(name).prompt(**target), context, now)

    same()


def test_every_target_with_every_given_context(packages: dict[str, ModuleType]) -> None:
    from datetime import UTC, datetime

    now = datetime(2026, 3, 14, 9, 26, 53, tzinfo=UTC)
    direct = 0
    for name, package in packages.items():
        for target in examples.bundle(name).targets():
            for context in examples.given_contexts(name).values():
                prompt = package.prompt(**target)
                direct += prompt._direct is not None and prompt._direct.read(context, now, []) is not None
                assert seen(prompt, context, now) == seen(examples.bundle(name).prompt(**target), context, now)
    assert direct, "no request took the generated way"


def test_it_has_the_version_of_the_project(packages: dict[str, ModuleType]) -> None:
    for package in packages.values():
        assert package.__version__ == package.bundle().version


def test_the_modules_are_plain_code_and_load_when_asked(packages: dict[str, ModuleType]) -> None:
    files = examples.files("support-desk").files
    modules = {path: data for path, data in files.items() if path.startswith("prompts/") or path == "__init__.py"}
    assert len(modules) > 3
    for data in modules.values():
        tree = ast.parse(data)
        called = {
            node.func.id for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        }
        assert not called & {"eval", "exec", "compile", "__import__"}
    assert set(modules) <= set(examples.manifest("support-desk")["files"])


def test_importing_loads_no_prompt(tmp_path: Path) -> None:
    files = examples.files("support-desk")
    write_bundle(files, tmp_path / files.package)
    code = (
        "import sys, support_desk; before = [n for n in sys.modules if n.startswith('support_desk.prompts.')]\n"
        "support_desk.prompt('concierge', platform='line')\n"
        "print(len(before), len([n for n in sys.modules if n.startswith('support_desk.prompts.')]))"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-c", f"import sys; sys.path.insert(0, {str(tmp_path)!r})\n{code}"],
        capture_output=True,
        text=True,
        check=True,
    )
    before, after = map(int, done.stdout.split())
    assert before == 0 < after


USES = {
    "right": ("prompt('concierge', platform='line').render({'contact': {'name': 'Aiko'}})", True),
    "agent": ("prompt('concierg')", False),
    "platform": ("prompt('concierge', platform='lin')", False),
    "key": ("prompt('concierge').render({'contact': {'nam': 'Aiko'}})", False),
    "section": ("prompt('concierge').render({'contakt': {}})", False),
    "model": ("prompt('concierge', model='claude-sonnet-4-6-20260101')", False),
    "slug": ("prompt('concierge', model=Slug('claude-sonnet-4-6-20260101'))", True),
    "base": ("prompt('concierge').render(base=Override('Be brief.'))", True),
    "bare base": ("prompt('concierge').render(base='Be brief.')", False),
    "error": ("str(UnknownSelector('agent', 'x', (), ()).choices[0])", True),
    "no error": ("UnknownSelector('agent').nothing", False),
    "value": ("prompt('concierge').render({'booking': {'nights': 'two'}})", False),
}


@pytest.fixture(scope="module")
def typed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the package of the example and a module that uses it in each of these ways, a line each."""
    folder = tmp_path_factory.mktemp("typed")
    files = examples.files("support-desk")
    write_bundle(files, folder / files.package)
    lines = ["from support_desk import Override, Slug, UnknownSelector, prompt", *(use for use, _ in USES.values())]
    (folder / "use.py").write_text("\n".join(lines) + "\n", "utf-8")
    return folder


WRONG = {line for line, (_, right) in enumerate(USES.values(), start=2) if not right}


def test_a_wrong_name_or_key_is_an_error_to_mypy(typed: Path) -> None:
    cache = str(typed / "cache")
    command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", cache, "--output", "json", "use.py"]
    done = subprocess.run(command, cwd=typed, capture_output=True, text=True, check=False, timeout=120)
    found = [json.loads(line) for line in done.stdout.splitlines()]
    wrong = {entry["line"] for entry in found if entry["file"] == "use.py" and entry["severity"] == "error"}
    assert wrong == WRONG, done.stdout
    assert [entry for entry in found if entry["file"] == "support_desk/__init__.py"] == []


def test_a_wrong_name_or_key_is_an_error_to_pyright(typed: Path) -> None:
    script = NODE.parent.parent / "node/node_modules/pyright/index.js"
    assert script.is_file(), f"{script} is missing; `.ci/setup node` installs it"
    command = [NODE if NODE.exists() else "node", script, "--outputjson", "--pythonpath", sys.executable, "use.py"]
    done = subprocess.run(command, cwd=typed, capture_output=True, text=True, check=False, timeout=300)
    found = json.loads(done.stdout)["generalDiagnostics"]
    wrong = {
        entry["range"]["start"]["line"] + 1
        for entry in found
        if entry["file"].endswith("use.py") and entry["severity"] == "error"
    }
    assert wrong == WRONG, done.stdout
    assert [entry for entry in found if not entry["file"].endswith("use.py")] == []


def test_the_errors_are_the_packages_own(packages: dict[str, ModuleType]) -> None:
    package = packages["support-desk"]
    with pytest.raises(package.UnknownSelector, match="did you mean `concierge`"):
        package.prompt("concierg")
    with pytest.raises(package.RequestError, match="must be a list of messages"):
        package.prompt("concierge").render().plain("Hello.")
    with pytest.raises(package.FriezeError, match="must be a map"):
        package.prompt("concierge").render([])
    errors = [name for name in package.__all__ if name.endswith("Error")]
    assert errors == ["BundleError", "FriezeError", "RenderError", "RequestError"]
    assert all(issubclass(getattr(package, name), package.FriezeError) for name in [*errors, "MissingInput"])


@pytest.mark.parametrize("agents", [1, 2])
def test_it_says_which_inputs_an_agent_takes(tmp_path: Path, agents: int) -> None:
    write_project(tmp_path / "project", agents=agents, platforms=2)
    bundle = frieze.pipeline.compile(tmp_path / "project").bundle
    assert bundle
    tree = ast.parse(bundle.files["__init__.py"])
    functions = {node.name: node for node in tree.body if isinstance(node, ast.FunctionDef)}
    documentation = ast.get_docstring(functions["prompt"]) or ""
    assert documentation.count("- customer (line from customer.name, contact.name)") == agents
    assert documentation.count("- items (list from case.items)") == agents
    for number in range(agents):
        assert f"agent-{number:04}: Answers questions, number {number} of many." in documentation


def test_it_says_no_input_of_another_agent(tmp_path: Path) -> None:
    paths = write_project(tmp_path / "project", agents=1, platforms=2)
    paths[-1].with_name("bare.yaml").write_text(
        "kind: agent\nname: bare\ninstructions: Unseen.\nlayout: {remove: [instructions]}\n", encoding="utf-8"
    )
    bundle = frieze.pipeline.compile(tmp_path / "project").bundle
    assert bundle
    text = bundle.files["__init__.py"].decode()
    assert text.count("- customer (line from customer.name, contact.name)") == 1
    assert text.index("agent-0000:") < text.index("- customer (line") < text.index("bare:")
