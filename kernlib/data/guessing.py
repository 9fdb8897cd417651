"""What the columns of a table are taken for beside each other: label, group, names of rows; and what is said of it."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..values.labels import are_classes
from .guesses import Choice, Guess
from .numbers import tells_mark
from .roles import NUMERIC, Column, Facts, Role, counts_rows, facts_of, has_fraction, named_like_an_id, role_from
from .uploads import shortened

__all__ = ["BY_PLACE", "guessed", "leaks_left_out"]


#: How the reason ends where a label was taken by its place.
BY_PLACE = "none is named as a label"
#: With fewer rows a last column of numbers is not taken for a target.
_ENOUGH = 10


def guessed(
    names: Sequence[str], cells: npt.NDArray[np.object_], semicolons: bool = False
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """What the columns (n, columns) are taken for, and the guesses that are said; gaps are empty cells.

    `semicolons` says that semicolons divide the cells, as where the comma is that of decimals.
    """
    facts = [facts_of(name, cells[:, j], None) for j, name in enumerate(names)]
    marks = {
        f.writing.decimal for f in facts
        if f.writing and not f.writing.unsure and has_fraction(f) and tells_mark(f.values)
    }  # fmt: skip
    comma = "," in marks if len(marks) == 1 else (True if semicolons and not marks else None)
    if comma:
        facts = [facts_of(name, cells[:, j], True) for j, name in enumerate(names)]
    numbers = [f for f in facts if f.numbers is not None and f.missing == 0]
    counting = {f.name: why for f in numbers if (why := counts_rows(f))}
    if len(counting) > max(2, len(numbers) // 2):  # ranks, intensities: it is how these data are
        counting = {}
    columns = [role_from(f, counting.get(f.name, "")) for f in facts]
    label_said = _choose_label(facts, columns)
    label_said += _class_or_number(facts, columns)
    _choose_group(columns)
    leaks = _leaks(facts, columns)
    _keep_one(columns, counting)
    guesses = [guess for f, c in zip(facts, columns, strict=True) if (guess := _said(f, c))]
    return tuple(columns), (*label_said, *guesses, *leaks)


def _keep_one(columns: list[Column], counting: dict[str, str]) -> None:
    """Where nothing else can be compared, a number that counts the rows is kept, and that is said."""
    if any(c.role in ("numeric", "categorical", "sequence", "text") for c in columns):
        return
    for j, c in enumerate(columns):
        if c.role == "id" and c.name in counting and not named_like_an_id(c.name):
            columns[j] = dataclasses.replace(c, role="numeric", reason=f"{_KEPT}: {c.reason}")
            return


_KEPT = "there is no other column to compare"


def _said(f: Facts, c: Column) -> Guess | None:
    """What is said of one column's guess, with the ways to take it otherwise."""
    who = shortened(c.name)
    if c.reason.startswith(_KEPT):
        leave = Choice(f"{who} names the rows", roles=((c.name, "id"),))
        return Guess(f"{who} is used as a number, since {c.reason}. It may say nothing but the order.", (leave,))
    if c.role == "id" and f.numbers is not None and c.reason != f"named {who} and every value is different":
        as_number = Choice(f"Use {who} as a number", roles=((c.name, "numeric"),))
        return Guess(f"{who} names the rows and is left out of the comparison: {c.reason}.", (as_number,))
    if c.role == "id" and f.numbers is None and c.reason.startswith(("nearly", "digits", "dates")):
        return Guess(
            f"{who} names the rows and is left out of the comparison: {c.reason}.",
            (Choice(f"Use {who} as a category", roles=((c.name, "categorical"),)),),
        )
    if c.role == "categorical" and f.numbers is not None and c.reason.startswith("whole"):
        return Guess(
            f"{who} is taken for a category: {c.reason}.",
            (Choice(f"{who} names the rows", roles=((c.name, "id"),)),
             Choice(f"Use {who} as a number", roles=((c.name, "numeric"),))),
        )  # fmt: skip
    if c.role == "group" and "of them with rows" in c.reason:
        return Guess(
            f"Rows with the same {who} are taken to belong together, and are not parted into training and test rows.",
            (Choice(f"Use {who} as a number", roles=((c.name, "numeric"),)),
             Choice(f"Leave {who} out", roles=((c.name, "ignore"),))),
        )  # fmt: skip
    if c.code and f.numbers is None:
        times = sum(word == c.code for word in f.words)
        as_words = Choice(f"Use {who} as a category", roles=((c.name, "categorical"),))
        return Guess(
            f"{who} holds numbers, and {shortened(c.code)} {'once' if times == 1 else f'{times} times'}.",
            (Choice(f"{shortened(c.code)} is a missing value", roles=((c.name, "code missing"),)), as_words),
            question=True,
        )
    if c.code:
        times = sum(word == c.code for word in f.words)
        return Guess(
            f"{who} holds {c.code} {times} times, far outside all its other numbers; it is taken for a number.",
            (Choice(f"{c.code} is a missing value", roles=((c.name, "code missing"),)),),
        )
    if c.role == "numeric" and c.writing.unsure:
        example = next(word for word in f.words if re.search(r"[.,]", word) and word in f.values)
        other: Role = "decimal point" if c.writing.decimal == "," else "decimal comma"
        mark = "the decimals" if c.writing.decimal == "," and "," in example else "thousands"
        sign = "comma" if "," in example else "point"
        return Guess(
            f"{who} is read as numbers{c.writing.words}: {shortened(example)} is {c.writing.number(example):g}, the "
            f"{sign} parts {mark}.",
            (Choice(f"The {sign} parts {'thousands' if mark != 'thousands' else 'the decimals'}",
                    roles=((c.name, other),)),),
        )  # fmt: skip
    return None


def _choose_label(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """One label at most: by name, else the last column, else the first where its few codes look like classes."""
    named = [j for j, column in enumerate(columns) if column.role == "label"]
    if len(named) > 1 and any(f.plain == "x" for f in facts):  # beside x and a class, y is a coordinate
        for place in (j for j in named if facts[j].plain == "y"):
            alone = role_from(dataclasses.replace(facts[place], name=""), "")
            columns[place] = dataclasses.replace(alone, name=facts[place].name)
        named = [j for j in named if columns[j].role == "label"]
    if named:
        first, *others = named
        for other in others:
            columns[other] = dataclasses.replace(
                columns[other], role="ignore", reason=f"{shortened(columns[first].name)} is taken for the label already"
            )
        if not others:
            return []
        told, taken = ", ".join(shortened(columns[j].name) for j in named), columns[first].name
        said = f"{told} are all named like a label: {shortened(taken)} is taken, the others are left out."
        return [Guess(said, tuple(_as_label(columns[j].name, taken) for j in others[:4]))]
    j, why = _unnamed_label(facts, columns) if len(columns) > 1 else (None, "")
    if j is None:
        return []
    role = columns[j].role
    columns[j] = dataclasses.replace(columns[j], role="label", reason=why)
    others_too = [
        c.name for f, c in zip(facts, columns, strict=True)
        if c.role == "categorical" and 1 < c.distinct <= max(2, f.n // 5)
    ]  # fmt: skip
    without = Choice("There is no label", roles=((columns[j].name, "numeric" if role in NUMERIC else "categorical"),))
    said = f"{shortened(columns[j].name)} is taken for what is to be told: {why}."
    return [Guess(said, (without, *(_as_label(name, columns[j].name, role) for name in others_too[-3:])))]


def _class_or_number(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """What a label of whole numbers is taken for, where it could be either."""
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    x = None if label is None else facts[label].numbers
    if label is None or x is None or not facts[label].whole or not 5 < columns[label].distinct <= 100:
        return []
    who, many = shortened(columns[label].name), f"{columns[label].distinct} different numbers"
    same: tuple[tuple[str, Role], ...] = ((columns[label].name, "label"),)  # another label, and this is not said
    if are_classes(x):
        number = Choice("They are numbers", roles=same, task="regression")
        return [Guess(f"The {many} in {who} are taken for classes.", (number,))]
    classes = Choice("They are classes", roles=same, task="classification")
    return [Guess(f"The {many} in {who} are taken for numbers, not for classes.", (classes,))]


def _unnamed_label(facts: list[Facts], columns: list[Column]) -> tuple[int | None, str]:
    places = [j for j, c in enumerate(columns) if c.role not in ("id", "ignore")]
    if not places:
        return None, ""
    end = places[-1]
    last, first = columns[end], columns[places[0]]
    # A last column "group" with no label beside it is what the rows are told apart by, e.g. the treatment.
    told_apart = last.role == "categorical" or (last.role == "group" and last.name.strip().lower().startswith("group"))
    if told_apart and last.distinct > 1:
        return end, f"the last column, {last.distinct} distinct values, {BY_PLACE}"
    usable = sum(c.role in ("numeric", "categorical", "sequence", "text") for c in columns)
    if last.role == "numeric" and usable > 2 and facts[0].n >= _ENOUGH:
        few, ordered = facts[places[0]].numbers, facts[end].numbers
        if (
            few is not None and ordered is not None and first.role == "numeric" and not first.missing
            and are_classes(few) and len(np.unique(few)) < len(few) / 2 and not are_classes(ordered)
        ):  # fmt: skip
            return places[0], f"the first column, {first.distinct} distinct whole numbers, {BY_PLACE}"
        return end, f"the last column, a number, {BY_PLACE}"
    nominal = first.role == "categorical" and last.role != "categorical"
    if usable > 1 and nominal and 1 < first.distinct <= facts[0].n / 2:
        return places[0], f"the first column, {first.distinct} distinct values, {BY_PLACE}"
    return None, ""


def _as_label(name: str, instead_of: str, role: Role = "ignore") -> Choice:
    return Choice(f"Tell {shortened(name)} instead", roles=((instead_of, role), (name, "label")))


def _choose_group(columns: list[Column]) -> None:
    groups = [j for j, column in enumerate(columns) if column.role == "group"]
    for j in groups[1:]:
        columns[j] = dataclasses.replace(
            columns[j], role="ignore", reason=f"{shortened(columns[groups[0]].name)} is taken for the group already"
        )


def leaks_left_out(
    columns: Sequence[Column], cells: npt.NDArray[np.object_], kept: Sequence[str]
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """What another label makes of the columns: those that would give it away are left out, but those of `kept`."""
    facts = [facts_of(c.name, cells[:, j], c.writing.decimal == ",") for j, c in enumerate(columns)]
    found = list(columns)
    guesses = _leaks(facts, found, kept)
    return tuple(found), tuple(guesses)


def _leaks(facts: list[Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[Guess]:
    """Columns that say the label in other words, or order the rows as its classes stand, are no features unasked."""
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    if label is None or facts[label].n < _ENOUGH or facts[label].missing:
        return []
    guesses: list[Guess] = []
    known = {word: code for code, word in enumerate(dict.fromkeys(facts[label].words))}
    y = np.array([known[word] for word in facts[label].words])
    classes = len(known)
    if not 1 < classes <= len(y) / 2:
        return []
    in_blocks = int((np.diff(y) != 0).sum()) == classes - 1
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        if c.role not in ("numeric", "categorical") or c.missing or c.name in kept:
            continue
        why = ""
        if c.distinct == classes and len(set(zip(f.words, y.tolist(), strict=True))) == classes:
            why = f"it says the same as {shortened(columns[label].name)}"
        elif (
            in_blocks and c.role == "numeric" and f.numbers is not None and c.distinct > classes
            and np.isfinite(f.numbers).all()
        ):  # fmt: skip
            steps = np.diff(f.numbers)
            if (steps >= 0).all() or (steps <= 0).all():
                why = "it only goes one way, row by row, as the classes stand in the file"
        if why:
            columns[j] = dataclasses.replace(c, role="ignore", reason=why)
            use = Choice(f"Use {shortened(c.name)}", roles=((c.name, c.role),))
            guesses.append(Guess(f"{shortened(c.name)} is left out: {why}, and would give the label away.", (use,)))
    return guesses
