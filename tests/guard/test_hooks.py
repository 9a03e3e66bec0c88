"""Guards of prompts, bundles, packages and the library: the policy and the mode that the prompt's own text speaks of."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import frieze
from frieze.emit import write_bundle
from frieze.runtime import Bundle, BundleError, UnknownSelector
from frieze.runtime.bundle import canonical, manifest_hash
from frieze.runtime.guard import Action, Guard, PolicyError
from support.projects import write_files

FILES = {
    "frieze.yaml": "kind: project\nname: guarded-prompts\n",
    "profiles/coder.yaml": "kind: agent\nname: coder\npermissions: std/coding\ndefaults: {mode: investigate}\ninstructions: You are in {{ mode.name }}.\n",
    "profiles/talker.yaml": "kind: agent\nname: talker\ninstructions: You talk.\n",
}


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Any:
    result = frieze.compile(write_files(tmp_path_factory.mktemp("project"), FILES))
    assert result.bundle, result.diagnostics
    return result.bundle


@pytest.fixture(scope="module")
def package(files: Any, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ModuleType]:
    root = tmp_path_factory.mktemp("dist")
    write_bundle(files, root / files.package)
    sys.path.insert(0, str(root))
    importlib.invalidate_caches()
    yield importlib.import_module(files.package)
    sys.path.remove(str(root))
    for loaded in [name for name in sys.modules if name.split(".")[0] == files.package]:
        del sys.modules[loaded]


def test_a_prompt_gives_the_guard_of_its_own_mode(files: Any, tmp_path: Path) -> None:
    bundle = Bundle.from_files(files.files)
    for mode, effect in (("investigate", "deny"), ("implement", "allow"), (None, "deny")):
        prompt = bundle.prompt("coder", mode=mode)
        guard = prompt.guard(workspace=tmp_path)
        assert (guard.policy, guard.mode, guard.interactive) == ("std/coding", mode or "investigate", True)
        assert guard.mode in prompt.render().text
        assert guard.decide(Action("edit", path="x")).effect == effect
    alone = bundle.prompt("coder", mode="implement").guard(workspace=str(tmp_path), interactive=False)
    assert alone.decide(Action("run", command="rm x")).reason == "confirmation-unavailable"
    assert alone.workspace == str(tmp_path.resolve())


def test_a_prompt_without_a_policy_has_no_guard(files: Any, tmp_path: Path) -> None:
    with pytest.raises(UnknownSelector, match="there is no policy to choose from"):
        Bundle.from_files(files.files).prompt("talker").guard(workspace=tmp_path)


def test_a_bundle_gives_guards_by_name(files: Any, tmp_path: Path) -> None:
    bundle = Bundle.from_files(files.files)
    assert (
        bundle.guard("std/coding", "review", workspace=tmp_path).decide(Action("run", command="ls")).effect == "allow"
    )
    with pytest.raises(UnknownSelector, match="did you mean `std/coding`"):
        bundle.guard("std/codign", "review", workspace=tmp_path)
    with pytest.raises(UnknownSelector, match="did you mean `review`"):
        bundle.guard("std/coding", "reveiw", workspace=tmp_path)


def test_each_guard_has_approvals_of_its_own(files: Any, tmp_path: Path) -> None:
    prompt = Bundle.from_files(files.files).prompt("coder", mode="implement")
    one, other = prompt.guard(workspace=tmp_path), prompt.guard(workspace=tmp_path)
    action = Action("run", command="rm x")
    shown = one.decide(action).confirmation
    assert shown
    token = one.approve(shown)
    assert other.decide(action, token).effect == "ask"
    assert one.decide(action, token).effect == "allow"


def test_a_damaged_table_gives_no_guard(files: Any, tmp_path: Path) -> None:
    name = "policies/std/coding.json"
    with pytest.raises(BundleError):
        Bundle.from_files({**files.files, name: files.files[name].replace(b'"deny"', b'"allow"')})
    table = json.loads(files.files[name])
    for broken in (b"[]", b"no json", canonical({**table, "format": 2}), canonical({**table, "paths": {}})):
        manifest = json.loads(files.files["bundle.json"])
        manifest["files"][name] = __import__("hashlib").sha256(broken).hexdigest()
        manifest["hash"] = manifest_hash(manifest)
        bundle = Bundle.from_files({**files.files, name: broken, "bundle.json": canonical(manifest)})
        with pytest.raises(BundleError, match="cannot be used"):
            bundle.prompt("coder").guard(workspace=tmp_path)


def test_the_package_has_guards(package: Any, tmp_path: Path) -> None:
    guard = package.prompt("coder", mode="implement").guard(workspace=tmp_path)
    assert isinstance(guard, package.Guard)
    assert guard.decide(package.Action("run", command="ls")).effect == "allow"
    assert package.guard("std/coding", "investigate", workspace=tmp_path).mode == "investigate"
    assert {"Action", "Decision", "Guard", "guard"} <= set(package.__all__)
    assert isinstance(guard.decide(package.Action("commit")), package.Decision)
    assert package.Context.__name__ == "Context"
    with pytest.raises(AttributeError):
        _ = package.Nothing


def test_the_package_decides_without_frieze_and_loads_the_guard_when_asked(package: Any, tmp_path: Path) -> None:
    root = Path(package.__file__).parent.parent
    code = (
        f"import sys; sys.path.insert(0, {str(root)!r}); import guarded_prompts as p\n"
        "prompt = p.prompt('coder', mode='implement'); prompt.render()\n"
        "assert 'guarded_prompts.resolver.guard.guard' not in sys.modules\n"
        f"guard = prompt.guard(workspace={str(tmp_path)!r})\n"
        "print(guard.decide(p.Action('run', command='cat .env')).effect)\n"
        "assert 'frieze' not in sys.modules\n"
    )
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", "-c", code], check=True, capture_output=True, timeout=60
    )
    assert done.stdout == b"deny\n"


def test_a_guard_without_a_prompt(tmp_path: Path) -> None:
    guard = frieze.guard("std/coding", "implement", workspace=tmp_path)
    assert isinstance(guard, Guard)
    assert guard.decide(Action("run", command="cat .env")).effect == "deny"
    assert frieze.guard("coding", "review", workspace=str(tmp_path), interactive=False).interactive is False
    for policy, mode in (("std/nope", "implement"), ("std/coding", "nope"), ("std/floor", "x")):
        with pytest.raises(PolicyError):
            frieze.guard(policy, mode, workspace=tmp_path)
    own = "kind: permissions\nname: own\nmodes: {work: {can_edit: true, can_run_tests: false}}\n"
    project = write_files(tmp_path / "p", {"frieze.yaml": "kind: project\nname: p\n", "profiles/own.yaml": own})
    assert (
        frieze.guard("own", "work", workspace=tmp_path, project=project).decide(Action("edit", path="x")).effect
        == "allow"
    )
    (project / "profiles/own.yaml").write_text(own.replace("true", "perhaps"))
    with pytest.raises(PolicyError, match="own"):
        frieze.guard("own", "work", workspace=tmp_path, project=project)
