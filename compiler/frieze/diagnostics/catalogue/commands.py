"""F8, what a command is given besides the project."""

from __future__ import annotations

from frieze.diagnostics.model import Code, Severity

ENTRIES: tuple[Code, ...] = (
    Code(
        code="F801",
        name="context-not-json",
        severity=Severity.ERROR,
        message="the context is not JSON: {problem}",
        meaning=(
            "`--context` takes one JSON text (RFC 8259) in UTF-8, as a service would pass it. JSON knows no comments, "
            "no comma after the last entry, no single quotes, no NaN; and of a key given twice (RFC 7493) one value would "
            "be lost without a word."
        ),
        help="correct the file, or leave `--context` out to render without a request's values",
    ),
    Code(
        code="F802",
        name="context-shape",
        severity=Severity.ERROR,
        message="{problem}",
        meaning=(
            "A context is an object, and so is each of its branches, such as `contact` or `message.metadata`. A wrong "
            "value further inside is only refused with a note; a wrong branch means that the service passes "
            "something else than it thinks, so nothing is rendered."
        ),
        help="`frieze schema context` prints the shape, a JSON Schema; `context.schema.json` in the compiled bundle is the same",
    ),
    Code(
        code="F803",
        name="missing-input",
        severity=Severity.ERROR,
        message="the required input `{input}` has no valid value",
        meaning=(
            "An input with `required: true` found nothing valid in any of its sources. A service gets the exception "
            "`MissingInput` here."
        ),
        help="give {paths} in the context, or make the input optional",
    ),
    Code(
        code="F804",
        name="render-failed",
        severity=Severity.ERROR,
        message="the prompt cannot be rendered with this context: {problem}",
        meaning=(
            "A template does something that has no result for the values of this request, such as dividing by zero. "
            "A service gets the exception `RenderError` here."
        ),
        help="guard the expression with an `if`, so that it has a result whatever the request holds",
    ),
    Code(
        code="F805",
        name="broken-bundle",
        severity=Severity.ERROR,
        message="{problem}",
        meaning=(
            "Every file of a compiled bundle has its hash in `bundle.json`. A file that was edited, cut short or "
            "removed no longer fits, and nothing of the bundle is used."
        ),
        help="compile it again with `frieze compile`",
    ),
    Code(
        code="F806",
        name="messages-not-json",
        severity=Severity.ERROR,
        message="the messages are not JSON: {problem}",
        meaning=(
            "`--messages` takes one JSON text (RFC 8259) in UTF-8: the conversation so far, as a service would pass it. "
            "JSON knows no comments, no comma after the last entry, no single quotes, no NaN."
        ),
        help='correct the file; the shortest is `[{{"role": "user", "content": "Hello."}}]`',
    ),
    Code(
        code="F807",
        name="request-shape",
        severity=Severity.ERROR,
        message="{problem}",
        meaning=(
            "No vendor's request can be made of these messages: something in them has a shape, or a role, that the "
            "vendor's API does not know. A service gets the exception `RequestError` here."
        ),
        help="pass a list of messages as the vendor of `--format` writes them, each with `role` and `content`",
    ),
)
