"""The verdict of each question of the lessons, for five seeds of its data and of the halves, as a table."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

import numpy as np
from scipy.spatial.distance import pdist

from kernlib.data import Dataset
from kernlib.stories import QUANTITIES, Question, Step, View, read_lesson

SEEDS = range(5)
SHELF = Path(__file__).resolve().parents[2] / "pages" / "stories"


def questions(text: str, seed: int) -> Iterator[tuple[Question, View, Step]]:
    """Yield the questions of a lesson's text with another seed, each with its view and the step that answers it."""
    steps = read_lesson(re.sub(r"\bseed = \d+", f"seed = {seed}", text).encode()).steps
    for asked, answered in pairwise(steps):
        question = asked.question
        if asked.kind == "predict" and question is not None:
            quantity = QUANTITIES.get(question.measure)
            if quantity is not None and "seed" in quantity.arguments:
                question = replace(question, arguments=(*question.arguments, ("seed", seed)))
            if asked.view.data == "banana-like" and question.pairs:
                question = replace(question, pairs=pairs_by_distance(asked.view.scene().data))
            yield question, asked.view, answered


def pairs_by_distance(data: Dataset) -> tuple[tuple[str, str], ...]:
    """Return the ids of the two farthest rows of the first class, the two nearest rows of different classes, and the
    two rows of the second class with the median distance: the pairs of lesson 1 for any draw of its rows."""
    far, y = pdist(np.asarray(data.rows, dtype=np.float64)), np.asarray(data.y)
    a, b = np.triu_indices(data.n, 1)
    chosen = []
    for those, share in (((y[a] == 0) & (y[b] == 0), 1.0), (y[a] != y[b], 0.0), ((y[a] == 1) & (y[b] == 1), 0.5)):
        places = np.flatnonzero(those)
        at = places[np.argsort(far[places], kind="stable")[int(share * (len(places) - 1))]]
        chosen.append((data.ids[a[at]], data.ids[b[at]]))
    return tuple(chosen)


def verdict(question: Question, view: View) -> str:
    """Return what the answer says: the number, the right option or order, the place of the extreme, the rows."""
    answer = question.truth(view)
    if question.kind == "choose":
        return question.options[answer.best]
    if question.kind == "order":
        return ", ".join(answer.labels[i] for i in answer.order)
    if question.kind == "draw":
        pick = min if "error" in question.measure else max
        return answer.labels[answer.values.index(pick(answer.values))]
    if question.kind == "point":
        return ", ".join(answer.names[i] for i in answer.rows)
    return question.compare(answer)


def main(arguments: Sequence[str]) -> None:
    """Print one row for each question: its verdicts, and whether they are one."""
    print("| lesson | question | verdicts of seeds 0 to 4 | one? |\n|---|---|---|---|")
    for path in sorted(SHELF.glob("*.md")):
        text = path.read_text()
        for asked in zip(*(questions(text, seed) for seed in SEEDS), strict=True):
            verdicts = [verdict(question, view) for question, view, _ in asked]
            one = len(set(verdicts)) == 1
            shown = verdicts[0] if one else "; ".join(verdicts)
            print(f"| {path.stem[:2]} | {asked[0][0].text} | {shown} | {'yes' if one else 'no'} |", flush=True)
