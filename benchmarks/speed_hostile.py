"""
Texts that make careless code slow, through everything that reads or writes a text: CPU time at two lengths, and how it grows.

A growth near the factor of the length (4) is linear; one near its square (16) is a fault. ``python benchmarks/speed_hostile.py [LENGTH] [READER…]``;
then, of all readers, the answers that the limits name: 1 MB in one line, 10,000 citations, 100,000 times the same token, 100,000 columns.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.reliability.hostile_sizes import CLAIM, READERS, SHAPES

FACTOR = 4
FAULT = 9.0
LARGE = {
    "1 MB, one line": ("one line", 1_000_000),
    "10,000 citations": ("citations", 100_000),
    "100,000 tokens": ("one word again", 300_000),
    "100,000 columns": ("commas", 300_000),
}


def seconds(read: Callable[[str], object], text: str) -> float:
    """CPU time."""
    began = time.process_time()
    read(text)
    return time.process_time() - began


def of_shape(shape: str, length: int) -> str:
    """So many characters of it."""
    unit = SHAPES[shape]
    return (unit * (length // len(unit) + 1))[:length]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("length", type=int, nargs="?", default=12_000, metavar="LENGTH")
    parser.add_argument("readers", nargs="*", metavar="READER", help=f"of {', '.join(READERS)}")
    args = parser.parse_args()
    length = args.length
    chosen = {name: read for name, read in READERS.items() if not args.readers or name in args.readers}
    faults = 0
    print(f"{'reader':<14} {'slowest shape':<16} {'s at ' + str(length * FACTOR):>12}   {'worst growth':<16} ×")
    for name, read in chosen.items():
        read(CLAIM)
        found = []
        for shape in SHAPES:
            first, second = seconds(read, of_shape(shape, length)), seconds(read, of_shape(shape, length * FACTOR))
            found.append((second, second / max(first, 0.05), shape))
        slow, grows = max(found), max(found, key=lambda f: f[1])
        faults += grows[1] > FAULT
        print(f"{name:<14} {slow[2]:<16} {slow[0]:>12.2f}   {grows[2]:<16} {grows[1]:.1f}", flush=True)
    print(f"\n{'reader':<14}" + "".join(f"{title:>18}" for title in LARGE))
    for name, read in chosen.items():
        print(f"{name:<14}" + "".join(f"{seconds(read, of_shape(shape, size)):>18.2f}" for shape, size in LARGE.values()), flush=True)
    raise SystemExit(f"{faults} readers grow faster than the text" if faults else 0)


if __name__ == "__main__":
    main()
