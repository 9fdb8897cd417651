"""Files as real programs document and write them: each is read rightly, asked about, or refused by its name."""

from __future__ import annotations

import pytest

from kernlib.data import Choice, Upload, read_upload
from kernlib.data.guesses import Missing
from kernlib.errors import DataError

from .programs import PROGRAMS, Right

#: The files that are read, and those that are refused.
READ = {what: right for what, (_, _, right) in PROGRAMS.items() if isinstance(right, Right)}
REFUSED = {what: words for what, (_, _, words) in PROGRAMS.items() if isinstance(words, str)}


def opened(what: str, choice: Choice | None = None) -> Upload:
    name, raw, _ = PROGRAMS[what]
    return read_upload(name, raw if isinstance(raw, bytes) else raw.encode(), choice)


@pytest.mark.parametrize("what", READ)
def test_the_reading_is_right_or_asks(what: str) -> None:
    right, upload = READ[what], opened(what)
    sentences = " ".join(guess.sentence for guess in upload.guesses)
    assert (upload.domain, any(guess.question for guess in upload.guesses)) == (right.domain, right.asks), sentences
    missing: Missing = "mean" if upload.missing else "refuse"
    data = upload.dataset(missing=missing)
    assert data.n == right.n, "no row is lost"
    assert right.sentence in sentences
    for guess in upload.guesses:
        if guess.sentence.endswith("could be the label as well."):
            other = guess.sentence.split()[-7]
            assert [c.words for c in guess.choices] == ["There is no label", f"{other} is the label"]
    if upload.table is not None and what != "kanji alone":
        roles = upload.table.roles
        assert [name for name, role in roles.items() if role == "label"] == [right.label] * bool(right.label), roles
        assert not right.ids or roles[right.ids] == "id", roles
    if right.label:
        assert data.task == right.task
    assert (data.groups is not None) == right.groups
    # The explicit reading repeats the data; every other reading is one click away, which settles the question.
    assert opened(what, upload.explicit).dataset(missing=missing).digest == data.digest
    for guess in upload.guesses:
        for choice in guess.choices:
            again = opened(what, choice)
            assert choice.words not in [c.words for g in again.guesses for c in g.choices], "a choice settles its guess"


def test_molecules_become_labelled_graphs() -> None:
    for what in ("SMILES and solubility", "MoleculeNet BBBP", "SMILES and names"):
        upload = opened(what)
        (choice,) = [c for g in upload.guesses for c in g.choices if c.domain == "graph"]
        data = opened(what, choice).dataset()
        assert (data.domain, data.n) == ("graph", 12)
        assert data.task == (READ[what].task if READ[what].label else None)
        ethanol, benzene, salt = data.rows[2], data.rows[3], data.rows[11]
        assert (ethanol.n, sorted(ethanol.labels)) == (3, ["C", "C", "O"])
        assert set(benzene.edge_labels[benzene.adjacency > 0]) == {"aromatic"}
        assert not salt.adjacency.any(), "the parts of a salt are not joined"


def test_a_ring_is_the_same_in_small_and_in_large_letters() -> None:
    data = read_upload("r.smi", b"c1ccccc1C\nC1=CC=CC=C1C\nC1CCCCC1C\n", domain="graph").dataset()
    assert data.rows[0] == data.rows[1] != data.rows[2]


def test_what_cannot_be_a_molecule_is_refused_as_a_graph() -> None:
    with pytest.raises(DataError, match="data row 2 is 'P1'; expected a molecule"):
        read_upload("m.smi", b"CCO\nP1\nc1ccccc1\nCC\nCCC\nCCCC\n", domain="graph").dataset()


def test_without_pysmiles_the_sentence_says_how_to_install_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "pysmiles", None)
    upload = read_upload("m.smi", b"CCO\nc1ccccc1\nCCN\n")
    assert upload.dataset().domain == "sequence"
    with pytest.raises(DataError, match=r"pip install 'kernlib\[molecules\]'"):
        read_upload("m.smi", b"CCO\nc1ccccc1\nCCN\n", domain="graph").dataset()


@pytest.mark.parametrize("what", REFUSED)
def test_the_refusal_says_what_it_is_and_what_to_do(what: str) -> None:
    with pytest.raises(DataError) as caught:
        opened(what).dataset()
    assert REFUSED[what] in str(caught.value)
    assert str(caught.value).count(".") > 1


def test_a_line_of_millions_of_letters_is_refused_for_its_length() -> None:
    with pytest.raises(DataError, match="line 1, column 1 has 2000000 letters; expected at most 200000"):
        read_upload("t.txt", b"a" * 2_000_000)
