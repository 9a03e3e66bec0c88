"""F714: personalities that change nothing, because a model's own base instructions have no place for them."""

from __future__ import annotations

from collections.abc import Iterator

from frieze.diagnostics import Diagnostic
from frieze.freeze import Frozen, FrozenBlock
from frieze.freeze.bases import is_base
from frieze.freeze.blocks import is_placeholder
from frieze.freeze.findings import leaves
from frieze.freeze.shares import filled_trees
from frieze.freeze.trees import Leaf, Tree
from frieze.freeze.voice import prints_personality
from frieze.profiles import personality_data
from frieze.profiles.naming import listed
from frieze.runtime.base import OF_MODEL
from frieze.runtime.context import ORIGIN
from frieze.runtime.errors import FriezeError
from frieze.runtime.interpreter import compile_expression

SHOWN = 6
"""Personalities that the message names before it counts the rest."""


def silent_personality(frozen: Frozen) -> Iterator[Diagnostic]:
    """Yield a warning for each model that leaves out texts of personalities which some agent allows with it."""
    records = frozen.space.records
    for model, qualified in records["model"].items():
        record = frozen.graph.models[qualified]
        if not (record.template or record.instructions) or frozen.space.model_voice(qualified):
            continue
        silent = [
            name
            for name, long in records["personality"].items()
            if personality_data(frozen.graph.personalities[long], record)["text"]
            and any(_is_silent(frozen, agent, model, name) for agent in frozen.graph.agents)
        ]
        if silent:
            field = "template" if record.template else "instructions"
            names = listed(sorted(silent), SHOWN)
            yield Diagnostic.of("F714", record.origin.key(field), model=model, personalities=names)


def _is_silent(frozen: Frozen, agent: str, model: str, personality: str) -> bool:
    """Tell whether an agent has the model's base instructions, and nothing that says how to speak."""
    choices = frozen.space.choices[agent]
    if model not in choices["model"] or personality not in choices["personality"]:
        return False
    there = False
    for name, tree in frozen.trees.items():
        block = frozen.graph.blocks[name]
        for leaf in leaves(_of_agent(tree, agent)):
            if not _holds_for(leaf, {"agent": agent, "model": model, "personality": personality}):
                continue
            if is_base(block):
                there = there or leaf.value.residual is not None
            elif is_placeholder(block):
                if frozen.space.voice(agent):
                    return False
            elif prints_personality(frozen.space.templates, block.body) and _is_in(leaf.value):
                return False
    return there


def _of_agent(tree: Tree[FrozenBlock], agent: str) -> Tree[FrozenBlock]:
    """Return what an agent fills a block with; for any other block its tree."""
    trees = filled_trees(tree)
    own = [row for row in trees.filled.values() if row.agent == agent] if trees else []
    return own[0].tree() if own else tree


def _holds_for(leaf: Leaf[FrozenBlock], target: dict[str, str]) -> bool:
    return any(all(value in box[selector] for selector, value in target.items()) for box in leaf.targets.boxes)


def _is_in(block: FrozenBlock) -> bool:
    """Tell whether a block can be in the prompt while the model's own base instructions hold."""
    if block.residual is None or block.when is None:
        return block.residual is not None
    given = {
        name: OF_MODEL
        for name, spec in block.inputs.items()
        if any(source.get("path") == ORIGIN for source in spec["sources"])
    }
    try:
        return bool(compile_expression(block.when, strict=False)(given))
    except FriezeError:
        return True
