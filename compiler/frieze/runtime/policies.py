"""The policies in a bundle, and the guards that they make."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import TYPE_CHECKING

from .errors import BundleError, UnknownSelector

if TYPE_CHECKING:
    from .guard import Guard, Policy
    from .variants import Library

FOLDER = "policies/"


def policy_names(library: Library) -> tuple[str, ...]:
    """Return the names of the policies in a bundle, sorted."""
    files = [name for name in library.manifest["files"] if name.startswith(FOLDER) and name.endswith(".json")]
    return tuple(sorted(name.removeprefix(FOLDER).removesuffix(".json") for name in files))


def guard_of(
    library: Library, name: str, mode: str | None, workspace: str | os.PathLike[str], *, interactive: bool
) -> Guard:
    """Return a guard for a policy of a bundle.

    Raises:
        UnknownSelector: the bundle has no such policy, or the policy no such mode.
        BundleError: the policy's table cannot be used.
    """
    from .guard import Guard, PolicyError

    policy = _policy(library, name)
    modes = tuple(policy.table["modes"])
    if mode is None or mode not in modes:
        raise UnknownSelector.among("mode", mode, modes)
    try:
        return Guard(policy, mode, workspace=os.fspath(workspace), interactive=interactive)
    except PolicyError as error:
        raise BundleError(_file(name), f"cannot be used: {error}") from None


def guard_of_target(
    library: Library, target: Mapping[str, str | None], workspace: str | os.PathLike[str], *, interactive: bool
) -> Guard:
    """Return the guard for the policy of a prompt's agent, in the prompt's mode.

    Raises:
        UnknownSelector: the agent has no policy.
        BundleError: the policy's table cannot be used.
    """
    name = library.manifest["agents"][target["agent"]].get("permissions")
    if name is None:
        raise UnknownSelector("policy", None, (), ())
    return guard_of(library, name, target["mode"], workspace, interactive=interactive)


def _policy(library: Library, name: str) -> Policy:
    """Return a policy, read once for each bundle."""
    from .guard import Policy, PolicyError

    found = library.policies.get(name)
    if found is None:
        if name not in (names := policy_names(library)):
            raise UnknownSelector.among("policy", name, names)
        try:
            found = Policy(json.loads(library.text(_file(name))))
        except (ValueError, RecursionError, PolicyError) as error:
            raise BundleError(_file(name), f"cannot be used: {error}") from None
        library.policies[name] = found
    return found


def _file(name: str) -> str:
    return f"{FOLDER}{name}.json"
