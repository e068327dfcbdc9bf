"""What kind of question it is, by the word that it opens with."""

from __future__ import annotations


def question_kind(question: str) -> str:
    """The question word the question opens with, or "yes or no", or "other"."""
    words = [word.strip("\"'¿?!.,:;") for word in question.casefold().replace("’", "'").split()]
    if not words:
        return "other"
    first = words[0]
    if first == "how" and len(words) > 1 and words[1] in ("many", "much", "long", "often", "far", "old", "fast", "high", "large", "big"):
        return f"how {words[1]}"
    if first in ("who", "whom", "whose", "what", "what's", "when", "where", "which", "why", "how"):
        return first.removesuffix("'s")
    if first in ("is", "are", "was", "were", "do", "does", "did", "can", "could", "may", "must", "should", "will", "would", "has", "have", "had"):
        return "yes or no"
    return "other"
