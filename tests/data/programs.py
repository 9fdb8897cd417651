# ruff: noqa: E501 (a line of a file is a line here)
"""Files as programs and collections document them, each with its right reading or the words of its refusal."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass

R = random.Random(3)
N = 30


def lines(header: str, line: Callable[[int], str], n: int = N) -> str:
    return (f"{header}\n" if header else "") + "".join(f"{line(i)}\n" for i in range(n))


@dataclass(frozen=True)
class Right:
    """What a right reading is: the kind of rows, their number, the label, left-out columns, and whether it asks."""

    domain: str
    n: int = N
    label: str = ""
    ids: str = ""
    asks: bool = False
    task: str = "classification"
    sentence: str = ""
    groups: bool = False


def x(i: int, j: int = 1) -> str:
    """Return a number that looks measured."""
    return f"{(i * 37 * j + 11 * j) % 101 / 7 + j:.2f}"


def dna(i: int, n: int = 60) -> str:
    return "".join(random.Random(i).choice("ACGT") for _ in range(n))


AMINO = "ACDEFGHIKLMNPQRSTVWY"
PEPTIDES = ["".join(R.choice(AMINO) for _ in range(9)) for _ in range(N)]
CDR3 = [f"CASS{p[: 3 + i % 6]}F" for i, p in enumerate(PEPTIDES)]
MOLECULES: list[str] = (  # noqa: SIM905 (a list of so many words takes a line for each)
    "CC(=O)Oc1ccccc1C(=O)O CN1C=NC2=C1C(=O)N(C(=O)N2C)C CCO c1ccccc1 CC(C)Cc1ccc(cc1)C(C)C(=O)O C1CCCCC1 CCN(CC)CC "
    "O=C(O)c1ccccc1 CC#N ClC(Cl)Cl CCOC(=O)C [Na+].[Cl-]"
).split()
FILM = "A film number {}, with a plot<br /><br />and music that was {}."
#: The name of each file, its text, and its right reading, or a part of the sentence that refuses it.
PROGRAMS: dict[str, tuple[str, str | bytes, Right | str]] = {
    # The UCI collection: no header, the class first or last.
    "UCI iris": (
        "iris.data",
        lines("", lambda i: f"{x(i)},{x(i, 2)},{x(i, 3)},{x(i, 4)},Iris-{('setosa', 'virginica')[i % 2]}") + "\n",
        Right("vector", label="x5"),
    ),
    "UCI wine": (
        "wine.data",
        lines("", lambda i: f"{1 + i // 10},{x(i)},{x(i, 2)},{x(i, 3)},{500 + i * 7}"),
        Right("vector", label="x1"),
    ),
    "UCI adult": (
        "adult.data",
        lines(
            "",
            lambda i: (
                f"{20 + i * 7 % 20}, {('Private', 'State-gov', '?')[i % 3]}, {70000 + i * 911}, {('Bachelors', 'HS-grad')[i % 2]}, {('<=50K', '>50K')[i % 4 == 0]}"
            ),
        ),
        Right("mixed", label="x5", asks=True, sentence="'?' (10 times) in 'x2' is read as a category of its own"),
    ),
    "UCI car": (
        "car.data",
        lines(
            "",
            lambda i: (
                f"{('vhigh', 'high', 'med', 'low')[i % 4]},{('vhigh', 'high', 'med', 'low')[i // 4 % 4]},{2 + i // 2 % 3},{('small', 'big')[i % 2]},{('unacc', 'acc', 'good')[i % 3]}"
            ),
        ),
        Right("mixed", label="x5", asks=True, sentence="'x1' could be the label as well"),
    ),
    "UCI mushroom": (
        "agaricus-lepiota.data",
        lines(
            "",
            lambda i: (
                f"{'pe'[i % 2]},{'xbs'[i % 3]},{'sy'[i // 2 % 2]},{'nyw'[i // 3 % 3]},{'tf'[i // 5 % 2]},{'pal'[i % 3]}"
            ),
        ),
        Right("categorical", label="x1", asks=True, sentence="'x6' could be the label as well"),
    ),
    "UCI abalone": (
        "abalone.data",
        lines("", lambda i: f"{'MFI'[i % 3]},0.{455 + i},0.{365 - i},0.{95 + i},{7 + i * 5 % 13}"),
        Right("mixed", label="x5", asks=True, sentence="'x1' could be the label as well"),
    ),
    "UCI breast cancer": (
        "breast-cancer-wisconsin.data",
        lines(
            "",
            lambda i: (
                f"{1000025 + i * 7919 % 9973},{1 + i % 9},{1 + i * 3 % 10},{'?' if i == 7 else 1 + i % 4},{2 + 2 * (i % 2)}"
            ),
        ),
        Right("vector", label="x5", asks=True, groups=True, sentence="'x1' is used as a number"),
    ),
    "UCI auto-mpg": (
        "auto-mpg.data",
        lines(
            "",
            lambda i: (
                f'{18 + i % 9}.0   {4 + 2 * (i % 3)}   {307 + i}.0      {130 + i}.0      {3504 + i * 7}.      {12 + i % 5}.0   7{i % 10}  {1 + i % 3}\t"chevrolet chevelle {i}"'
            ),
        ),
        Right("mixed", label="x8", asks=True, groups=True, sentence="'x8' is read as the label"),
    ),
    "UCI housing": (
        "housing.data",
        lines(
            "",
            lambda i: (
                f" 0.0{6 + i:02}32  {18 + i % 3}.00   2.310  {i % 2}  0.53{i:02}  6.5{i:02}0  {24 + i % 13}.{i % 10}0"
            ),
        ),
        Right("vector", label="x7", asks=True, task="regression"),
    ),
    "UCI zoo": (
        "zoo.data",
        lines("", lambda i: f"animal{i},{i % 2},{i // 2 % 2},{i // 3 % 2},{2 * (i % 3)},{1 + i % 4}"),
        Right("vector", label="x6", ids="x1", asks=True),
    ),
    "UCI votes": (
        "house-votes-84.data",
        lines(
            "", lambda i: f"{('republican', 'democrat')[i % 2]},{'yn?'[i % 3]},{'yn'[i // 2 % 2]},{'ny'[i // 3 % 2]}"
        ),
        Right("categorical", label="x1", asks=True, sentence="'x4' could be the label as well"),
    ),
    "UCI wine quality": (
        "winequality-red.csv",
        lines(
            '"fixed acidity";"volatile acidity";"pH";"quality"', lambda i: f"{x(i)};{x(i, 2)};3.{i % 10}1;{3 + i % 5}"
        ),
        Right("vector", label="quality"),
    ),
    "UCI bank": (
        "bank-full.csv",
        lines(
            '"age";"job";"balance";"y"',
            lambda i: f'{30 + i};"{("management", "technician")[i % 2]}";{2143 - i * 37};"{("no", "yes")[i % 3 == 0]}"',
        ),
        Right("mixed", label="y"),
    ),
    "UCI air quality": (
        "AirQualityUCI.csv",
        lines(
            "Date;Time;CO(GT);C6H6(GT);T;;",
            lambda i: f"{10 + i % 18}/03/2004;{i % 24:02}.00.00;{i % 7},6;{i % 11},9;13,{i % 10};;",
        ),
        Right("vector", label="T", ids="Date", task="regression"),
    ),
    "UCI seeds": (
        "seeds_dataset.txt",
        lines(
            "",
            lambda i: f"1{i % 6}.{i % 10}6\t14.{i % 9}4\t{'0.871' if i % 4 else '0.88'}\t\t5.{i % 7}63\t{1 + i // 10}",
        ),
        Right("vector", label="x6"),
    ),
    "UCI yeast": (
        "yeast.data",
        lines("", lambda i: f"ADT{i}_YEAST  0.{50 + i}  0.{61 - i}  0.4{i % 10}  {('MIT', 'NUC', 'CYT')[i % 3]}"),
        Right("vector", label="x5", ids="x1"),
    ),
    "UCI glass": (
        "glass.data",
        lines("", lambda i: f"{i + 1},1.5{2101 + i * 7},13.{i % 10}4,4.{i % 7}9,{1 + i // 6}"),
        Right("vector", label="x5", ids="x1"),
    ),
    # Tables of statistics programs and data sites.
    "palmer penguins": (
        "penguins.csv",
        lines(
            "species,island,bill_length_mm,body_mass_g,sex",
            lambda i: (
                f"{('Adelie', 'Gentoo')[i % 2]},{('Dream', 'Biscoe')[i // 2 % 2]},{'NA' if i == 3 else x(i)},{3700 + i * 5},{('male', 'female')[i // 3 % 2]}"
            ),
        ),
        Right("mixed", label="species"),
    ),
    "R mtcars": (
        "mtcars.csv",
        lines('"","mpg","cyl","am"', lambda i: f'"Mazda RX{i}",{x(i)},{4 + 2 * (i % 3)},{i % 2}'),
        Right("vector", label="am", ids="row"),
    ),
    "Kaggle houses": (
        "train.csv",
        lines(
            "Id,MSZoning,LotArea,SalePrice",
            lambda i: f"{i + 1},{('RL', 'RM')[i % 2]},{8450 + i * 37},{208500 + i * 1700}",
        ),
        Right("mixed", label="SalePrice", ids="Id", task="regression"),
    ),
    "Kaggle fraud": (
        "creditcard.csv",
        lines('"Time","V1","V2","Amount","Class"', lambda i: f'{i},-1.{359 + i},0.{72 + i},{x(i)},"{int(i % 7 == 0)}"'),
        Right("vector", label="Class"),
    ),
    "Kaggle digits": (
        "train.csv",
        lines(
            "label," + ",".join(f"pixel{j}" for j in range(12)),
            lambda i: f"{i % 3}," + ",".join(str(R.randrange(256)) for _ in range(12)),
        ),
        Right("vector", label="label"),
    ),
    "Yahoo prices": (
        "AAPL.csv",
        lines(
            "Date,Open,High,Low,Close,Volume",
            lambda i: f"2020-01-{i + 1:02},{x(i)},{x(i, 2)},{x(i, 3)},{x(i, 4)},{135480400 + i * 7919}",
        ),
        Right("vector", label="Volume", ids="Date", task="regression"),
    ),
    "UCR time series": (
        "Coffee_TRAIN.tsv",
        lines("", lambda i: f"{i % 2}\t" + "\t".join(f"-0.{51 + (i * j) % 40}8" for j in range(1, 9))),
        Right("series", label="x1"),
    ),
    "an SPSS export": (
        "data.csv",
        lines(
            "ID;GRUPPE;ALTER;WERT",
            lambda i: f"{i + 1};{('Kontrolle', 'Therapie')[i % 2]};{20 + i * 7 % 9};{i % 9},{i % 10}5",
        ),
        Right("mixed", label="WERT", ids="ID", asks=True, task="regression"),
    ),
    "REDCap": (
        "redcap.csv",
        lines(
            "record_id,redcap_event_name,age,bmi,outcome",
            lambda i: (
                f"{i // 2 + 1},{('baseline_arm_1', 'month_6_arm_1')[i % 2]},{40 + i // 2},{20 + i % 9}.5,{i // 2 % 2}"
            ),
        ),
        Right("mixed", label="outcome", groups=True),
    ),
    "gnuplot": (
        "points.dat",
        lines("# x y class", lambda i: f"{x(i)} {x(i, 2)} {i % 2}"),
        Right("vector", label="class"),
    ),
    "MATLAB save -ascii": (
        "m.txt",
        lines("", lambda i: f"  {i % 7}.{i:02}00000e+00   {i % 5}.5000000e-01   {1 + i % 2}.0000000e+00"),
        Right("vector", label="x3"),
    ),
    "mysql --batch": (
        "q.tsv",
        lines(
            "id\tcity\tage\tchurn", lambda i: f"{i + 1}\t{('Rome', 'NULL', 'Oslo')[i % 3]}\t{20 + i * 7 % 13}\t{i % 2}"
        ),
        Right("mixed", label="churn", ids="id"),
    ),
    # Genomics.
    "PLINK phenotypes": (
        "pheno.txt",
        lines("FID IID T2D BMI", lambda i: f"F{i} I{i} {1 + i % 2} {20 + i % 9}.{i % 10}"),
        Right("vector", label="T2D", ids="IID", asks=True, sentence="'BMI' could be the label as well"),
    ),
    "PLINK phenotypes with gaps": (
        "pheno.txt",
        lines("FID IID T2D", lambda i: f"F{i} I{i} {(1, 2, -9)[i % 3]}"),
        Right("vector", ids="IID", asks=True, sentence="-9 (10 times) in 'T2D'"),
    ),
    "PLINK fam with gaps": (
        "plink.fam",
        lines("", lambda i: f"FAM{i} IND{i} 0 0 {1 + i % 2} {(1, 2, 1, 2, -9)[i % 5]}"),
        "persons of PLINK (.fam)",
    ),
    "PLINK fam": (
        "plink.fam",
        lines("", lambda i: f"FAM{i} IND{i} 0 0 {1 + i % 2} {1 + i // 2 % 2}"),
        "persons of PLINK (.fam)",
    ),
    "PLINK ped": (
        "a.ped",
        lines(
            "",
            lambda i: (
                f"F{i} I{i} 0 0 {1 + i % 2} {1 + i // 15}  {'AAG'[i % 3]} G  C {'CT'[i % 2]}  {'AT'[i // 2 % 2]} T"
            ),
        ),
        "persons of PLINK (.bed, .ped)",
    ),
    "featureCounts": (
        "counts.txt",
        "# Program:featureCounts v2.0.1\n"
        + lines(
            "Geneid\tChr\tStart\tEnd\tStrand\tLength\ts1.bam\ts2.bam",
            lambda i: (
                f"ENSG{i:011}\tchr{1 + i % 3}\t{11869 + i * 977}\t{14409 + i * 977}\t{'+-'[i % 2]}\t{1735 + i}\t{i * 7 % 31}\t{i * 5 % 17}"
            ),
        ),
        "featureCounts",
    ),
    "HTSeq": ("s1.counts", lines("", lambda i: f"ENSG{i:011}\t{i * 37 % 101}"), Right("vector", ids="x1")),
    "DESeq2": (
        "res.csv",
        lines(
            '"","baseMean","log2FoldChange","pvalue","padj"',
            lambda i: f'"gene{i}",{x(i)},-0.{i:02}7,{"NA" if i == 4 else f"0.0{i:02}"},0.{i:02}9',
        ),
        Right("vector", label="padj", ids="row", task="regression"),
    ),
    "Salmon": (
        "quant.sf",
        lines(
            "Name\tLength\tEffectiveLength\tTPM\tNumReads",
            lambda i: f"ENST{i:011}\t{1657 + i}\t{1493 + i}.000\t{x(i)}\t{i * 3}.000",
        ),
        Right("vector", label="NumReads", ids="Name", task="regression"),
    ),
    "narrowPeak": (
        "a.narrowPeak",
        lines(
            "",
            lambda i: (
                f"chr{1 + i // 10}\t{9356548 + i * 300}\t{9356648 + i * 300}\tpeak_{i}\t{i * 31 % 1000}\t.\t{x(i)}\t{x(i, 2)}\t-1\t{50 + i}"
            ),
        ),
        "places in a genome (BED)",
    ),
    "QIIME": (
        "otu.txt",
        "# Constructed from biom file\n"
        + lines(
            "#OTU ID\ts1\ts2\ts3\ttaxonomy",
            lambda i: f"OTU{i}\t{i % 7}.0\t{i * 3 % 5}.0\t0.0\tk__Bacteria; p__{('Firmicutes', 'Proteo')[i % 2]}",
        ),
        Right("vector", label="taxonomy", ids="OTU ID"),
    ),
    "mothur shared": (
        "a.shared",
        lines(
            "label\tGroup\tnumOtus\tOtu01\tOtu02\tOtu03",
            lambda i: f"0.03\tF{i}D0\t3\t{i * 7 % 31}\t{i * 5 % 17}\t{i % 3}",
            12,
        ),
        Right("vector", 12, ids="Group", sentence="none of them is the label"),
    ),
    "BLOSUM62": (
        "BLOSUM62",
        "#  Matrix made by matblas from blosum62.iij\n   A  R  N  D\nA  4 -1 -2 -2\nR -1  5  0 -2\nN -2  0  6  1\nD -2 -2  1  6\n",
        Right("matrix", 4),
    ),
    "UniProt table": (
        "uniprot.tsv",
        lines(
            "Entry\tEntry Name\tLength\tSequence\tLocation",
            lambda i: (
                f"P{10000 + i}\tHB{i}_HUMAN\t{60 + i % 3}\t{dna(i).replace('A', 'M').replace('C', 'V').replace('G', 'L')}\t{('nucleus', 'membrane')[i % 2]}"
            ),
        ),
        Right("mixed", label="Location", ids="Entry"),
    ),
    # Graphs.
    "SNAP": (
        "facebook.txt",
        "# Undirected graph: ../../data/output/a.txt\n# Nodes: 10 Edges: 12\n# FromNodeId\tToNodeId\n"
        + lines("", lambda i: f"{i % 10}\t{(i * 3 + 1) % 10}", 12),
        Right("node", 10),
    ),
    "KONECT": (
        "out.ucidata-zachary",
        "% sym unweighted\n% 12 10 10\n" + lines("", lambda i: f"{1 + i % 10} {1 + (i * 3 + 1) % 10}", 12),
        "a KONECT network",
    ),
    "Gephi edges": (
        "edges.csv",
        lines("Source,Target,Type,Id,Weight", lambda i: f"n{i % 9},n{(i * 2 + 1) % 9},Undirected,{i},1.0", 18),
        Right("node", 9),
    ),
    # Texts.
    "SST-2": (
        "train.tsv",
        lines("sentence\tlabel", lambda i: f"hide new secretions from the parental unit {i} \t{i % 2}"),
        Right("text", label="label"),
    ),
    "CoLA": (
        "in_domain_train.tsv",
        lines(
            "", lambda i: f"gj04\t{i % 2}\t{'*' if i % 2 == 0 else ''}\tOur friends won't buy this analysis number {i}."
        ),
        Right("mixed", label="x2"),
    ),
    "AG News": (
        "train.csv",
        lines(
            "",
            lambda i: (
                f'"{1 + i % 4}","Wall St. Bears Claw Back ({i})","Reuters - Short-sellers, Wall Street\'s dwindling band, are seeing green again {i}."'
            ),
        ),
        Right("mixed", label="x1"),
    ),
    "IMDB": (
        "IMDB Dataset.csv",
        lines("review,sentiment", lambda i: f'"{FILM.format(i, "so-so")}",{("positive", "negative")[i % 2]}'),
        Right("text", label="sentiment"),
    ),
    "TREC": (
        "train_5500.label",
        lines(
            "",
            lambda i: (
                f"{('DESC:manner', 'ENTY:animal', 'HUM:ind')[i % 3]} How did serfdom {'really ' * (i % 4)}develop in town {i} ?"
            ),
        ),
        Right("text", asks=True),
    ),
    "Sentiment140": (
        "s140.csv",
        lines(
            "",
            lambda i: (
                f'"{4 * (i % 2)}","{1467810369 + i * 303}","Mon Apr 06 22:19:{i % 60:02} PDT 2009","NO_QUERY","user{i}","is upset that he can\'t update {i} times"'
            ),
        ),
        Right("mixed", label="x1", ids="x3"),
    ),
    "an Apache log": (
        "access.log",
        lines(
            "",
            lambda i: (
                f'127.0.0.1 - - [10/Oct/2000:13:55:{i % 60:02} -0700] "GET /page{i}.html HTTP/1.0" 200 {2326 + i}'
            ),
        ),
        Right("text", label="x8", ids="x4", asks=True, task="regression"),
    ),
    # Sequences.
    "Clustal": (
        "a.aln",
        "CLUSTAL W (1.82) multiple sequence alignment\n\n"
        + "".join(f"seq{i}      {dna(i, 50)}\n" for i in range(4))
        + "\n",
        "a Clustal alignment",
    ),
    "Stockholm": (
        "a.sto",
        "# STOCKHOLM 1.0\n" + "".join(f"seq{i}/1-50    {dna(i, 50)}\n" for i in range(4)) + "//\n",
        "a Stockholm alignment",
    ),
    "FASTQ": ("a.fastq", "".join(f"@SEQ_{i}\n{dna(i, 40)}\n+\n{'I' * 40}\n" for i in range(6)), Right("sequence", 6, ids="id")),
    "DNA and class": (
        "promoter.csv",
        lines("class,id,sequence", lambda i: f"{'+-'[i % 2]},S{i},{dna(i, 57).lower()}"),
        Right("sequence", label="class", ids="id"),
    ),
    # Weka, SVMlight, JSON, KEEL.
    "Weka": (
        "iris.arff",
        "% 1. Title: Iris\n@RELATION iris\n@ATTRIBUTE sepallength NUMERIC\n@ATTRIBUTE petal REAL\n@ATTRIBUTE class {a,'b c'}\n@DATA\n"
        + lines("", lambda i: f"{x(i)},{x(i, 2)},{('a', chr(39) + 'b c' + chr(39))[i % 2]}"),
        Right("vector", label="class"),
    ),
    "sparse ARFF": (
        "s.arff",
        "@relation r\n@attribute a numeric\n@attribute b numeric\n@attribute y {no,yes}\n@data\n"
        + lines("", lambda i: "{0 " + x(i) + (", 2 yes" if i % 2 else "") + "}"),
        Right("vector", label="y"),
    ),
    "LIBSVM a1a": (
        "a1a",
        lines("", lambda i: f"{'+-'[i % 2]}1 {1 + i % 3}:1 {7 + i % 4}:1 {20 + i % 5}:1 "),
        Right("vector"),
    ),
    "LIBSVM housing": (
        "housing_scale",
        lines("", lambda i: f"{24 + i * 7 % 23}.{i % 10} 1:-0.{i + 10} 2:0.{i + 20} 4:-1 "),
        Right("vector", task="regression"),
    ),
    "JSON records": (
        "r.json",
        "[" + ",".join(f'{{"len": {x(i)}, "wid": {x(i, 2)}, "kind": "{"ab"[i % 2]}"}}' for i in range(N)) + "]",
        Right("vector", label="kind"),
    ),
    "JSON lines": (
        "r.jsonl",
        lines("", lambda i: f'{{"text": "it was a good day number {i}", "label": {i % 2}}}'),
        Right("text", label="label"),
    ),
    "pandas split": (
        "s.json",
        '{"columns":["a","b","y"],"index":['
        + ",".join(str(i) for i in range(N))
        + '],"data":['
        + ",".join(f'[{x(i)},{x(i, 2)},"{"uv"[i % 2]}"]' for i in range(N))
        + "]}",
        Right("vector", label="y"),
    ),
    "KEEL": (
        "iris.dat",
        "@relation iris\n@attribute sepal real [4.3, 7.9]\n@attribute petal real [1.0, 6.9]\n@attribute class {a, b}\n@inputs sepal, petal\n@outputs class\n@data\n"
        + lines("", lambda i: f"{x(i)}, {x(i, 2)}, {'ab'[i % 2]}"),
        "a table of KEEL",
    ),
    "psql": (
        "q.txt",
        " id | age | kind \n----+-----+------\n"
        + lines("", lambda i: f" {i:2} |  {20 + i} | {'ab'[i % 2]}")
        + f"({N} rows)\n",
        "a table printed by psql",
    ),
    "a Markdown table": (
        "t.md",
        "| len | wid | kind |\n|-----|----:|------|\n" + lines("", lambda i: f"| {x(i)} | {x(i, 2)} | {'ab'[i % 2]} |"),
        Right("vector", label="kind"),
    ),
    "Pajek": ("a.net", '*Vertices 4\n1 "a"\n2 "b"\n3 "c"\n4 "d"\n*Edges\n1 2 1\n2 3 1\n3 4 1\n', "a Pajek network"),
    "Graphviz": ("a.dot", "graph G {\n a -- b;\n b -- c;\n c -- a;\n c -- d;\n}\n", "a Graphviz graph"),
    "VCF": (
        "a.vcf",
        "##fileformat=VCFv4.2\n#CHROM\tPOS\tID\tREF\tALT\tQUAL\tFILTER\tINFO\tFORMAT\ts1\n20\t14370\trs1\tG\tA\t29\tPASS\tNS=3\tGT\t0|0\n20\t17330\t.\tT\tA\t3\tq10\tNS=3\tGT\t0|1\n",
        "a VCF file",
    ),
    "CoNLL 2003": (
        "eng.train",
        "-DOCSTART- -X- O O\n\nEU NNP I-NP I-ORG\nrejects VBZ I-VP O\nGerman JJ I-NP I-MISC\n\nPeter NNP I-NP I-PER\nBlackburn NNP I-NP I-PER\n",
        "a treebank or tagged words",
    ),
    "LIBFFM": (
        "a.ffm",
        lines("", lambda i: f"{i % 2} 0:{i % 5}:1 1:{5 + i % 3}:0.5"),
        "a LIBFFM file",
    ),
    "TSPLIB": (
        "a.tsp",
        "NAME: berlin4\nTYPE: TSP\nDIMENSION: 4\nEDGE_WEIGHT_TYPE: EUC_2D\nNODE_COORD_SECTION\n1 565.0 575.0\n2 25.0 185.0\n3 345.0 750.0\n4 945.0 685.0\nEOF\n",
        "a TSPLIB file",
    ),
    "Octave": (
        "o.txt",
        "# Created by Octave 6.2.0\n# name: A\n# type: matrix\n# rows: 4\n# columns: 3\n 1.5 2 3\n 4 5 6.5\n 7 8 9\n 1 0 2\n\n\n",
        Right("vector", 4),
    ),
    "Qualtrics": (
        "q.csv",
        'StartDate,Q1,Q2,Group\nStart Date,"How old, are you?",Mood,Group\n"{""ImportId"":""startDate""}","{""ImportId"":""QID1""}","{""ImportId"":""QID2""}","{""ImportId"":""G""}"\n'
        + lines("", lambda i: f"2020-01-{i + 1:02} 10:00:00,{20 + i},{1 + i % 5},{'ab'[i % 2]}"),
        Right("vector", label="Group", ids="StartDate", asks=True, sentence="lines 2 to 3 describe them"),
    ),
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
        Right("text", 5, "x1", sentence="Quotation marks are read as letters"),
    ),
    "messages between two marks": (
        "sms.tsv", 'ham\t"Are you there\nspam\tWin it now\nham\tgo on"\nham\tyes we can\nspam\tfree prize today\n',
        Right("text", 5, "x1", asks=True, sentence="Quotation marks are read as letters"),
    ),
    "cells of several lines": (
        "notes.csv", 'note,label\n"first line\nsecond line, too",a\n"only one line",b\n"again\ntwo lines",a\n',
        Right("text", 3, "label", sentence="enclose 2 line ends"),
    ),
    # Peptides.
    "NetMHC training data": (
        "mhc.csv", lines("peptide,binder", lambda i: f"{PEPTIDES[i]},{i % 2}"), Right("sequence", label="binder"),
    ),
    "IEDB affinities": (
        "bdata.2009.mhci.txt",
        lines("species\tmhc\tpeptide_length\tcv\tsequence\tinequality\tmeas",
              lambda i: f"human\tHLA-A-0{1 + i % 3}01\t9\tTBD\t{PEPTIDES[i]}\t=\t{100 + i * 37.5:.3f}"),
        Right("mixed", label="meas", asks=True, task="regression"),
    ),
    "VDJdb": (
        "vdjdb.tsv",
        lines("complex.id\tgene\tcdr3\tspecies\tantigen.epitope",
              lambda i: f"{i // 2}\tTR{'AB'[i % 2]}\t{CDR3[i]}\tHomoSapiens\t{('GIL', 'NLV')[i % 3 > 0]}GFVFTL"),
        Right("mixed", label="antigen.epitope", groups=True),
    ),
    "a list of CDR3": ("cdr3.txt", "\n".join(CDR3), Right("sequence", sentence="read as data")),
    "a list of strings over few letters": (
        "cdr3.txt", lines("", lambda i: "CAS" + "".join("SGTNEQYF"[i * j % 8] for j in range(1, 7 + i % 5)) + "FAQ"[i % 3] * 2),
        Right("sequence", sentence="read as data"),
    ),
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
        "texts of fastText",
    ),
    # Headers.
    "Orange, three lines": (
        "zoo.tab",
        "name\thair\tlegs\ttype\nstring\t0 1\tcontinuous\tdiscrete\nmeta\t\t\tclass\n"
        "aardvark\t1\t4\tmammal\nbass\t0\t0\tfish\nbear\t1\t4\tmammal\ncarp\t0\t0\tfish\n",
        Right("mixed", 4, "type", "name", sentence="as Orange writes them"),
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
        Right("vector", label="state", ids="time", sentence="The table begins in line 3"),
    ),
    "a web form": (
        "form.csv",
        lines("Timestamp,How old are you?,Group",
              lambda i: f"2023/01/{i + 1:02} 3:1{i % 10}:22 PM GMT+1,{18 + i % 9},{'ab'[i % 2]}"),
        Right("vector", label="Group", ids="Timestamp"),
    ),
    "word2vec": (
        "w.txt", "12 3\n" + lines("", lambda i: f"word{i} {0.1 * i:.2f} {-0.2 * i:.2f} {i * 7 % 5 / 3:.3f}", 12),
        Right("vector", 12, "x4", "x1", asks=True, task="regression"),
    ),
    # Sorted numbers are numbers.
    "a price list": (
        "prices.csv", lines("price,rooms,sold", lambda i: f"{100 + i * i * 3 + i},{i % 5},{'yn'[i % 2]}"),
        Right("vector", label="sold", sentence="'price' is used as a number"),
    ),
    "BED": (
        "peaks.bed",
        lines("", lambda i: f"chr{1 + i // 10}\t{1000 * i + 137}\t{1000 * i + 190 + i % 7}\tpeak{i}\t{i * 37 % 1000}\t"
              + "+-"[i % 2]),
        "places in a genome (BED)",
    ),
    "MovieLens 1M": (
        "ratings.dat",
        lines("", lambda i: f"{1 + i * 377 % 6040}::{i * 131 % 3952}::{1 + i * 7 % 5}::{978300760 + i * i}"),
        Right("vector", label="x4", asks=True, task="regression", sentence="'x4' is read as the label"),
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
        Right("matrix", 4, sentence="filled with the other half"),
    ),
    "R's dist": (
        "d.dat", " a b c d\na 0\nb 5 0\nc 2 3 0\nd 1 2 7 0\n", Right("matrix", 4, asks=True, sentence="filled with the other half"),
    ),
    "STRING": (
        "9606.protein.links.txt",
        lines("protein1 protein2 combined_score", lambda i: f"9606.P{i % 9} 9606.P{(i * 2 + 1) % 9} {150 + i * 17}"),
        Right("categorical", label="combined_score", asks=True, task="regression"),
    ),
    # Letters.
    "Excel in Japan": (
        "jp.csv", "なまえ,a,クラス\nたろう,1.5,犬\nはなこ,2.5,猫\nじろう,0.5,犬\n".encode("shift_jis"),
        Right("mixed", 3, "クラス", asks=True, sentence="Japanese (Shift JIS)"),
    ),
    "kanji alone": (
        "jp.csv", "名前,年齢,種類\n東京,12,城\n大阪,45,城\n京都,33,塔\n富士,21,塔\n".encode("shift_jis"),
        Right("mixed", 4, asks=True, sentence="not UTF-8"),
    ),
    "an old Macintosh": (
        "mac.csv", "Stadt;Größe\nMünchen;1,5\nKöln;2,5\nDüsseldorf;3,5\n".encode("mac_roman"),
        Right("mixed", 3, asks=True, sentence="not UTF-8"),
    ),
    "Windows in Germany": (
        "win.csv", "Stadt;Größe\nMünchen;1,5\nKöln;2,5\nDüsseldorf;3,5\n".encode("cp1252"),
        Right("mixed", 3, sentence="'Größe München Köln Düsseldorf'"),
    ),
    "lines of prose": (
        "log.txt", "the server starts at noon\nthe client asks for more\nthe server stops at night\n",
        Right("text", 3, asks=True, sentence="Nothing separates cells"),
    ),
    # Not read: named, with the next step.
    "XYZ": (
        "water.xyz", "3\nwater\nO 0.0 0.0 0.1\nH 0.0 0.7 -0.4\nH 0.0 -0.7 -0.4\n", "a molecule's coordinates"),
    "PDB": (
        "1abc.pdb", "HEADER    OXYGEN TRANSPORT\nATOM      1  N   VAL A   1      10.720  19.523   6.163  1.00 21.36           N\n"
        "ATOM      2  CA  VAL A   1      10.228  20.761   6.807  1.00 24.26           C\n", "a protein structure"),
    "MOL2": (
        "a.mol2", "@<TRIPOS>MOLECULE\nbenzene\n12 12 1\n", "MOL2"),
    "GFF": (
        "a.gff", "##gff-version 3\nchr1\tHAVANA\tgene\t11869\t14409\t.\t+\t.\tID=g1\n", "a table of genes (GTF or GFF)"),
    "SAM": (
        "a.sam", "@HD\tVN:1.6\tSO:coordinate\n@SQ\tSN:ref\tLN:45\nr001\t99\tref\t7\t30\t8M\n", "a SAM file"),
    "Newick": (
        "tree.nwk", "(Bovine:0.69395,(Gibbon:0.36079,Orang:0.33636):0.06,Mouse:1.21460);\n", "a tree"),
    "an SQL dump": (
        "dump.sql", "-- MySQL dump 10.13\nCREATE TABLE `t` (\n `a` int\n);\n", "an SQL dump"),
    "LaTeX": (
        "paper.tex", "\\documentclass{article}\n\\begin{document}\nHello, world\n", "a LaTeX document"),
    "Vowpal Wabbit": (
        "vw.txt", "1 |f height:0.5 width:0.2 red\n-1 |f height:0.1 width:0.9 blue\n", "a Vowpal Wabbit file"),
    "CoNLL-U": (
        "en.conllu", "# sent_id = 1\n# text = The cat\n1\tThe\tthe\tDET\n2\tcat\tcat\tNOUN\n", "a treebank"),
    "a ragged table": (
        "ragged.csv", "a,b\n" + ",".join("1" * 14) + "\n", "line 2 has 14 cells; expected 2, as in line 1. If the lines above",
    ),
    "a row that is cut short": (
        "few.csv", "a,b,c\n1,2,3\n1,2\n", "line 3 has 2 cells; expected 3, as in line 1. Add the missing cells"),
    "an open quotation mark": (
        "open.csv", 'a,b\n"x, 1, 2,2\n3,4\n', "line 2 opens a quotation mark that no later line closes"),
    "half a matrix without its diagonal": (
        "corr.csv", ",a,b,c\na,,,\nb,.5,,\nc,.2,.3,\n", "half of the matrix and its diagonal are empty"),
    # The class in front, at the end, or the only column of words: without names each is possible.
    "UCI balance scale": (
        "balance-scale.data", lines("", lambda i: f"{'LBR'[i % 3]},{1 + i % 5},{1 + i // 2 % 5},{1 + i // 3 % 5}"),
        Right("vector", label="x1", asks=True, sentence="'x4' could be the label as well"),
    ),
    "UCI breast cancer, Ljubljana": (
        "breast-cancer.data",
        lines("", lambda i: f"{('no-recurrence-events', 'recurrence-events')[i % 2]},{30 + i % 3 * 10}-{39 + i % 3 * 10},"
              f"{('yes', 'no')[i // 2 % 2]},{1 + i % 3},{('no', 'yes')[i // 3 % 2]}"),
        Right("mixed", label="x1", asks=True),
    ),
    "UCI tic-tac-toe": (
        "tic-tac-toe.data",
        lines("", lambda i: f"{'xob'[i % 3]},{'xob'[i // 2 % 3]},{'xob'[i // 3 % 3]},{('positive', 'negative')[i % 2]}"),
        Right("categorical", label="x4", asks=True),
    ),
    "UCI heart, SPECT": (
        "SPECT.train", lines("", lambda i: f"{i % 2},{i // 2 % 2},{i // 3 % 2},{i // 4 % 2},{i // 5 % 2}"),
        Right("vector", label="x5", asks=True, sentence="'x1' could be the label as well"),
    ),
    "UCI letters": (
        "letter-recognition.data", lines("", lambda i: f"{'TIDN'[i % 4]},{i * 7 % 13},{i * 3 % 11},{i % 8}"),
        Right("vector", label="x1", asks=True),
    ),
    "UCI WDBC": (
        "wdbc.data", lines("", lambda i: f"{842302 + i * 7919 % 99999},{'MB'[i % 2]},{x(i)},{x(i, 2)},{x(i, 3)}"),
        Right("vector", label="x2", asks=True, sentence="the only nominal column"),
    ),
    "UCI adult, test rows": (
        "adult.test",
        "|1x3 Cross validator\n" + lines("", lambda i: f"{20 + i % 20}, {('Private', 'State-gov')[i // 2 % 2]}, "
                                         f"{70000 + i * 911 % 5000}, {('<=50K.', '>50K.')[i % 2]}"),
        Right("mixed", label="x4", sentence="The table begins in line 2"),
    ),
    "UCI forest fires": (
        "forestfires.csv",
        lines("X,Y,month,temp,area", lambda i: f"{1 + i % 9},{2 + i % 7},{('mar', 'aug')[i % 2]},{x(i)},{x(i, 2)}"),
        Right("mixed", label="area", asks=True, task="regression", sentence="'Y' could be the label as well"),
    ),
    "UCI dorothea": (
        "dorothea_train.data", lines("", lambda i: f"{100 + i} {234 + i}{f' {345 + 7 * i} {789 + i}' * (1 + i % 2)} {801 + i}"),
        Right("text", asks=True),
    ),
    "a group that may be the class": (
        "jasp.csv", lines('"","group","score","note"', lambda i: f'{i + 1},{"ab"[i % 2]},{x(i)},NA'),
        Right("vector", groups=True, sentence="Rows with the same 'group' are not divided"),
    ),
    # A line below the names describes the columns.
    "SurveyMonkey": (
        "s.csv",
        lines("Respondent ID,Do you smoke?,Which colours?,,Diet\n,Response,Red,Blue,Response",
              lambda i: f"{1000 + i * 37},{('Yes', 'No')[i % 2]},{('Red', '')[i // 2 % 2]},{('Blue', '')[i // 3 % 2]},"
              f"{('a', 'b', 'c')[i % 3]}"),
        Right("categorical", label="Diet Response", ids="Respondent ID", sentence="2 lines are read as names"),
    ),
    "PubChem": (
        "AID_1.csv",
        lines("PUBCHEM_RESULT_TAG,PUBCHEM_ACTIVITY_OUTCOME,PUBCHEM_ACTIVITY_SCORE,IC50\nRESULT_TYPE,,,FLOAT\n"
              "RESULT_DESCR,,,half\nRESULT_UNIT,,,MICROMOLAR",
              lambda i: f"{i + 1},{('Active', 'Inactive')[i % 2]},{i * 7 % 100},{x(i)}"),
        Right("mixed", label="IC50", ids="PUBCHEM_RESULT_TAG", asks=True, task="regression", sentence="lines 2 to 4 describe them"),
    ),
    "SNPTEST": (
        "cohort.sample",
        lines("ID_1 ID_2 missing sex bmi pheno\n0 0 0 D P B",
              lambda i: f"F{i} I{i} 0.0{i % 9} {1 + i // 2 % 2} {x(i)} {i % 2}"),
        Right("vector", label="pheno", ids="ID_1", sentence="the second line describes them"),
    ),
    "USGS": (
        "nwis.rdb",
        "# retrieved: 2020\n" + lines("agency_cd\tdatetime\tflow\tflow_cd\n5s\t20d\t14n\t10s",
                                     lambda i: f"USGS\t2020-01-{i % 28 + 1:02}\t{x(i)}\t{'AP'[i % 2]}"),
        Right("vector", label="flow_cd", ids="datetime", sentence="the second line describes them"),
    ),
    "Qualtrics in tabs": (
        "q.tsv",
        lines('Q1\tQ2\tGroup\n{"ImportId":"QID1"}\t{"ImportId":"QID2"}\t{"ImportId":"G"}',
              lambda i: f"{20 + i % 9}\t{1 + i % 5}\t{'ab'[i % 2]}"),
        Right("vector", label="Group", sentence="the second line describes them"),
    ),
    "MetaPhlAn": (
        "profile.txt",
        "#SampleID\tAnalysis\n" + lines("#clade_name\ttax_id\tabundance\tmore",
                                       lambda i: f"k__B|p__P{i % 5}|g__G{i}\t2|{i}|{i + 7}\t{x(i)}\t"),
        Right("vector", ids="clade_name"),
    ),
    "MaxQuant": (
        "proteinGroups.txt",
        lines("Protein IDs\tProtein names\tPEP\tReverse", lambda i: f"P{i:05}\tProt {i}\t{x(i)}\t{('', '+')[i % 2]}"),
        Right("mixed", ids="Protein IDs"),
    ),
    "BED12 of a browser": (
        "x.bed",
        'track name=pairs description="Clone"\n'
        + lines("", lambda i: f"chr22\t{1000 + i * 50}\t{5000 + i * 50}\tclone{i}\t{960 - i}\t{'+-'[i % 2]}\t1000\t5000"
                "\t0\t2\t567,488,\t0,3512"),
        "places in a genome (BED)",
    ),
    "bedGraph": (
        "a.bedgraph", lines("", lambda i: f"chr{1 + i % 3}\t{i * 100}\t{i * 100 + 100}\t{x(i)}"), "places in a genome (BED)",
    ),
    "numbered answers": (
        "likert.csv", lines("Q1,Q2,Q3,Q4", lambda i: f"{1 + i % 5},{1 + i // 2 % 5},{1 + i // 3 % 5},{1 + i * 3 % 5}"),
        Right("vector", sentence="'Q1' … 'Q4' are numbered alike"),
    ),
    "R's names of columns": (
        "v.csv", lines('"V1","V2","V3","V4"', lambda i: f"{x(i)},{x(i, 2)},{x(i, 3)},{('setosa', 'virginica')[i % 2]}"),
        Right("vector", label="V4"),
    ),
    "KEEL with two outputs": (
        "k.dat",
        "@relation k\n@attribute a integer[0,9]\n@attribute b real [0, 99]\n@attribute c {u,v}\n@inputs a\n"
        "@outputs c, b\n@data\n" + lines("", lambda i: f"{i % 10}, {'<null>' if i == 3 else x(i)}, {'uv'[i % 2]}"),
        "a table of KEEL",
    ),
    "GTF": (
        "a.gtf", '#!genome-build GRCh38\n1\thavana\tgene\t11869\t14409\t.\t+\t.\tgene_id "G1";\n' * 2,
        "a table of genes (GTF or GFF)",
    ),
    "several labels": ("m.svm", "0 1:0.5 4:1\n0,3 4:4.79 16:3.96\n1 2:1\n", "several labels per line"),
    "Bibtex": ("Bibtex_data.txt", "2 60 9\n0,3 4:4.79 16:3.96\n1 2:1\n", "several labels per line"),
    "MGF": ("a.mgf", "BEGIN IONS\nTITLE=s1\nPEPMASS=500.2\n100.1 20\nEND IONS\n" * 3, "a list of spectra (MGF)"),
    "JCAMP-DX": ("a.jdx", "##TITLE= ETHANOL\n##JCAMP-DX= 4.24\n400 1 2 3\n##END=\n", "a spectrum (JCAMP-DX)"),
    "a flow cytometer": ("a.fcs", "FCS3.0         58     500     501    1000" + " " * 300 + "/$TOT/1/", "(FCS)"),
    "PLY": ("a.ply", "ply\nformat ascii 1.0\nelement vertex 3\nend_header\n0 0 0\n", "a three-dimensional mesh"),
    "OFF": ("a.off", "OFF\n4 4 6\n0 0 0\n1 0 0\n0 1 0\n0 0 1\n3 0 1 2\n", "a three-dimensional mesh"),
    "STL": ("a.stl", "solid x\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\n", "a three-dimensional mesh"),
    "OBJ": ("a.obj", "# Blender\no Cube\nv 1.0 1.0 -1.0\nv 1.0 -1.0 -1.0\nf 1 2 3\n", "a three-dimensional mesh"),
    "PGN": ("g.pgn", '[Event "x"]\n[Site "y"]\n[Result "1-0"]\n\n1. e4 e5 1-0\n' * 3, "chess games (PGN)"),
    "iCalendar": ("e.ics", "BEGIN:VCALENDAR\nVERSION:2.0\nBEGIN:VEVENT\nEND:VEVENT\n", "a calendar"),
    "mbox": ("m.mbox", "From a@b.c Mon Jan  1 00:00:00 2020\nFrom: a@b.c\nSubject: hi\n\nbody\n\n" * 3, "a mailbox"),
    "SubRip": ("f.srt", "1\n00:00:01,000 --> 00:00:02,000\nHello there\n\n", "subtitles"),
    "BibTeX": ("r.bib", "@article{a1,\n  author = {A B},\n  year = 2000\n}\n", "a list of references"),
    "RIS": ("r.ris", "TY  - JOUR\nAU  - A, B\nER  - \n\n", "a list of references"),
    "DIMACS": ("m.col", "c FILE: m.col\nc\np edge 5 5\ne 1 2\ne 2 3\n", "a DIMACS file"),
    "UCINET": ("a.dl", "dl n=4 format=fullmatrix\nlabels:\na,b,c,d\ndata:\n0 1 1 0\n", "a UCINET file"),
    "graph6": ("a.g6", ">>graph6<<D?{\nDFw\n", "a list of graphs (graph6)"),
    "TGF": ("a.tgf", "1 a\n2 b\n3 c\n#\n1 2 x\n2 3 y\n", "the trivial graph format"),
    "SPMF": ("a.spmf", "1 -1 1 2 3 -1 1 3 -1 4 -1 -2\n2 -1 3 -1 -2\n", "sequences of sets (SPMF)"),
    "BrainVision": ("e.vhdr", "Brain Vision Data Exchange Header File Version 1.0\n\n[Common Infos]\n", "BrainVision"),
    "IPAC": ("c.tbl", "\\fixlen = T\n|   ra    |  type |\n|  double |  char |\n   1.5       S   \n", "an IPAC table"),
    "xmgrace": ("r.xvg", '# gmx rms\n@    title "RMSD"\n@TYPE xy\n   0.000   1.5\n', "a plot of xmgrace (XVG)"),
    "Eurostat": ("t.tsv", "freq,unit,geo\\TIME_PERIOD\t2018 \t2019 \nA,NR,DE\t5 \t7 p\n", "a table of Eurostat"),
    "GHCN": ("u.dly", "USC00011072202001TMAX" + "  100  6" * 31 + "\n", "daily weather of GHCN"),
}  # fmt: skip
