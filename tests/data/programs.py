# ruff: noqa: E501 (a line of a file is a line here)
"""Files as 70 more programs and collections document them, each with its right reading."""

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
    said: str = ""
    groups: bool = False


def x(i: int, j: int = 1) -> str:
    """Return a number that looks measured."""
    return f"{(i * 37 * j + 11 * j) % 101 / 7 + j:.2f}"


def dna(i: int, n: int = 60) -> str:
    return "".join(random.Random(i).choice("ACGT") for _ in range(n))


FILM = "A film number {}, with a plot<br /><br />and music that was {}."
#: The name of each file, its text, and its right reading, or a part of the sentence that refuses it.
MORE: dict[str, tuple[str, str, Right | str]] = {
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
                f"{20 + i}, {('Private', 'State-gov', '?')[i % 3]}, {70000 + i * 911}, {('Bachelors', 'HS-grad')[i % 2]}, {('<=50K', '>50K')[i % 4 == 0]}"
            ),
        ),
        Right("mixed", label="x5"),
    ),
    "UCI car": (
        "car.data",
        lines(
            "",
            lambda i: (
                f"{('vhigh', 'high', 'med', 'low')[i % 4]},{('high', 'low')[i // 4 % 2]},{2 + i // 2 % 3},{('small', 'big')[i % 2]},{('unacc', 'acc', 'good')[i % 3]}"
            ),
        ),
        Right("mixed", label="x5"),
    ),
    "UCI mushroom": (
        "agaricus-lepiota.data",
        lines(
            "",
            lambda i: (
                f"{'pe'[i % 2]},{'xbs'[i % 3]},{'sy'[i // 2 % 2]},{'nyw'[i // 3 % 3]},{'tf'[i // 5 % 2]},{'pal'[i % 3]}"
            ),
        ),
        Right("categorical", label="x6", said="'x6' is read as the label"),
    ),
    "UCI abalone": (
        "abalone.data",
        lines("", lambda i: f"{'MFI'[i % 3]},0.{455 + i},0.{365 - i},0.{95 + i},{7 + i * 5 % 13}"),
        Right("mixed", label="x5", said="The 13 different numbers in 'x5' are read as classes"),
    ),
    "UCI breast cancer": (
        "breast-cancer-wisconsin.data",
        lines(
            "",
            lambda i: (
                f"{1000025 + i * 7919 % 9973},{1 + i % 9},{1 + i * 3 % 10},{'?' if i == 7 else 1 + i % 4},{2 + 2 * (i % 2)}"
            ),
        ),
        Right("vector", label="x5", said="'x1' is used as a number"),
    ),
    "UCI auto-mpg": (
        "auto-mpg.data",
        lines(
            "",
            lambda i: (
                f'{18 + i % 9}.0   {4 + 2 * (i % 3)}   {307 + i}.0      {130 + i}.0      {3504 + i * 7}.      {12 + i % 5}.0   7{i % 10}  {1 + i % 3}\t"chevrolet chevelle {i}"'
            ),
        ),
        Right("mixed", label="x8", said="'x8' is read as the label"),
    ),
    "UCI housing": (
        "housing.data",
        lines(
            "",
            lambda i: (
                f" 0.0{6 + i:02}32  {18 + i % 3}.00   2.310  {i % 2}  0.53{i:02}  6.5{i:02}0  {24 + i % 13}.{i % 10}0"
            ),
        ),
        Right("vector", label="x7", task="regression"),
    ),
    "UCI zoo": (
        "zoo.data",
        lines("", lambda i: f"animal{i},{i % 2},{i // 2 % 2},{i // 3 % 2},{2 * (i % 3)},{1 + i % 4}"),
        Right("vector", label="x6", ids="x1"),
    ),
    "UCI votes": (
        "house-votes-84.data",
        lines(
            "", lambda i: f"{('republican', 'democrat')[i % 2]},{'yn?'[i % 3]},{'yn'[i // 2 % 2]},{'ny'[i // 3 % 2]}"
        ),
        Right("categorical", label="x4", said="'x4' is read as the label"),
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
        Right("vector", label="x1"),
    ),
    "an SPSS export": (
        "data.csv",
        lines(
            "ID;GRUPPE;ALTER;WERT",
            lambda i: f"{i + 1};{('Kontrolle', 'Therapie')[i % 2]};{20 + i * 7 % 9};{i % 9},{i % 10}5",
        ),
        Right("mixed", label="WERT", ids="ID", task="regression"),
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
        Right("vector", label="T2D", ids="IID"),
    ),
    "PLINK phenotypes with gaps": (
        "pheno.txt",
        lines("FID IID T2D", lambda i: f"F{i} I{i} {(1, 2, -9)[i % 3]}"),
        Right("vector", ids="IID", said="'T2D' holds -9 10 times"),
    ),
    "PLINK fam with gaps": (
        "plink.fam",
        lines("", lambda i: f"FAM{i} IND{i} 0 0 {1 + i % 2} {(1, 2, 1, 2, -9)[i % 5]}"),
        Right("vector", label="x6", ids="x1", said="'x6' holds -9 6 times"),
    ),
    "PLINK fam": (
        "plink.fam",
        lines("", lambda i: f"FAM{i} IND{i} 0 0 {1 + i % 2} {1 + i // 2 % 2}"),
        Right("vector", label="x6", ids="x1"),
    ),
    "PLINK ped": (
        "a.ped",
        lines(
            "",
            lambda i: (
                f"F{i} I{i} 0 0 {1 + i % 2} {1 + i // 15}  {'AAG'[i % 3]} G  C {'CT'[i % 2]}  {'AT'[i // 2 % 2]} T"
            ),
        ),
        Right("mixed", label="x11", ids="x1", said="'x11' is read as the label"),
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
        Right("mixed", label="s2.bam", ids="Geneid", said="'s2.bam' is read as the label"),
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
        Right("mixed", label="x8", ids="x4", task="regression", said="'x8' is read as the label"),
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
        Right("vector", 12, "Otu03", "Group", said="'Otu03' is read as the label"),
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
        Right("text", ids="x4"),
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
    "FASTQ": ("a.fastq", "".join(f"@SEQ_{i}\n{dna(i, 40)}\n+\n{'I' * 40}\n" for i in range(6)), "a FASTQ file"),
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
        "line 5 is '@inputs sepal, petal'; expected @attribute",
    ),
    "sktime": (
        "a.ts",
        "@problemName A\n@timeStamps false\n@univariate true\n@classLabel true 0 1\n@data\n"
        + lines("", lambda i: f"{x(i)},{x(i, 2)},{x(i, 3)}:{i % 2}"),
        "a file of time series",
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
        Right("vector", label="kind ------", said="2 lines are read as names"),
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
        "a file of tagged words",
    ),
    "LIBFFM": (
        "a.ffm",
        lines("", lambda i: f"{i % 2} 0:{i % 5}:1 1:{5 + i % 3}:0.5"),
        "expected a label and number:value pairs",
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
        "column 'x2' must hold finite numbers; data row 1 has 'Q1'",
    ),
}
