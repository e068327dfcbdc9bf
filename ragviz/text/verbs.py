"""Which words are finite verbs, and who does what they say: enough grammar to cut a sentence where it may be cut."""

from __future__ import annotations

import re

from ragviz.text.word_sets import word_set

_AUXILIARY = word_set(
    """is are was were isn't aren't wasn't weren't has have had hasn't haven't hadn't does do did doesn't don't didn't can can't cannot could
    couldn't may might must mustn't shall should shouldn't will won't would wouldn't it's they're there's that's he's she's you're we're i'm
    """)
_SINGULAR = word_set(
    # Third person singular only: none of them is also a common plural noun where a clause could begin.
    """accepts adds allows allocates answers appears applies arrives asks becomes begins belongs brings carries charges closes combines comes
    comprises concerns connects consists contains continues converts costs counts covers creates decides delivers depends describes differs
    displays divides drops earns eats emits enables encrypts ends ensures enters exceeds excludes exists expects expires exports extends
    falls features fills finds fits follows forbids generates gets gives goes grants grows happens helps holds imports improves includes
    increases indicates informs installs integrates involves joins keeps knows lacks lasts launches lays lets lies limits lists lives loads
    loses makes means measures meets moves needs obtains occurs offers opens operates orders owns passes pays permits plays prevents
    prints processes produces prohibits promises protects provides publishes raises ranges reaches reads receives recommends records
    reduces refers refunds rejects remains removes renews replaces replies reports represents requires resets resists responds restores
    returns rises runs saves says sees sells sends serves sets shares ships shows sits specifies stands starts stays stops stores suits
    supplies supports syncs synchronises synchronizes takes tells tends tests tracks turns updates uses varies wants warns weighs wins symbolises symbolizes denotes signifies presides acts rules forms hosts leads loses beats borders flows grows appoints elects passes teaches writes works writes
    """)
_PAST = word_set(
    """arrived became began bought brought built came closed contained cost covered died dropped ended fell felt finished found founded gave
    gained got grew held included increased introduced kept launched left lost made meant met moved needed offered opened paid played
    published ran reached received released remained replaced required rose said sat saw sent served showed sold spent started stayed
    stood stopped took told turned used was went were won worked wrote
    """)
_PLURAL = word_set(
    """apply arrive begin belong close come contain cost cover depend end expire follow get give go have include last lie live make mean need
    offer open pay permit provide range receive remain require run sell send ship show start stay take use vary weigh work
    """)
_GERMAN = word_set(
    """ist sind war waren hat haben hatte hatten wird werden wurde wurden kann können konnte konnten muss müssen musste darf dürfen soll sollen
    gilt gelten kostet kosten dauert dauern beträgt betragen enthält enthalten liegt liegen beginnt endet kommt gibt geht steht bleibt
    bietet bieten benötigt braucht umfasst erfolgt läuft wiegt misst öffnet schließt erhält erhalten lässt verlangt zahlt übernimmt
    """)
_FRENCH = word_set(
    """est sont était étaient a ont avait avaient sera seront peut peuvent doit doivent coûte coûtent dure durent contient contiennent comprend
    comprennent commence commencent ouvre ouvrent ferme ferment prend prennent reste restent vaut valent inclut incluent permet permettent
    pèse mesure offre offrent expire expirent
    """)
_SPANISH = word_set(
    """es son era eran está están tiene tienen tenía puede pueden debe deben cuesta cuestan dura duran contiene contienen incluye incluyen
    empieza termina abre cierra permite permiten pesa mide ofrece ofrecen vence cubre cubren
    """)
NOUNS_TOO = word_set(
    """orders reports returns tests updates stores lists limits records refunds shares uses plays answers features processes measures promises
    fills fits charges exports imports changes counts costs reads resets sets ships shows starts stops supplies supports tracks turns works writes
    """) - {"costs", "starts", "supports", "works", "stops", "ships"}
FINITE = _AUXILIARY | _SINGULAR | _PAST | _PLURAL | _GERMAN | _FRENCH | _SPANISH
"""Words that may be the verb of a clause when a subject stands before them."""
BARE_PREDICATE = (
    (_AUXILIARY - {"do", "have", "can't", "it's", "they're", "there's", "that's", "he's", "she's", "you're", "we're", "i'm"})
    | _SINGULAR - NOUNS_TOO
    | _GERMAN - {"haben", "werden", "können", "sollen", "kosten", "erhalten", "enthalten", "gelten", "dauern", "liegen", "betragen", "bieten"}
    | _FRENCH - {"a", "mesure", "offre", "reste", "commence"}
    | _SPANISH - {"es"}
)
"""Verbs that, straight after "and", begin a second predicate: "takes 2 days and costs 5 €". Words that are also nouns are left out."""
BARE_PLURAL = _PLURAL - {"cost", "end", "offer", "open", "pay", "range", "run", "show", "start", "stay", "use", "work", "need", "close", "cover", "permit", "contact"}
"""The same for plural subjects: "go back to your card and arrive within 5 days"."""
SINGULAR = _SINGULAR | {"is", "was", "has", "does", "isn't", "wasn't", "hasn't", "doesn't", "ist", "war", "hat", "wird", "est", "sera", "es", "está"} | (
    _GERMAN - {w for w in _GERMAN if w.endswith("en") or w == "sind"}
)
PLURAL = _PLURAL | {"are", "were", "have", "do", "aren't", "weren't", "haven't", "don't", "sind", "waren", "haben", "werden", "sont", "ont", "son", "están"}

PRONOUNS = word_set("it they he she you we i this these those there er sie es wir ihr man dies diese il elle ils elles on ce cela nous vous ello ella ellos")
DETERMINERS = word_set(
    """the a an this that these those its their his her our your my each every all both some any no another one most many several few
    der die das ein eine dieser diese dieses jeder jede jedes kein keine ihre ihr seine sein unser unsere alle
    le la les un une ce cette ces son sa ses leur leurs chaque tous toutes aucun aucune el los las una su sus cada este esta todos todas
    """)
NOT_A_SUBJECT = word_set(
    # A clause that begins with one of these depends on another, or begins with an adverbial: no safe subject.
    """if when while whenever unless until because since although though whereas as after before once in on at by for from with without within
    during under over between through to of about against despite instead rather please also however therefore thus then there here today
    yesterday tomorrow usually normally currently generally typically only not how what why where which who whose both either neither
    wenn falls weil da obwohl während sobald nachdem bevor bis in im am an auf bei mit ohne nach vor seit für von zu zum zur unter über durch
    bitte auch dann dort hier heute normalerweise derzeit sofern
    si quand lorsque parce puisque bien que dans en à au aux pour par avec sans depuis pendant sous sur selon après avant
    cuando porque aunque mientras desde hasta con sin para por según
    let's let
    """)
SCOPES = word_set(
    "in on at by for from with without within during under until before after since through throughout among between despite as im in am bei mit "
    "ohne seit für ab bis unter während dans en à avec sans depuis pendant pour con sin desde hasta para durante"
)
"""Prepositions whose phrase, in front of a sentence, holds for all that follows."""
WORD = re.compile(r"[^\W_]+(?:['\u2019][^\W_]+)*")


def words_of(text: str) -> list[tuple[int, int, str]]:
    """Start, end and lower-case form of each word."""
    return [(m.start(), m.end(), m.group().lower().replace("\u2019", "'")) for m in WORD.finditer(text)]


def third_person(verb: str) -> str:
    """The form behind "she" or "it" of an English base form: "lasts", "carries", "has"."""
    if verb == "have":
        return "has"
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return verb[:-1] + "ies"
    return verb + ("es" if verb.endswith(("s", "x", "z", "ch", "sh", "o")) else "s")
