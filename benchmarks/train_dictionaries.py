"""
Makes the dictionaries that stored records are squeezed against (``ragviz/store/dictionaries``), out of the runs of some stores.

    python benchmarks/train_dictionaries.py STORE [STORE …] --version 1

Version 1 was made from the two sample runs, judged by the local judge and by ``facts``. Stored rows need the dictionary they were squeezed against: a file
that was once released is never written again, a better one gets the next version.
"""

from __future__ import annotations

import argparse
import sys
from collections import defaultdict
from pathlib import Path

import zstandard

from ragviz.store import open_store, packing, squeezing
from ragviz.store.packed_verdicts import Texts

FOLDER = Path(__file__).resolve().parent.parent / "ragviz" / "store" / "dictionaries"
SIZES: dict[squeezing.Kind, int] = {"trace": 12_000, "claims": 3_000, "judgements": 16_000, "passage": 16_000}


def records(stores: list[str]) -> dict[squeezing.Kind, list[bytes]]:
    """Plain bytes of every record by kind, each once."""
    found: dict[squeezing.Kind, dict[bytes, None]] = defaultdict(dict)

    def noted(raw: bytes, kind: squeezing.Kind) -> bytes:
        found[kind].setdefault(raw)
        return raw

    setattr(packing, "squeezed", noted)  # noqa: B010 - what is packed is looked at before it is squeezed
    for address in stores:
        store = open_store(address)
        for run in store.runs():
            for view, _ in store.views(run.run_id):
                for case in store.judged(view):
                    texts = Texts.of(case.trace)
                    packing.pack_trace(case.trace)
                    packing.pack_claims(case.claims, texts)
                    packing.pack_judgements(case.judgements, texts)
                    for passage in case.trace.passages or ():
                        found["passage"].setdefault(passage.text.encode())
    return {kind: list(raws) for kind, raws in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("stores", nargs="+")
    parser.add_argument("--version", type=int, required=True)
    args = parser.parse_args()
    for kind, raws in records(args.stores).items():
        place = FOLDER / f"{kind}-{args.version}.zstd"
        if place.exists():
            sys.exit(f"{place} exists: stored rows need it as it is")
        made = zstandard.train_dictionary(SIZES[kind], [*raws], level=squeezing.LEVEL)
        place.write_bytes(made.as_bytes())
        plain = zstandard.ZstdCompressor(level=squeezing.LEVEL)
        with_it = zstandard.ZstdCompressor(level=squeezing.LEVEL, dict_data=made)
        n = len(raws)
        print(f"{kind:12} {n:6} records: {sum(map(len, raws)) / n:7.0f} bytes, {sum(len(plain.compress(r)) for r in raws) / n:7.0f} alone, "
              f"{sum(len(with_it.compress(r)) for r in raws) / n:7.0f} with {place.stat().st_size} bytes of dictionary (its own training set)")


if __name__ == "__main__":
    main()
