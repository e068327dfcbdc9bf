"""Short answers read with their question: "Up to 31 minutes." says how long the battery lasts, where that was asked."""

from __future__ import annotations

import itertools
import re
from functools import lru_cache
from typing import NamedTuple

from ragviz.records import Span
from ragviz.text.quantities import NUMBER_WORDS
from ragviz.text.question_frames import Frame, frame_of
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import STOP_WORDS, content_tokens, stem
from ragviz.text.verbs import DETERMINERS, FINITE, NOT_A_SUBJECT, words_of
from ragviz.text.word_sets import word_set

MOST_WORDS = 14
"""A longer answer says what it is about."""
_FEW_WORDS = 6
_SAID = 0.5
"""Share of the question's words from which an answer repeats it."""
_MEASURES = word_set(
    "year month day date time percentage percent share number amount temperature price cost fee weight height length distance size age speed rate "
    "population uptime availability duration frequency voltage wattage capacity"
)
"""Behind a figure these add nothing: "in 1987", not "in 1987 year"."""
_YES = word_set("yes yeah yep correct indeed ja oui sí si")
_NO = word_set("no nope nein non")
_SUBORDINATE = word_set("because when if by to while after before since until unless as once whenever only weil wenn wegen um parce quand pour porque")
_BOUNDS = word_set(
    """up about around at between from more less over under nearly only almost roughly approximately within in on after before since until every once twice never
    always exactly just some circa during by not no bis zu etwa rund ab seit im am um jusqu'à environ en depuis hasta unos""")
_ONLY = word_set("only nur seulement uniquement")
_SMALL = (
    STOP_WORDS
    | DETERMINERS
    | NUMBER_WORDS
    | NOT_A_SUBJECT
    | word_set("behind near beside beneath opposite inside outside above below next along across towards around approximately roughly")
)
"""Words that are no name at the beginning of an answer."""
_CONTRACTED = {"it's": "is", "he's": "is", "she's": "is", "they're": "are"}
_PRONOUNS = word_set("it they he she")
_PERSONS = word_set("he she they we i")
_PAST = re.compile(r"[a-z]{2,}ed$")
_BULLET = re.compile(r"\s*(?:[-–*•]\s+)?[\"'“(]*")
_MARKS_BEHIND = re.compile(r"(?:\s*\[[\d,;\s-]{1,20}\][.!]?)+\s*$")
"""Citations at the end of an answer."""
_FUSED = re.compile(r"[-\u2010\u2011]\w")
_LABEL = re.compile(r":(?!\d)")
_NUMBER = re.compile(r"\d")


class Completed(NamedTuple):
    """A text with what its question gives, and the way back."""

    text: str
    pieces: tuple[tuple[int, int, int], ...]
    """Start and end in ``text`` and start in the original of every stretch that was copied, ascending."""
    anchor: Span
    """What stands in the original for words that only the question has."""
    given: frozenset[str]
    """Stems of the content words that were added."""

    def original(self, span: Span) -> Span:
        """A span of ``text`` in the original: what of it was copied, else the whole short answer."""
        inside = [
            (max(start, span.start) - start + at, min(end, span.end) - start + at) for start, end, at in self.pieces if start < span.end and span.start < end
        ]
        return Span(inside[0][0], inside[-1][1]) if inside else self.anchor


@lru_cache(maxsize=8192)
def completed(question: str, text: str, *, apart: bool = False) -> Completed | None:
    """
    The text with its first sentence made a statement by the question.

    Args:
        question: What was asked.
        text: An answer to it, or a claim taken from its beginning.
        apart: What stands behind a "No," is a sentence of its own: its negations are not those of the question.

    Returns:
        None where the first sentence says by itself what it is about, or the question cannot be turned around.
    """
    if not question.strip() or not text.strip():
        return None
    frame = frame_of(question)
    sentences = sentence_spans(text) if frame is not None else []
    if frame is None or not sentences:
        return None
    first = sentences[0]
    made = _first_sentence(frame, text, first, apart=apart)
    if made is None:
        return None
    parts, behind = made
    shift = sum(len(words) for words, _ in parts)
    pieces: list[tuple[int, int, int]] = []
    at = 0
    for words, origin in parts:
        if origin is not None:
            pieces.append((at, at + len(words), origin))
        at += len(words)
    if behind < len(text):
        pieces.append((shift, shift + len(text) - behind, behind))
    whole = "".join(words for words, _ in parts) + text[behind:]
    known = {t.stem for t in content_tokens(text)}
    given = frozenset(t.stem for words, origin in parts if origin is None for t in content_tokens(words)) - known
    return Completed(whole, tuple(pieces), first, given)


Part = tuple[str, int | None]
"""Words, and where they stand in the original; None for words of the question."""


def _first_sentence(frame: Frame, text: str, first: Span, *, apart: bool) -> tuple[list[Part], int] | None:
    """The parts of the completed sentence, and where the untouched rest of the text begins."""
    sentence = first.of(text)
    words = words_of(sentence)
    if not words or (len(words) > MOST_WORDS and words[0][2] not in _YES | _NO):
        return None
    lead = words[0][2]
    if lead in _YES | _NO and _FUSED.match(sentence, words[0][1]) is not None:
        return None  # "Non-profit organisations" begins with no "no"
    if frame.is_yes_no:
        return _yes_no(frame, text, first, words, apart=apart) if lead in _YES | _NO else _only(frame, text, first, words)
    if lead in _YES | _NO and len(words) == 1:
        return None
    if lead in _PRONOUNS and len(words) > 1 and frame.subject and _is_pronoun_sentence(words):
        return _with_subject(frame, text, first.start + words[0][0], words[1][2], first), first.end
    if lead in _CONTRACTED:
        if not frame.subject or len(words) < 2:
            return None
        behind = first.start + words[0][1]
        return [(f"{_capital(frame.subject)} {_CONTRACTED[lead]}", None), (text[behind : first.end], behind), (" ", None)], first.end
    if not _is_fragment(frame, sentence, words) or _repeats(frame, sentence):
        return None
    begins, ends = first.start + len(_BULLET.match(sentence).group()), first.start + len(_MARKS_BEHIND.sub("", sentence).rstrip(" .!;,"))  # type: ignore[union-attr]
    return [*_gap_filled(frame, text, begins, ends), (". ", None)], first.end


def _yes_no(frame: Frame, text: str, first: Span, words: list[tuple[int, int, str]], *, apart: bool) -> tuple[list[Part], int] | None:
    yes, no = words[0][2] in _YES, words[0][2] in _NO
    denied = no and not (yes and frame.tongue == "")
    statement = _capital(frame.denied if denied else frame.before)
    behind = first.start + words[0][1]
    while behind < first.end and (text[behind].isspace() or text[behind] in ",.;:!–—-"):
        behind += 1
    if behind >= first.end:
        return [(statement, None), (". ", None)], first.end
    rest = words[1:]
    if rest and rest[0][2] in _PRONOUNS and len(rest) > 1 and frame.subject:
        place = first.start + rest[0][0]
        return [(f"{statement}. ", None), *_with_subject(frame, text, place, rest[1][2], first)], first.end
    # "Yes, within 30 days": the rest narrows what was asked; behind "no" it stands for itself.
    sentence = Span(behind, first.end).of(text)
    if denied or not _is_fragment(frame, sentence, words_of(sentence)):
        return [(f"{statement}. ", None), (_capital(text[behind : first.end]) if apart else text[behind : first.end], behind)], first.end
    return [(f"{statement} ", None), (text[behind : first.end], behind)], first.end


def _only(frame: Frame, text: str, first: Span, words: list[tuple[int, int, str]]) -> tuple[list[Part], int] | None:
    """"Only with written consent." says yes, and what it needs."""
    if words[0][2] not in _ONLY or not _is_fragment(frame, first.of(text), words[1:]):
        return None
    place = first.start + words[0][0]
    return [(f"{_capital(frame.before)} ", None), (text[place].lower() + text[place + 1 : first.end], place)], first.end


def _with_subject(frame: Frame, text: str, place: int, verb: str, first: Span) -> list[Part]:
    """The sentence from its pronoun on, with the thing asked about in place of "it"; "It takes six hours." also says what for: "to dry"."""
    subject = frame.subject.split()
    stemmed = stem(verb)
    for i, word in enumerate(subject[1:], start=1):
        if stem(word.lower().strip(",;:")) == stemmed:
            subject = subject[:i]
            break
    end = next(m for m in re.finditer(r"[^\W_]+", text[place : first.end])).end() + place
    asked = frame.before[len(frame.subject) :].split()
    rest = " ".join(asked[1:]) if asked and stem(asked[0].lower()) == stemmed else ""
    known = {t.stem for t in content_tokens(text[end : first.end])}
    if not rest or all(t.stem in known for t in content_tokens(rest)):
        return [(_capital(" ".join(subject)), None), (text[end : first.end], end), (" ", None)]
    stop = end + len(_MARKS_BEHIND.sub("", text[end : first.end]).rstrip(" .!;,"))
    return [(_capital(" ".join(subject)), None), (text[end:stop], end), (f" {rest}. ", None)]


def _gap_filled(frame: Frame, text: str, begins: int, ends: int) -> list[Part]:
    answer = text[begins:ends]
    stems = {t.stem for t in content_tokens(answer)}
    counted, after = frame.counted, frame.after
    if all(t.stem in stems for t in content_tokens(counted)) or (counted.split()[-1].lower() in _MEASURES and _NUMBER.search(answer)):
        counted = ""
    if frame.before and after and stem(after.lower()) in stems:
        after = ""
    parts: list[Part] = []
    if frame.before:
        parts += [(f"{_capital(frame.before)} ", None), (_lower_start(frame, answer), begins)]
    else:
        parts.append((answer, begins))
    tail = " ".join(w for w in (counted, after) if w)
    return [*parts, (f" {tail}", None)] if tail else parts


def _lower_start(frame: Frame, answer: str) -> str:
    """The answer in the middle of a sentence: its first letter small unless it may be a name."""
    match = re.match(r"[^\W\d_]+", answer)
    if match is None or not match.group()[0].isupper() or match.group()[1:] != match.group()[1:].lower() or len(answer[0].lower()) != 1:
        return answer
    word, behind = match.group().lower(), answer[match.end() :].lstrip()
    if word not in _SMALL and (frame.tongue or frame.asks_name or not behind[:1].islower()):
        return answer
    return answer[0].lower() + answer[1:]


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:] if len(words[:1].upper()) == 1 else words


def _is_pronoun_sentence(words: list[tuple[int, int, str]]) -> bool:
    """"It lasts 31 minutes", not "It is said that …" or "It is possible to …"."""
    return not any(w in {"that", "whether"} for _, _, w in words[2:6]) and words[1][2] not in {"seems", "appears"}


def _is_fragment(frame: Frame, sentence: str, words: list[tuple[int, int, str]]) -> bool:
    """True for words without a verb of their own; in doubt they have one."""
    lead = words[0][2] if words else ""
    if not words or _LABEL.search(sentence):
        return False
    if lead in _SUBORDINATE:
        return True
    asked = {stem(w.lower().strip(",;:")) for w in f"{frame.before} {frame.after}".split()}
    bounded = bool(_NUMBER.match(lead)) or lead in _BOUNDS
    for at, ((_, _, before), (_, _, word)) in enumerate(itertools.pairwise(words), start=2):
        if before in DETERMINERS or _NUMBER.search(before):
            continue
        behind = words[at][2] if at < len(words) else ""
        if bounded and before not in _SUBORDINATE and ((_PAST.fullmatch(word) and (not behind or behind in DETERMINERS)) or (word in _PERSONS and behind)):
            return False  # "About 40 people watched the match", "Around noon she left", not "within 30 days counted from the purchase"
        if (
            (word in FINITE and word not in DETERMINERS)
            or (_PAST.fullmatch(word) and not bounded)
            or (not bounded and stem(word) in asked and word.endswith("s") and len(words) > 2)
        ):
            return False
    return bounded or len(words) <= (3 if frame.tongue else _FEW_WORDS) or lead in DETERMINERS


def _repeats(frame: Frame, sentence: str) -> bool:
    """True where the answer has most of the question's words itself."""
    given = {t.stem for t in content_tokens(f"{frame.before} {frame.after}")}
    said = {t.stem for t in content_tokens(sentence)}
    return bool(given) and len(given & said) > _SAID * len(given)
