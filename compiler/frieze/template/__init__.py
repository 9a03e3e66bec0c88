"""The partial evaluator: Jinja syntax in, residual out."""
