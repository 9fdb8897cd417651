"""A longer hunt: python -m tests.hunt [--seed WORD] [--seconds 600] [--cases 30000]; exit code 1 after a finding."""

from __future__ import annotations

import argparse
import math
import sys
import time
from collections import Counter

from .cases import case
from .properties import broken


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.hunt", description=__doc__)
    parser.add_argument("--seed", default=str(time.time_ns()), help="another word, other cases; printed")
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--cases", type=float, default=math.inf, help="stop after so many cases")
    parser.add_argument("--only", help="one case, by the seed that a finding prints")
    options = parser.parse_args()
    if options.only:
        made = case(options.only)
        print(made, broken(made), sep="\n")
        return 0
    print(f"--seed {options.seed}")
    end, number, found, refused = time.monotonic() + options.seconds, 0, 0, 0
    kinds: Counter[str] = Counter()
    while time.monotonic() < end and number < options.cases:
        made = case(f"{options.seed}/{number}")
        number += 1
        told = broken(made)
        refused += told is None
        if number % 1000 == 0:
            print(f"{number} cases, {refused} refused, {found} findings", flush=True)
        for sentence in told or ():
            found += 1
            kinds[f"{type(made.kernel).__name__}: {sentence[:60]}"] += 1
            print(f"{made}\n    {sentence}", flush=True)
    print(f"{number} cases, {refused} refused, {found} findings")
    for kind, count in kinds.most_common(40):
        print(f"{count:5} {kind}")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
