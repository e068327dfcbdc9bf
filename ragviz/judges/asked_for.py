"""Kinds of things a question can ask for."""

from __future__ import annotations

from enum import StrEnum


class AskedFor(StrEnum):
    """Kind of thing that would answer a question."""

    PERSON = "a person or organisation"
    TIME = "a time"
    QUANTITY = "a quantity"
    PLACE = "a place"
    COLOUR = "a colour"
    REASON = "a reason"
    MANNER = "a way of doing it"
    YES_NO = "yes or no"
    ANY = "anything"
