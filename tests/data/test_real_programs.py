"""Files as real programs document and write them: each is read rightly, asked about, or refused by its name."""

from __future__ import annotations

import pytest

from kernlib.data import Upload, read_upload
from kernlib.errors import DataError

from .programs import MORE, N, R, Right, lines

AMINO = "ACDEFGHIKLMNPQRSTVWY"
PEPTIDES = ["".join(R.choice(AMINO) for _ in range(9)) for _ in range(N)]
CDR3 = [f"CASS{p[: 3 + i % 6]}F" for i, p in enumerate(PEPTIDES)]
MOLECULES: list[str] = (  # noqa: SIM905 (a list of so many words takes a line for each)
    "CC(=O)Oc1ccccc1C(=O)O CN1C=NC2=C1C(=O)N(C(=O)N2C)C CCO c1ccccc1 CC(C)Cc1ccc(cc1)C(C)C(=O)O C1CCCCC1 CCN(CC)CC "
    "O=C(O)c1ccccc1 CC#N ClC(Cl)Cl CCOC(=O)C [Na+].[Cl-]"
).split()


READ: dict[str, tuple[str, str | bytes, Right]] = {
    # Rows named S1, P1, N1: no molecules, since a ring that opens has to close.
    "a cohort": (
        "cohort.tsv",
        lines("sample\tage\tbmi\tdiagnosis", lambda i: f"S{i}\t{30 + i % 9}\t2{i % 7}.5\t{'sw'[i % 2]}"),
        Right("vector", label="diagnosis", ids="sample"),
    ),
    "four patients": (
        "p.tsv", "patient\tage\tdiagnosis\nP1\t40\tsick\nP2\t50\twell\nP3\t61\tsick\nP4\t33\twell\n",
        Right("vector", 4, "diagnosis", "patient"),
    ),
    "an edge list of n1 n2": ("e.txt", "n1 n2\nn2 n3\nn3 n1\nn3 n4\nn4 n5\n", Right("node", 5, asks=True)),
    "an edge list of C1 C2": ("e.tsv", "C1\tC2\nC2\tC3\nC3\tC1\nC4\tC1\nC5\tC4\n", Right("node", 5, asks=True)),
    "PLINK --recodeA": (
        "plink.raw",
        lines("FID IID PAT MAT SEX PHENOTYPE rs1_A rs2_G",
              lambda i: f"F{i} I{i} 0 0 {1 + i % 2} {1 + i // 10 % 2} {i % 3} {i * 7 % 3}"),
        Right("vector", label="PHENOTYPE"),
    ),
    # Molecules.
    "MoleculeNet BBBP": (
        "BBBP.csv", lines("num,name,p_np,smiles", lambda i: f"{i + 1},drug {i},{i % 2},{MOLECULES[i]}", 12),
        Right("sequence", 12, "p_np"),
    ),
    "MoleculeNet ESOL": (
        "delaney-processed.csv",
        lines("Compound ID,Minimum Degree,Molecular Weight,measured log solubility in mols per litre,smiles",
              lambda i: f"comp {i},1,{100 + i * 7.3:.3f},{-i * 0.37:.2f},{MOLECULES[i]}", 12),
        Right("mixed", 12, "measured log solubility in mols per litre", "Compound ID", task="regression"),
    ),
    "SMILES and solubility": (
        "logs.csv", lines("smiles,logS", lambda i: f"{MOLECULES[i]},{-i * 0.37:.2f}", 12),
        Right("sequence", 12, "logS", task="regression"),
    ),
    "SMILES and names": (
        "m.smi", lines("", lambda i: f"{MOLECULES[i]}\tdrug{i}", 12), Right("sequence", 12, ids="x2"),
    ),
    # Quotation marks that enclose nothing.
    "the SMS spam collection": (
        "SMSSpamCollection",
        'ham\tGo until jurong point, crazy..\nham\t"Are you there\nspam\tFree entry in 2 a wkly comp\n'
        "ham\tOk lar... joking wif u\nspam\tFreeMsg Hey there darling\n",
        Right("text", 5, "x1", said="Quotation marks are read as letters"),
    ),
    "messages between two marks": (
        "sms.tsv", 'ham\t"Are you there\nspam\tWin it now\nham\tgo on"\nham\tyes we can\nspam\tfree prize today\n',
        Right("text", 5, "x1", asks=True, said="Quotation marks are read as letters"),
    ),
    "cells of several lines": (
        "notes.csv", 'note,label\n"first line\nsecond line, too",a\n"only one line",b\n"again\ntwo lines",a\n',
        Right("text", 3, "label", said="enclose 2 line ends"),
    ),
    # Peptides.
    "NetMHC training data": (
        "mhc.csv", lines("peptide,binder", lambda i: f"{PEPTIDES[i]},{i % 2}"), Right("sequence", label="binder"),
    ),
    "IEDB affinities": (
        "bdata.2009.mhci.txt",
        lines("species\tmhc\tpeptide_length\tcv\tsequence\tinequality\tmeas",
              lambda i: f"human\tHLA-A-0{1 + i % 3}01\t9\tTBD\t{PEPTIDES[i]}\t=\t{100 + i * 37.5:.3f}"),
        Right("mixed", label="meas", task="regression"),
    ),
    "VDJdb": (
        "vdjdb.tsv",
        lines("complex.id\tgene\tcdr3\tspecies\tantigen.epitope",
              lambda i: f"{i // 2}\tTR{'AB'[i % 2]}\t{CDR3[i]}\tHomoSapiens\t{('GIL', 'NLV')[i % 3 > 0]}GFVFTL"),
        Right("mixed", label="antigen.epitope", groups=True),
    ),
    "a list of CDR3": ("cdr3.txt", "\n".join(CDR3), Right("sequence", said="read as data")),
    "20 short strings": (
        "s.csv", lines("sequence,label", lambda i: f"{PEPTIDES[i][:5].lower()},{i % 2}", 20),
        Right("sequence", 20, "label"),
    ),
    "UCI promoters": (
        "promoters.data",
        lines("", lambda i: f"{'+-'[i % 2]},S{i},\t\t{''.join(R.choice('acgt') for _ in range(57))}"),
        Right("sequence", label="x1", ids="x2"),
    ),
    "UCI splice": (
        "splice.data",
        lines("", lambda i: f"{('EI', 'IE', 'N')[i % 3]},   ATRINS-DONOR-{i},   {'ACGTTGCA' * 7}{'ACGT'[i % 4] * 4}"),
        Right("sequence", label="x1", ids="x2"),
    ),
    "FASTA of kinds": (
        "k.fa", ">seq1 kinase\nACDEF\n>seq2 phosphatase\nACDFF\n>seq3 helicase\nACFFF\n", Right("sequence", 3),
    ),
    "UniProt": (
        "u.fasta",
        "".join(f">sp|P0000{i}|HB{i}_HUMAN {w} subunit alpha OS=Homo sapiens OX=9606 PE=1 SV=2\nMVLSPADKT{'AVLG'[i]}\n"
                for i, w in enumerate(["Hemoglobin", "Hemoglobin", "Myosin", "Myosin"])),
        Right("sequence", 4, "label", asks=True),
    ),
    # One input and one outcome.
    "reviews and stars": (
        "r.csv", lines("review,stars", lambda i: f"the food was good in room {i},{1 + i % 5}"),
        Right("text", label="stars"),
    ),
    "dose and survival": (
        "d.csv", lines("dose,alive", lambda i: f"{0.5 * (i * 7 % 30)},{int(i * 7 % 30 > 14)}"),
        Right("vector", label="alive"),
    ),
    "two measurements": (
        "hw.csv", lines("height,weight", lambda i: f"{160 + i * 1.3:.1f},{55 + i * 7 % 30 * 1.1:.1f}"),
        Right("vector", asks=True),
    ),
    "Titanic": (
        "train.csv",
        lines("PassengerId,Survived,Pclass,Name,Sex,Fare,Embarked",
              lambda i: f'{i + 1},{i % 2},{i % 3 + 1},"Braund, Mr. {i}",{("male", "female")[i % 4 > 1]},{i * 1.37:.2f},'
              f"{'SCQ'[i % 3]}"),
        Right("mixed", label="Survived", ids="PassengerId"),
    ),
    "fastText": (
        "reviews.train", lines("", lambda i: f"__label__{1 + i % 2} a {'good' if i % 2 else 'bad'} film number {i}"),
        Right("text", label="label"),
    ),
    # Headers.
    "Orange, three lines": (
        "zoo.tab",
        "name\thair\tlegs\ttype\nstring\t0 1\tcontinuous\tdiscrete\nmeta\t\t\tclass\n"
        "aardvark\t1\t4\tmammal\nbass\t0\t0\tfish\nbear\t1\t4\tmammal\ncarp\t0\t0\tfish\n",
        Right("mixed", 4, "type", "name", said="as Orange writes them"),
    ),
    "Orange, letters": (
        "iris.tab",
        "length\twidth\tiris\nc\tc\td\n\t\tclass\n5.1\t3.5\tsetosa\n4.9\t3.0\tsetosa\n7.0\t3.2\tvirginica\n",
        Right("vector", 3, "iris"),
    ),
    "Orange, one line": (
        "n.tab", "mS#name\tC#len\tD#col\tcD#y\na\t1.5\tred\tu\nb\t2.5\tblue\tv\nc\t0.5\tred\tu\n",
        Right("mixed", 3, "y", "name"),
    ),
    "a data logger": (
        "log.csv",
        "Logger: 1234\nSite: North, roof\n" + lines("time,temp,hum,state", lambda i:
        f"2020-01-{i + 1:02} 10:00:00,{20 + i * 7 % 11}.5,{40 + i * 3 % 7},{('on', 'off')[i % 2]}"),
        Right("vector", label="state", ids="time", said="The table begins in line 3"),
    ),
    "a web form": (
        "form.csv",
        lines("Timestamp,How old are you?,Group",
              lambda i: f"2023/01/{i + 1:02} 3:1{i % 10}:22 PM GMT+1,{18 + i % 9},{'ab'[i % 2]}"),
        Right("vector", label="Group", ids="Timestamp"),
    ),
    "word2vec": (
        "w.txt", "12 3\n" + lines("", lambda i: f"word{i} {0.1 * i:.2f} {-0.2 * i:.2f} {i * 7 % 5 / 3:.3f}", 12),
        Right("vector", 12, "x4", "x1", task="regression"),
    ),
    # Sorted numbers are numbers.
    "a price list": (
        "prices.csv", lines("price,rooms,sold", lambda i: f"{100 + i * i * 3 + i},{i % 5},{'yn'[i % 2]}"),
        Right("vector", label="sold", said="'price' is used as a number"),
    ),
    "BED": (
        "peaks.bed",
        lines("", lambda i: f"chr{1 + i // 10}\t{1000 * i + 137}\t{1000 * i + 190 + i % 7}\tpeak{i}\t{i * 37 % 1000}\t"
              + "+-"[i % 2]),
        Right("mixed", label="x6", ids="x4", said="'x2' is used as a number"),
    ),
    "MovieLens 1M": (
        "ratings.dat",
        lines("", lambda i: f"{1 + i * 377 % 6040}::{i * 131 % 3952}::{1 + i * 7 % 5}::{978300760 + i * i}"),
        Right("vector", label="x4", task="regression", said="'x4' is read as the label"),
    ),
    "SVMlight ranking": (
        "mslr.txt",
        lines("", lambda i: f"{i % 3} qid:{i // 5} 1:{i * 0.1:.1f} 2:{i % 4}"), Right("vector", groups=True),
    ),
    # Matrices.
    "a kernel with classes": (
        "k.csv", ",a,b,c,class\na,1,.5,.2,u\nb,.5,1,.3,u\nc,.2,.3,1,v\n", Right("matrix", 3, "class"),
    ),
    "half a correlation matrix": (
        "corr.csv", ",a,b,c,d\na,1,,,\nb,.5,1,,\nc,.2,.3,1,\nd,.1,.2,.7,1\n",
        Right("matrix", 4, said="filled with the other half"),
    ),
    "R's dist": (
        "d.dat", " a b c d\na 0\nb 5 0\nc 2 3 0\nd 1 2 7 0\n", Right("matrix", 4, said="filled with the other half"),
    ),
    "STRING": (
        "9606.protein.links.txt",
        lines("protein1 protein2 combined_score", lambda i: f"9606.P{i % 9} 9606.P{(i * 2 + 1) % 9} {150 + i * 17}"),
        Right("categorical", label="combined_score", asks=True, task="regression"),
    ),
    # Letters.
    "Excel in Japan": (
        "jp.csv", "なまえ,a,クラス\nたろう,1.5,犬\nはなこ,2.5,猫\nじろう,0.5,犬\n".encode("shift_jis"),
        Right("mixed", 3, "クラス", asks=True, said="Japanese (Shift JIS)"),
    ),
    "kanji alone": (
        "jp.csv", "名前,年齢,種類\n東京,12,城\n大阪,45,城\n京都,33,塔\n富士,21,塔\n".encode("shift_jis"),
        Right("mixed", 4, asks=True, said="not UTF-8"),
    ),
    "an old Macintosh": (
        "mac.csv", "Stadt;Größe\nMünchen;1,5\nKöln;2,5\nDüsseldorf;3,5\n".encode("mac_roman"),
        Right("mixed", 3, asks=True, said="not UTF-8"),
    ),
    "Windows in Germany": (
        "win.csv", "Stadt;Größe\nMünchen;1,5\nKöln;2,5\nDüsseldorf;3,5\n".encode("cp1252"),
        Right("mixed", 3, said="'Größe München Köln Düsseldorf'"),
    ),
    "lines of prose": (
        "log.txt", "the server starts at noon\nthe client asks for more\nthe server stops at night\n",
        Right("text", 3, asks=True, said="Nothing separates cells"),
    ),
}  # fmt: skip
READ |= {what: (name, raw, right) for what, (name, raw, right) in MORE.items() if isinstance(right, Right)}


def opened(what: str) -> Upload:
    name, raw, _ = READ[what]
    return read_upload(name, raw if isinstance(raw, bytes) else raw.encode())


@pytest.mark.parametrize("what", READ)
def test_the_reading_is_right_or_asks(what: str) -> None:
    right, upload = READ[what][2], opened(what)
    sentences = " ".join(guess.sentence for guess in upload.guesses)
    assert (upload.domain, any(guess.question for guess in upload.guesses)) == (right.domain, right.asks), sentences
    data = upload.dataset(missing="mean" if upload.missing else "refuse")
    assert data.n == right.n, "no row is lost"
    assert right.said in sentences
    if upload.table is not None and what != "kanji alone":
        roles = upload.table.roles
        assert [name for name, role in roles.items() if role == "label"] == [right.label] * bool(right.label), roles
        assert not right.ids or roles[right.ids] == "id", roles
    if right.label:
        assert data.task == right.task
    assert (data.groups is not None) == right.groups


@pytest.mark.parametrize("what", READ)
def test_every_other_reading_is_one_press_away(what: str) -> None:
    name, raw, _ = READ[what]
    for guess in opened(what).guesses:
        for choice in guess.choices:
            again = read_upload(name, raw if isinstance(raw, bytes) else raw.encode(), choice)
            assert choice.words not in [c.words for g in again.guesses for c in g.choices], "a choice settles its guess"


def test_molecules_become_labelled_graphs() -> None:
    for what in ("SMILES and solubility", "MoleculeNet BBBP", "SMILES and names"):
        upload = opened(what)
        (choice,) = [c for g in upload.guesses for c in g.choices if c.domain == "graph"]
        name, raw, right = READ[what]
        data = read_upload(name, str(raw).encode(), choice).dataset()
        assert (data.domain, data.n) == ("graph", 12)
        assert data.task == (right.task if right.label else None)
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


REFUSED = {
    "water.xyz": ("3\nwater\nO 0.0 0.0 0.1\nH 0.0 0.7 -0.4\nH 0.0 -0.7 -0.4\n", "a molecule's coordinates"),
    "1abc.pdb": (
        "HEADER    OXYGEN TRANSPORT\nATOM      1  N   VAL A   1      10.720  19.523   6.163  1.00 21.36           N\n"
        "ATOM      2  CA  VAL A   1      10.228  20.761   6.807  1.00 24.26           C\n", "a protein structure"),
    "a.mol2": ("@<TRIPOS>MOLECULE\nbenzene\n12 12 1\n", "MOL2"),
    "a.gff": ("##gff-version 3\nchr1\tHAVANA\tgene\t11869\t14409\t.\t+\t.\tID=g1\n", "a GFF file"),
    "a.sam": ("@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:ref\tLN:45\nr001\t99\tref\t7\t30\t8M\n", "a SAM file"),
    "tree.nwk": ("(Bovine:0.69395,(Gibbon:0.36079,Orang:0.33636):0.06,Mouse:1.21460);\n", "a tree"),
    "dump.sql": ("-- MySQL dump 10.13\nCREATE TABLE `t` (\n `a` int\n);\n", "an SQL dump"),
    "paper.tex": ("\\documentclass{article}\n\\begin{document}\nHello, world\n", "a LaTeX document"),
    "vw.txt": ("1 |f height:0.5 width:0.2 red\n-1 |f height:0.1 width:0.9 blue\n", "a Vowpal Wabbit file"),
    "en.conllu": ("# sent_id = 1\n# text = The cat\n1\tThe\tthe\tDET\n2\tcat\tcat\tNOUN\n", "a treebank"),
    "ragged.csv": (
        "a,b\n" + ",".join("1" * 14) + "\n", "line 2 has 14 cells; expected 2, as in line 1. If the lines above",
    ),
    "few.csv": ("a,b,c\n1,2,3\n1,2\n", "line 3 has 2 cells; expected 3, as in line 1. Add the missing cells"),
    "open.csv": ('a,b\n"x, 1, 2,2\n3,4\n', "line 2 opens a quotation mark that no later line closes"),
    "corr.csv": (",a,b,c\na,,,\nb,.5,,\nc,.2,.3,\n", "half of the matrix and its diagonal are empty"),
}  # fmt: skip
REFUSED |= {name: (raw, words) for name, raw, words in MORE.values() if isinstance(words, str)}


@pytest.mark.parametrize("name", REFUSED)
def test_the_refusal_says_what_it_is_and_what_to_do(name: str) -> None:
    raw, words = REFUSED[name]
    with pytest.raises(DataError) as caught:
        read_upload(name, raw.encode()).dataset()
    assert words in str(caught.value)
    assert str(caught.value).count(".") > 1


def test_a_line_of_millions_of_letters_is_refused_for_its_length() -> None:
    with pytest.raises(DataError, match="line 1, column 1 has 2000000 letters; expected at most 200000"):
        read_upload("t.txt", b"a" * 2_000_000)
