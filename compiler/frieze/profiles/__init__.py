"""Typed declarations, and the graph that links them.

This room finds the files of a project and of the library, merges what extends what, resolves names and
settles what may be asked for. It parses no template: bodies and conditions pass through as texts with places.
"""

from __future__ import annotations

from frieze.profiles.desk import Desk
from frieze.profiles.layouts import layout_for
from frieze.profiles.loading import load_graph, load_policies, load_project, survey_all
from frieze.profiles.selectors import personality_data, personality_text, unset_data

__all__ = [
    "Desk",
    "layout_for",
    "load_graph",
    "load_policies",
    "load_project",
    "personality_data",
    "personality_text",
    "survey_all",
    "unset_data",
]
