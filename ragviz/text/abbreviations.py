"""Words whose full stop does not end a sentence."""

from __future__ import annotations

from ragviz.text.word_sets import word_set

ALWAYS: frozenset[str] = word_set(
    # Followed by what they introduce: never the last word of a sentence.
    """dr mr mrs ms mx prof rev hon gen col capt lt sgt maj cmdr gov sen rep pres st mt ft messrs mme mlle fr hr bzw ggf evtl vgl ca cf vs viz
    approx ex fig figs eq eqs sec sect ch chap para art vol pp p eg ie e.g i.e a.k.a resp incl excl max min tel ext dept z d u m s
    z.b z.t d.h u.a i.d.r o.g s.o s.u m.e sog insb inkl exkl zzgl abzgl mio mrd tsd std nr bsp bspw str dipl ing
    p.ex c.-à-d env sr sra srta dra ud uds núm pág
    """)
BEFORE_NUMBER: frozenset[str] = word_set("no nos nr num núm n abs art fig sec ch p pp vol ver v eq tab rn § ziff abb kap par al")
"""Abbreviations only when a number follows: "No. 5" against "No. He left."."""
BEFORE_LOWER: frozenset[str] = word_set(
    # May end a sentence: a capital letter after them starts a new one.
    """inc ltd co corp llc plc gmbh etc al jr sr usw etw d.c a.m p.m am pm ph.d b.a m.a b.c a.d est usa jan feb mar apr jun jul
    aug sep sept oct nov dec mon tue tues wed thu thur thurs fri sat sun ave blvd rd dept univ assn bros hrs hr min mins secs lb lbs oz
    """)
MONTHS: frozenset[str] = word_set(
    # "am 5. Januar": a number with a full stop before them is an ordinal.
    """januar jänner februar märz april mai juni juli august september oktober november dezember jan feb mär apr jun jul aug sep sept okt nov
    dez january february march may june july october december jahrhundert century quartal tag platz stock etage klasse
    """)

BEFORE_NAME: frozenset[str] = word_set("u.s u.k e.u u.n u.s.a inc ltd co corp bros")
"""Before a capital letter they end a sentence only when a typical first word follows: "the U.S. Treasury" against "the U.S. It is"."""
STARTERS: frozenset[str] = word_set(
    """a an the this that these those it its he she they we you i his her their our your my there here in on at by for from with as if when while
    after before since during however but and or so yet also then thus therefore moreover although though because all some most many each no
    not please see what who how why where which
    """)
LETTERED: frozenset[str] = word_set(
    """plan vitamin vitamins class type group grade option section appendix annex figure table part schedule category tier zone gate level
    hepatitis building block room terminal platform line model series
    """)
"""Words whose single letter is a label, not the initial of a name."""
