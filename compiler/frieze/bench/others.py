"""The reference prompt through other template engines, where they are installed: `pip install 'frieze[bench]'`."""

from __future__ import annotations

from importlib.util import find_spec
from typing import Any

from frieze.bench.rendering import Reference, emitted_prompt, ratio


def minijinja_over_render(reference: Reference) -> float | None:
    """Return minijinja's time for the reference prompt over that of the emitted package; None without minijinja."""
    if find_spec("minijinja") is None:
        return None
    environment = minijinja_environment(reference)
    context = reference.contexts["context"]
    prompt = emitted_prompt(reference)
    return round(
        ratio(
            lambda: environment.render_template("reference", **context),
            lambda: prompt.render(context).text,
        ),
        2,
    )


def minijinja_environment(reference: Reference) -> Any:
    """Return an environment with the template `reference`, which looks each value up once, where the inputs look."""
    import minijinja

    looks = [
        f"{{% set {name} = {' or '.join(paths)} %}}\n" for name, paths in reference.inputs.items() if paths != (name,)
    ]
    return minijinja.Environment(
        templates={"reference": "".join(looks) + reference.template},
        trim_blocks=True,
        lstrip_blocks=True,
        undefined_behavior="chainable",
    )
