"""Bytes to plain data that remembers where it stood."""
