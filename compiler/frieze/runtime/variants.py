"""From a target to its frozen blocks: walk the variant trees, load what they name, prepare it once."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, TypeAlias

from .errors import BundleError
from .shapes import BRANCHES, PROVENANCE_SHAPE, RESIDUALS_SHAPE, Shape, checked

if TYPE_CHECKING:
    from .context import Contract
    from .direct import Code, Compiled
    from .guard import Policy

Target: TypeAlias = Mapping[str, "str | None"]

UNSET = "default"
"""The name of what holds where no personality is chosen."""


class Variant:
    """One frozen block, ready to render.

    `when` is None where the block is always in; `inputs` are (name, key of its reader) pairs; `code` are its
    generated functions, where there are some.
    """

    __slots__ = (
        "code",
        "content",
        "facts",
        "file",
        "inputs",
        "leaf",
        "name",
        "render",
        "send",
        "slot",
        "when",
        "zones",
    )

    def __init__(
        self,
        name: str,
        slot: str,
        facts: Mapping[str, Any],
        zones: tuple[str, str],
        send: str | None,
        file: str,
        leaf: int,
        content: Mapping[str, Any] | None,
        when: Callable[[Mapping[str, Any]], Any] | None,
        render: Callable[[Mapping[str, Any]], str] | None,
        inputs: tuple[tuple[str, str], ...],
        code: Code | None = None,
    ) -> None:
        self.name = name
        self.slot = slot
        self.facts = facts
        self.zones = zones
        self.send = send
        self.file = file
        self.leaf = leaf
        self.content = content
        self.when = when
        self.render = render
        self.inputs = inputs
        self.code = code

    def text(self, given: Mapping[str, Any]) -> str:
        """Return the whole text for these values of the inputs that are there, empty where the block is out.

        Raises:
            RenderError: it has none.
        """
        if self.render is None or (self.when is not None and not self.when(given)):
            return ""
        return framed(self.facts, self.render(given))


def framed(facts: Mapping[str, Any], body: str) -> str:
    """Put a body without its outer blank lines under its heading or between its tags; a blank body stays out."""
    if not body or body.isspace():
        return ""
    if facts.get("verbatim"):
        return body
    body = body.strip("\n")
    if facts.get("tag"):
        return f"<{facts['tag']}>\n{body}\n</{facts['tag']}>"
    return f"{facts['heading']}\n{body}" if facts.get("heading") else body


class Library:
    """The frozen blocks of one bundle, loaded when asked for."""

    __slots__ = ("_files", "_read", "_variants", "compiled", "manifest", "policies", "specs")

    def __init__(
        self, manifest: Mapping[str, Any], read: Callable[[str], bytes], compiled: Compiled | None = None
    ) -> None:
        self.manifest = manifest
        self.compiled = compiled
        self._read = read
        self._files: dict[str, Any] = {}
        self._variants: dict[tuple[str, str, int], Variant] = {}
        self.specs: dict[str, Mapping[str, Any]] = {}
        self.policies: dict[str, Policy] = {}

    def layout(self, target: Target) -> Mapping[str, Any]:
        """Return the layout of a target: `slots`, `tags`, `opening`."""
        chosen: Mapping[str, Any] = self.manifest["layouts"][self.answer(self.manifest["layout"], target)]
        return chosen

    def answer(self, question: int, target: Target) -> int:
        """Return the number of a question's outcome for a target."""
        entry = self.manifest["questions"][question]
        level = entry["table"]
        for selector in entry["of"]:
            level = level.get(target[selector] or "")
            if level is None:
                return int(entry["else"])
        return int(level)

    def variant(self, slot: str, block: str, target: Target) -> Variant:
        """Return the variant of a block that holds for a target."""
        facts = self.manifest["blocks"][block]
        file, node = self.leaf(facts["file"], target)
        key = (slot, file, node)
        found = self._variants.get(key)
        if found is None:
            found = self._variants[key] = self._prepare(slot, block, facts, file, node)
        return found

    def leaf(self, file: str, target: Target) -> tuple[str, int]:
        """Walk a variant tree: return the file and the number of the leaf that holds for a target."""
        node = self.data(file)["tree"]
        for _ in range(BRANCHES):
            if isinstance(node, int):
                return file, node
            if "in" in node:
                file = node["in"]
                node = self.data(file)["tree"]
            else:
                node = node["to"][str(self.answer(node["ask"], target))]
        raise BundleError(file, "has a variant tree without an end")

    def data(self, file: str) -> Any:
        """Return a file of residuals, parsed and kept.

        Raises:
            BundleError: the file is not what the manifest says.
        """
        return self._parsed(file, RESIDUALS_SHAPE)

    def origins(self, file: str, leaf: int) -> Any:
        """Return where the lines of a leaf come from.

        Raises:
            BundleError: the file is not what the manifest says.
        """
        beside = self.manifest["provenance"][file]
        return self._parsed(beside, PROVENANCE_SHAPE)["leaves"][leaf]

    def _parsed(self, file: str, shape: Shape) -> Any:
        found = self._files.get(file)
        if found is None:
            try:
                data = json.loads(self._read(file))
            except (ValueError, RecursionError):
                raise BundleError(file, "is not JSON") from None
            found = self._files[file] = checked(data, shape, file)
        return found

    def text(self, file: str) -> str:
        """Return a file of the bundle as text.

        Raises:
            BundleError: the file is not what the manifest says.
        """
        return self._read(file).decode()

    def _prepare(self, slot: str, block: str, facts: Mapping[str, Any], file: str, leaf: int) -> Variant:
        data = self.data(file)
        entry = data["leaves"][leaf]
        zones = tuple(entry.get("zones", ("never", "never")))
        send = entry.get("send")
        if "residual" not in entry:
            return Variant(block, slot, facts, zones, send, file, leaf, None, None, None, ())
        content = data["residuals"][entry["residual"]]
        try:
            when = content.get("when")
            inputs = tuple((name, self._register(spec)) for name, spec in content["inputs"].items())
            code = self.compiled.block(file, entry["residual"]) if self.compiled and (inputs or when) else None
            condition = None if when is None else _made(lambda: _condition(when), late=code is not None)
            render = _made(lambda: _rendering(content["body"]), late=code is not None)
            if code is None and inputs:
                code = _closures(content, self.manifest["contract"], facts)
            return Variant(
                block,
                slot,
                facts,
                zones,
                send,
                file,
                leaf,
                content,
                condition,
                render,
                inputs,
                code,
            )
        except (KeyError, TypeError, IndexError, AttributeError):
            raise BundleError(file, f"holds a block `{block}` that this resolver cannot read") from None

    def _register(self, spec: Mapping[str, Any]) -> str:
        """Register an input under the specification's own text, so that blocks with the same input share one value."""
        key = json.dumps(spec, sort_keys=True, ensure_ascii=False)
        self.specs.setdefault(key, spec)
        return key


def _made(make: Callable[[], Callable[..., Any]], *, late: bool) -> Callable[..., Any]:
    """Make a function of the interpreter: at once, or when it is first asked for."""
    if not late:
        return make()
    made: list[Callable[..., Any]] = []

    def call(values: Mapping[str, Any]) -> Any:
        if not made:
            made.append(make())
        return made[0](values)

    return call


def _closures(content: Mapping[str, Any], contract: Contract, facts: Mapping[str, Any]) -> Code | None:
    from .closures import direct_code

    return direct_code(content, contract, facts, lambda body: framed(facts, body))


def _rendering(body: Any) -> Callable[[Mapping[str, Any]], str]:
    if isinstance(body, list) and all(isinstance(node, str) for node in body):
        fixed = "".join(body)
        return lambda _: fixed
    from .interpreter import compile_body

    return compile_body(body, strict=False)


def _condition(when: Any) -> Callable[[Mapping[str, Any]], Any]:
    from .interpreter import compile_expression

    return compile_expression(when, strict=False)
