"""The one call: what a claim and a short premise agree and disagree on."""

from __future__ import annotations

from ragviz.consistency.align import Pairing
from ragviz.consistency.amounts import check_amounts
from ragviz.consistency.analysis import Analysis, analyse
from ragviz.consistency.bindings import check_bindings
from ragviz.consistency.classes import check_classes
from ragviz.consistency.comparisons import check_comparisons
from ragviz.consistency.findings import Findings, Missing
from ragviz.consistency.gathered import Gathered
from ragviz.consistency.modality import check_modality
from ragviz.consistency.moments import check_moments
from ragviz.consistency.naming import check_names
from ragviz.consistency.occasions import other_occasions
from ragviz.consistency.opposition import check_opposition
from ragviz.consistency.pairings import check_contrasts, check_pairings
from ragviz.consistency.qualifiers import check_qualifiers
from ragviz.consistency.quantifiers import check_quantifiers
from ragviz.consistency.roles import check_agents, check_roles
from ragviz.consistency.subjects import bound_share
from ragviz.consistency.subsets import is_narrower
from ragviz.consistency.tongues import is_english
from ragviz.records import ClashKind
from ragviz.text.date_mention import DateMention
from ragviz.text.names import Name
from ragviz.text.quantity import Quantity

NOTHING = Findings()
SHARED = 0.2
"""Share of the claim's words below which a premise is about something else."""
_KINDS = {Quantity: ClashKind.NUMBER, DateMention: ClashKind.DATE, Name: ClashKind.NAME}
MAX_CHARS = 8_000
"""A claim and a window of three sentences have a few hundred."""


def check(hypothesis: str, premise: str, *, start: int = 0) -> Findings:
    """
    Compare a claim with a premise of one to three sentences, like with like.

    Args:
        hypothesis: The claim.
        premise: A short window of a passage; cut longer passages into windows first. Only the first MAX_CHARS characters of either
            text are compared.
        start: Added to every premise span: where the window begins in its passage.

    Returns:
        Clashes only where thing and attribute are the same in both: "the motor weighs 3.2 kg" says nothing about the pump.
    """
    hypothesis, premise = hypothesis[:MAX_CHARS], premise[:MAX_CHARS]
    claim, source = analyse(hypothesis), analyse(premise)
    if not claim.lowers or not source.lowers:
        return NOTHING
    if claim.tongue != source.tongue:
        claim, source = _alike(hypothesis, premise, claim, source)
    pair = Pairing(claim, source)
    out = Gathered(claim, source, start)
    if _is_elsewhere(pair):
        for details in (claim.quantities, claim.dates, claim.names):
            for detail in details:
                if isinstance(detail.record, Name) and not claim.is_name[detail.first]:
                    continue
                out.miss(_KINDS[type(detail.record)], detail, detail.record.span.of(claim.text))
        return finish(pair, out)
    if claim.quantities:
        check_amounts(pair, out)
    if claim.dates:
        check_moments(pair, out)
    check_names(pair, out)
    if is_quoted(pair):
        # The premise says it word for word: whatever clashes belongs to another of its sentences.
        out.clear()
        return finish(pair, out)
    check_agents(pair, out)
    allowed = check_modality(pair, out)
    if not check_roles(pair, out) and not check_quantifiers(pair, out) and not (allowed and out.clashes):
        check_opposition(pair, out, explained=allowed)
    if not out.clashes:
        check_bindings(pair, out) or check_pairings(pair, out) or check_comparisons(pair, out)
    check_classes(pair, out)
    if out.places:
        out.withdraw([n for n, (ours, theirs, _) in enumerate(out.places) if is_narrower(pair, ours, theirs)])
        out.withdraw(other_occasions(pair, out))
    check_qualifiers(pair, out)
    if not out.clashes:
        check_contrasts(pair, out)
    return finish(pair, out)


def _alike(hypothesis: str, premise: str, claim: Analysis, source: Analysis) -> tuple[Analysis, Analysis]:
    """Both texts in one language where one of them has too few words to tell its own; texts of two languages stay as they are."""
    if not claim.tongue and not is_english(claim.lowers):
        return analyse(hypothesis, source.tongue), source
    if not source.tongue and not is_english(source.lowers):
        return claim, analyse(premise, claim.tongue)
    return claim, source


def _is_elsewhere(pair: Pairing) -> bool:
    """True when the premise shares next to nothing with the claim: no clause can be aligned then."""
    if any(pair.matches):
        return False
    keys = pair.claim.all_keys
    total = len(keys - pair.name_keys) if any(pair.premise.open_subject) else len(keys)
    return len(keys & pair.premise_keys) < SHARED * total


def is_quoted(pair: Pairing) -> bool:
    """True when the claim is a whole sentence of the premise, word for word."""
    words, theirs = pair.claim.lowers, pair.premise
    n = len(words)
    for i in range(len(theirs.lowers) - n + 1):
        if theirs.lowers[i] == words[0] and (i == 0 or theirs.clause[i - 1] != theirs.clause[i]) and theirs.lowers[i : i + n] == words:
            begins = i == 0 or theirs.sentence[theirs.clause[i - 1]] != theirs.sentence[theirs.clause[i]]
            ends = i + n == len(theirs.lowers) or theirs.sentence[theirs.clause[i + n]] != theirs.sentence[theirs.clause[i + n - 1]]
            if begins and ends:
                return True
    return False


def finish(pair: Pairing, out: Gathered) -> Findings:
    """Missing words, and the two alignment figures."""
    claim, theirs = pair.claim, pair.premise_keys
    keys = claim.all_keys
    shared = keys & theirs
    if len(shared) < len(keys):
        for i, word in enumerate(claim.keys):
            if claim.content[i] and word not in theirs and not claim.is_name[i]:
                out.missing.append(
                    Missing(
                        kind=None,
                        hypothesis_span=out.claim_span(i, i),
                        value=claim.plain.surface(claim.starts[i], claim.ends[i]).lower() if claim.tongue else claim.lowers[i],
                    )
                )
    coverage = len(shared) / len(keys) if keys else 0.0
    return Findings(
        clashes=tuple(out.clashes), dropped=tuple(out.dropped), weak=tuple(out.weak), agreements=tuple(out.agreements), missing=tuple(out.missing),
        alignment=pair.best(keys)[1] if keys else 0.0, coverage=coverage,
        bound=bound_share(pair),
    )
