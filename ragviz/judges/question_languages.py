"""Questions that are not in English: which language, what they ask for, what an answer would have to hold. German, French, Spanish, Japanese, Chinese."""

from __future__ import annotations

import re

from ragviz.judges.asked_for import AskedFor
from ragviz.text.word_sets import word_set

ENGLISH, GERMAN, FRENCH, SPANISH, EAST_ASIAN, OTHER = "English", "German", "French", "Spanish", "Japanese or Chinese", "another language"

_WORDS: dict[str, frozenset[str]] = {
    ENGLISH: word_set(
        "what who whom whose which when where why how is are was were do does did can could may must should will would has have the of an and to in for on"
        " with my your it that this from by if not be at they there you i",
    ),
    GERMAN: word_set(
        "wer wen wem wie wann wo wohin woher warum wieso weshalb welche welcher welches welchen kann darf muss ist sind der die das den dem ein eine einen"
        " einer und nicht für mit von zum zur ich wird werden gibt es nach bei auf bis",
    ),
    FRENCH: word_set(
        "qui que quoi quel quelle quels quelles quand où pourquoi comment combien est sont le les des du une un et dans pour avec puis peut on sur je"
        " vous il elle au aux ne pas l d",
    ),
    SPANISH: word_set(
        "quién quiénes qué cuál cuáles cuándo cuánto cuánta cuántos cuántas dónde cómo puedo puede es son el los las una un y para con del por se de en"
        " hay tiene",
    ),
}
_EAST_ASIAN = re.compile(r"[\u3040-\u30ff\u3400-\u9fff]")
_OTHER_SCRIPT = re.compile(r"[\u0370-\u05ff\u0600-\u0e7f\u1100-\u11ff\uac00-\ud7af]")
_LATIN_WORD = re.compile(r"[^\W\d_]+")

_ASKS: dict[str, tuple[tuple[AskedFor, re.Pattern[str]], ...]] = {
    language: tuple((kind, re.compile(pattern, re.IGNORECASE)) for kind, pattern in rows)
    for language, rows in {
        GERMAN: (
            (AskedFor.TIME, r"\bwann\b|\b(?:um )?wie viel uhr\b|\bwelche[mnrs]? (?:tag|jahr|monat|datum|uhrzeit|frist)"),
            (AskedFor.QUANTITY, r"\bwie ?(?:viele?|lange?|hoch|weit|groß|schwer|alt|oft|schnell|teuer|tief|breit)\b|\bwas kostet"),
            (AskedFor.PERSON, r"\b(?:wer|wem|wen|wessen)\b"),
            (AskedFor.PLACE, r"\b(?:wo|wohin|woher)\b|\bin welche[mnr] (?:stadt|land|ort)"),
            (AskedFor.REASON, r"\b(?:warum|wieso|weshalb)\b"),
            (AskedFor.MANNER, r"^\W*wie\b"),
            (AskedFor.YES_NO, r"^\W*(?:und |aber )?(?:ist|sind|war|kann|können|darf|dürfen|muss|müssen|hat|haben|habe|gibt|wird|werden|soll|bekomme|gilt)\b"),
        ),
        FRENCH: (
            (AskedFor.TIME, r"\bquand\b|\b(?:à )?quelle heure\b|\bquelle (?:date|année)\b|\bhoraires?\b"),
            (
                AskedFor.QUANTITY,
                r"\bcombien\b|\bquel(?:le)? (?:est|était|sera) (?:la durée|le prix|le tarif|le montant|le délai|la taille|le poids|la distance)\b",
            ),
            (AskedFor.PERSON, r"^\W*(?:à |par |de |avec )?qui\b(?! est[- ]ce que)"),
            (AskedFor.PLACE, r"\boù\b|\b(?:dans )?quel(?:le)? (?:ville|pays)\b"),
            (AskedFor.REASON, r"\bpourquoi\b"),
            (AskedFor.MANNER, r"^\W*comment\b"),
            (AskedFor.YES_NO, r"^\W*(?:est[- ]ce|peut[- ]on|puis[- ]je|y a[- ]t[- ]il|faut[- ]il|dois[- ]je|peux[- ]tu|pouvez[- ]vous)"),
        ),
        SPANISH: (
            (AskedFor.TIME, r"\bcuándo\b|\bqué (?:hora|día|fecha|año)\b"),
            (AskedFor.QUANTITY, r"\bcuánt[oa]s?\b"),
            (AskedFor.PERSON, r"\bquién(?:es)?\b"),
            (AskedFor.PLACE, r"\b[aá]?dónde\b|\bqué (?:ciudad|país)\b"),
            (AskedFor.REASON, r"\bpor qué\b"),
            (AskedFor.MANNER, r"\bcómo\b"),
            (AskedFor.YES_NO, r"^\W*(?:puedo|puede|es|son|hay|tiene|está|se puede|debo)\b"),
        ),
        EAST_ASIAN: (
            (AskedFor.TIME, r"いつ|何時|何月|何年|何曜日|什么时候|何时|几点"),
            (AskedFor.QUANTITY, r"いくら|いくつ|何(?:人|日|個|件|本|枚|回|歳|円|分|名|台|メートル|キロ)|どのくらい|どれくらい|多少|几[个天次人]|多久|多长"),
            (AskedFor.PERSON, r"誰|だれ|どなた|谁"),
            (AskedFor.PLACE, r"どこ|哪里|哪儿|在哪"),
            (AskedFor.REASON, r"なぜ|どうして|何故|为什么|為什麼"),
            (AskedFor.MANNER, r"どうすれば|どうやって|どのように|怎么|如何"),
            (AskedFor.ANY, r"何|どの|どんな|どちら|什么|哪"),
            (AskedFor.YES_NO, r"(?:ます|です|せん|でしょう)か|吗"),
        ),
    }.items()
}
_FIGURE = r"[\d０-９]|"
_HOLDS: dict[str, dict[AskedFor, re.Pattern[str]]] = {
    language: {kind: re.compile(pattern, re.IGNORECASE) for kind, pattern in rows.items()}
    for language, rows in {
        GERMAN: {
            AskedFor.TIME: _FIGURE
            + r"tag|woche|monat|jahr|stunde|minute|uhr\b|morgen|heute|gestern|abend|mittag|täglich|nie\b|immer\b|sofort|nach\b|vor\b|bis\b|während|"
            r"januar|februar|märz|april|mai\b|juni|juli|august|september|oktober|november|dezember|frühling|frühjahr|sommer|herbst|winter|sonn|feier",
            AskedFor.QUANTITY: _FIGURE
            + r"\b(?:ein\w*|zwei|drei|vier|fünf|sechs|sieben|acht|neun|zehn|elf|zwölf|\w+zig|\w*hundert|\w*tausend|million\w*|hälfte|halb\w*|"
            r"doppelt|kein\w*|kostenlos\w*|kostenfrei\w*|gratis|umsonst|nichts|mehrere|einige|viel\w*|wenig\w*|unbegrenzt|unbefristet|lebenslang)\b",
        },
        FRENCH: {
            AskedFor.TIME: _FIGURE + r"jour|semaine|mois|année|\ban|heure|minute|matin|soir|midi|minuit|demain|hier|avant|après|jamais|toujours|dès|pendant|"
            r"janvier|février|mars|avril|\bmai\b|juin|juillet|août|septembre|octobre|novembre|décembre|printemps|été|automne|hiver",
            AskedFor.QUANTITY: _FIGURE
            + r"\b(?:une?|deux|trois|quatre|cinq|six|sept|huit|neuf|dix|onze|douze|quinze|vingt|trente|quarante|cinquante|soixante|cent|mille|"
            r"millions?|moitié|demi\w*|double|gratuit\w*|aucun\w*|rien|plusieurs|quelques|illimité\w*|à vie)\b",
        },
        SPANISH: {
            AskedFor.TIME: _FIGURE + r"día|semana|\bmes|año|hora|minuto|mañana|tarde|noche|ayer|hoy|antes|después|nunca|siempre|lunes|martes|"
            r"enero|febrero|marzo|abril|mayo|junio|julio|agosto|septiembre|octubre|noviembre|diciembre|verano|invierno|otoño|primavera",
            AskedFor.QUANTITY: _FIGURE
            + r"\b(?:una?|dos|tres|cuatro|cinco|seis|siete|ocho|nueve|diez|veinte|treinta|cien\w*|mil|millon\w*|mitad|medi[oa]|doble|gratis|"
            r"gratuit\w*|ningun\w*|nada|vari[oa]s)\b",
        },
        EAST_ASIAN: {
            AskedFor.TIME: _FIGURE + r"[一二三四五六七八九十半]|日|月|年|時|分|週|朝|昼|夜|春|夏|秋|冬|今|明|昨|すぐ|後|前|毎|いつでも|时|天|周",
            AskedFor.QUANTITY: _FIGURE + r"[一二三四五六七八九十百千万億半两]|無料|無制限|なし|ありません|全|倍|すべて|免费",
        },
    }.items()
}
_YES = re.compile(
    r"^\W*(?:ja|nein|doch|natürlich|leider nicht|oui|non|si|bien sûr|sí|no|claro|はい|いいえ|ええ|いえ|もちろん|可能|できます|できません|是|不|可以|不可以|能)(?:\b|(?=[\u3000-\u9fff]))",
    re.IGNORECASE,
)


def language_of(text: str) -> str | None:
    """The language by its letters and function words; None where no word tells."""
    if _EAST_ASIAN.search(text):
        return EAST_ASIAN
    if _OTHER_SCRIPT.search(text):
        return OTHER
    words = [match.group().lower() for match in _LATIN_WORD.finditer(text[:2000])]
    counts = {language: sum(word in known for word in words) for language, known in _WORDS.items()}
    best = max(counts, key=lambda language: counts[language])
    if counts[best]:
        return best
    return OTHER if any(not word.isascii() for word in words) else None


def asked_in(question: str, language: str) -> AskedFor:
    """What a question in that language asks for; ANY where it cannot be told."""
    for kind, pattern in _ASKS.get(language, ()):
        if pattern.search(question):
            return kind
    return AskedFor.ANY


def holds_in(answer: str, kind: AskedFor, language: str) -> bool | None:
    """Whether an answer in that language has a time or a quantity; None for other kinds and languages."""
    pattern = _HOLDS.get(language, {}).get(kind)
    return None if pattern is None else pattern.search(answer) is not None


def says_yes_or_no_in(answer: str) -> bool:
    """Whether an answer in any of the languages begins with yes or no."""
    return _YES.search(answer) is not None
