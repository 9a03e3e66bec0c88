"""The resolver: standard library only, shipped verbatim with every bundle."""
