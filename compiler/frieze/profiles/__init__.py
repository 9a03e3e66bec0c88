"""Typed declarations, and the graph that links them."""
