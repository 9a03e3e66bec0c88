"""The sentences of the generated text: data in `profiles/permissions/wording.yaml`, which a policy may reword."""

from __future__ import annotations

import string
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from frieze.diagnostics import Diagnostic, Related, did_you_mean
from frieze.profiles.declarations import Graph, Policy
from frieze.profiles.naming import LIBRARY, listed

WORDING = LIBRARY + "wording"
"""The policy that holds the library's sentences."""

EFFECT_WORDS: Mapping[str, str] = {"allow": "allowed", "ask": "asked", "deny": "denied"}
"""Effect -> the sentence's end that says it."""


@dataclass(frozen=True, slots=True)
class Wording:
    """Sentences by id, each with `{placeholders}`."""

    sentences: Mapping[str, str]

    def say(self, name: str, **values: str) -> str:
        """Return a sentence with its placeholders filled."""
        return self.sentences[name].format(**values)

    def effect(self, effect: str) -> str:
        """Return the end of a sentence that says what happens."""
        return self.sentences[EFFECT_WORDS[effect]]


def wording_of(graph: Graph, policy: Policy) -> Wording:
    """Return the sentences of a policy: the library's, over them its floor's, over them its own."""
    layers = [graph.policies.get(WORDING), graph.policies.get(policy.floor or ""), policy]
    sentences = dict(layers[0].data.get("wording", {})) if layers[0] else {}
    for layer in layers[1:]:
        given = layer.data.get("wording", {}) if layer else {}
        sentences |= {
            name: text
            for name, text in given.items()
            if name in sentences and placeholders(text) == placeholders(sentences[name])
        }
    return Wording(sentences)


def wording_faults(graph: Graph, policy: Policy) -> Iterator[Diagnostic]:
    """Yield every sentence of a policy that the library does not have, or whose placeholders are not its own."""
    library = graph.policies.get(WORDING)
    if library is None or policy.name == WORDING:
        return
    known: Mapping[str, str] = library.data["wording"]
    for name, text in policy.data.get("wording", {}).items():
        if name not in known:
            place = policy.origin.key("wording", name)
            yield Diagnostic.of("F824", place, name=name, advice=did_you_mean(name, known))
        elif placeholders(text) != placeholders(known[name]):
            place = policy.origin.span("wording", name)
            wanted = listed(f"{{{field}}}" for field in sorted(placeholders(known[name]) or ())) or "no placeholder"
            related = (Related(library.origin.span("wording", name), "the library's sentence"),)
            yield Diagnostic.of("F825", place, name=name, wanted=wanted, related=related)


def placeholders(text: str) -> frozenset[str] | None:
    """Return the names of a text's placeholders; None where its braces make no pattern."""
    try:
        fields = [(name, form, conversion) for _, name, form, conversion in string.Formatter().parse(text)]
    except ValueError:
        return None
    if any(name is not None and (form or conversion or not name.isidentifier()) for name, form, conversion in fields):
        return None
    return frozenset(name for name, _, _ in fields if name is not None)


def quoted(texts: Iterable[str]) -> str:
    """Return texts in backquotes, with commas between them."""
    return ", ".join(f"`{text}`" for text in texts)
