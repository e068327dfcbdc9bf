"""What a reader calls a passage: one name on every page, in every report and in every export."""

from __future__ import annotations

from ragviz.records.ids import is_made_up
from ragviz.records.trace import Passage


def name_without_id(rank: int, *, title: str | None, source: str | None) -> str:
    """Of a passage whose file gives no id: its title, else its source, else its place; a made-up id says nothing to anyone."""
    return title or source or f"passage {rank} (no id)"


def name_of(passage: Passage) -> str:
    """The id that the file gives, of the document where it names one; without any as ``name_without_id``."""
    made_up = is_made_up(passage.matching_id)
    return name_without_id(passage.rank, title=passage.title, source=passage.source) if made_up else passage.matching_id
