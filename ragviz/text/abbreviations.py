"""Words whose full stop does not end a sentence."""

from __future__ import annotations

ALWAYS: frozenset[str] = frozenset(
    # Followed by what they introduce: never the last word of a sentence.
    """dr mr mrs ms mx prof rev hon gen col capt lt sgt maj cmdr gov sen rep pres st mt ft messrs mme mlle fr hr bzw ggf evtl vgl ca cf vs viz
    approx ex fig figs eq eqs sec sect ch chap para art vol pp p eg ie e.g i.e a.k.a resp incl excl max min tel ext dept z d u m s
    z.b z.t d.h u.a i.d.r o.g s.o s.u m.e sog insb inkl exkl zzgl abzgl mio mrd tsd std nr bsp bspw str dipl ing
    p.ex c.-à-d env sr sra srta dra ud uds núm pág
    """.split(),
)
BEFORE_NUMBER: frozenset[str] = frozenset("no nos nr num núm n abs art fig sec ch p pp vol ver v eq tab rn § ziff abb kap par al".split())
"""Abbreviations only when a number follows: "No. 5" against "No. He left."."""
BEFORE_LOWER: frozenset[str] = frozenset(
    # May end a sentence: a capital letter after them starts a new one.
    """inc ltd co corp llc plc gmbh etc al jr sr usw etw u.s u.k e.u u.n d.c a.m p.m am pm ph.d b.a m.a b.c a.d est usa jan feb mar apr jun jul
    aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun ave blvd rd dept univ assn bros hrs hr min mins secs lb lbs oz
    """.split(),
)
MONTHS: frozenset[str] = frozenset(
    # "am 5. Januar": a number with a full stop before them is an ordinal.
    """januar jänner februar märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul aug sep sept okt nov
    dez january february march may june july october december jahrhundert century quartal tag platz stock etage klasse
    """.split(),
)
