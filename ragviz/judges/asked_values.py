"""Values of the kind asked for, told from figures of another kind: a floor is no time, 25 metres are no reason, and a price does not say how long. English."""

from __future__ import annotations

import re

from ragviz.text.dates import dates
from ragviz.text.quantities import quantities
from ragviz.text.quantity import QuantityKind
from ragviz.text.sentences import sentence_spans
from ragviz.text.tokens import STOP_WORDS, content_tokens, tokens
from ragviz.text.word_sets import word_set

_MOMENTS = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|march|april|june|july|aug(?:ust)?|sept(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?|(?:in|by|of|until|since|from|late|early|mid|next|last|\d) may|"
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)days?|weekdays?|weekends?|daily|hourly|weekly|monthly|yearly|annually|yesterday|today|tomorrow|tonight"
    r"|mornings?|noon|afternoons?|evenings?|nights?|midnight|"
    r"spring|summer|autumn|winter|(?:minute|hour|day|week|month|year|decade)s?|seconds|centur(?:y|ies)|before|after|during|until|till|always|never"
    r"|as soon as|once|on request|any ?time|immediately|"
    r"instantly|now|already|later|soon|when|while|upon|holidays?|dawn|dusk|sunset|sunrise|lunch(?:time)?|start|beginning|end|overnight|around the clock|24/7|(?:half|quarter) (?:past|to)|o['’]clock)\b",
    re.IGNORECASE,
)
_HOUR = re.compile(
    r"\b(?:at|from|until|till|by|since|between|around|about|to|and)\s+(?:\d{1,2}|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)(?=\s*(?:$|[.,;:!?)]|to\b|and\b|on\b|until\b|till\b|in the\b))",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![\d.,]\d|\s*(?:m|km|kg|g|mm|cm|euros?|eur|people|pages)\b)")
_OF_ONE = re.compile(
    r"\ban?\s+(?:lit(?:re|er)|kilo(?:gram)?|gram|met(?:re|er)|mile|pint|cup|glass|handful|couple|dozen|quarter|third|fraction|spoon\w*|teaspoon\w*|tablespoon\w*|hour|minute|day|week|fortnight|month|year|pound|euro|dollar|percent|lot|little|bit|few|while)\b",
    re.IGNORECASE,
)
_LONG = re.compile(r"\bhow long (?:does|do|did|will|is|are|was|were|can|may|must|should|have|has)\b", re.IGNORECASE)
_COST = re.compile(
    r"\bhow (?:much|expensive)\b.{0,60}\b(?:costs?|pay|charged?|fees?|prices?)\b|\bwhat (?:is|are) the (?:\w+ ){0,3}(?:price|fee|cost|charge|fare)s?\b|\bhow much (?:is|are) (?:the |a |an )?(?:\w+ ){0,3}(?:tickets?|fees?|fares?|deposit|rent|admission|entry|membership|shipping|delivery|parking)\b",
    re.IGNORECASE,
)
_LASTING = re.compile(
    r"\b(?:until|till|forever|indefinitely|lifetime|for life|permanent\w*|unlimited|immediately|instantly|overnight|as long as|always|never|no limit|minutes?|hours?|days?|weeks?|months?|years?|seconds|decades?|centur\w+|while|when|once|soon)\b",
    re.IGNORECASE,
)
_PAID = re.compile(
    r"\b(?:free|nothing|no (?:cost|charge|fee|extra)|included|gratis|waived|depends|per ?cent|half|double|cents?|pence|pounds?|euros?|dollars?|price[ds]?|same|rent|salar\w+)\b|[€$£¥%]",
    re.IGNORECASE,
)
_SPANS = frozenset({"time", "workday", "length"})
_MONEYS = frozenset({"money"})
_AGES = frozenset({"time"})
_MEASURED_BY = tuple((re.compile(pattern, re.IGNORECASE), dimensions) for pattern, dimensions in (
    (r"\bhow old\b", _AGES), (r"\bhow (?:tall|deep|wide|thick)\b", frozenset({"length"})), (r"\bhow far\b", frozenset({"length", "time"})),
    (r"\bhow heavy\b|\bhow much (?:does|do|did) .{1,40}\bweigh\b", frozenset({"mass"})), (r"\bhow (?:hot|cold|warm)\b", frozenset({"temperature"})),
))
"""What measures the thing asked for. "How high", "how big" and "how fast" are measured in too many ways."""
_AGED = re.compile(
    r"\b(?:centur(?:y|ies)|decades?|ages?|old|young|new|born|built|founded|medieval|ancient|modern|teens?|twenties|thirties|forties|fifties|sixties)\b",
    re.IGNORECASE,
)
COLOURS = re.compile(
    r"\b(?:white|black|gr[ae]y|red|blue|green|yellow|orange|purple|violet|pink|brown|beige|cream|ivory|gold(?:en)?|silver|turquoise|teal|navy|maroon|crimson|scarlet|transparent|clear|colou?rless|any colou?r|coloured|"
    r"magenta|cyan|lilac|amber|bronze|copper|natural|dark|light|bright|pale|multi-?colou?red|unpainted)\b", re.IGNORECASE,
)
_HOW_TO = re.compile(
    r"\bhow (?:do|does|did|can|could|should|would|must|to)\b|\bhow (?:is|are|was|were) (?:the |a |an |my |our |your |this |these )?(?:[\w-]+ ){1,3}?(?:\w+ed|\w+en|done|made|sent|paid|kept|read|put|set|built|sold|bought|found|held|run|used)\b",
    re.IGNORECASE,
)
_WAYS = re.compile(
    r"\b(?:by|using|uses?|used|with|via|through|without|open|click|choose|take|follow|press|go|from|to|into|onto|so that|first|then|you|we|they|staff|team|online|e-?mail|phone|app|website|portal|buttons?|"
    r"links?|menu|settings|automatic\w*|manual\w*|by hand|(?:in|on|at|under|over|near) (?:the|your|our|any|this|every|each|all|its|their|an?)|depends?|not|no|cannot|never)\b|n['’]t\b|[@/>→=`]|[a-z0-9]_[a-z0-9]|(?<!\S)--?[a-z]|[a-z0-9]\(",
    re.IGNORECASE,
)
"""The last ones are settings, options and calls: "max_retries=0", "--quiet", "close()"."""
_ORDERS = word_set("the a an your our it them this that these all any on in to out up off us down at with for and each every")
_NO_ORDER = word_set("it they he she we you i there this that these those who what which where when") | STOP_WORDS
_BECAUSE = re.compile(
    r"\b(?:because|since|due|owing|so|therefore|thus|hence|reasons?|caus\w+|results?|resulted|thanks to|on account|in order|in case|means|meant|allows?|lets?|makes?|made|prevents?|protects?|avoids?|helps?|needed|needs?|wanted|"
    r"wants?|required|when|after|if|until|while|once|only|too|not|no|never|without|but|instead|otherwise|by (?!(?:about |around |nearly |almost |roughly |over |only |just |more than |less than |up to |a )?(?:[\d$€£]|half\b|quarter\b|third\b))|as (?:the|it|they|we|a|an|there|of|you|he|she|its|their|our|your|his|her|this|all|most|many|no)|"
    r"to (?!the\b|a\b|an\b|our\b|your\b|\d)[a-z]+|for (?:\w+ )?(?:reasons?|safety|security|repairs?|maintenance|cleaning|renovation\w*|works?))\b|n['’]t\b",
    re.IGNORECASE,
)
_PLAIN = frozenset({"length", "mass", "area", "volume", "temperature", "money"})
_HAS_SOME = re.compile(r"\b(?:has|have|had|with)\s+(?:\d+|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b", re.IGNORECASE)
_TAKES_SIDES = re.compile(
    r"\b(?:yes|no|not|never|none|nobody|nothing|neither|cannot|can|could|may|might|must|should|shall|allowed|permitted|forbidden|prohibited|banned|possible|impossible|welcome|free|included|includes?|contains?|only|both|always|"
    r"without|either|available|required|requires?|needs?|needed|have to|has to|if|unless|until|when|depends?|as long as|provided|instead|but|except"
    r"|too|also|likely|probably|certainly|course|currently|"
    r"yet|already|still|soon|optional|mandatory|compulsory|covered|accepted|offers?|offered|supports?|supported|same|different|all|any|most|some|half|rarely|sometimes|often|usually|mostly|partly)\b|n['’]t\b",
    re.IGNORECASE,
)
_PRONOUNS = word_set("i you we he she it they one there this that these those anyone everyone somebody anybody")
_ARTICLES = word_set("the a an my our your this these")
_PREFIX = 5


def says_when(answer: str) -> bool:
    """Whether a text has a time: a date, an hour, a period, or a word such as "daily" or "after"; the 40 of "40 seats" is none."""
    if _MOMENTS.search(answer) is not None or _HOUR.search(answer) is not None or _YEAR.search(answer) is not None or bool(dates(answer)):
        return True
    if not any(c.isdigit() for c in answer):
        return False
    found = quantities(answer)
    bare = answer.strip(" .!?()")
    return any(q.unit.dimension in {"time", "workday"} for q in found) or bare.isdigit()


def measures_otherwise(question: str, answer: str) -> bool:
    """True where how long or how much money is asked, and all the answer measures is something else."""
    wanted = _SPANS if _LONG.search(question) is not None else _MONEYS if _COST.search(question) is not None else None
    if wanted is None:
        return False
    if (_LASTING if wanted is _SPANS else _PAID).search(answer) is not None:
        return False
    found = quantities(answer)
    if wanted is _SPANS and dates(answer):
        return False
    return bool(found) and all(q.unit.dimension != "" and q.unit.dimension not in wanted for q in found)


def measures_another(question: str, answer: str) -> bool:
    """True where how old, tall, heavy or hot something is was asked, and all that the answer measures is something else: "400 m long" says no age."""
    wanted = next((dimensions for pattern, dimensions in _MEASURED_BY if pattern.search(question) is not None), None)
    if wanted is None or (wanted is _AGES and (dates(answer) or _YEAR.search(answer) is not None or _AGED.search(answer) is not None)):
        return False
    found = quantities(answer)
    return bool(found) and all(q.unit.dimension != "" and q.unit.dimension not in wanted for q in found)


def counts_one(answer: str) -> bool:
    """True for "a litre" and "a couple", which are quantities without a figure."""
    return _OF_ONE.search(answer) is not None


def lacks_way(question: str, answer: str) -> bool:
    """True where the question asks how to do something, and the answer has no instruction, means or place."""
    if _HOW_TO.search(question) is None or _WAYS.search(answer) is not None:
        return False
    return not any(_is_order(span.of(answer)) for span in sentence_spans(answer))


def _is_order(sentence: str) -> bool:
    """True for "Wipe it …", "Send an e-mail"."""
    words = [token.lower for token in tokens(sentence)[:2]]
    return len(words) == 2 and words[0] not in _NO_ORDER and words[1] in _ORDERS


def lacks_reason(answer: str) -> bool:
    """True where every sentence only says what a thing measures, costs or has, and nothing says why."""
    if _BECAUSE.search(answer) is not None:
        return False
    said = [span.of(answer) for span in sentence_spans(answer)]
    return bool(said) and all(
        _HAS_SOME.search(one) is not None or any(q.unit.dimension in _PLAIN or q.kind is QuantityKind.PERCENT for q in quantities(one)) for one in said
    )


def takes_no_side(question: str, answer: str) -> bool:
    """True where yes or no was asked, and the answer says neither, has no word of a yes or no, and none of what was asked about its subject."""
    if _TAKES_SIDES.search(answer) is not None:
        return False
    asked = content_tokens(question)
    # What it is asked about: "the bread" of "Is the bread vegan?". An answer in words of its own may be one for all that can be told.
    first = next((token.lower for token in tokens(question)[1:] if token.lower not in _ARTICLES), "")
    if len(asked) < 2 or first in _PRONOUNS or first in STOP_WORDS:
        return False
    theirs = {token.stem for token in content_tokens(answer)}
    prefixes = {stem[:_PREFIX] for stem in theirs if len(stem) >= _PREFIX}
    there = [token.stem in theirs or token.stem[:_PREFIX] in prefixes for token in asked]
    return there[0] and not any(there[1:])
