"""Tables as other programs write them: what is read as a name, a number, a gap, a label; and what is said of it."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kernlib import RBF, Standardized
from kernlib.data import Dataset, Table, read_table, read_upload
from kernlib.errors import DataError
from kernlib.experiments import UPLOAD, RunSpec, sweep
from kernlib.machines import SVM
from kernlib.protocols import RepeatedSplits
from kernlib.values.labels import are_classes, read_labels

from .builders import npz

N = 60
RNG = np.random.default_rng(7)
#: Pure noise, sorted by class.
NOISE = pd.DataFrame({
    "a": RNG.normal(size=N).round(3), "b": RNG.normal(size=N).round(3), "kind": ["u"] * (N // 2) + ["v"] * (N // 2)
})  # fmt: skip


def table(raw: str, **more: Any) -> Table:
    return read_table(raw.encode(), "t.csv", **more)


def sentences(result: Table) -> str:
    return " ".join(guess.sentence for guess in result.guesses)


def r_lines(mark: str, header: str) -> str:
    """What R's write.csv and write.table write: names of rows in quotes, numbers from 1 on."""
    rows = NOISE.values.tolist()
    return header + "".join(f'"{i + 1}"{mark}{a}{mark}{b}{mark}"{k}"\n' for i, (a, b, k) in enumerate(rows))


def numbered(start: int = 0, step: int = 1) -> pd.DataFrame:
    return NOISE.assign(number=np.arange(N) * step + start)[["number", "a", "b", "kind"]]


EXPORTS: dict[str, Callable[[], str]] = {
    "to_csv": lambda: NOISE.to_csv(),
    "to_csv twice": lambda: NOISE.reset_index().rename(columns={"index": "Unnamed: 0"}).to_csv(index=False),
    "to_csv, shuffled": lambda: NOISE.sample(frac=1, random_state=1).to_csv(),
    "to_csv of a part": lambda: pd.concat([NOISE] * 3, ignore_index=True).sample(N, random_state=2).to_csv(),
    "to_csv, index twice": lambda: pd.concat([NOISE, NOISE]).to_csv(),
    "to_csv, two indices": lambda: NOISE.set_index([NOISE.kind.rename(""), pd.Series([*range(N // 2)] * 2)]).to_csv(),
    "to_csv, an index that repeats": lambda: (
        pd.concat([NOISE, NOISE]).reset_index(names="Unnamed: 0").to_csv(index=False)
    ),
    "write.csv": lambda: r_lines(",", '"","a","b","kind"\n'),
    "write.csv2": lambda: r_lines(";", '"";"a";"b";"kind"\n').replace(".", ","),
    "write.table": lambda: r_lines(" ", '"a" "b" "kind"\n'),
    "write.table, tabs": lambda: r_lines("\t", "a\tb\tkind\n"),
    "counted": lambda: numbered().to_csv(index=False),
    "counted backwards": lambda: numbered(N, -1).to_csv(index=False),
    "going up": lambda: numbered(5, 3).to_csv(index=False),
    "times": lambda: numbered().assign(number=lambda d: (d.number * 0.37).round(2)).to_csv(index=False),
    "numbers of customers": lambda: NOISE.assign(customer_no=RNG.permutation(10**6)[:N]).to_csv(index=False),
    "the label's code": lambda: NOISE.assign(code=np.repeat([3, 8], N // 2)).to_csv(index=False),
}  # fmt: skip


@pytest.mark.parametrize("case", EXPORTS)
def test_what_numbers_the_rows_is_no_feature(case: str) -> None:
    result = table(EXPORTS[case]())
    if case in ("numbers of customers", "the label's code"):  # then the last column is not the label's
        result = result.with_roles({"kind": "label"})
    data = result.to_dataset()
    assert data.columns == ("a", "b"), result.roles
    assert set(data.class_counts) == {"u", "v"}
    assert np.abs(data.rows).max() < 5


def test_noise_sorted_by_class_has_the_error_of_chance() -> None:
    errors = []
    for case in ("to_csv", "to_csv, shuffled", "write.table", "counted", "times"):
        data = read_upload("t.csv", EXPORTS[case]().encode()).dataset()
        spec = RunSpec(UPLOAD + data.digest, Standardized(RBF(sigma=1.0)), SVM(), RepeatedSplits(repeats=20))
        errors.append(np.mean([r.score for r in sweep(spec, data)]))
    assert min(errors) > 0.4
    assert max(errors) < 0.62


def test_what_is_left_out_is_said_and_one_press_away() -> None:
    result = table(EXPORTS["going up"]())
    (guess,) = [g for g in result.guesses if "'number'" in g.sentence]
    assert "names the rows" in guess.sentence
    (choice,) = guess.choices
    again = read_upload("t.csv", EXPORTS["going up"]().encode(), **choice.asked)
    assert again.dataset().columns == ("number", "a", "b")
    assert again.table is not None
    assert not any("'number'" in g.sentence for g in again.table.guesses)
    leak = table(EXPORTS["the label's code"]()).with_roles({"kind": "categorical"})
    assert leak.roles["code"] == "label"
    both = table(NOISE.assign(label=np.repeat([0, 1], N // 2)).to_csv(index=False))
    assert both.roles["kind"] == "ignore"
    assert "would give the label away" in sentences(both)


def test_an_array_whose_column_counts_the_rows_says_so() -> None:
    rows = np.column_stack([np.arange(20), RNG.normal(size=20)])
    assert "Column x1 counts the rows" in Dataset("t", "T", "vector", rows).warnings[0]
    assert not Dataset("t", "T", "vector", rows[::2]).warnings


def test_ranks_and_intensities_keep_their_columns() -> None:
    frame = pd.DataFrame({f"g{j}": RNG.permutation(N) for j in range(8)}).assign(y=["u", "v"] * (N // 2))
    assert table(frame.to_csv(index=False)).to_dataset().d == 8


def test_the_only_column_is_kept_and_it_is_said() -> None:
    result = table("t,y\n" + "".join(f"{i},{i % 7 / 3:.3f}\n" for i in range(N)))
    assert result.to_dataset().columns == ("t",)
    assert "no other column to compare" in sentences(result)


WRITTEN = {
    "decimal comma": (["1,5", "-2,25", "3"], [1.5, -2.25, 3.0]),
    "decimal comma, thousands apart": (["1.234,5", "12,25", "0,5"], [1234.5, 12.25, 0.5]),
    "thousands": (["12,345", "1,234,567", "12"], [12345.0, 1234567.0, 12.0]),
    "thousands, decimals": (["12,345.5", "1,000.25", "3"], [12345.5, 1000.25, 3.0]),
    "blanks apart": (["12 345", "1 000", "3"], [12345.0, 1000.0, 3.0]),
    "percent": (["12 %", "3.5 %", "100 %"], [12.0, 3.5, 100.0]),
    "percent, decimal comma": (["12,5%", "3%", "0,25%"], [12.5, 3.0, 0.25]),
    "dollars": (["$1,200.50", "$3.00", "$12"], [1200.5, 3.0, 12.0]),
    "euros": (["1.200,50 €", "3,00 €", "12,00 €"], [1200.5, 3.0, 12.0]),
    "a typesetter's minus": (["\u22121.5", "2", "\u22123"], [-1.5, 2.0, -3.0]),
    "powers": (["1e3", "2.5E-2", "3"], [1000.0, 0.025, 3.0]),
}


@pytest.mark.parametrize("case", WRITTEN)
def test_numbers_as_people_write_them(case: str) -> None:
    words, values = WRITTEN[case]
    raw = "x;kind\n" + "".join(f"{w};{'ab'[i % 2]}\n" for i, w in enumerate(words * 4))
    result = table(raw, roles={"x": "decimal point"} if case == "thousands" else None)
    assert result.to_dataset("vector").rows[: len(values), 0].tolist() == values
    if case not in ("powers", "thousands", "a typesetter's minus"):
        assert result.columns[0].reason.startswith("every cell is a number ")  # and how it is written


def test_a_comma_that_could_be_either_is_said() -> None:
    raw = 'x,z,kind\n"12,345",1.5,a\n"1,234",2.5,b\n"2,100",0.5,a\n'
    result = table(raw)
    assert result.to_dataset("vector").rows[0].tolist() == [12345.0, 1.5]
    assert "the comma separates thousands" in sentences(result)
    (choice,) = next(g for g in result.guesses if "'x'" in g.sentence).choices
    assert table(raw, roles=choice.asked["roles"]).to_dataset("vector").rows[0, 0] == 12.345
    # Among decimal commas the same cells have decimals, and a point parts thousands.
    other = table("x;z;t;kind\n12,345;1,5;1.200;a\n1,234;2,5;2.500;b\n")
    assert other.to_dataset("vector").rows[0].tolist() == [12.345, 1.5, 1200.0]


def test_a_number_that_several_rows_share_says_which_belong_together() -> None:
    raw = "customer_id,x,kind\n" + "".join(f"{1000 + i // 3},{i * i % 7 / 2},{'ab'[i % 2]}\n" for i in range(30))
    result = table(raw)
    assert result.roles == {"customer_id": "group", "x": "numeric", "kind": "label"}
    assert "Rows with the same 'customer_id' are not divided" in sentences(result)
    assert len(set(result.to_dataset().groups or ())) == 10


def test_words_are_no_numbers() -> None:
    for words in (["$1", "2 €"], ["1,2,3", "4,5"], ["1-2", "3-4"], ["007", "012"], ["1.2.3", "4.5"]):
        raw = "x;kind\n" + "".join(f"{w};{'ab'[i % 2]}\n" for i, w in enumerate(words * 4))
        assert table(raw).roles["x"] == "categorical", words


@pytest.mark.parametrize("gap", ["", "NA", "N/A", "?", ".", "nan", "#N/A", "-", "none", "None", "missing"])
def test_what_stands_for_a_missing_number(gap: str) -> None:
    result = table("x,kind\n" + "".join(f"{gap if i % 5 == 1 else i * 1.5},{'ab'[i % 2]}\n" for i in range(20)))
    assert (result.roles["x"], result.missing) == ("numeric", 4)
    assert result.to_dataset(missing="mean").missing == 4


def test_a_word_such_as_none_is_a_category_and_999_is_asked() -> None:
    words = table("pain,y\n" + "".join(f"{('none', 'mild', 'severe')[i % 3]},{i % 2}\n" for i in range(12)))
    assert words.missing == 0
    raw = "x,kind\n" + "".join(f"{-999 if i % 5 == 1 else i % 7 + 0.5},{'ab'[i % 2]}\n" for i in range(20))
    result = table(raw)
    assert result.missing == 0
    (guess,) = [g for g in result.guesses if "-999" in g.sentence]
    taken = table(raw, roles=guess.choices[0].asked["roles"])
    assert taken.missing == 4
    assert taken.to_dataset(missing="mean").complete().rows.min() > 0
    with pytest.raises(DataError, match="has 4 missing cells"):
        taken.to_dataset()
    assert table(raw.replace("-999", "9")).guesses[1:] == ()


Cell = Callable[[int], object]


def lines(n: int, *cells: Cell, mark: str = ",") -> str:
    return "".join(mark.join(str(cell(i)) for cell in cells) + "\n" for i in range(n))


DNA = ["".join(RNG.choice(list("ACGT"), 15)) for _ in range(30)]


def third(i: int) -> object:
    return i / 3


def fifth(i: int) -> object:
    return i % 5 + 0.5


def kind(i: int) -> object:
    return "ab"[i % 2]


def cap(i: int) -> object:
    return "xyz"[i % 3]


def odour(i: int) -> object:
    return "pq"[i // 2 % 2]


def saved() -> str:
    stream = io.StringIO()
    np.savetxt(stream, np.column_stack([[third(i) for i in range(12)], np.arange(12) % 5 / 3, np.arange(12) % 2]),
               fmt="%.6g", header="made by hand\nx z kind")  # fmt: skip
    return stream.getvalue()


XZ, X1 = ("x", "z"), ("x1", "x2")
FIRST: dict[str, tuple[str, int, tuple[str, ...]]] = {
    # the file, its rows, its features
    "names": ("x,z,kind\n" + lines(12, third, fifth, kind), 12, XZ),
    "none": (lines(12, third, fifth, kind), 12, X1),
    "none, blanks": (lines(12, third, fifth, kind, mark=" "), 12, X1),
    "none, many blanks": (lines(12, lambda i: f"  {i / 3:.2f}", fifth, lambda i: i % 2, mark="   "), 12, X1),
    "none, tabs, words": (lines(12, kind, lambda i: DNA[i], mark="\t"), 12, ()),
    "none, all words": (lines(12, cap, odour, kind), 12, X1),
    "names, all words": ("cap,odour,kind\n" + lines(12, cap, odour, kind), 12, ("cap", "odour")),
    "a gap in the first row": (",2.5,a\n" + lines(12, third, fifth, kind), 13, X1),
    "years": (
        "land,1990,1991,1992,kind\n" + lines(12, odour, fifth, third, fifth, kind), 12,
        ("land", "1990", "1991", "1992"),
    ),
    "a data frame without names": ("0,1,2\n" + lines(12, third, fifth, kind), 12, ("0", "1")),
    "numpy.savetxt": (saved(), 12, XZ),
    "bars": ("x|z|kind\n" + lines(12, third, fifth, kind, mark="|"), 12, XZ),
    "a mark at the end": ("x,z,kind,\n" + lines(12, third, fifth, kind, lambda i: ""), 12, XZ),
}  # fmt: skip


@pytest.mark.parametrize("case", FIRST)
def test_the_first_line(case: str) -> None:
    raw, n, features = FIRST[case]
    result = table(raw)
    data = result.to_dataset(missing="drop" if "gap" in case else "refuse")
    assert result.n == n
    assert data.columns == features
    assert len(data.classes) == 2, result.roles


def test_comments_above_are_left_out_and_said_but_no_rows() -> None:
    result = table("# made by hand, 2021\n" + FIRST["names"][0])
    assert result.to_dataset().columns == XZ
    assert "is read as a comment" in sentences(result)
    assert "comment" not in sentences(table(saved()))
    for prose in ('# he said "no", twice', '#""', "# " + "a, " * 200):
        assert table(prose + "\n" + FIRST["names"][0]).n == 12
    words = table("".join(f"#{'ab'[i % 2]},{i % 7 / 2}\n" for i in range(20)))
    assert words.n == 20


def test_the_first_line_can_be_said() -> None:
    raw = FIRST["none, all words"][0]
    (guess, *_) = table(raw).guesses
    assert "read as data" in guess.sentence
    assert table(raw, **guess.choices[0].asked).n == 11
    assert table(FIRST["years"][0]).guesses[0].choices[0].asked == {"header": False}


def labelled(raw: str) -> tuple[str, str]:
    result = table(raw)
    name = next((c.name for c in result.columns if c.role == "label"), "")
    return name, (result.to_dataset(missing="drop").task or "") if name else ""


def test_which_column_is_the_label() -> None:
    real, few, word = (lambda i: round(np.sin(i), 3)), (lambda i: i % 3 + 1), (lambda i: "ab"[i % 2])
    assert labelled("p,q,price\n" + lines(20, real, lambda i: i % 6 / 4, real)) == ("price", "regression")
    assert labelled("p,q,won\n" + lines(20, real, real, lambda i: i % 2)) == ("won", "classification")
    assert labelled(lines(20, few, real, real)) == ("x1", "classification")  # as UCI writes wine
    assert labelled("kind,p,q\n" + lines(20, word, real, real)) == ("q", "regression")
    assert labelled("x,y,class\n" + lines(20, real, real, word)) == ("class", "classification")
    assert labelled("p,target,q\n" + lines(20, real, real, real)) == ("target", "regression")
    assert labelled("p,q\n" + lines(20, real, real)) == ("", "")
    assert labelled("p,won,id\n" + lines(20, real, word, lambda i: i)) == ("won", "classification")
    hours = table("p,q,hour\n" + lines(240, real, real, lambda i: i * 7 % 24))
    assert "The 24 different numbers in 'hour' are read as classes" in sentences(hours)
    assert hours.guesses[1].choices[0].task == "regression"
    several = table("p,label,target\n" + lines(20, real, word, few))
    assert several.roles == {"p": "numeric", "label": "label", "target": "ignore"}
    assert "'label', 'target' are all named like a label" in sentences(several)
    assert several.with_roles(several.guesses[0].choices[0].asked["roles"]).roles["target"] == "label"
    last = table("p,q,price\n" + lines(20, real, real, real))
    assert last.with_roles(last.guesses[0].choices[0].asked["roles"]).to_dataset().y is None


def test_sequences_and_molecules_beside_numbers_are_kept() -> None:
    mixed = table("dna,mass,kind\n" + lines(30, lambda i: DNA[i], lambda i: i % 7 / 2, lambda i: "ab"[i % 2]))
    data = mixed.to_dataset()
    assert (data.domain, data.kinds) == ("mixed", ("sequence", "vector"))
    smiles = ["C" * (i % 5 + 1) + "C(=O)N" + "C" * (i // 5) for i in range(30)]
    molecules = table("smiles,logp,active\n" + lines(30, lambda i: smiles[i], lambda i: np.sin(i), lambda i: i % 2))
    assert molecules.to_dataset().kinds == ("sequence", "vector")
    assert molecules.to_dataset("sequence").rows[3] == smiles[3]


@settings(max_examples=60, deadline=None)
@given(
    st.one_of(
        st.lists(st.integers(-3, 25), min_size=2, max_size=60),
        st.lists(st.sampled_from([0.5, 1.0, 1.5, 2.0]), min_size=2, max_size=40),
        st.integers(3, 60).map(lambda n: [i % (n // 2 + 1) for i in range(n)]),
    )
)
def test_every_reader_agrees_on_class_or_number(y: list[float]) -> None:
    expected = "classification" if are_classes(y) else "regression"
    rows = np.random.default_rng(0).normal(size=(len(y), 2))
    assert Dataset("t", "T", "vector", rows, y=y).task == expected
    assert Dataset("t", "T", "vector", rows, y=np.asarray(y, dtype=float)).task == expected
    for form in (str, lambda v: f"{float(v)}"):
        raw = "a,b,y\n" + "".join(f"{p},{q},{form(v)}\n" for (p, q), v in zip(rows.tolist(), y, strict=True))
        assert table(raw).to_dataset().task == expected
    for dtype in (np.float64, np.float32):
        assert read_upload("t.npz", npz(X=rows, y=np.asarray(y, dtype=dtype))).dataset().task == expected
    if len(set(y)) > 1:
        assert read_labels(y).task == read_labels(np.asarray(y, dtype=float)).task == expected
