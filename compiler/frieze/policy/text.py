"""The text that the model reads about permissions, arranged from the decision table; every sentence with its claims."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from frieze.policy.listing import Lists
from frieze.policy.sentences import ALLOW, ASK, DENY, NO_ALLOW, OUTSIDE, PermissionsText, Probe, Section, Sentence
from frieze.policy.shapes import path_instance
from frieze.policy.view import CELL, View
from frieze.policy.vocabulary import CATEGORIES
from frieze.policy.wording import Wording, quoted
from frieze.runtime.guard.vocabulary import RANK

NETWORK = "{{ network_access }}"
"""The one placeholder of a model's own text about the sandbox; whatever else it holds stands as it is."""

PROBE_FILE = "probe-of-permissions.txt"
UNKNOWN = "probe-of-permissions --run"
"""A program that no table knows."""


def permissions_text(
    table: Mapping[str, Any],
    mode: str,
    wording: Wording,
    *,
    interactive: bool,
    texts: Mapping[str, Mapping[str, str]] | None = None,
) -> PermissionsText:
    """Return the text of one mode.

    Args:
        table: the decision table.
        mode: one of its modes.
        wording: the sentences.
        interactive: whether a person can be asked.
        texts: a model's own texts for `sandbox` and `approval`, by mode and by approval policy; one that is missing is
            built in, one that is empty is none.
    """
    view = View(table, mode, interactive)
    own = texts or {}
    maker = _Maker(view, wording)
    lists = Lists(view, wording)
    sandbox = own.get("sandbox", {}).get(view.sandbox_mode)
    sections = [maker.mode()]
    sections.append(maker.sandbox() if sandbox is None else _literal("sandbox", sandbox.replace(NETWORK, view.network)))
    approval = own.get("approval", {}).get(_approval_key(view))
    if approval is None:
        sections += [*maker.approval(), *lists.prefixes()]
    else:
        sections.append(_literal("approval", approval))
    sections += [maker.roots(), lists.actions(), maker.spelling(), lists.rules(), lists.edits(), lists.closed()]
    return PermissionsText(tuple(section for section in sections if section))


def _approval_key(view: View) -> str:
    """Return under which key a model's own text about approval stands; `granular` has none."""
    if view.silent:
        return "never"
    if view.approval == "granular":
        return ""
    return f"{view.approval}-auto" if view.sandbox["reviewer"] == "auto" else view.approval


def _literal(name: str, text: str) -> Section:
    return (Sentence(name, text),) if text else ()


class _Maker:
    """Makes the sections that are no lists."""

    def __init__(self, view: View, wording: Wording) -> None:
        self.view = view
        self.wording = wording

    def mode(self) -> Section:
        """Name the mode."""
        description = self.view.table["modes"][self.view.mode]["description"]
        return (Sentence("mode", self.wording.say("mode", mode=self.view.mode, description=description).strip()),)

    def sandbox(self) -> Section:
        """Say what can be written and reached."""
        view, wording = self.view, self.wording
        kind = view.sandbox_mode
        given = {
            "writing": wording.effect(view.cell("edit")),
            "outside": wording.effect(max(view.cell("edit"), view.outside, key=RANK.__getitem__)),
        }
        wanted = {"read-only": ("writing",), "workspace-write": ("outside",), "full-access": ("outside",)}[kind]
        text = wording.say(
            f"sandbox.{kind}",
            network=view.network,
            reaching=wording.effect(view.cell("network")),
            **{name: given[name] for name in wanted},
        )
        probes = [
            Probe(frozenset({view.cell("read")}), "read", path=PROBE_FILE),
            Probe(frozenset({view.cell("edit")}), "edit", path=PROBE_FILE),
            Probe(frozenset({view.cell("network")}), "network"),
        ]
        if kind != "read-only":
            probes.append(Probe(frozenset({view.outside}), "edit", path=OUTSIDE))
        return (Sentence(f"sandbox.{kind}", text, (), tuple(probes)),)

    def approval(self) -> list[Section]:
        """Say how questions are answered, and how more can be asked for."""
        view, say = self.view, self.wording.say
        asked = view.outside != "allow" and view.cell("read") != "deny"
        probes = [Probe(frozenset({view.answer("ask")}), "read", path=OUTSIDE)] if asked else []
        if view.approval == "untrusted":
            probes += [Probe(NO_ALLOW, action) for action in view.actions("ask")]
        sentences = [Sentence(f"approval.{view.approval}", say(f"approval.{view.approval}"), (), tuple(probes))]
        if view.approval == "granular":
            sentences += list(self._granular())
        return [tuple(sentences), *([] if view.silent else self._escalation())]

    def _granular(self) -> Iterator[Sentence]:
        view, say = self.view, self.wording.say
        offered = view.sandbox["escalation"]["tool"]
        shown = [name for name in CATEGORIES if name != "request_permissions" or offered]
        for prompts, heading in ((True, "granular.prompted"), (False, "granular.rejected")):
            names = [name for name in shown if view.prompts(name) is prompts]
            if names:
                yield Sentence(heading, say(heading))
            for name in names:
                yield Sentence(f"granular.{name}", "- " + say(f"granular.{name}"), (), self._category(name, prompts))

    def _category(self, name: str, prompts: bool) -> tuple[Probe, ...]:
        """Return the probes of a category: only the guard's own two kinds of questions can be put to it."""
        if name != CELL:
            return ()
        if self.view.outside == "allow" or self.view.cell("read") == "deny":
            return ()
        return (Probe(ASK if prompts else DENY, "read", path=OUTSIDE),)

    def _escalation(self) -> Iterator[Section]:
        view, say = self.view, self.wording.say
        granular = view.approval == "granular"
        offered = view.sandbox["escalation"]
        if offered["inline"] and (view.approval == "on-request" or (granular and view.prompts("sandbox_approval"))):
            yield (Sentence("escalation.inline", say("escalation.inline")),)
        if offered["tool"] and (not granular or view.prompts("request_permissions")):
            yield (Sentence("escalation.tool", say("escalation.tool")),)
        if view.sandbox["reviewer"] == "auto":
            yield (Sentence("reviewer.auto", say("reviewer.auto")),)

    def roots(self) -> Section:
        """Name the folders besides the workspace that can be written to."""
        view = self.view
        roots = sorted(view.sandbox["writable_roots"])
        if not roots or view.sandbox_mode != "workspace-write":
            return ()
        name = "roots.one" if len(roots) == 1 else "roots.many"
        kept = [path_instance(path) for key in ("deny", "protected") for path in view.table["paths"][key][:2]]
        probes = [Probe(ALLOW, "edit", path=f"{root.rstrip('/')}/{PROBE_FILE}") for root in roots]
        probes += [Probe(NO_ALLOW, "edit", path=f"{root.rstrip('/')}/{path}") for root in roots for path in kept]
        return (Sentence(name, self.wording.say(name, roots=quoted(roots)), (), tuple(probes)),)

    def spelling(self) -> Section:
        """Say how commands are read."""
        view, say = self.view, self.wording.say
        unclear = max(view.answer("ask"), view.cell("run"), key=RANK.__getitem__)
        spelled = ("ls $PROBE", "ls $(id)", "ls *.txt", "{ls,src}", "ls `id`")
        exact = tuple(Probe(NO_ALLOW, "run", command=command) for command in spelled)
        unknown = (
            Probe(frozenset({unclear}), "run", command=UNKNOWN),
            Probe(NO_ALLOW, "run", command="ls --probe-of-permissions"),
        )
        several = [Probe(NO_ALLOW, "run", command=f"ls && {UNKNOWN}")]
        several += [Probe(DENY, "run", command="ls; rm -rf /")] if view.knows("rm") else []
        return (
            Sentence("exact", say("exact", unclear=self.wording.effect(unclear)), (), exact),
            Sentence("unknown", say("unknown", unclear=self.wording.effect(unclear)), (), unknown),
            Sentence("several", say("several"), (), tuple(several)),
        )
