"""Pure text functions with spans in code points."""
