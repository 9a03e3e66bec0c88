"""A frozen project as files: canonical bytes, the same on every machine."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import files as package_files
from importlib.resources.abc import Traversable
from typing import Any, TypeAlias

import frieze
from frieze.emit.context_schema import context_schema
from frieze.emit.documentation import agent_documentation
from frieze.emit.offered import policy_files, skill_files, skill_texts, tools_of
from frieze.emit.package import package_init, package_types
from frieze.emit.python import Sources, prompt_modules
from frieze.emit.shares import (
    CanonicalTexts,
    PartFiles,
    ShareFiles,
    agent_path,
    beside,
    description_of,
    frame_of,
    place,
    share_files,
    tree_files,
)
from frieze.freeze.blocks import is_placeholder
from frieze.freeze.findings import leaves
from frieze.freeze.model import Frozen, FrozenBlock
from frieze.freeze.questions import encode
from frieze.freeze.shares import Adopted, filled_trees
from frieze.freeze.trees import Branch, Tree
from frieze.profiles.building import BASE_INSTRUCTIONS, DEFAULT_ENDED, plain
from frieze.profiles.declarations import Agent, Block, Graph, Model, Text
from frieze.profiles.limits import agent_limit, has_limit, platform_limit
from frieze.profiles.naming import bare
from frieze.profiles.naming import package_name as package_name  # noqa: PLC0414 - offered from here
from frieze.runtime.bundle import FORMAT, MANIFEST, OPTIONAL, canonical, manifest_hash

Residuals: TypeAlias = dict[str, tuple[str, dict[str, Any]]]
"""Path of a file of residuals -> its block, and its residuals by name."""


@dataclass(frozen=True, slots=True)
class Bundle:
    """The files of a bundle by relative path, and the name of the package that they make."""

    package: str
    files: Mapping[str, bytes]


def bundle_of(frozen: Frozen, made: Mapping[str, ShareFiles] | None = None) -> Bundle:
    """Return the files of a frozen project. Pure: the same project gives the same bytes.

    `made` holds what was made before of the shares of agents, by agent.
    """
    package = package_name(frozen.graph.project.name)
    contract = contract_of(frozen)
    contents: dict[str, bytes] = {}
    provenance: dict[str, str] = {}
    residuals: Residuals = {}
    if made is None:
        texts, shared = CanonicalTexts(), Sources(contract)
        made = {agent: share_files(share, frozen.graph, shared, texts) for agent, share in frozen.shares.items()}
    for name, tree in sorted(frozen.trees.items()):
        _block_files(name, tree, contents, provenance, residuals, made)
    contents |= skill_texts(frozen.graph)
    contents |= policy_files(frozen.graph)
    contents["context.schema.json"] = _pretty(context_schema(contract, frozen.graph.project.name))
    contents["py.typed"] = b""
    contents |= _prompts(frozen, residuals, made)
    for path, data in resolver_files().items():
        contents[f"resolver/{path}"] = data
    manifest = _manifest(frozen, package)
    contents["__init__.py"] = package_init(manifest, _documented(frozen, made), contract).encode()
    contents["types.py"] = package_types(manifest, contract).encode()
    manifest["provenance"] = dict(sorted(provenance.items()))
    known = _digests(made)
    manifest["files"] = {
        path: known.get(id(data)) or hashlib.sha256(data).hexdigest() for path, data in sorted(contents.items())
    }
    manifest["hash"] = manifest_hash(manifest)
    return Bundle(package, {**contents, MANIFEST: canonical(manifest) + b"\n"})


def _documented(frozen: Frozen, made: Mapping[str, ShareFiles]) -> dict[str, str]:
    """Return what the package says of each agent; only an agent that alone has its instructions has no share."""
    own: dict[str, dict[str, Any]] = {agent: {} for agent in frozen.graph.agents}
    for name, tree in frozen.trees.items():
        if is_placeholder(frozen.graph.blocks[name]) and not filled_trees(tree):
            for leaf in leaves(tree):
                for agent in leaf.targets.values("agent"):
                    own[str(agent)] |= leaf.value.inputs
    return {
        name: made[name].documentation if name in made else agent_documentation(name, description_of(agent), own[name])
        for name, agent in frozen.graph.agents.items()
    }


def _digests(made: Mapping[str, ShareFiles]) -> dict[int, str]:
    """Return the digests of what shares give, by the identity of the bytes."""
    parts = (part for files in made.values() for part in files.parts.values())
    return {id(part.provenance): part.digest for part in parts} | {
        id(files.module): files.digest for files in made.values()
    }


def contract_of(frozen: Frozen) -> dict[str, Any]:
    """Return the context contract as bundle data: path to type, zones and options."""
    return contract_rows(frozen.graph)


def contract_rows(graph: Graph) -> dict[str, Any]:
    """Return the context contract of linked declarations as bundle data."""
    return {
        path: {
            "type": entry.type,
            "zones": list(entry.zones),
            "trust": entry.trust,
            "description": entry.description,
            **entry.options,
        }
        for path, entry in sorted(graph.project.context.items())
    }


def resolver_files() -> dict[str, bytes]:
    """Return the runtime's own modules, which travel with every bundle, by file name."""
    return dict(_modules(package_files("frieze.runtime"), ""))


def _modules(folder: Traversable, prefix: str) -> Iterator[tuple[str, bytes]]:
    for entry in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if entry.name.endswith(".py"):
            yield prefix + entry.name, entry.read_bytes()
        elif entry.is_dir() and not entry.name.startswith("_"):
            yield from _modules(entry, f"{prefix}{entry.name}/")


def _manifest(frozen: Frozen, package: str) -> dict[str, Any]:
    """Return the manifest without what it says of the files."""
    graph = frozen.graph
    allowances: list[dict[str, list[str]]] = []
    agents = {}
    for name, agent in sorted(graph.agents.items()):
        allowed = {selector: list(frozen.space.choices[name].get(selector, ())) for selector in OPTIONAL}
        if allowed not in allowances:
            allowances.append(allowed)
        agents[name] = {
            "allows": allowances.index(allowed),
            "defaults": dict(sorted(frozen.space.defaults[name].items())),
            "description": description_of(agent),
            **_offered(frozen, agent),
        }
    return {
        "format": FORMAT,
        "frieze": frieze.__version__,
        "name": graph.project.name,
        "package": package,
        "version": graph.project.version,
        "description": graph.project.description,
        "agents": agents,
        "allowances": allowances,
        "platforms": _platforms(frozen),
        "models": {
            name: _model(name, graph.models[qualified], frozen)
            for name, qualified in sorted(frozen.space.records["model"].items())
        },
        "personalities": _personalities(frozen),
        "blocks": {name: _facts(graph.blocks[name], f"residuals/blocks/{name}.json") for name in sorted(frozen.trees)},
        "layout": frozen.layout.index,
        "layouts": [
            {
                "slots": [list(slot) for slot in entry.slots],
                "tags": dict(sorted(entry.layout.tags.items())),
                "opening": entry.layout.opening,
                "ended": DEFAULT_ENDED if entry.layout.ended is None else plain(entry.layout.ended),
                "source": place(entry.layout.origin.span()),
            }
            for entry in frozen.layouts
        ],
        "questions": [encode(entry) for entry in frozen.questions],
        "contract": contract_of(frozen),
        "project_documents": dict(sorted(frozen.graph.project.project_documents.items())),
    }


def _offered(frozen: Frozen, agent: Agent) -> dict[str, Any]:
    offered = {
        "tools": tools_of(frozen.graph, agent),
        "skills": skill_files(frozen.graph, agent),
        "retrieval": agent_limit(agent).as_data() if has_limit(agent) else {},
        "permissions": agent.permissions or "",
        "tasks": dict(sorted(agent.tasks.items())),
    }
    return {key: value for key, value in offered.items() if value}


def _platforms(frozen: Frozen) -> dict[str, Any]:
    """Return what the resolver needs to know of platforms; one without limits is left out."""
    records = {name: frozen.graph.platforms[long] for name, long in sorted(frozen.space.records["platform"].items())}
    limits = {name: platform_limit(platform).as_data() for name, platform in records.items()}
    return {name: {"retrieval": limit} for name, limit in limits.items() if limit}


def _personalities(frozen: Frozen) -> dict[str, Any]:
    """Return what personalities mean for base instructions that come with a request; one that means nothing is out."""
    records = frozen.space.records["personality"]
    rows = {name: frozen.graph.personalities[qualified] for name, qualified in sorted(records.items())}
    meant = {
        name: {
            **({"text": row.data["text"]} if row.data["text"] else {}),
            **({"removes": list(row.removes)} if row.removes else {}),
        }
        for name, row in rows.items()
    }
    return {name: row for name, row in meant.items() if row}


def _model(name: str, model: Model, frozen: Frozen) -> dict[str, Any]:
    qualified = frozen.space.records["personality"].items()
    texts = {
        short: plain(model.personalities[long]) for short, long in sorted(qualified) if long in model.personalities
    }
    return {
        "prompt_cache": model.prompt_cache,
        "personality": frozen.space.personalities.get(name),
        "slug": model.slug,
        "vendor": model.data["vendor"],
        "cache": None if model.cache is None else dict(model.cache),
        "roles": dict(model.roles),
        "max_output_tokens": model.max_output_tokens,
        **({"slugs": list(model.slugs)} if model.slugs else {}),
        **({"fallback": True} if model.fallback else {}),
        **({"personalities": texts} if texts else {}),
    }


def _facts(block: Block, file: str) -> dict[str, Any]:
    return {
        "heading": block.heading,
        "tag": block.tag,
        "role": block.role,
        "authority": block.authority,
        "kind": block.kind_of_content,
        "source": block.origin.file,
        "file": file,
        **({"markers": list(block.markers)} if block.markers else {}),
        **_said(changed=block.changed, ended=block.ended),
        **({"transient": True} if block.transient else {}),
        **({"covers": list(block.covers)} if block.covers else {}),
        **({"verbatim": True} if block.verbatim else {}),
        **({"base": True} if bare(block.name) == BASE_INSTRUCTIONS else {}),
    }


def _said(**texts: Text | None) -> dict[str, str]:
    """Return the texts that a profile gives; an empty one is given too."""
    return {name: plain(text) for name, text in texts.items() if text is not None}


def _block_files(
    name: str,
    tree: Tree[FrozenBlock],
    contents: dict[str, bytes],
    provenance: dict[str, str],
    residuals: Residuals,
    made: Mapping[str, ShareFiles],
) -> None:
    """Write a block's file; where its agents fill it, every agent has a file of its own."""
    path = f"residuals/blocks/{name}.json"
    trees = filled_trees(tree)
    if isinstance(tree, Branch) and trees:
        to: dict[str, Any] = {}
        for number, (agent, _, adopted) in trees.filled.items():
            own = agent_path(agent, name)
            _store(own, made[agent].parts[name], adopted, contents, provenance)
            to[str(number)] = {"in": own}
        root = {"tree": {"ask": tree.question.index, "to": to}, "leaves": [], "residuals": {}}
        contents[path] = canonical(root) + b"\n"
        provenance[path] = beside(path)
        contents[provenance[path]] = canonical({"leaves": []}) + b"\n"
    else:
        part, residuals_here = tree_files(tree, CanonicalTexts())
        residuals[path] = (name, residuals_here)
        _store(path, part, None, contents, provenance)


def _store(
    path: str, part: PartFiles, adopted: Adopted | None, contents: dict[str, bytes], provenance: dict[str, str]
) -> None:
    contents[path] = part.whole(adopted)
    provenance[path] = beside(path)
    contents[provenance[path]] = part.provenance


def _pretty(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=2) + "\n").encode()


def _prompts(frozen: Frozen, residuals: Residuals, made: Mapping[str, ShareFiles]) -> dict[str, bytes]:
    """Return the generated modules by path."""
    blocks = frozen.graph.blocks
    frames = {path: frame_of(blocks[name]) for path, (name, _) in residuals.items()}
    contents = {path: found for path, (_, found) in residuals.items()}
    sources = {agent_path(agent, name): files.module for agent, files in made.items() for name in files.parts}
    modules = prompt_modules(contents, frames, contract_of(frozen), sources)
    return {f"prompts/{name}": source for name, source in modules.items()}
