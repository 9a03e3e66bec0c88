"""The guard: what a policy answers to commands, paths and tool calls."""
