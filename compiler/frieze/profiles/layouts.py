"""Layout edits, and the order of blocks that holds for one agent on one platform.

An edit is read as a set of wishes, not as a program: what is inserted or moved hangs on the slot that it names,
wherever that slot ends up. So the written order only matters between neighbours that hang on the same side of
the same slot, and they stand in the order in which they are written.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from frieze.diagnostics import Diagnostic, Related, Span, did_you_mean
from frieze.profiles.declarations import Graph, LayoutEdit
from frieze.profiles.naming import LIBRARY, bare, listed

DEFAULT_LAYOUT = "std"

Slots = tuple[tuple[str, str], ...]
"""Ordered (slot name, qualified block name)."""

Edited = tuple[str, tuple[str, str], Span]


@dataclass(frozen=True, slots=True)
class EditedLayout:
    """What diagnostics say about the layout that an edit changes.

    `chosen` is where the layout was chosen, `places` where each of its slots was declared, `gone` where an earlier edit
    removed a slot.
    """

    name: str
    chosen: Span
    places: Mapping[str, Span]
    gone: Mapping[str, Span] = field(default_factory=dict)

    def after(self, edit: LayoutEdit) -> EditedLayout:
        """Return what holds for the edit that follows this one."""
        places = {**self.places, **{bare(name): span for name, _, span in edit.insert}}
        return EditedLayout(self.name, self.chosen, places, {**self.gone, **dict(edit.remove)})


def layout_for(graph: Graph, agent: str, platform: str | None) -> tuple[Slots, list[Diagnostic]]:
    """Return the slots in which this agent's blocks stand on this platform, as (slot name, block name).

    The agent's layout wins over the platform's. Their edits stack, the agent's last; a platform's edit of one
    layout does not touch an agent that is built on another.
    """
    own = graph.agents[agent].layout
    channel = graph.platforms[platform].layout if platform else None
    base = base_layout(graph, agent, platform)
    if base not in graph.layouts:
        return (), []
    layout = graph.layouts[base]
    slots = layout.blocks
    places = {slot: layout.origin.key("blocks", slot) for slot, _ in slots}
    context = EditedLayout(bare(base), own.span if own and own.span else layout.origin.key("name"), places)
    faults: list[Diagnostic] = []
    for edit in (channel, own):
        if edit is None or (edit.base or base) != base:
            continue
        slots, more = apply_edit(slots, edit, context)
        context = context.after(edit)
        faults += more
    return tuple((slot, block) for slot, block in slots if block in graph.blocks), faults


def base_layout(graph: Graph, agent: str, platform: str | None) -> str:
    """Return the layout that the edits of an agent and a platform change: the agent's, else the platform's."""
    own = graph.agents[agent].layout
    channel = graph.platforms[platform].layout if platform else None
    return (own and own.base) or (channel and channel.base) or default_layout(graph)


def default_layout(graph: Graph) -> str:
    """Return the layout that holds where nobody names one: the project's own `std`, else the library's."""
    return DEFAULT_LAYOUT if DEFAULT_LAYOUT in graph.layouts else LIBRARY + DEFAULT_LAYOUT


def apply_edit(slots: Slots, edit: LayoutEdit, layout: EditedLayout) -> tuple[Slots, list[Diagnostic]]:
    """Apply one edit. Every slot that is left stands in the result exactly once; a wish that cannot be met is left out.

    Args:
        slots: the layout before the edit.
        edit: inserted blocks go by qualified name and get the bare name as their slot.
        layout: where everything was declared, for diagnostics.
    """
    wishes = _Wishes(dict(slots), layout)
    wishes.read(edit)
    return wishes.order(slots), wishes.faults


@dataclass(slots=True)
class _Wishes:
    blocks: dict[str, str]
    layout: EditedLayout
    removed: dict[str, Span] = field(default_factory=dict)
    edited: dict[str, tuple[tuple[str, str], Span]] = field(default_factory=dict)
    faults: list[Diagnostic] = field(default_factory=list)
    anchors: Mapping[str, Span] = field(default_factory=dict)

    def read(self, edit: LayoutEdit) -> None:
        self.anchors = edit.anchors
        for slot, span in edit.remove:
            if self._known(slot, span):
                self.removed[slot] = span
        kept = {slot for slot in self.blocks if slot not in self.removed}
        moves = [wish for wish in edit.move if self._may_move(wish)]
        for qualified, place, span in edit.insert:
            slot = bare(qualified)
            if slot in kept or slot in self.edited:
                first = self.edited[slot][1] if slot in self.edited else self.layout.places[slot]
                self.faults.append(
                    Diagnostic.of("F342", span, slot=slot, related=(Related(first, f"`{slot}` already stands here"),))
                )
                continue
            self.blocks[slot] = qualified
            self.edited[slot] = (place, span)
        for slot, place, span in moves:
            self.edited[slot] = (place, span)
        self._drop_lost()

    def order(self, slots: Slots) -> Slots:
        hanging: dict[tuple[str, str], list[str]] = {}
        for slot, (place, _) in self.edited.items():
            hanging.setdefault(place, []).append(slot)
        spine = [slot for slot, _ in slots if slot not in self.removed and slot not in self.edited]
        roots = [*hanging.get(("first", ""), []), *spine, *hanging.get(("last", ""), [])]
        return tuple((slot, self.blocks[slot]) for slot in _unfold(roots, hanging))

    def _known(self, slot: str, span: Span) -> bool:
        if slot in self.blocks:
            return True
        gone = self.layout.gone.get(slot)
        related = (
            Related(gone, "an earlier edit removes it")
            if gone
            else Related(self.layout.chosen, "the layout is chosen here")
        )
        near = did_you_mean(slot, self.blocks, f"the slots are {listed(self.blocks)}")
        advice = "take this line out, or keep the slot there" if gone else near
        self.faults.append(
            Diagnostic.of("F341", span, slot=slot, layout=self.layout.name, related=(related,), advice=advice)
        )
        return False

    def _may_move(self, wish: Edited) -> bool:
        slot, _, span = wish
        if slot in self.removed:
            related = (Related(self.removed[slot], "removed here"),)
            self.faults.append(Diagnostic.of("F343", span, slot=slot, related=related))
            return False
        return self._known(slot, span)

    def _drop_lost(self) -> None:
        """Give up wishes whose anchor does not exist, was removed, or hangs on the wish itself."""
        for slot, (place, span) in list(self.edited.items()):
            anchor = place[1]
            if anchor in self.removed and anchor not in self.edited:
                self.faults.append(
                    Diagnostic.of("F343", span, slot=anchor, related=(Related(self.removed[anchor], "removed here"),))
                )
                self._give_up(slot)
            elif anchor and not self._known(anchor, self.anchors.get(slot, span)):
                self._give_up(slot)
        sound: set[str] = set()
        for slot in list(self.edited):
            circle = self._circle(slot, sound)
            if circle:
                related = tuple(
                    Related(self.edited[name][1], f"`{name}` hangs on `{self.edited[name][0][1]}`")
                    for name in circle[1:]
                )
                path = " -> ".join([*circle, slot])
                self.faults.append(Diagnostic.of("F344", self.edited[slot][1], slots=path, related=related))
                for name in circle:
                    self._give_up(name)

    def _give_up(self, slot: str) -> None:
        """Leave a moved slot where it was and put an inserted one last, so that what hangs on it is not lost."""
        if slot in self.layout.places and slot not in self.removed:
            self.edited.pop(slot, None)
        elif slot in self.edited:
            self.edited[slot] = (("last", ""), self.edited[slot][1])

    def _circle(self, start: str, sound: set[str]) -> list[str]:
        """Return the circle of anchors that a slot is part of; `sound` gathers slots whose anchors lead to none."""
        trail, slot = {start: None}, start
        while slot in self.edited and slot not in sound:
            slot = self.edited[slot][0][1]
            if slot == start:
                return list(trail)
            if slot in trail:
                return []
            trail[slot] = None
        sound.update(trail)
        return []


def _unfold(roots: list[str], hanging: Mapping[tuple[str, str], list[str]]) -> Iterator[str]:
    """Walk the roots in order, each between what hangs before and after it."""
    pending = roots[::-1]
    opened: set[str] = set()
    while pending:
        slot = pending.pop()
        if slot in opened:
            yield slot
            continue
        opened.add(slot)
        pending += reversed([*hanging.get(("before", slot), []), slot, *hanging.get(("after", slot), [])])
