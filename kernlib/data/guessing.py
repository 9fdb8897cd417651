"""Guess the label, the group and the roles of a table's columns together, and describe each guess."""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from ..values.labels import are_classes
from .guesses import NUMERIC, Choice, Guess, Role
from .numbers import tells_mark
from .roles import OWNERS, Column, Facts, counts_rows, facts_of, has_fraction, role_from
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
#: How the reason begins where the mark of the decimals is in doubt.
_COMMA = "the mark is in doubt"
#: 8.1 and 8.10 may be sections or versions, 8.05 is a number.
_SECTION = re.compile(r"\d{1,3}[.,](0|[1-9]\d{0,2})")
#: Parts of names of columns whose value several rows share because they have one origin.
_SHARED = OWNERS - {"id"} | frozenset({
    "animal", "batch", "block", "cage", "center", "centre", "clinic", "donor", "family", "farm", "hospital", "house",
    "household", "litter", "mouse", "plate", "plot", "rat", "recording", "school", "session", "site", "speaker",
    "writer",
})  # fmt: skip
_COMPARED: tuple[Role, ...] = ("numeric", "categorical", "sequence", "text")
#: How a role is described, and the button that chooses it.
_WORDS: dict[Role, tuple[str, str]] = {
    "id": ("{} names the rows and is left out of the comparison", "{} names the rows"),
    "numeric": ("{} is used as a number", "Use {} as a number"),
    "decimal comma": ("{} is used as a number", "Use {} as a number"),
    "categorical": ("{} is used as a category", "Use {} as a category"),
    "sequence": ("{} is read as sequences", "Read {} as sequences"),
    "text": ("{} is read as texts", "Read {} as texts"),
    "group": ("Rows with the same {} are not divided between training and test rows", "{} groups the rows"),
    "ignore": ("{} is left out", "Leave {} out"),
}


def guessed(
    names: Sequence[str], cells: npt.NDArray[np.object_], semicolons: bool = False, decimal: str = ""
) -> tuple[tuple[Column, ...], tuple[Guess, ...]]:
    """Return the columns of a table (n, columns) with their roles, and the guesses.

    A missing cell is empty, or one of the markers for it, such as "NA". `semicolons` is True if semicolons separate the
    cells, as with decimal commas; `decimal` is the mark of the decimals, "" guesses.
    """
    facts = [facts_of(name, cells[:, j], None) for j, name in enumerate(names)]
    marks = {
        f.writing.decimal for f in facts
        if f.writing and not f.writing.unsure and has_fraction(f) and tells_mark(f.values)
    }  # fmt: skip
    comma = "," in marks if len(marks) == 1 else (True if semicolons and not marks else None)
    comma = decimal == "," if decimal else comma
    if comma or decimal:
        facts = [facts_of(name, cells[:, j], comma) for j, name in enumerate(names)]
    numbers = [f for f in facts if f.numbers is not None]
    counting = {f.name: why for f in numbers if (why := counts_rows(f))}
    if len(counting) > max(2, len(numbers) // 2):  # ranks or intensities have many such columns
        counting = {}
    columns = [role_from(f, counting.get(f.name, "")) for f in facts]
    if decimal:
        columns = [dataclasses.replace(c, writing=dataclasses.replace(c.writing, unsure=False)) for c in columns]
    else:
        _mixed_marks(facts, columns)
    guesses = _choose_label(facts, columns)
    guesses += _class_or_number(facts, columns)
    _owners(facts, columns)
    _choose_group(columns)
    leaks = _leaks(facts, columns)
    _keep_one(facts, columns, counting)
    compared = [c for c in columns if c.role in _COMPARED]
    columns = [
        dataclasses.replace(c, question=c.question and (len(compared) > 1 or c.reason.startswith((_ALONE, _COMMA))))
        for c in columns
    ]
    guesses += [guess for f, c in zip(facts, columns, strict=True) if (guess := _guess_of(f, c))]
    return tuple(columns), (*guesses, *_missing_codes(facts, columns), *leaks)


def _keep_one(facts: list[Facts], columns: list[Column], counting: dict[str, str]) -> None:
    """Compare the rows by what identifies them, a number or a name, where no other column can be compared."""
    if any(c.role in _COMPARED for c in columns):
        return
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        if c.role == "id" and c.others and not f.numbers_rows_by_name:
            role: Role = "numeric" if c.name in counting else "text" if any(" " in w for w in f.values) else "sequence"
            reason = f"{_ALONE}, although {c.reason}"
            columns[j] = dataclasses.replace(c, role=role, reason=reason, others=("id",),
                                             question=role != "numeric" and len(columns) > 1)  # fmt: skip
            return


def _guess_of(f: Facts, c: Column) -> Guess | None:
    """Return the guess of one column's role, with the other roles as choices; None where the role is certain."""
    who = shortened(c.name)
    as_words = Choice(f"Use {who} as a category", roles=((c.name, "categorical"),))
    if c.code and f.numbers is None:
        times = sum(word in c.codes for word in f.words)
        what = shortened(", ".join(c.codes))
        missing = f"{what} {'is a missing value' if len(c.codes) == 1 else 'are missing values'}"
        return Guess(
            f"{who} holds numbers, and {what} {'once' if times == 1 else f'{times} times'}.",
            (Choice(missing, roles=((c.name, "code missing"),)), as_words),
            question=True,
        )
    if c.role == "numeric" and c.writing.measured:
        example = next(word for word in f.words if word in f.values)
        sentence = f"{who} is read as numbers with the unit {c.writing.unit}: {shortened(example)} is "
        return Guess(f"{sentence}{c.writing.number(example):g}.", (as_words,), question=True)
    if c.role in ("numeric", "categorical") and c.question and c.reason.startswith(_COMMA):
        ways = tuple(Choice(_WORDS[role][1].format(who), roles=((c.name, role),)) for role in c.others)
        return Guess(f"{_WORDS[c.role][0].format(who)}: {c.reason}.", ways, question=True)
    if c.role == "numeric" and c.writing.unsure:
        example = next(word for word in f.words if re.search(r"[.,]", word) and word in f.values)
        other: Role = "decimal point" if c.writing.decimal == "," else "decimal comma"
        mark = "the decimals" if c.writing.decimal == "," and "," in example else "thousands"
        sign = "comma" if "," in example else "point"
        return Guess(
            f"{who} is read as numbers{c.writing.words}: {shortened(example)} is {c.writing.number(example):g}, the "
            f"{sign} separates {mark}.",
            (Choice(f"The {sign} separates {'thousands' if mark != 'thousands' else 'the decimals'}",
                    roles=((c.name, other),)),),
        )  # fmt: skip
    if c.others and c.role in _WORDS:
        choices = tuple(Choice(_WORDS[role][1].format(who), roles=((c.name, role),)) for role in c.others)
        return Guess(f"{_WORDS[c.role][0].format(who)}: {c.reason}.", choices, c.question)
    return None


def _missing_codes(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Return one question about the numbers that may stand for missing answers, in all columns."""
    coded = [
        (f, c) for f, c in zip(facts, columns, strict=True) if c.code and c.role == "numeric" and f.numbers is not None
    ]
    if not coded:
        return []
    times = Counter(word for f, c in coded for word in f.words if word in c.codes)
    numbers = " and ".join(f"{word} ({count} times)" for word, count in times.most_common(4))
    who = ", ".join(shortened(c.name) for _, c in coded[:3]) + (", …" if len(coded) > 3 else "")
    missing: tuple[tuple[str, Role], ...] = tuple((c.name, "code missing") for _, c in coded)
    kept: tuple[tuple[str, Role], ...] = tuple((c.name, "numeric") for _, c in coded)
    are = "They are" if len(times) > 1 else f"{next(iter(times))} is"
    ways = (
        Choice(f"{are} missing", roles=missing),
        Choice(f"{are} {'numbers' if len(times) > 1 else 'a number'}", roles=kept),
    )
    return [Guess(f"{numbers} in {who} may stand for missing answers; read as numbers.", ways, question=True)]


def _mixed_marks(facts: list[Facts], columns: list[Column]) -> None:
    """Ask about columns with a decimal comma in a file of decimal points, and about 8.1 beside 8.10."""
    points = any(
        c.role in NUMERIC and f.writing and f.writing.decimal == "." and has_fraction(f) and tells_mark(f.values)
        for f, c in zip(facts, columns, strict=True)
    )
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        if c.role != "numeric" or f.numbers is None or f.writing is None or not has_fraction(f):
            continue
        comma = f.writing.decimal == "," and points
        spelt: dict[float, str] = {}
        equal: list[str] | None = None
        for word in sorted(f.values):
            other = spelt.setdefault(f.writing.number(word) or 0.0, word)
            equal = equal or (sorted((word, other)) if other != word else None)
        if equal is None and not comma:
            continue
        sections = equal is not None and all(_SECTION.fullmatch(word) for word in f.values)
        if comma and sections and equal:
            reason = f"{_COMMA}: {equal[0]} and {equal[1]} would be equal numbers, other columns have decimal points"
            columns[j] = dataclasses.replace(
                c, role="categorical", reason=reason, others=("decimal comma",), question=True
            )
        elif comma:
            reason = f"{_COMMA}: it has decimal commas, other columns have decimal points"
            columns[j] = dataclasses.replace(c, reason=reason, others=("categorical",), question=True)
        elif sections and equal:
            reason = f"{_COMMA}: {equal[0]} and {equal[1]} are equal numbers"
            columns[j] = dataclasses.replace(c, reason=reason, others=("categorical",), question=True)


def _choose_label(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Choose at most one label: by its name, else by its place, where what remains can be its input."""
    named = [j for j, column in enumerate(columns) if column.role == "label"]
    if any(columns[j].distinct == 1 for j in named):  # one value is no class where another column has several
        several = [dataclasses.replace(c, role="ignore") if c.distinct == 1 else c for c in columns]
        another = _unnamed_label(facts, several)[0] is not None or _ends_in_series(several)
        if any(columns[j].distinct > 1 for j in named) or another:
            columns[:] = several
            named = [j for j in named if columns[j].role == "label"]
    last = columns[-1]
    # x, y and more: y is a coordinate beside x.
    coordinate = [j for j in named if facts[j].plain == "y" and j and facts[j - 1].plain == "x"]
    coordinate = [j for j in coordinate if any(c.role in _COMPARED for c in columns[j + 1 :])]
    beside = coordinate or len(named) > 1 or (last.role == "categorical" and 1 < last.distinct <= facts[0].n / 2)
    if beside and any(f.plain == "x" for f in facts):  # beside x and a class, y is a coordinate
        for place in (j for j in named if facts[j].plain == "y"):
            alone = role_from(dataclasses.replace(facts[place], name=""))
            columns[place] = dataclasses.replace(alone, name=facts[place].name)
        named = [j for j in named if columns[j].role == "label"]
    if named:
        first, *others = named
        for other in others:
            columns[other] = dataclasses.replace(
                columns[other], role="ignore", reason=f"{shortened(columns[first].name)} is the label already"
            )
        if not others:
            return []
        alike, label = ", ".join(shortened(columns[j].name) for j in named), columns[first].name
        sentence = f"{alike} are all named like a label: {shortened(label)} is the label, the others are left out."
        return [Guess(sentence, tuple(_as_label(columns[j].name, label) for j in others[:4]))]
    j, why = _unnamed_label(facts, columns)
    if j is None and (series := _ends_in_series(columns)):
        return [Guess(f"{' … '.join(map(shortened, series))} are numbered alike, so none of them is the label.",
                      (Choice(f"{shortened(series[-1])} is the label", roles=((series[-1], "label"),)),))]  # fmt: skip
    if j is None:
        return _label_or_feature(facts, columns)
    role = columns[j].role
    either = _first_or_last(facts, columns)
    columns[j] = dataclasses.replace(columns[j], role="label", reason=why, others=(), question=False)
    # With names, a class in front is as likely as a target at the end.
    at_end = columns[-1].role == "numeric" and columns[-1].name != f"x{len(columns)}"
    x = facts[j].numbers
    in_steps = x is not None and len(x) > 4 and bool((np.diff(x) == 1).all())
    question = bool(either or coordinate) or (j == 0 and len(columns) > 2 and at_end) or in_steps
    categories = [
        c.name for f, c in zip(facts, columns, strict=True)
        if 1 < c.distinct <= max(2, f.n // 5) and (c.role == "categorical" or _are_codes(f.numbers))
    ]  # fmt: skip
    likely = [columns[k].name for k in either or coordinate or ([-1] if j == 0 else [])]
    # Where the sentence names the other candidate, that one alone is offered; roles change in the table below it.
    categories = likely if either or coordinate else [name for name in categories if name not in likely] + likely
    categories = [name for name in categories if name != columns[j].name]
    without = Choice("There is no label", roles=((columns[j].name, "numeric" if role in NUMERIC else "categorical"),))
    sentence = f"{shortened(columns[j].name)} is read as the label: {why}."
    if either or coordinate:
        sentence += f" {shortened(categories[-1])} could be the label as well."
    choices = (without, *(_as_label(name, columns[j].name, role) for name in categories[-4:]))
    return [Guess(sentence, choices, question)]


def _label_or_feature(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Ask whether the second of two columns of real numbers is a target; both are features until then."""
    used = [c for c in columns if c.role not in ("id", "ignore", "group")]
    if len(used) != 2 or facts[0].n < _ENOUGH or any(c.role != "numeric" or c.code for c in used):
        return []
    first, last = (shortened(c.name) for c in used)
    target = Choice(f"{last} is the label", roles=((used[1].name, "label"),))
    both = Choice("Both are features", roles=((used[1].name, "numeric"),))
    return [Guess(f"{first} and {last} are read as two features without a label.", (target, both), question=True)]


def _class_or_number(facts: list[Facts], columns: list[Column]) -> list[Guess]:
    """Return the guessed task for a label of whole numbers, which could be classes or real targets."""
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    x = None if label is None else facts[label].numbers
    if label is None or x is None or not facts[label].whole or not 3 < columns[label].distinct <= 100:
        return []
    who, many = shortened(columns[label].name), f"{columns[label].distinct} different numbers"
    same: tuple[tuple[str, Role], ...] = ((columns[label].name, "label"),)  # the guess ends with another label
    if are_classes(x):
        number = Choice("They are numbers", roles=same, task="regression")
        return [Guess(f"The {many} in {who} are read as classes.", (number,))]
    classes = Choice("They are classes", roles=same, task="classification")
    return [Guess(f"The {many} in {who} are read as numbers, not as classes.", (classes,))]


def _unnamed_label(facts: list[Facts], columns: list[Column]) -> tuple[int | None, str]:
    """Return the column that its place makes the label, and why; None where no column can be one."""
    used = [j for j, c in enumerate(columns) if c.role not in ("id", "ignore")]
    if len(columns) < 2 or not used:
        return None, ""
    n, end = facts[0].n, used[-1]
    first, last = columns[used[0]], columns[end]
    compared = [j for j in used if columns[j].role in _COMPARED]
    strings = [j for j in compared if columns[j].role in ("sequence", "text")]
    rest = [j for j in compared if j not in strings and columns[j].distinct > 1]
    beside_one = len(strings) == 1 and (len(rest) == 1 or (strings[0] == end and n >= _ENOUGH))
    classes = len(rest) == 1 and (_are_codes(facts[rest[0]].numbers) or 2 * columns[rest[0]].distinct <= n)
    if rest and strings and (beside_one or classes):
        kind = "sequences" if columns[strings[0]].role == "sequence" else "texts"
        likely = [j for j in rest if 2 * columns[j].distinct <= n] or rest
        return likely[-1], f"the column beside the {kind} {shortened(columns[strings[0]].name)}, {BY_PLACE}"
    if either := _first_or_last(facts, columns):
        where = {used[0]: "first", end: "last"}.get(either[0], "only nominal")
        return either[0], f"the {where} column, {columns[either[0]].distinct} distinct values, {BY_PLACE}"
    # A last column "group" without a label beside it holds the classes, e.g. the treatment.
    nominal = last.role == "categorical" or (last.role == "group" and last.name.strip().lower().startswith("group"))
    if nominal and last.distinct > 1:
        return end, f"the last column, {last.distinct} distinct values, {BY_PLACE}"
    few, targets = facts[used[0]].numbers, facts[end].numbers
    if last.role == "numeric" and len(compared) > 1:
        series = bool(_ends_in_series(columns))
        if (
            n >= _ENOUGH
            and first.role == "numeric"
            and facts[used[0]].plain != "x"
            and _are_codes(few)
            and not _are_codes(targets)
        ):
            return used[0], f"the first column, {first.distinct} distinct whole numbers, {BY_PLACE}"
        if not series and _are_codes(targets) and n > 3 and (n >= _ENOUGH or not _are_codes(few)):
            return end, f"the last column, {last.distinct} distinct whole numbers, {BY_PLACE}"
        if not series and n >= _ENOUGH and len(compared) > 2:
            return end, f"the last column, a number, {BY_PLACE}"
    if first.role == "categorical" and last.role != "categorical" and len(compared) > 1 and 1 < first.distinct <= n / 2:
        return used[0], f"the first column, {first.distinct} distinct values, {BY_PLACE}"
    return None, ""


def _first_or_last(facts: list[Facts], columns: list[Column]) -> tuple[int, ...]:
    """Return two columns, one of them the last, where either could be the label, the likelier in front; () elsewhere.

    In a table without names that is the only column of words among numbers, and else the first, if both first and last
    are nominal. The words of a label occur in no other column: where this holds for the last column and not for the
    first, the last is certainly the label. The first is likelier where all columns are nominal and this holds for it
    alone, or it has fewer words than the last.
    """
    used = [j for j, c in enumerate(columns) if c.role in _COMPARED and c.distinct > 1]
    if len(used) < 3 or any(c.name != f"x{j + 1}" for j, c in enumerate(columns)):
        return ()
    first, last = used[0], used[-1]
    nominal = [j for j in used if columns[j].role == "categorical" or _are_codes(facts[j].numbers)]
    words = [j for j in used if columns[j].role != "numeric"]
    if len(words) == 1 and last not in nominal and columns[words[0]].distinct <= min(_CLASSES, facts[0].n // 2):
        return (words[0], last) if columns[words[0]].role == "categorical" else ()
    if not {first, last} <= {*nominal}:
        return ()
    in_words = facts[first].numbers is None
    most = min(_CLASSES if in_words else _CODES, facts[0].n // 2)
    if columns[first].distinct > most or columns[last].distinct > facts[0].n // 2:
        return ()
    own = {j: 2 * len(facts[j].values & _values_of(facts, used, j)) <= len(facts[j].values) for j in (first, last)}
    if own[last] and not own[first]:
        return ()
    likelier = (own[first] and not own[last]) or (in_words and columns[first].distinct < columns[last].distinct)
    return (first, last) if likelier and len(nominal) == len(used) else (last, first)


def _values_of(facts: list[Facts], used: list[int], but: int) -> set[str]:
    """Return the values of all used columns but one."""
    return set().union(*(facts[j].values for j in used if j != but))


def _ends_in_series(columns: list[Column]) -> tuple[str, ...]:
    """Return the names of the columns at the end that are numbered alike, three or more: Otu1, Otu2, Otu3."""
    series, before = list[str](), ("", 0)
    for name in (c.name for c in reversed(columns) if c.role in _COMPARED):
        stem = name.rstrip("0123456789")
        number = int(name[len(stem) :][:9] or -1)
        if number < 0 or stem.strip(" _-.").lower() in _ANY_COLUMN:
            break
        if series and (stem, number) != before:
            break
        series.append(name)
        before = (stem, number - 1)
    return (series[-1], series[0]) if len(series) > 2 else ()


def _are_codes(numbers: npt.NDArray[np.float64] | None) -> bool:
    """Return whether numbers look like the codes of classes, each with two rows or more on average."""
    return numbers is not None and are_classes(numbers) and 1 < len(np.unique(numbers)) <= len(numbers) / 2


def _as_label(name: str, instead_of: str, role: Role = "ignore") -> Choice:
    return Choice(f"{shortened(name)} is the label", roles=((instead_of, role), (name, "label")))


def _choose_group(columns: list[Column]) -> None:
    groups = [j for j, column in enumerate(columns) if column.role == "group"]
    for j in groups[1:]:
        columns[j] = dataclasses.replace(
            columns[j], role="ignore", reason=f"{shortened(columns[groups[0]].name)} is the group already"
        )


def _owners(facts: list[Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[int]:
    """Make groups of columns whose values repeat, each with one label: families, cages, plates; return their places.

    As a feature such a column lets a machine look the label up, and the error says nothing of new families. A column of
    words or whole numbers is asked about; one that is named like an owner of rows needs no question. Numbers without
    such a name must order the labels no better than a shuffle does, as a threshold of a feature would.
    """
    label = next((j for j, column in enumerate(columns) if column.role == "label"), None)
    if label is None or facts[label].n < _ENOUGH or facts[label].missing or any(c.role == "group" for c in columns):
        return []
    n, labels = facts[label].n, facts[label].words.tolist()
    classes = facts[label].distinct
    if not 1 < classes <= n / 4:
        return []
    found: list[int] = []
    for j, (f, c) in enumerate(zip(facts, columns, strict=True)):
        whole = c.role == "numeric" and f.whole and not f.missing
        if not (whole or c.role == "categorical") or c.name in kept or c.missing:
            continue
        if not max(5, 2 * classes) < f.distinct <= n / 2:
            continue
        label_of: dict[str, str] = {}
        if any(label_of.setdefault(word, y) != y for word, y in zip(f.words.tolist(), labels, strict=True)):
            continue
        named = bool(_SHARED & f.parts)
        if whole and not named:
            assert f.numbers is not None
            by_size = np.array([label_of[str(f.words[i])] for i in np.unique(f.numbers, return_index=True)[1]])
            if (by_size[1:] != by_size[:-1]).mean() < 0.3:
                continue
        others: tuple[Role, ...] = (c.role, "ignore")
        reason = f"its {f.distinct} values repeat, and all rows of a value have one {shortened(columns[label].name)}"
        role: Role = "group" if not found else "ignore"
        columns[j] = dataclasses.replace(c, role=role, reason=reason, others=others, question=not named)
        found.append(j)
    return found


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
    asked = [guess for j in owners if (guess := _guess_of(facts[j], remaining[j]))]
    return tuple(remaining), (*asked, *guesses)


def _leaks(facts: list[Facts], columns: list[Column], kept: Sequence[str] = ()) -> list[Guess]:
    """Set columns aside that repeat the label or order the rows by class; return a guess for each."""
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
        why, alone = "", False
        if c.distinct == classes and len(set(zip(f.words, y.tolist(), strict=True))) == classes:
            why = f"it repeats {shortened(columns[label].name)}"
        elif (
            in_blocks and c.role == "numeric" and f.numbers is not None and c.distinct > classes
            and np.isfinite(f.numbers).all()
        ):  # fmt: skip
            steps = np.diff(f.numbers)
            if (steps >= 0).all() or (steps <= 0).all():
                why = "its values only rise or only fall from row to row, as the classes are ordered in the file"
                alone = not any(o.role in _COMPARED for k, o in enumerate(columns) if k != j)
        if alone:
            leave = Choice(f"Leave {shortened(c.name)} out", roles=((c.name, "ignore"),))
            guesses.append(Guess(f"{shortened(c.name)} may give the label away: {why}.", (leave,)))
        elif why:
            columns[j] = dataclasses.replace(c, role="ignore", reason=why, others=())
            use = Choice(f"Use {shortened(c.name)}", roles=((c.name, c.role),))
            guesses.append(Guess(f"{shortened(c.name)} is left out: {why}, and would give the label away.", (use,)))
    return guesses
