"""Guess the label, the group and the roles of a table's columns together, and describe each guess."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from ..values.labels import are_classes
from .guesses import NUMERIC, Choice, Guess, Role, Row
from .numbers import tells_mark
from .ordinal import is_scale, ordered
from .roles import NAMES, Column, Facts, facts_of, role_of
from .uploads import shortened

#: How the reason ends where the place of a column makes it the label.
BY_PLACE = "none is named as a label"
#: How the reason begins where an id is compared.
_ALONE = "there is no other column to compare"
#: With fewer rows the last column of numbers is not read as a target.
_ENOUGH = 10
#: With more words, or numbers, the first column of a table without names is hardly a class.
_CLASSES, _CODES = 26, 10
#: Stems that programs give to all columns, the label too.
_ANY_COLUMN = frozenset({"", "v", "x", "c", "a", "f", "col", "column", "attr", "att", "attribute", "field", "unnamed"})
#: How databases name genes and their parts.
_GENE = re.compile(r"ENS[A-Z]*[GTP]\d+|(Otu|OTU|ASV|rs|cg)_?\d+|[A-Z]{2}_\d+|\d+(_[a-z])?_at$")
_COMPARED: tuple[Role, ...] = ("numeric", "categorical", "sequence", "text")
#: How a role is described, and the button that chooses it.
_WORDS: dict[Role, tuple[str, str]] = {
    "id": ("{} names the rows and is left out of the comparison", "{} names the rows"),
    "numeric": ("{} is used as a number", "Use {} as a number"),
    "decimal comma": ("{} is used as a number", "Read {} with a decimal comma"),
    "decimal point": ("{} is used as a number", "Read {} with a decimal point"),
    "code missing": ("{} is used as a number", "{codes} means a missing value"),
    "categorical": ("{} is used as a category", "Use {} as a category"),
    "sequence": ("{} is read as sequences", "Read {} as sequences"),
    "text": ("{} is read as texts", "Read {} as texts"),
    "group": ("Rows with the same {} are not divided between training and test rows", "{} groups the rows"),
    "ignore": ("{} is left out", "Leave {} out"),
}
#: The other reading of a table whose columns are the rows to compare.
TURN = (Choice("Turn the table on its side: its columns are the rows", turned=True),)


def guessed(
    names: Sequence[str], cells: npt.NDArray[np.object_], semicolons: bool = False, decimal: str = ""
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """Return the columns of a table (n, columns) with their roles, and the guesses.

    A missing cell is empty, or one of the markers for it, such as "NA". `semicolons` is True if semicolons separate the
    cells, as with decimal commas; `decimal` is the mark of the decimals, "" guesses.
    """
    facts = [facts_of(name, cells[:, j]) for j, name in enumerate(names)]
    shown = [f.writing for f in facts if f.writing and f.fraction and tells_mark(f.values)]
    marks = {writing.decimal for writing in shown if not writing.unsure}
    comma = decimal == "," if decimal else "," in marks if len(marks) == 1 else (semicolons and not marks) or None
    if comma or decimal:
        facts = [facts_of(name, cells[:, j], comma) for j, name in enumerate(names)]
    numbers = [f for f in facts if f.numbers is not None]
    counting = [f for f in numbers if f.counts_rows]
    for f in facts:
        f.mark, f.chosen = "." if "." in marks else "," if comma else "", bool(decimal)
        # Ranks or intensities have many columns that count.
        f.counting = f.counts_rows if f in counting and len(counting) <= max(2, len(numbers) // 2) else ""
    columns = [role_of(f) for f in facts]
    guesses = [*_choose_label(facts, columns), *_class_or_number(facts, columns)]
    _owners(facts, columns)
    first, *others = [j for j, column in enumerate(columns) if column.role == "group"] or [-1]
    for j in others:
        columns[j] = dataclasses.replace(columns[j], role="ignore", reason=f"{facts[first].who} is the group already")
    leaks = _leaks(facts, columns)
    compared = sum(c.role in _COMPARED for c in columns)
    ids = [j for j, c in enumerate(columns) if c.role == "id" and c.others and not facts[j].numbered]
    for j in ids[: not compared]:  # a number or a name is all there is to compare
        f, c = facts[j], columns[j]
        role: Role = "numeric" if f.counting else "text" if any(" " in w for w in f.values) else "sequence"
        asked = role != "numeric" and len(columns) > 1
        reason = f"{_ALONE}, although {c.reason}"
        columns[j] = dataclasses.replace(c, role=role, reason=reason, others=("id",), question=asked)
    for j, c in enumerate(columns):
        if compared == 1 and c.role == "sequence":
            columns[j] = dataclasses.replace(c, question=False)
    questions = [*_questions(facts, columns)]
    return tuple(columns), (*guesses, *_guesses_of(columns), *questions, *leaks)


def _guesses_of(columns: Iterable[Column]) -> Iterator[Guess]:
    """Yield the guess of each column's role that is in doubt, with the other roles as choices."""
    for c in columns:
        if c.others and c.role in _WORDS:
            who, codes = shortened(c.name), shortened(", ".join(c.codes))
            ways = ((role, _WORDS[role][1].format(who, codes=codes)) for role in c.others)
            choices = tuple(Choice(words, roles=((c.name, role),)) for role, words in ways)
            yield Guess(f"{_WORDS[c.role][0].format(who)}: {c.reason}.", choices, c.question)


def joined(names: Sequence[str]) -> str:
    """Return names of columns as a question about several columns lists them.

    >>> joined(["a", "b", "c", "d"])
    "'a', 'b', 'c', …"
    """
    return ", ".join(map(shortened, names[:3])) + (", …" if len(names) > 3 else "")


def _ask(found: list[Facts], sentence: str, *ways: tuple[str, Role], more: tuple[Choice, ...] = ()) -> Guess:
    choices = tuple(Choice(words, roles={f.name: role for f in found}) for words, role in ways)
    return Guess(sentence.format(joined([f.name for f in found])), more + choices, question=True)


def _turned(facts: list[Facts], columns: list[Column]) -> Iterator[Guess]:
    """Yield the question whether the columns are the rows to compare: classes, samples or features say so."""
    both = list(zip(facts, columns, strict=True))
    first, *rest = facts
    odd = {f.name: np.flatnonzero(np.isin(f.words, c.codes)).tolist() for f, c in both if f.numbers is None and c.code}
    places = Counter(lines[0] for lines in odd.values() if len(lines) == 1)
    place = next((place for place, many in places.items() if many > 2), -1)
    over = [f for f in facts if odd.get(f.name) == [place]]
    numbered = [f for f in facts if f.numbers is not None and f.stem != f.plain]
    people = [f for f in numbered if f.stem in NAMES["origin"] | NAMES["sample"]]
    of_features = columns[0].role == "id" and first.numbers is None and all(f.numbers is not None for f in rest)
    genes = "feature" in first.says or (len(numbered) == len(rest) and all(map(_GENE.match, first.values)))
    genes = genes or len(_series(columns)) == len(rest)  # named rows of columns that are numbered alike
    what = f"holds a word in row {place + 1}. These may be the classes of columns that are the rows to compare."
    if over:  # a row of words over columns of numbers
        for j, c in enumerate(columns):
            columns[j] = dataclasses.replace(c, others=(), question=False) if facts[j] in over else c
        missing: tuple[str, Role] = ("They are missing", "code missing")
        yield _ask(over, f"Each of the columns of numbers {{}} {what}", missing, more=TURN)
    elif len(people) > 2 or (of_features and genes and len(rest) > 2):
        yield _ask(people if len(people) > 2 else rest, "The columns {} may be the rows to compare.", more=TURN)


def _questions(facts: list[Facts], columns: list[Column]) -> Iterator[Guess]:
    """Yield the questions about several columns at once: codes for missing numbers, orders of words, the wrong side."""
    both = list(zip(facts, columns, strict=True))
    if coded := [(f, c) for f, c in both if c.code and c.role == "numeric" and f.numbers is not None]:
        times = Counter(word for f, c in coded for word in f.words if word in c.codes)
        numbers = " and ".join(f"{word} ({count} times)" for word, count in times.most_common(4))
        are, what = ("They are", "numbers") if len(times) > 1 else (f"{next(iter(times))} is", "a number")
        sentence = f"{numbers} in {{}} may stand for missing answers; read as numbers."
        yield _ask([f for f, _ in coded], sentence, (f"{are} missing", "code missing"), (f"{are} {what}", "numeric"))
    if scales := [f for f, c in both if c.role == "categorical" and is_scale(f.values)]:
        shown = shortened(" < ".join(ordered(scales[0].values)[0][:6])).replace("{", "").replace("}", "")
        sentence = f"The words in {{}} may have an order, {shown}; used as categories."
        yield _ask(scales, sentence, ("Use their order", "ordinal"), ("Use categories", "categorical"))
    yield from _turned(facts, columns)
    if unknown := [f for f, c in both if c.role == "categorical" and f.missing and "?" in f.words]:
        marks = sum(int((f.words == "?").sum()) for f in unknown)
        drop = Choice("Leave these rows out", missing="drop all")
        yield _ask(unknown, f"'?' ({marks} times) in {{}} is read as a category of its own.", more=(drop,))
    # Words that differ in capitals only.
    words = [f for f, c in both if c.role == "label" or (c.role == "categorical" and f.distinct <= _CLASSES)]
    alike = {f.name: len({word.casefold() for word in f.values}) for f in words if f.numbers is None}
    if several := [f for f in words if alike.get(f.name, f.distinct) < f.distinct]:
        f, join = several[0], Choice("Capitals make no difference: join them", capitals="alike")
        what = "classes" if any(c.role == "label" and c.name == f.name for c in columns) else "categories"
        which = f"{{}} has {f.distinct} {what}, and {alike[f.name]} where capitals do not count."
        yield _ask(several, which if len(several) == 1 else "Words in {} differ in capitals only.", more=(join,))


def _choose_label(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Choose at most one label: by its name, else by its place, where what remains can be its input."""
    named = [j for j, column in enumerate(columns) if column.role == "label"]
    if any(columns[j].distinct == 1 for j in named):  # one value is no class where another column has several
        several = [dataclasses.replace(c, role="ignore") if c.distinct == 1 else c for c in columns]
        by_place = any(row.evidence for row in _by_place(facts, several))
        if any(columns[j].distinct > 1 for j in named) or by_place or _series(several):
            columns[:] = several
    # y is a coordinate beside x where another column can be the label.
    y = next((j for j in named if facts[j].plain == "y" and any(f.plain == "x" for f in facts)), -1)
    coordinate = y > 0 and facts[y - 1].plain == "x" and any(c.role in _COMPARED for c in columns[y + 1 :])
    nominal = columns[-1].role == "categorical" and 1 < columns[-1].distinct <= facts[0].n / 2
    if y >= 0 and (coordinate or len(named) > 1 or nominal):
        columns[y] = dataclasses.replace(role_of(dataclasses.replace(facts[y], name="")), name=facts[y].name)
    first, *others = [j for j, column in enumerate(columns) if column.role == "label"] or [-1]
    for j in others:
        columns[j] = dataclasses.replace(columns[j], role="ignore", reason=f"{facts[first].who} is the label already")
    if others:
        alike = ", ".join(facts[j].who for j in (first, *others))
        sentence = f"{alike} are all named like a label: {facts[first].who} is the label, the others are left out."
        return [Guess(sentence, tuple(_as_label(columns[j].name, columns[first].name) for j in others[:4]))]
    candidates = [row for row in _by_place(facts, columns) if row.evidence] if first < 0 else []
    if not candidates:
        return [] if first >= 0 else _label_or_feature(facts, columns)
    _, j, why, rivals, _ = candidates[0]
    role, x = columns[j].role, facts[j].numbers
    columns[j] = dataclasses.replace(columns[j], role="label", reason=f"{why}, {BY_PLACE}", others=(), question=False)
    in_steps = x is not None and facts[j].whole and len(x) > 4 and bool((np.diff(x) == 1).all())
    rivals = rivals or ((y,) if coordinate else ())
    sentence = f"{facts[j].who} is read as the label: {why}, {BY_PLACE}."
    sentence += f" {facts[rivals[0]].who} could be the label as well." if rivals else ""
    without = Choice("There is no label", roles=((columns[j].name, "numeric" if role in NUMERIC else "categorical"),))
    possible = dict.fromkeys(k for k in rivals or [row.reading for row in candidates] if k != j)
    choices = (without, *(_as_label(columns[k].name, columns[j].name, role) for k in possible))
    return [Guess(sentence, choices, question=bool(rivals) or in_steps)]


def _by_place(facts: list[Facts], columns: list[Column]) -> Iterator[Row[int]]:
    """Yield the columns that their places make the label, the surest first; others could be the label as well."""
    used = [j for j, c in enumerate(columns) if c.role not in ("id", "ignore")]
    if len(columns) < 2 or not used:
        return
    n, start, end = facts[0].n, used[0], used[-1]
    first, last, few = columns[start], columns[end], facts[start].numbers
    compared = [j for j in used if columns[j].role in _COMPARED]
    strings = [j for j in compared if columns[j].role in ("sequence", "text")]
    rest = [j for j in compared if j not in strings and columns[j].distinct > 1]
    if rest and strings:
        beside_one = len(strings) == 1 and (len(rest) == 1 or (strings[0] == end and n >= _ENOUGH))
        classes = len(rest) == 1 and (_are_codes(facts[rest[0]].numbers) or 2 * columns[rest[0]].distinct <= n)
        likely = [j for j in rest if 2 * columns[j].distinct <= n] or rest
        kind = f"the column beside the {columns[strings[0]].role}s {facts[strings[0]].who}"
        yield Row(beside_one or classes, likely[-1], kind)
    either = _first_or_last(facts, columns)
    for j in either[:1]:
        where = {start: "first", end: "last"}.get(j, "only nominal")
        yield Row(True, j, f"the {where} column, {columns[j].distinct} distinct values", either[1:])
    # A last column "group" without a label beside it holds the classes, e.g. the treatment.
    nominal = last.role == "categorical" or (last.role == "group" and facts[end].plain.startswith("group"))
    real, codes = last.role == "numeric" and len(compared) > 1, _are_codes(facts[end].numbers)
    coded = real and n >= _ENOUGH and first.role == "numeric" and facts[start].plain != "x" and _are_codes(few)
    target = real and not _series(columns)
    front = first.role == "categorical" and last.role != "categorical" and len(compared) > 1
    front = front and 1 < first.distinct <= n / 2
    # With names, a class in front is as likely as a target at the end; without names, a target may stand first.
    headless = columns[0].name == "x1" and last.name == f"x{end + 1}"
    rival = (end,) if real and len(columns) > 2 and start != end and not headless else ()
    doubt = start != end and (front or (headless and first.role == "numeric" and not coded))
    words, whole = f"{first.distinct} distinct values", f"{last.distinct} distinct whole numbers"
    yield Row(nominal and last.distinct > 1, end, f"the last column, {last.distinct} distinct values")
    yield Row(coded and not codes, start, f"the first column, {first.distinct} distinct whole numbers", rival)
    yield Row(target and codes and n > 3 and (n >= _ENOUGH or not _are_codes(few)), end, f"the last column, {whole}")
    enough = target and n >= _ENOUGH and len(compared) > 2
    yield Row(enough, end, "the last column, a number", (start,) if doubt else ())
    yield Row(front, start, f"the first column, {words}", rival)


def _first_or_last(facts: list[Facts], columns: list[Column]) -> tuple[int, ...]:
    """Return two columns, one of them the last, where either could be the label, the likelier in front; () elsewhere.

    In a table without names that is the only column of words among numbers, and else the first, if both first and last
    are nominal; it is likelier where all columns are nominal, and it has no more words than the last.
    """
    used = [j for j, c in enumerate(columns) if c.role in _COMPARED and c.distinct > 1]
    if len(used) < 3 or any(c.name != f"x{j + 1}" for j, c in enumerate(columns)):
        return ()
    first, last, half, in_words = used[0], used[-1], facts[0].n // 2, facts[used[0]].numbers is None
    nominal = [j for j in used if columns[j].role == "categorical" or _are_codes(facts[j].numbers)]
    words, most = [j for j in used if columns[j].role != "numeric"], min(_CLASSES if in_words else _CODES, half)
    if len(words) == 1 and last not in nominal and columns[words[0]].distinct <= min(_CLASSES, half):
        return (words[0], last) if columns[words[0]].role == "categorical" else ()
    if not {first, last} <= {*nominal} or columns[first].distinct > most or columns[last].distinct > half:
        return ()
    likelier = in_words and columns[first].distinct <= columns[last].distinct and len(nominal) == len(used)
    return (first, last) if likelier else (last, first)


def _label_or_feature(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Ask whether the second of two columns of real numbers, or the last of a series, is a target, not a feature."""
    if series := _series(columns):
        choice = Choice(f"{shortened(series[-1])} is the label", roles=((series[-1], "label"),))
        alike = f"{shortened(series[0])} … {shortened(series[-1])} are numbered alike, so none of them is the label."
        groups = len({name.rstrip("0123456789") for name in series}) > 1
        alike += " They may be the rows to compare." if groups else ""
        return [Guess(alike, (*TURN, choice) if groups else (choice,), question=groups)]
    used = [c for c in columns if c.role not in ("id", "ignore", "group")]
    if len(used) != 2 or facts[0].n < _ENOUGH or any(c.role != "numeric" or c.code for c in used):
        return []
    first, last = (shortened(c.name) for c in used)
    target = Choice(f"{last} is the label", roles=((used[1].name, "label"),))
    both = Choice("Both are features", roles=((used[1].name, "numeric"),))
    return [Guess(f"{first} and {last} are read as two features without a label.", (target, both), question=True)]


def _series(columns: list[Column]) -> tuple[str, ...]:
    """Return the columns at the end that are numbered alike, three or more: Otu1, Otu2, Otu3, or ALL_1, AML_2, …"""
    series: dict[str, str] = {}
    before = -1
    for name in (c.name for c in reversed(columns) if c.role in _COMPARED):
        stem = name.rstrip("0123456789")
        number = int(name[len(stem) :][:9] or -1)
        if number < 0 or stem.strip(" _-.").lower() in _ANY_COLUMN or (series and number != before):
            break
        series, before = {name: stem} | series, number - 1
    return tuple(series) if len(series) > 2 and 2 * len({*series.values()}) <= len(series) + 1 else ()


def _class_or_number(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Return the guessed task for a label of whole numbers, which could be classes or real targets."""
    f = next((f for f, column in zip(facts, columns, strict=True) if column.role == "label"), None)
    if f is None or f.numbers is None or not f.whole or not 3 < f.distinct <= 100:
        return []
    same: dict[str, Role] = {f.name: "label"}  # the guess ends with another label
    number = Choice("They are numbers", roles=same, task="regression")
    classes = Choice("They are classes", roles=same, task="classification")
    read, other = ("classes", number) if are_classes(f.numbers) else ("numbers, not as classes", classes)
    return [Guess(f"The {f.distinct} different numbers in {f.who} are read as {read}.", (other,))]


def _are_codes(numbers: npt.NDArray[np.float64] | None) -> bool:
    """Return whether numbers look like the codes of classes, each with two rows or more on average."""
    return numbers is not None and are_classes(numbers) and 1 < len(np.unique(numbers)) <= len(numbers) / 2


def _as_label(name: str, instead_of: str, role: Role = "ignore") -> Choice:
    return Choice(f"{shortened(name)} is the label", roles=((instead_of, role), (name, "label")))


def leaks_left_out(
    columns: Sequence[Column], cells: npt.NDArray[np.object_], kept: Sequence[str]
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """Return the columns for another label: columns that would reveal it are left out, except those in `kept`.

    Columns that group the rows by label become groups; a label of whole numbers may be classes or numbers.
    """
    facts = [facts_of(c.name, cells[:, j], c.writing.decimal == ",") for j, c in enumerate(columns)]
    remaining = list(columns)
    owners = _owners(facts, remaining, kept)
    guesses = [*_class_or_number(facts, remaining), *_leaks(facts, remaining, kept)]
    return tuple(remaining), (*_guesses_of(remaining[j] for j in owners), *guesses)


def _labelled(facts: list[Facts], columns: list[Column]) -> Facts | None:
    """Return the facts of a label that other columns may reveal: without gaps, several rows of each value."""
    label = next((f for f, c in zip(facts, columns, strict=True) if c.role == "label"), None)
    if label is None or label.n < _ENOUGH or label.missing or not 1 < label.distinct <= label.n / 2:
        return None
    return label


def _owners(facts: list[Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[int]:
    """Make groups of columns whose values repeat, each with one label: families, cages, plates; return their places.

    As a feature such a column lets a machine look the label up, and the error says nothing of new families. A column of
    words or whole numbers is asked about; one that is named like an owner of rows needs no question. Numbers without
    such a name must order the labels no better than a shuffle does, as a threshold of a feature would.
    """
    label = _labelled(facts, columns)
    if label is None or label.distinct > label.n / 4 or any(c.role == "group" for c in columns):
        return []
    found: list[int] = []
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        whole, named = c.role == "numeric" and f.whole, "origin" in f.says
        fits = (whole or c.role == "categorical") and c.name not in kept and not c.missing
        if not fits or not max(5, 2 * label.distinct) < f.distinct <= f.n / 2:
            continue
        label_of = dict(zip(f.words, label.words, strict=True))
        if any(label_of[word] != y for word, y in zip(f.words, label.words, strict=True)):
            continue
        if whole and not named and f.numbers is not None:
            by_size = np.array([label_of[f.words[i]] for i in np.unique(f.numbers, return_index=True)[1]])
            if (by_size[1:] != by_size[:-1]).mean() < 0.3:
                continue
        reason = f"its {f.distinct} values repeat, and all rows of a value have one {label.who}"
        role: Role = "ignore" if found else "group"
        columns[j] = dataclasses.replace(c, role=role, reason=reason, others=(c.role, "ignore"), question=not named)
        found.append(j)
    return found


def _leaks(facts: list[Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[Guess]:
    """Set columns aside that repeat the label or order the rows by class; return a guess for each."""
    label = _labelled(facts, columns)
    if label is None:
        return []
    guesses: list[Guess] = []
    in_blocks = int((label.words[1:] != label.words[:-1]).sum()) == label.distinct - 1
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        if c.role not in ("numeric", "categorical") or c.missing or c.name in kept:
            continue
        repeats = c.distinct == label.distinct == len({*zip(f.words, label.words, strict=True)})
        steps = np.diff(f.numbers) if c.role == "numeric" and f.numbers is not None else np.array([np.nan])
        in_order = in_blocks and c.distinct > label.distinct and bool((steps >= 0).all() or (steps <= 0).all())
        why = "its values only rise or only fall from row to row, as the classes are ordered in the file"
        if in_order and not any(o.role in _COMPARED for k, o in enumerate(columns) if k != j):
            leave = Choice(f"Leave {f.who} out", roles=((c.name, "ignore"),))
            guesses.append(Guess(f"{f.who} may give the label away: {why}.", (leave,)))
        elif repeats or in_order:
            why = f"it repeats {label.who}" if repeats else why
            columns[j] = dataclasses.replace(c, role="ignore", reason=why, others=())
            use = Choice(f"Use {f.who}", roles=((c.name, c.role),))
            guesses.append(Guess(f"{f.who} is left out: {why}, and would give the label away.", (use,)))
    return guesses
