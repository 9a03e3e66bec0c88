"""Versions as Python's packaging tools write them (PEP 440)."""

from __future__ import annotations

import re

_VERSION = re.compile(
    r"v?(?:(?P<epoch>[0-9]+)!)?"
    r"(?P<release>[0-9]+(?:\.[0-9]+)*)"
    r"(?:[-_.]?(?P<stage>alpha|beta|preview|pre|rc|a|b|c)[-_.]?(?P<stage_number>[0-9]+)?)?"
    r"(?:-(?P<bare_post>[0-9]+)|(?P<post>[-_.]?(?:post|rev|r)[-_.]?(?P<post_number>[0-9]+)?))?"
    r"(?P<dev>[-_.]?dev[-_.]?(?P<dev_number>[0-9]+)?)?"
    r"(?:\+(?P<local>[a-z0-9]+(?:[-_.][a-z0-9]+)*))?",
    re.IGNORECASE | re.ASCII,
)

_STAGES = {"alpha": "a", "beta": "b", "preview": "rc", "pre": "rc", "c": "rc"}


def normal_version(version: str) -> str | None:
    """Return the normal form of a version, `1.4.0b1` for `1.4.0-beta.1`, or None where PEP 440 does not take it."""
    found = _VERSION.fullmatch(version)
    if found is None:
        return None
    parts = found.groupdict()
    epoch = _number(parts["epoch"])
    text = "" if epoch == "0" else f"{epoch}!"
    text += ".".join(_number(step) for step in parts["release"].split("."))
    if parts["stage"]:
        stage = parts["stage"].lower()
        text += _STAGES.get(stage, stage) + _number(parts["stage_number"])
    if parts["bare_post"] or parts["post"]:
        text += ".post" + _number(parts["bare_post"] or parts["post_number"])
    if parts["dev"]:
        text += ".dev" + _number(parts["dev_number"])
    if parts["local"]:
        steps = re.split("[-_.]", parts["local"].lower())
        text += "+" + ".".join(_number(step) if step.isdecimal() else step for step in steps)
    return text


def _number(digits: str | None) -> str:
    """Return digits without leading zeros; texts of any length, which `int` refuses."""
    return (digits or "").lstrip("0") or "0"
