"""Permission policies as records, and what tools and agents say about them; what they mean is told in `policy`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any

from frieze.diagnostics import Diagnostic, Related, did_you_mean
from frieze.profiles.declarations import DataPath, Policy
from frieze.profiles.extending import Declaration, Names
from frieze.profiles.naming import LIBRARY, bare, is_library, listed

KIND = "permissions"
DEFAULT_LAYER = "developer"
DEFAULT_FLOOR = LIBRARY + "floor"
DEFAULT_PROGRAMS = LIBRARY + "programs"

_DEFAULT: DataPath = ("defaults", "mode")
_ALLOWED: DataPath = ("allows", "modes")

ARGUMENT_LISTS = ("paths", "commands", "hosts", "patches")
"""Fields of a tool that name arguments."""


def built_policy(declaration: Declaration, faults: list[Diagnostic], names: Names) -> Policy:
    """Build a policy; the file that gives a rule also gives its layer, unless the rule names one itself."""
    data = declaration.data
    rules: Mapping[str, Any] = data.get("rules", {})
    faults += _unknown_tools(declaration, names)
    return Policy(
        declaration.name,
        declaration.origin,
        data,
        layer=data.get("layer", DEFAULT_LAYER),
        layers={name: rule.get("layer") or _layer_of_file(declaration, name) for name, rule in rules.items()},
        base=_base(declaration, names),
        floor=_below("floor", DEFAULT_FLOOR, declaration, names, faults),
        programs=_below("programs", DEFAULT_PROGRAMS, declaration, names, faults),
    )


def _unknown_tools(declaration: Declaration, names: Names) -> Iterator[Diagnostic]:
    """Yield each tool that a rule names and nobody declares."""
    for rule, given in declaration.data.get("rules", {}).items():
        for index, written in enumerate(given.get("tools", ())):
            path: DataPath = ("rules", rule, "tools", index)
            in_library = bool(declaration.unit_at(path).prefix)
            where = partial(declaration.origin.span, *path)
            yield from names.link("tool", written, where, in_library=in_library)[1]


def linked_policy(key: str, declaration: Declaration, names: Names, faults: list[Diagnostic]) -> str | None:
    """Return the qualified name of the policy that a field names; None where there is no field, or no such policy."""
    written = declaration.data.get(key)
    if not isinstance(written, str):
        return None
    in_library = bool(declaration.unit_at((key,)).prefix)
    found, fault = names.link(KIND, written, lambda: declaration.origin.span(key), in_library=in_library)
    faults += fault
    return found or None


def choose_modes(
    policy: Policy | None,
    declaration: Declaration,
    allows: dict[str, tuple[str, ...]],
    defaults: dict[str, str],
    faults: list[Diagnostic],
) -> None:
    """Settle an agent's modes: those of its policy, or of them the ones that it allows."""
    origin = declaration.origin
    allows["mode"] = ()
    places: list[DataPath] = [("allows", "modes", index) for index, _ in enumerate(declaration.at(_ALLOWED) or ())]
    places += [_DEFAULT] if declaration.at(_DEFAULT) else []
    if policy is None:
        if declaration.at(("permissions",)) is None:
            faults += [
                Diagnostic.of("F363", origin.key(*path)) for path in (_DEFAULT, _ALLOWED) if declaration.at(path)
            ]
        return
    modes = list(policy.data.get("modes", {}))
    related = (Related(origin.span("permissions"), "the agent's policy"),)
    if not modes:
        faults.append(Diagnostic.of("F823", origin.span("permissions"), name=bare(policy.name)))
    for place in places if modes else ():
        name = declaration.at(place)
        if name not in modes:
            advice = did_you_mean(name, modes, f"its modes are {listed(modes)}")
            faults.append(
                Diagnostic.of(
                    "F822", origin.span(*place), name=name, policy=bare(policy.name), related=related, advice=advice
                )
            )
    allows["mode"] = tuple(mode for mode in dict.fromkeys(declaration.at(_ALLOWED) or modes) if mode in modes)
    default = declaration.at(_DEFAULT)
    if default in modes and default not in allows["mode"]:
        faults.append(
            Diagnostic.of(
                "F360",
                origin.span(*_DEFAULT),
                selector="mode",
                name=default,
                plural="modes",
                choices=f": {listed(allows['mode'])}",
                related=(Related(origin.key(*_ALLOWED), "the modes that it allows"),),
            )
        )
    if default in allows["mode"]:
        defaults["mode"] = default


def argument_faults(declaration: Declaration, arguments: Mapping[str, Any]) -> Iterator[Diagnostic]:
    """Yield each name in a tool's lists of arguments that its `input` does not have."""
    known = list(arguments.get("properties", {}))
    others = f"its arguments are {listed(known)}" if known else "the tool takes no arguments"
    for key in ARGUMENT_LISTS:
        for index, name in enumerate(declaration.data.get(key, ())):
            if name not in known:
                place = declaration.origin.span(key, index)
                yield Diagnostic.of("F820", place, name=name, advice=did_you_mean(name, known, others))


def _below(key: str, default: str, declaration: Declaration, names: Names, faults: list[Diagnostic]) -> str | None:
    """Return the policy that a field names, else the library's; a policy is neither its own floor nor its own table."""
    if isinstance(declaration.data.get(key), str):
        found = linked_policy(key, declaration, names, faults)
    else:
        found = default if (KIND, default) in names.units else None
    return found if found != declaration.name else None


def _base(declaration: Declaration, names: Names) -> str | None:
    document = declaration.unit_at(("name",)).document.data
    written = document.get("extends")
    if written is None:
        return None
    in_library = is_library(declaration.name)
    found = names.find(KIND, written, in_library=in_library)
    return LIBRARY + declaration.name if found == declaration.name else found


def _layer_of_file(declaration: Declaration, rule: str) -> str:
    layer: str = declaration.unit_at(("rules", rule)).document.data.get("layer", DEFAULT_LAYER)
    return layer
