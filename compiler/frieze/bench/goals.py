"""What each figure means, and what it should be."""

from __future__ import annotations

from typing import NamedTuple


class Goal(NamedTuple):
    """The bound of a figure, and what the figure is."""

    at_most: bool
    value: float
    what: str

    def met(self, figure: float) -> bool:
        """Tell whether a figure keeps the bound."""
        return figure <= self.value if self.at_most else figure >= self.value

    @property
    def said(self) -> str:
        """The bound in words."""
        return f"{self.value:g} or {'less' if self.at_most else 'more'}"


WITHOUT_GOAL = {
    "compile_over_parse_unlike": "the same where no two agents print the same line",
}
"""Figures that are told for comparison."""

GOALS = {
    "render_over_floor": Goal(True, 3.0, "rendering with the emitted package over a function written by hand"),
    "render_over_floor_cjk": Goal(True, 4.0, "the same with two values in Japanese"),
    "interpreter_over_floor": Goal(True, 8.0, "the same through the interpreter"),
    "jinja_over_render": Goal(False, 4.0, "Jinja2's compiled template over the emitted package"),
    "cold_over_jinja_import": Goal(True, 0.5, "importing the package and rendering once over `import jinja2`"),
    "guard_over_shlex": Goal(True, 10.0, "the guard's answer to a simple command over splitting it with `shlex`"),
    "compile_over_parse": Goal(True, 6.0, "compiling with two workers over parsing the same files"),
    "compile_over_parse_one_process": Goal(True, 9.0, "the same in one process"),
    "warm_over_cold": Goal(True, 0.1, "compiling again, with nothing changed"),
    "one_changed_over_cold": Goal(True, 0.2, "compiling again, with one file changed"),
    "size_when_platforms_double": Goal(True, 1.3, "bytes of the bundle with twice the platforms"),
    "time_when_platforms_double": Goal(True, 1.5, "compile time with twice the platforms"),
    "memory_per_idle_prompt_kb": Goal(True, 30.0, "resident memory of an opened bundle, for each agent"),
}
