"""Labels in the names of rows: the text before a mark, or a part that a regular expression finds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from ..errors import DataError
from .uploads import shortened

#: Marks between a label and the rest of a name.
_MARKS = "_-.:|/ #"
#: Letters of a pattern, letters of a name that it reads, repetitions and choices in it: within these it is quick.
_LONGEST, _READ, _LOOPS, _CHOICES = 100, 80, 2, 6
_REPEATS, _OPTIONS = re.compile(r"[*+{]"), re.compile(r"[?|]")
_COSTLY = re.compile(r"\)[*+?{]|\\[1-9]|\(\?[P(]")


def labels_in_names(names: Sequence[str], pattern: str, who: str) -> list[str]:
    """Return the label in each name, "" where it has none: the pattern's first group, or all that it matches.

    The pattern is a regular expression and is matched from the beginning of the name. On a server that many people
    share, it has at most two repetitions and none of a group.

    Raises DataError for a pattern that is no regular expression, repeats more, or matches no name.

    >>> labels_in_names(["setosa_1", "virginica_2", "other"], "(.+)_", "k.csv")
    ['setosa', 'virginica', '']
    """
    place = f"{who}: the pattern {shortened(pattern)} for labels in names"
    loops, choices = len(_REPEATS.findall(pattern)), len(_OPTIONS.findall(pattern))
    if len(pattern) > _LONGEST or _COSTLY.search(pattern) or loops > _LOOPS or choices > _CHOICES:
        raise DataError(
            f"{place} takes too long; expected at most {_LONGEST} letters, {_LOOPS} repetitions (* or +) and none of a "
            r"group. Write for example ([^_]+)_ or (\D+)\d."
        )
    try:
        rule = re.compile(pattern)
    except (re.error, OverflowError) as error:
        raise DataError(f"{place} is no regular expression ({error}). Write for example ([^_]+)_.") from None
    found = [rule.match(name[:_READ]) for name in names]
    labels = ["" if m is None else (m[1] if rule.groups else m[0]) or "" for m in found]
    if not any(labels):
        raise DataError(f"{place} matches no name, such as {shortened(names[0])}. Write for example ([^_]+)_.")
    return labels


def patterns_for(names: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield rules by which names give labels, each as (pattern, text): with at least two classes of two names.

    >>> list(patterns_for(["setosa_1", "setosa_2", "virginica_1", "virginica_2"]))
    [('([^_]+)_', "the text before '_'")]
    >>> list(patterns_for(["mouse1", "mouse2", "rat1", "rat2"]))
    [('(\\\\D+)\\\\d', 'the letters before the first digit')]
    """
    rules = [(f"([^{re.escape(mark)}]+){re.escape(mark)}", f"the text before {mark!r}") for mark in _MARKS]
    seen: list[list[str]] = []
    for pattern, words in [*rules, (r"(\D+)\d", "the letters before the first digit")]:
        labels = [m[1].rstrip(_MARKS) if (m := re.match(pattern, name[:_READ])) else "" for name in names]
        counts = [labels.count(label) for label in {*labels}]
        if "" not in labels and len(counts) > 1 and min(counts) > 1 and labels not in seen:
            seen.append(labels)
            yield pattern, words
