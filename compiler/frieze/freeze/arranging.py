"""Which layout holds for which target, and where each block stands."""

from __future__ import annotations

from frieze.diagnostics import Diagnostic
from frieze.freeze.model import FrozenLayout
from frieze.freeze.questions import Asked, Questions
from frieze.freeze.space import Space
from frieze.freeze.targets import Targets
from frieze.profiles import layout_for
from frieze.profiles.building import DEFAULT_OPENING, DEFAULT_TAGS
from frieze.profiles.declarations import Layout
from frieze.profiles.layouts import base_layout
from frieze.template import Question

Arrangement = tuple[Asked, tuple[FrozenLayout, ...], dict[str, Targets]]


def arrange(space: Space, questions: Questions) -> tuple[Arrangement, list[Diagnostic]]:
    """Return the layout question, the distinct layouts by its outcomes, and for each block the targets that have it."""
    graph = space.graph
    targets = space.targets()
    faults: list[Diagnostic] = []
    found: dict[tuple[str, str | None], tuple[str, tuple[tuple[str, str], ...]]] = {}
    alike: dict[tuple[int, str | None], tuple[str, tuple[tuple[str, str], ...]]] = {}
    for agent, platform in targets.combinations(("agent", "platform")):
        if agent is None:
            continue
        edit = graph.agents[agent].layout
        key = (0 if edit is None else id(edit), platform)
        if key not in alike:
            record = space.records["platform"][platform] if platform else None
            slots, more = layout_for(graph, agent, record)
            faults += more
            alike[key] = (base_layout(graph, agent, record), slots)
        found[agent, platform] = alike[key]

    question = Question("layout", ("agent", "platform"), lambda data: data["layout"])
    layouts: dict[int, FrozenLayout] = {}
    placed: dict[str, Targets] = {}
    asker = Questions(lambda _, combination: {"layout": found[str(combination[0]), combination[1]]}, questions.asked)
    entry = None
    for entry, number, part in asker.split(question, targets):
        base, slots = entry.outcomes[number].value
        # A layout with a fault of its own was left out; the run goes on, to find the others.
        layout = graph.layouts.get(base) or Layout(base, graph.project.origin, (), DEFAULT_TAGS, DEFAULT_OPENING)
        layouts[number] = FrozenLayout(slots, layout)
        for block in dict.fromkeys(block for _, block in slots):
            placed[block] = Targets((*placed[block].boxes, *part.boxes)) if block in placed else part
    if entry is None:
        raise ValueError("a project without agents has no layout")
    return (entry, tuple(layouts[number] for number in range(len(layouts))), placed), faults
