"""Lint rules, one a file, over the typed graph and the residual."""
