"""The base instructions: which text each model has for them, and what a personality takes out of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from frieze.profiles.building import BASE_INSTRUCTIONS
from frieze.profiles.declarations import Block, Graph, Model, Text
from frieze.profiles.naming import bare
from frieze.runtime.base import kept, sections
from frieze.template import Outcome, Parsed, Question, Unanswered
from frieze.template.parse import literal

Answers: TypeAlias = Mapping[str, Outcome]
Cuts: TypeAlias = tuple[tuple[int, int], ...]


def is_base(block: Block) -> bool:
    """Tell whether a block has the model's text for its body."""
    return bare(block.name) == BASE_INSTRUCTIONS and block.body is None


@dataclass(slots=True)
class Bases:
    """The base instructions of a project's models. Each text is made once, so that it can be known by its identity."""

    graph: Graph
    parsed: dict[int, Parsed]
    fragmented: dict[int, Any]
    """Where templates are found by the identity of their text; those that are no templates are added here."""
    plain: dict[tuple[str, Cuts], Text] = field(default_factory=dict)

    def text(self, answers: Answers) -> Text | None:
        """Return the base instructions of the model that the answers choose, None where it has none.

        Raises:
            Unanswered: they depend on a question that is not answered yet.
        """
        name = _answer(Question("model", ("model",), self._name), answers)
        model = self.graph.models.get(name) if name else None
        if model is None or model.template or not model.instructions:
            return model.template if model else None
        cuts = self._cuts(model, model.instructions.value, answers)
        text = self.plain.get((model.name, cuts))
        if text is None:
            text = self.plain[model.name, cuts] = self._without(model.instructions, cuts)
        return text

    def removed(self) -> frozenset[str]:
        """Return the headings whose sections some personality takes out, of all that some agent allows."""
        return frozenset(heading for each in self.graph.personalities.values() for heading in each.removes)

    def _name(self, data: Mapping[str, Any]) -> str | None:
        """Return the qualified name of a model, which templates do not see, by a map that each has for itself."""
        own = data["model"]["texts"]
        return next((name for name, model in self.graph.models.items() if model.data["texts"] is own), None)

    def _cuts(self, model: Model, text: str, answers: Answers) -> Cuts:
        if not sections(text, self.removed()):
            return ()

        def out(data: Mapping[str, Any]) -> list[list[int]]:
            return [list(section) for section in sections(text, data["personality"]["removes"])]

        key = f"personality.removes of {model.name}"
        return tuple((start, end) for start, end in _answer(Question(key, ("personality",), out), answers))

    def _without(self, text: Text, cuts: Cuts) -> Text:
        """Return a text of its own that is no template, whatever it looks like."""
        stretches = kept(text.value, cuts)
        made = Text("".join(stretch for _, stretch in stretches), text.file, text.where, text.locate)
        self.parsed[id(made)] = literal(stretches, name=text.file, locate=text.locate)
        self.fragmented[id(made)] = None
        return made


def _answer(question: Question, answers: Answers) -> Any:
    if question.key not in answers:
        raise Unanswered(question)
    return answers[question.key].value
