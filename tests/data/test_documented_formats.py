"""Files as the documentation of each format shows them, with the right reading; nothing is misread in silence."""

from __future__ import annotations

import gzip
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kernlib.data import Limits, Upload, read_upload
from kernlib.errors import DataError

# PHYLIP: the examples of the program's documentation (sequence.html, distance.html).
BLOCKS = """  5    42
Turkey    AAGCTNGGGC ATTTCAGGGT
Salmo gairAAGCCTTGGC AGTGCAGGGT
H. SapiensACCGGTTGGC CGTTCAGGGT
Chimp     AAACCCTTGC CGTTACGCTT
Gorilla   AAACCCTTGC CGGTACGCTT

GAGCCCGGGC AATACAGGGT AT
GAGCCGTGGC CGGGCACGGT AT
ACAGGTTGGC CGTTCAGGGT AA
AAACCGAGGC CGGGACACTC AT
AAACCATTGC CGGTACGCTT AA
"""
ONE_AFTER_THE_OTHER = """  5    42
Turkey    AAGCTNGGGC ATTTCAGGGT
GAGCCCGGGC AATACAGGGT AT
Salmo gairAAGCCTTGGC AGTGCAGGGT
GAGCCGTGGC CGGGCACGGT AT
H. SapiensACCGGTTGGC CGTTCAGGGT
ACAGGTTGGC CGTTCAGGGT AA
Chimp     AAACCCTTGC CGTTACGCTT
AAACCGAGGC CGGGACACTC AT
Gorilla   AAACCCTTGC CGGTACGCTT
AAACCATTGC CGGTACGCTT AA
"""
SQUARE = """    7
Bovine      0.0000  1.6866  1.7198  1.6606  1.5243  1.6043  1.5905
Mouse       1.6866  0.0000  1.5232  1.4841  1.4465  1.4389  1.4629
Gibbon      1.7198  1.5232  0.0000  0.7115  0.5958  0.6179  0.5583
Orang       1.6606  1.4841  0.7115  0.0000  0.4631  0.5061  0.4710
Gorilla     1.5243  1.4465  0.5958  0.4631  0.0000  0.3484  0.3083
Chimp       1.6043  1.4389  0.6179  0.5061  0.3484  0.0000  0.2692
Human       1.5905  1.4629  0.5583  0.4710  0.3083  0.2692  0.0000
"""
LOWER = """     5
Mouse
Bovine      1.7043
Lemur       2.0235  1.1901
Tarsier     2.1378  1.3287  1.2905
Squir Monk  1.5232  1.2423  1.3199  1.7878
"""
WRAPPED = """   5
Alpha      0.000 1.000
 2.000 3.000 3.000
Beta       1.000 0.000 2.000 3.000 3.000
Gamma      2.000 2.000 0.000 3.000 3.000
Delta      3.000 3.000 3.000 0.000 1.000
Epsilon    3.000 3.000 3.000 1.000 0.000
"""
DOCWORD = "3\n5\n6\n1 2 3\n1 5 1\n2 1 2\n2 2 1\n3 4 1\n3 5 7\n"
PEOPLE = """name         city            age  kind
John Smith   New York         32  a
Mary Ann     Rome              7  b
Li           Hong Kong        45  a
Ole Olsen    Oslo             51  b
Bo           Rio de Janeiro   23  a
"""
GAPS = """id   x1     x2  label
1    2.5    3   yes
2           4   no
3    1.5        yes
4    2.25  12   no
5    0.5    9   yes
"""
SAS = "\n".join(
    f"case{i:04d}  {'Ann Lee' if i % 2 else 'Bo':10}{i * 1.5:8.2f}   {'case' if i % 3 else 'control'}" for i in range(9)
)
GCT = """#1.2
3\t6
NAME\tDescription\ts1\ts2\ts3\ts4\ts5\ts6
AFFX-BioB-5_at\tbiotin\t-214\t-139\t-76\t-135\t-106\t-138
AFFX-BioB-M_at\tbiotin\t-153\t-73\t-49\t-114\t-125\t-85
AFFX-BioC-5_at\tbiotin\t88\t283\t309\t12\t168\t71
"""
GCT_3 = """#1.3
2\t4\t1\t2
id\tsymbol\ts1\ts2\ts3\ts4
cell\tna\tMCF7\tMCF7\tA375\tA375
dose\tna\t1\t10\t1\t10
200814_at\tPSME1\t1.5\t2.5\t-0.5\t0
222103_at\tATF1\t0.25\t0.5\t1\t2
"""
SERIES = """!Series_title\t"A study"
!Series_geo_accession\t"GSE1"

!Sample_title\t"t1"\t"t2"\t"n1"\t"n2"
!Sample_geo_accession\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"
!Sample_source_name_ch1\t"liver"\t"liver"\t"liver"\t"liver"
!Sample_characteristics_ch1\t"tissue: tumor"\t"tissue: tumor"\t"tissue: normal"\t"tissue: normal"
!Sample_characteristics_ch1\t"age: 40"\t"age: 50"\t"age: 60"\t"age: 45"
!Sample_contact_name\t"A"\t"A"\t"A"\t"A"
!series_matrix_table_begin
"ID_REF"\t"GSM1"\t"GSM2"\t"GSM3"\t"GSM4"
"1007_s_at"\t1.5\t2.5\t3.5\t4.5
"1053_at"\t0.5\tnull\t0.25\t1
"117_at"\t5\t6\t7\t8
!series_matrix_table_end
"""
HITS = "".join(
    f"q{a}\tq{b}\t{100 - abs(a - b) * 3.5:.2f}\t100\t3\t0\t1\t100\t1\t100\t1e-50\t{200 - 10 * abs(a - b)}\n"
    for a in range(5) for b in range(5) if abs(a - b) < 3
)  # fmt: skip
AGAINST = "".join(
    f"q{a}\tsp|P{b}|X\t98.5\t100\t3\t0\t1\t100\t1\t100\t2e-30\t{90 + a + b}.5\n" for a in range(4) for b in range(3)
)
RANKED = """# query 1
3 qid:1 1:1 2:1 3:0 4:0.2 5:0
2 qid:1 1:0 2:0 3:1 4:0.1 5:1
1 qid:1 1:0 2:1 3:0 4:0.4 5:0
1 qid:2 1:0 2:0 3:1 4:0.2 5:0
2 qid:2 1:1 2:0 3:1 4:0.4 5:0 # comment
"""


def dated(form: str) -> str:
    """A table whose first column is a date with a time; x and y beside it."""
    days = pd.date_range("2023-03-01 08:15:30", periods=40, freq="37h")
    return "when,x,y\n" + "".join(f'"{d.strftime(form)}",{i * 7 % 13},{"ab"[i % 2]}\n' for i, d in enumerate(days))


SEQUENCES, DISTANCES, BAG = "PHYLIP sequences", "PHYLIP distances", "Bag of words (docword)"
THREE = ("sequence", 3, None)
CITIES = {
    "city": ["New York", "Rome", "Rio de Janeiro", "Bonn", "Oslo"],
    "pop": [8.4, 2.8, 6.7, 0.3, 0.7],
    "k": list("ababa"),
}
MOTHUR = "3\nU68589\nU68590\t0.3371\nU68591\t0.3609\t0.3782\n"
PROTEINS = "2 12\ncyc1      MTEFKAGSAKKG\ncyc2      MTEFKAGSARRG\n"
COMMENTED = "# BLASTP 2.2.28+\n# Query: q0\n# Database: nr\n# Fields: query id, subject id\n# 3 hits found\n"

# The file → its name, its bytes, the format, and what the data set is: kind of rows, n, and the number of columns.
READ: dict[str, tuple[str, str, str, tuple[str, int, int | None]]] = {
    "PHYLIP in blocks": ("infile", BLOCKS, SEQUENCES, ("sequence", 5, None)),
    "PHYLIP one after the other": ("a.phy", ONE_AFTER_THE_OTHER, SEQUENCES, ("sequence", 5, None)),
    "PHYLIP relaxed": ("a.phy", "3 6\na_long_name_here AACCGT\nb AA-CGT\nd AAC?GT\n", SEQUENCES, THREE),
    "PHYLIP with I": ("a.phy", "3 6 I\na AACCGT\nb AA-CGT\nd AAC?GT\n", SEQUENCES, THREE),
    "PHYLIP of proteins": ("a.phylip", PROTEINS, SEQUENCES, ("sequence", 2, None)),
    "PHYLIP by tabs": ("a.phy", "2 4\nalpha\tACGT\nbeta\tACGA\n", SEQUENCES, ("sequence", 2, None)),
    "PHYLIP distances": ("infile", SQUARE, DISTANCES, ("matrix", 7, None)),
    "PHYLIP lower triangle": ("outfile", LOWER, DISTANCES, ("matrix", 5, None)),
    "PHYLIP wrapped": ("a.dist", WRAPPED, DISTANCES, ("matrix", 5, None)),
    "PHYLIP with the diagonal": ("a.phy", "3\na 0\nb 1 0\nc 2 3 0\n", DISTANCES, ("matrix", 3, None)),
    "mothur": ("a.dist", MOTHUR, DISTANCES, ("matrix", 3, None)),
    "docword": ("docword.kos.txt", DOCWORD, BAG, ("vector", 3, 5)),
    "docword of many words": ("docword.txt", DOCWORD.replace("5\n6\n", "50000\n6\n", 1), BAG, ("text", 3, None)),
    "fixed width": ("people.txt", PEOPLE, "Table of fixed width", ("mixed", 5, 2)),
    "fixed width with gaps": ("gaps.dat", GAPS, "Table of fixed width", ("vector", 5, 2)),
    "fixed width without names": ("sas.txt", SAS, "Table of fixed width", ("mixed", 9, 2)),
    "printed by pandas": (
        "frame.txt",
        pd.DataFrame(CITIES).to_string(),
        "Table of fixed width", ("mixed", 5, 2),
    ),
    "GCT": ("all.gct", GCT, "GCT table", ("vector", 6, 3)),
    "GCT with descriptions": ("l1000.gct", GCT_3, "GCT table", ("vector", 4, 2)),
    "series matrix": ("GSE1_series_matrix.txt", SERIES, "GEO series matrix", ("vector", 4, 3)),
    "BLAST -m 8": ("hits.m8", HITS, "BLAST hits", ("mixed", 19, 12)),
    "BLAST against a data base": ("hits.tsv", AGAINST, "BLAST hits", ("mixed", 12, 12)),
    "BLAST -outfmt 7": (
        "hits.txt", COMMENTED + HITS,
        "BLAST hits", ("mixed", 19, 12),
    ),
    "SVMrank": ("train.dat", RANKED, "SVMlight", ("vector", 5, 5)),
    "dates and times": ("log.csv", dated("%Y-%m-%d %H:%M:%S"), "CSV table", ("vector", 40, 1)),
    "dates of ISO 8601": ("log.csv", dated("%Y-%m-%dT%H:%M:%SZ"), "CSV table", ("vector", 40, 1)),
    "dates of Europe": ("log.csv", dated("%d.%m.%Y %H:%M"), "CSV table", ("vector", 40, 1)),
    "dates of America": ("log.csv", dated("%m/%d/%Y %I:%M:%S %p"), "CSV table", ("vector", 40, 1)),
    "dates as text": ("log.csv", dated("%b %d, %Y %H:%M"), "CSV table", ("vector", 40, 1)),
    "dates of a log": ("log.csv", dated("%a, %d %b %Y %H:%M:%S +0000"), "CSV table", ("vector", 40, 1)),
    "dates of ctime": ("log.csv", dated("%a %b %d %H:%M:%S %Y"), "CSV table", ("vector", 40, 1)),
}  # fmt: skip


@pytest.mark.parametrize("case", READ)
@pytest.mark.parametrize("form", ["as it is", "CRLF", "gzipped"])
def test_a_documented_file_is_read(case: str, form: str) -> None:
    name, text, format, expected = READ[case]
    raw = text.replace("\n", "\r\n" if form == "CRLF" else "\n").encode()
    upload = read_upload(f"{name}.gz" if form == "gzipped" else name, gzip.compress(raw) if form == "gzipped" else raw)
    assert upload.format.removesuffix(", gzipped") == format
    data = upload.dataset(missing="mean")
    columns = data.rows.shape[1] if data.domain == "vector" else len(data.columns) if data.domain == "mixed" else None
    assert (data.domain, data.n, columns) == expected
    if upload.table is not None:
        assert "text" not in {column.role for column in upload.table.columns if column.name == "when"}


def of(case: str, **asked: Any) -> Upload:
    name, text, _, _ = READ[case]
    return read_upload(name, text.encode(), **asked)


def test_phylip_has_the_letters_of_the_documentation() -> None:
    data = of("PHYLIP in blocks").dataset()
    assert data.ids == ("Turkey", "Salmo gair", "H. Sapiens", "Chimp", "Gorilla")
    assert data.rows[1] == "AAGCCTTGGCAGTGCAGGGTGAGCCGTGGCCGGGCACGGTAT"
    assert (of("PHYLIP one after the other").dataset().rows == data.rows).all()
    assert read_upload("a.phy", b"2 6\na AACCGT\nb ..G..A\n").dataset().rows[1] == "AAGCGA"


def test_phylip_distances_are_those_of_the_file() -> None:
    square = of("PHYLIP distances").dataset()
    expected = np.array([line.split()[1:] for line in SQUARE.splitlines()[1:]], dtype=float)
    np.testing.assert_array_equal(square.rows, expected)
    lower = of("PHYLIP lower triangle").dataset()
    assert lower.ids == ("Mouse", "Bovine", "Lemur", "Tarsier", "Squir Monk")
    assert (lower.rows[4, 2], lower.rows[2, 4], lower.rows[1, 0]) == (1.3199, 1.3199, 1.7043)
    assert of("PHYLIP wrapped").dataset().rows[0].tolist() == [0, 1, 2, 3, 3]
    with pytest.raises(DataError, match="4 lines of a name and 4 distances"):
        read_upload("a.dist", b"4\na 0 1\nb 1 0\n")
    with pytest.raises(DataError, match="2 sequences of 5 letters each"):
        read_upload("a.phy", b"2 5\na ACGT\nb ACGT\n")


def test_docword_counts_words() -> None:
    X = of("docword").dataset().rows
    assert X.tolist() == [[0, 3, 0, 0, 1], [2, 1, 0, 0, 0], [0, 0, 0, 1, 7]]
    assert of("docword", domain="text").dataset().rows[1] == "w1 w1 w2"
    for wrong, words in (("7\n1 2", "announces 7 counts"), ("6\n4 2", "names a document beyond 3")):
        with pytest.raises(DataError, match=words):
            read_upload("d.txt", DOCWORD.replace("6\n1 2", wrong, 1).encode())


def test_cells_of_fixed_width_keep_their_blanks() -> None:
    people = of("fixed width").table
    assert people is not None
    assert people.column("city").tolist() == ["New York", "Rome", "Hong Kong", "Oslo", "Rio de Janeiro"]
    printed = of("printed by pandas").table
    assert printed is not None
    assert printed.column("city").tolist()[2] == "Rio de Janeiro"
    gaps = of("fixed width with gaps").dataset(missing="mean").rows
    assert np.isnan(gaps[1, 0])
    assert np.isnan(gaps[2, 1])
    assert of("fixed width", domain="text").dataset().domain == "text"


def test_samples_are_rows_and_genes_are_columns() -> None:
    data = of("GCT").dataset()
    assert data.rows[0].tolist() == [-214, -153, 88]
    assert data.columns == ("AFFX-BioB-5_at", "AFFX-BioB-M_at", "AFFX-BioC-5_at")
    assert of("GCT with descriptions").with_roles({"cell": "label"}).dataset().labels == (
        "MCF7",
        "MCF7",
        "A375",
        "A375",
    )
    series = of("series matrix").with_roles({"tissue": "label"})
    data = series.dataset(missing="mean")
    assert data.labels == ("tumor", "tumor", "normal", "normal")
    assert data.ids == ("GSM1", "GSM2", "GSM3", "GSM4")
    assert np.isnan(data.rows[1, 1])
    assert series.dataset(missing="drop").n == 3
    with pytest.raises(DataError, match="supplementary file"):
        read_upload("g.txt", SERIES.replace('"1007_s_at"', "!series_matrix_table_end\n", 1).encode())


def test_hits_of_blast_become_a_matrix_on_request() -> None:
    upload = of("BLAST -m 8")
    assert any(guess.question for guess in upload.guesses)
    A = of("BLAST -m 8", domain="matrix").dataset().rows
    assert A[0].tolist() == [200, 190, 180, 0, 0]
    assert not any(guess.question for guess in of("BLAST against a data base").guesses)


def test_rows_of_a_query_are_a_group() -> None:
    assert of("SVMrank").dataset().groups == ("1", "1", "1", "2", "2")
    with pytest.raises(DataError, match="3 of 4 lines have a qid"):
        read_upload("r.svm", b"1 qid:1 1:1\n2 qid:1 1:2\n1 qid:2 1:0\n2 1:3\n")


# What is not read is named, with the next step.
NAMED = {
    "mega": ("d.meg", "#mega\n!Title Distances;\n!Format DataType=Distance;\n#A\n#B\n1.5\n", "a MEGA file"),
    "mega of sequences": ("s.meg", "#MEGA\n!Title x;\n\n#A\nACGT\n#B\nACGA\n", "export the alignment as FASTA"),
    "sam": ("a.sam", "@HD\tVN:1.5\tSO:coordinate\n@SQ\tSN:ref\tLN:45\nr001\t99\tref\t7\t30\t8M\t=\t37\n", "a SAM file"),
    "pdb": ("1a3i.pdb", "HEADER    COLLAGEN   22-JAN-98\nTITLE     X\n", "a protein structure"),
    "mmcif": ("1a3i.cif", "data_1A3I\n#\n_entry.id   1A3I\nloop_\n_atom_site.id\n_atom_site.type\n1 N\n", "CIF"),
    "newick": ("t.nwk", "(B:6.0,(A:5.0,C:3.0,E:4.0):5.0,D:11.0);\n", "Newick"),
    "wig": ("a.wig", 'track type=wiggle_0 name="x"\nvariableStep chrom=chr19\n49304701 10.0\n', "a genome track"),
    "arpa": ("lm.arpa", "\\data\\\nngram 1=3\n\n\\1-grams:\n-1.0 a\n", "an ARPA language model"),
    "hmmer": ("fn3.hmm", "HMMER3/f [3.1 | February 2013]\nNAME  fn3\nLENG  86\n", "a HMMER profile"),
    "distmat": ("d.txt", "Distance Matrix\n---------------\n\n\t1\t2\n\n\t0.00\t1.00\ta 1\n\t\t0.00\tb 2\n", "EMBOSS"),
    "nexus": ("a.nex", "#NEXUS\nBegin data;\n", "a NEXUS file"),
    "market": ("a.mtx", "%%MatrixMarket matrix coordinate real general\n3 3 1\n1 1 1.0\n", "a MatrixMarket matrix"),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_a_format_that_is_not_read_is_named_with_the_next_step(case: str) -> None:
    name, text, words = NAMED[case]
    with pytest.raises(DataError, match=words) as raised:
        read_upload(name, text.encode())
    assert str(raised.value).endswith(".")
    assert len(str(raised.value).split(". ")) >= 2


# Texts and tables that look a little like one of the formats, and are none.
OTHERS = {
    "numbers in two columns": ("n.txt", "5 3\n1 2\n3 4\n5 6\n7 8\n9 1\n", ("node", 9)),
    "numbers in one column": ("n.txt", "12\n13\n14\n15\n16\n", ("vector", 5)),
    "prose": ("p.txt", "The cat sat on the mat and slept\nA dog ran over the road at noon\nSome birds sing in the sun\n"
              "No fish can walk on dry land\nIt is 12 now\n", ("text", 5)),
    "a table of two counts": ("c.csv", "5,3\n1,2\n3,4\n", ("vector", 3)),
    "GCT's number alone": ("c.csv", "#1.2 of May\nx,y\n1,a\n2,b\n", ("vector", 2)),
    "twelve columns": ("t", "".join("\t".join(str(i + j) for j in range(12)) + "\n" for i in range(5)), ("vector", 5)),
}  # fmt: skip


@pytest.mark.parametrize("case", OTHERS)
def test_other_files_are_read_as_before(case: str) -> None:
    name, text, expected = OTHERS[case]
    data = read_upload(name, text.encode()).dataset()
    assert (data.domain, data.n) == expected


@pytest.mark.parametrize("case", READ)
def test_the_limits_hold_for_every_format(case: str) -> None:
    name, text, _, _ = READ[case]
    with pytest.raises(DataError, match=r"expected at most|more than|the maximum"):
        read_upload(name, text.encode(), limits=Limits(rows=1, side=1, cells=1, columns=1))
