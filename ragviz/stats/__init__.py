"""Pure number functions."""
