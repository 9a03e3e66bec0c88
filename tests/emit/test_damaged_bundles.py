"""Bundles whose hashes are right and whose content is not: a `BundleError` with the file, and nothing else."""

from __future__ import annotations

import contextlib
import copy
import hashlib
import json
import random
import shutil
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import frieze
from frieze.emit import write_bundle
from frieze.runtime import Bundle, BundleError, FriezeError
from frieze.runtime.bundle import canonical, manifest_hash
from support import examples
from support.projects import write_files

ODD: list[Any] = [
    None,
    True,
    0,
    -1,
    10**9,
    1.5,
    "",
    "x",
    "../../etc/passwd",
    [],
    [[]],
    {},
    {"in": "x"},
    {"a": 1},
    ["out"],
]
JSON_FILES = [name for name in examples.files("support-desk").files if name.endswith(".json") and "schema" not in name]


def sealed(files: dict[str, Any]) -> dict[str, bytes]:
    """Write the parsed files back with hashes that agree."""
    encoded = {name: data if isinstance(data, bytes) else canonical(data) for name, data in files.items()}
    manifest = files["bundle.json"]
    if isinstance(manifest, dict):
        if isinstance(manifest.get("files"), dict):
            for name, data in encoded.items():
                if name in manifest["files"]:
                    manifest["files"][name] = hashlib.sha256(data).hexdigest()
        manifest["hash"] = manifest_hash(manifest)
        encoded["bundle.json"] = canonical(manifest)
    return encoded


def parsed(name: str = "support-desk") -> dict[str, Any]:
    return {
        path: json.loads(data) if path in JSON_FILES or path == "bundle.json" else data
        for path, data in examples.files(name).files.items()
    }


def paths(value: Any, above: tuple = ()) -> list[tuple]:
    found = [above]
    if isinstance(value, dict):
        found += [path for key, member in value.items() for path in paths(member, (*above, key))]
    elif isinstance(value, list):
        found += [path for key, member in enumerate(value) for path in paths(member, (*above, key))]
    return found


PLACES = {name: paths(data) for name, data in parsed().items() if not isinstance(data, bytes)}


def changed(root: Any, path: tuple, value: Any) -> Any:
    if not path:
        return value
    copied = copy.deepcopy(root)
    here = copied
    for key in path[:-1]:
        here = here[key]
    if value is ODD:
        del here[path[-1]]
    else:
        here[path[-1]] = value
    return copied


def use(files: dict[str, bytes]) -> None:
    bundle = Bundle.from_files(files)
    context = examples.given_contexts("support-desk")["line-tokyo"]
    for agent in bundle.agents:
        bundle.choices(agent)
        for audience in ("direct", "group"):
            prompt = bundle.prompt(agent, audience=audience)
            result = prompt.render(context)
            assert isinstance(result.text, str)
            assert result.parts is not None
            assert result.attributes()
            prompt.explain(context)


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.sampled_from(sorted(PLACES)), st.randoms(use_true_random=False), st.sampled_from([*ODD, ODD]))
def test_a_damaged_bundle_raises_what_it_documents(name: str, choose: random.Random, value: Any) -> None:
    files = parsed()
    files[name] = changed(files[name], choose.choice(PLACES[name]), value)
    with contextlib.suppress(FriezeError):
        use(sealed(files))


@pytest.mark.parametrize("manifest", [{"format": 1}, {"format": 1, "files": {}}, {"format": 1, "files": []}])
def test_a_manifest_without_content(manifest: dict) -> None:
    with pytest.raises(BundleError) as raised:
        Bundle.from_files(sealed({"bundle.json": manifest}))
    assert raised.value.file == "bundle.json"


@pytest.mark.parametrize("name", ["../../../../dev/zero", "/etc/passwd", "a/../../b", "a\\b", "c:x", ".", "a//b"])
def test_a_file_outside_of_the_bundle_is_never_read(tmp_path: Path, name: str) -> None:
    files = parsed("minimal")
    files["bundle.json"]["files"][name] = "0" * 64
    for path, data in sealed(files).items():
        target = tmp_path / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(data)
    with pytest.raises(BundleError) as raised:
        Bundle.open(tmp_path)
    assert "outside" in raised.value.reason


def test_a_tree_that_never_ends() -> None:
    files = parsed("minimal")
    name = next(iter(files["bundle.json"]["blocks"].values()))["file"]
    files[name]["tree"] = {"in": name}
    bundle = Bundle.from_files(sealed(files))
    with pytest.raises(BundleError):
        bundle.prompt(bundle.agents[0])


AGENT = "kind: agent\nname: {0}\ndefaults: {{platform: api, model: claude-sonnet-4-6}}\ninstructions: You are {0}{1}.\n"


def project(root: Path, mark: str) -> frieze.emit.Bundle:
    files = {f"profiles/{name}.yaml": AGENT.format(name, mark) for name in ("one", "two")}
    result = frieze.compile(write_files(root, {"frieze.yaml": "kind: project\nname: example\n", **files}))
    assert result.bundle is not None, result.diagnostics
    return result.bundle


def test_an_open_bundle_goes_on_when_its_folder_is_replaced(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    write_bundle(project(tmp_path / "p", ""), folder)
    bundle = Bundle.open(folder)
    assert bundle.prompt("one").render().text.startswith("You are one.")
    write_bundle(project(tmp_path / "p", " again"), folder)
    assert bundle.prompt("two").render().text.startswith("You are two.")
    shutil.rmtree(folder)
    assert bundle.prompt("two", audience="group").render().text.startswith("You are two.")


def test_opening_while_a_compile_replaces_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "dist"
    versions = [project(tmp_path / "p", mark) for mark in ("", " again")]
    write_bundle(versions[0], folder)
    done = threading.Event()

    def replace() -> None:
        for number in range(60):
            assert write_bundle(versions[number % 2], folder) == []
        done.set()

    writer = threading.Thread(target=replace)
    writer.start()
    opened = 0
    while not done.is_set():
        assert Bundle.open(folder).prompt("one").render().text
        opened += 1
    writer.join()
    assert opened > 10


def test_blocks_with_like_names_keep_their_own_text(tmp_path: Path) -> None:
    files = {
        "frieze.yaml": "kind: project\nname: example\n",
        "profiles/channel.yaml": "kind: platform\nname: channel\nawareness: {location: true}\n",
        "profiles/block.yaml": "kind: block\nname: std--location\nheading: Mine\nbody: My text.\n",
        "profiles/agent.yaml": "kind: agent\nname: helper\ndefaults: {platform: channel, model: claude-sonnet-4-6}\n"
        "layout: {insert: {std--location: {after: location}}}\ninstructions: You help.\n",
    }
    result = frieze.compile(write_files(tmp_path, files))
    assert result.bundle is not None, result.diagnostics
    prompt = Bundle.from_files(result.bundle.files).prompt("helper")
    where = {"message": {"metadata": {"latitude": 35, "longitude": 135}}}
    for context in ({}, where):
        assert "Mine\nMy text." in prompt.render(context).text
    assert "Current location\n" in prompt.render(where).text


@pytest.mark.parametrize("value", [["x"], 1, {"a": 1}, b"line", object()])
@pytest.mark.parametrize("selector", ["agent", "platform", "audience"])
def test_selectors_that_are_no_text(selector: str, value: Any) -> None:
    chosen = {"agent": "concierge", selector: value}
    with pytest.raises(frieze.runtime.UnknownSelector) as raised:
        examples.bundle("support-desk").prompt(**chosen)
    assert raised.value.selector == selector


@pytest.mark.parametrize("now", ["2026-03-14T09:26:53Z", 0, True, 1.5])
def test_a_time_that_is_no_datetime(now: Any) -> None:
    with pytest.raises(TypeError, match="`now` must be a datetime"):
        examples.bundle("support-desk").prompt("concierge").render({}, now)
