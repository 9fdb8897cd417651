"""Files as the documentation of each format shows them, with the right reading; nothing is misread in silence."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from kernlib.data import Limits, Upload, read_upload
from kernlib.errors import DataError

from .builders import mat, npz

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


# Matrix Market: the example of NIST's description, without one column; a half, and a graph without values.
COORDINATES = """%%MatrixMarket matrix coordinate real general
% A comment
5 4 7
1 1 1.000e+00
2 2 1.050e+01
3 3 1.500e-02
1 4 6.000e+00
4 2 2.505e+02
4 4 -2.800e+02
5 1 1.200e+01
"""
HALF = "%%MatrixMarket matrix array real symmetric\n3 3\n2\n0.5\n0.25\n2\n0.75\n2\n"
PATTERN = "%%MatrixMarket matrix coordinate pattern symmetric\n4 4 3\n2 1\n3 2\n4 3\n"
# LIBSVM: the example of its README; the number behind 0: counts the rows.
KERNEL = "15 0:1 1:4 2:6 3:1\n45 0:2 1:6 2:18 3:0\n25 0:3 1:1 2:0 3:1\n"
READS = "@r1 lane=1\nGATTTGGG\n+\n!''*((((\n@r2 lane=1\nACGT\n+r2\nIIII\n@r3 lane=2\nNNAC\n+\n@>#!\n"


def dated(form: str) -> str:
    """A table whose first column is a date with a time; x and y beside it."""
    days = pd.date_range("2023-03-01 08:15:30", periods=40, freq="37h")
    return "when,x,y\n" + "".join(f'"{d.strftime(form)}",{i * 7 % 13},{"ab"[i % 2]}\n' for i, d in enumerate(days))


DISTANCES = "PHYLIP distances"
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
    "PHYLIP distances": ("infile", SQUARE, DISTANCES, ("matrix", 7, None)),
    "PHYLIP lower triangle": ("outfile", LOWER, DISTANCES, ("matrix", 5, None)),
    "PHYLIP wrapped": ("a.dist", WRAPPED, DISTANCES, ("matrix", 5, None)),
    "PHYLIP with the diagonal": ("a.phy", "3\na 0\nb 1 0\nc 2 3 0\n", DISTANCES, ("matrix", 3, None)),
    "mothur": ("a.dist", MOTHUR, DISTANCES, ("matrix", 3, None)),
    "fixed width": ("people.txt", PEOPLE, "Table of fixed width", ("mixed", 5, 2)),
    "fixed width with gaps": ("gaps.dat", GAPS, "Table of fixed width", ("vector", 5, 2)),
    "fixed width without names": ("sas.txt", SAS, "Table of fixed width", ("mixed", 9, 2)),
    "printed by pandas": (
        "frame.txt",
        pd.DataFrame(CITIES).to_string(),
        "Table of fixed width", ("mixed", 5, 2),
    ),
    "FASTQ": ("reads.fq", READS, "FASTQ", ("sequence", 3, None)),
    "FASTA with comments": ("a.fa", "; LCBO\n# of a base\n>a\nACGT\n;more\n>b\nACC\n", "FASTA", ("sequence", 2, None)),
    "Matrix Market of rows": ("a.mtx", COORDINATES, "Matrix Market", ("vector", 5, 4)),
    "Matrix Market, symmetric": ("s.mtx", HALF, "Matrix Market", ("matrix", 3, None)),
    "Matrix Market of edges": ("e.mtx", PATTERN, "Matrix Market", ("node", 4, None)),
    "LIBSVM precomputed": ("heart.kernel", KERNEL, "Kernel values of LIBSVM", ("matrix", 3, None)),
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
    (question,) = (guess for guess in of("fixed width").guesses if guess.question)
    assert of("fixed width", **question.choices[0].asked).dataset().domain == "text"


def test_entries_of_sparse_and_half_matrices_are_in_their_places() -> None:
    assert of("Matrix Market of rows").dataset().rows[3].tolist() == [0, 250.5, 0, -280]
    assert of("Matrix Market, symmetric").dataset().rows.tolist() == [[2, 0.5, 0.25], [0.5, 2, 0.75], [0.25, 0.75, 2]]
    assert of("Matrix Market of edges").dataset().rows.sum() == 6
    with pytest.raises(DataError, match="9000 × 9000 entries; expected at most 5000000"):
        read_upload("m.mtx", b"%%MatrixMarket matrix coordinate real general\n9000 9000 1\n1 1 1\n")


def test_the_serial_number_of_a_precomputed_kernel_is_no_feature() -> None:
    data = of("LIBSVM precomputed").dataset()
    assert data.rows.tolist() == [[4, 6, 1], [6, 18, 0], [1, 0, 1]]
    assert (data.task, np.asarray(data.y).tolist()) == ("regression", [15, 45, 25])
    classes = read_upload("k", KERNEL.replace("15", "+1").replace("45", "-1").replace("25", "-1").encode()).dataset()
    assert classes.labels == ("1", "-1", "-1")
    with pytest.raises(DataError, match="each line has 2 values; expected 3, one for each line"):
        read_upload("k", KERNEL.replace(" 3:1", "").replace(" 3:0", "").encode())
    # A feature numbered 0 that does not count the lines is a feature.
    assert read_upload("z", KERNEL.replace("0:3", "0:7").encode()).dataset().rows.shape == (3, 4)


@pytest.mark.parametrize("kind", [np.int64, np.uint64])
def test_labels_beyond_the_floats_stay_apart(kind: type) -> None:
    y = (2**60 + np.array([0, 1, 2] * 4)).astype(kind)
    X = np.arange(24.0).reshape(12, 2) % 7
    lines = "".join(f"{label} 1:{a} 2:{b}\n" for label, (a, b) in zip(y, X, strict=True)).encode()
    for name, raw in (("t.npz", npz(X=X, y=y)), ("t.mat", mat({"X": X, "y": y})), ("t.svm", lines)):
        counts = read_upload(name, raw).dataset().class_counts
        assert counts == {str(2**60): 4, str(2**60 + 1): 4, str(2**60 + 2): 4}


#: The formats whose step is a line of pandas, with what the CSV holds: n, and the number of columns of its data set.
STEPS = {
    "fastText": ("__label__a good film\n__label__b bad film\n__label__a fine\n", ("text", 3, None)),
    "docword": (DOCWORD, ("vector", 3, 5)),
    "GCT": (GCT, ("vector", 6, 3)),
    "GCT of version 1.3": (GCT_3.replace("cell\tna\tMCF7\tMCF7\tA375\tA375\n", ""), ("vector", 4, 3)),
    "GEO": (SERIES, ("vector", 4, 3)),
    "featureCounts": (
        "# Program:featureCounts\nGeneid\tChr\tStart\tEnd\tStrand\tLength\ta.bam\tb.bam\n"
        "G1\tchr1\t1\t9\t+\t9\t5\t7\nG2\tchr2\t1\t9\t-\t9\t0\t3\n", ("vector", 2, 2),
    ),
    "KEEL": ("@relation k\n@attribute a real [0, 9]\n@inputs a\n@data\n1, u\n2, v\n4.5, u\n", ("vector", 3, 1)),
    "BLAST": (COMMENTED + HITS, ("categorical", 19, None)),
    "BED": ("#chrom\nchr1\t10\t20\tp1\t5.5\nchr2\t30\t45\tp2\t6\nchr2\t60\t99\tp3\t1\n", ("mixed", 3, None)),
}  # fmt: skip


@pytest.mark.parametrize("case", STEPS)
def test_the_advised_line_of_pandas_makes_a_csv_that_is_read(
    case: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text, (domain, n, columns) = STEPS[case]
    with pytest.raises(DataError, match="In Python: pandas") as raised:
        read_upload("x", text.encode())
    line = str(raised.value).split("In Python: ")[1].removesuffix(".")
    monkeypatch.chdir(tmp_path)
    for ending in ("txt", "tsv", "bed", "gct", "dat"):
        Path(f"x.{ending}").write_text(text)
    exec(line, {"pandas": pd})
    data = read_upload("x.csv", Path("x.csv").read_bytes()).dataset(missing="mean")
    assert (data.domain, data.n) == (domain, n)
    assert columns in (None, data.rows.shape[1] if data.domain == "vector" else len(data.columns))


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
    "phylip in blocks": ("infile", BLOCKS, "an alignment of PHYLIP"),
    "phylip one after the other": ("a.phy", ONE_AFTER_THE_OTHER, "an alignment of PHYLIP"),
    "phylip relaxed": ("a.phy", "3 6\na_long_name_here AACCGT\nb AA-CGT\nd AAC?GT\n", "an alignment of PHYLIP"),
    "phylip with I": ("a.phy", "3 6 I\na AACCGT\nb AA-CGT\nd AAC?GT\n", "an alignment of PHYLIP"),
    "phylip of 4 letters": ("a.phy", "4 4\na ACGT\nb ACGA\nc ACGG\nd TTTT\n", "an alignment of PHYLIP"),
    "phylip of proteins": ("a.phylip", PROTEINS, "an alignment of PHYLIP"),
    "phylip by tabs": ("a.phy", "2 4\nalpha\tACGT\nbeta\tACGA\n", "an alignment of PHYLIP"),
    "docword": ("docword.kos.txt", DOCWORD, r"a bag of words \(docword\)"),
    "gct": ("all.gct", GCT, r"a table of gene expression \(GCT\)"),
    "gct with descriptions": ("l1000.gct", GCT_3, r"a table of gene expression \(GCT\)"),
    "series matrix": ("GSE1_series_matrix.txt", SERIES, "a series matrix of GEO"),
    "blast": ("hits.m8", HITS, "a table of hits of BLAST"),
    "blast with comments": ("hits.txt", COMMENTED + HITS, "a table of hits of BLAST"),
    "vcf of Windows": ("a.vcf", "\ufeff##fileformat=VCFv4.2\r\n#CHROM\tPOS\r\n20\t14370\r\n", "a VCF file"),
}  # fmt: skip


@pytest.mark.parametrize("case", NAMED)
def test_a_format_that_is_not_read_is_named_with_the_next_step(case: str) -> None:
    name, text, words = NAMED[case]
    for raw in (text, text.replace("\n", "\r\n"), text.replace("\r\n", "\n").replace("\n", "\r")):
        with pytest.raises(DataError, match=words) as raised:
            read_upload(name, raw.encode())
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
