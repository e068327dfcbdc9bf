"""Sizes beyond which a file is refused with a sentence instead of eating the machine."""

from __future__ import annotations

HEAD_BYTES = 256 * 1024
"""What a loader may look at to recognise a format."""
BUFFER_BYTES = 64 * 1024
"""Read from a file at once: in smaller pieces a line of some kB is put together out of several, which takes three times as long."""
LINE_BYTES = 64 * 1024 * 1024
"""One line (JSON Lines), one field (CSV)."""
WHOLE_BYTES = 512 * 1024 * 1024
"""One JSON document that must be held in memory as a whole."""
UNPACKED_BYTES = 8 * 1024 * 1024 * 1024
"""A compressed file after unpacking."""
RATIO_FREE_BYTES = 64 * 1024 * 1024
"""Up to here a compressed file may expand as it likes."""
RATIO = 400
"""Beyond RATIO_FREE_BYTES: unpacked bytes per packed byte. Repetitive logs reach 100; zip bombs have 1000 and more."""
SPOOL_BYTES = 32 * 1024 * 1024
"""Unpacked data up to this size stays in memory, more goes to a temporary file."""
CELL_LITERAL_CHARS = 8 * 1024 * 1024
"""Longest cell that is read as a Python literal."""
XZ_BYTES = 512 * 1024 * 1024
"""Memory that unpacking an xz file may ask for; `xz -9` asks for 65 MiB."""
MEMBERS = 100_000
"""Files in one archive."""
GIANT_COLUMNS = frozenset({"generated_tokens", "generated_log_probs", "embedding", "embeddings", "vector"})
"""Columns of Parquet and Arrow that are never read: arrays of numbers beside each text."""
