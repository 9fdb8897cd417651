"""Name the formats that are not read, by their first bytes, and how to convert them."""

from __future__ import annotations

import re
from collections.abc import Collection

#: Steps, and lines of pandas and Biopython that make a file that is read.
_COPY = "Copy the table into a spreadsheet and save it as CSV UTF-8"
_TABLE, _SHEET = "Export the table as CSV", "Save the sheet as CSV UTF-8"
_UNPACK, _ARRAYS = "Unpack it, and give the file inside, or a .zip or .gz of it", "Save the arrays with numpy.savez"
_BEHIND, _ROWS, _GRAPH = "Give the numbers behind it", "Write a row per {} as CSV", "Write GraphML, or edges as CSV"
_PLINK, _SPECTRA = "Run plink --recode A, and give the .raw file", _ROWS.format("spectrum") + ", a column per place"
_PANDAS = "In Python: pandas.{}.to_csv('x.csv', index=False)"
_TURNED = "In Python: pandas.read_csv('x.{}', sep='\\t', {}, index_col=0).{}T.to_csv('x.csv')"
_BIO = "In Python: Bio.{0}.convert('x', '{1}', 'x.fasta', 'fasta')"
#: Tables without names of columns; pandas would write their numbers.
_BARE = "In Python: pandas.read_csv({}, header=None).to_csv('x.csv', index=False, header=False)"
_FAM = "read_csv('x.fam', sep=r'\\s+', header=None, names=['FID', 'IID', 'PAT', 'MAT', 'SEX', 'Y'])"
_LABELS = "read_csv('x.txt', sep='\\x01', header=None)[0].str.extract(r'__label__(\\S+) (.*)')"
_WORDS = "pivot_table(index=0, columns=1, values=2, fill_value=0).add_prefix('word ').rename_axis('document')"
#: Lines of comments above a format's first line; a byte that text does not have, further on; a number.
_NOTES, _BYTES, _E = r"(#.*\n)*", r"(?=[\s\S]{0,1000}?[\0-\x08\x0e-\x1a])", r"[-+.\deE]+"

#: Each format: a regular expression that matches the first bytes, the format's name, and what to do. The expression is
#: tried at the first byte and at the first letter; "zip:" names a file in a zip archive. The rarer ones come first.
FOREIGN: tuple[tuple[str, str, str], ...] = (
    (r"%PDF", "a PDF document", _COPY),
    (r"zip:(word/document|ppt/presentation).xml", "a document of Word or PowerPoint", _COPY),
    (rf"\x89PNG|\xff\xd8\xff|GIF8[79]a{_BYTES}|II\*\0|MM\0\*|[\s\S]{{128}}DICM|%!PS", "a picture", _BEHIND),
    (rf"(RIFF|ID3|OggS|fLaC){_BYTES}", "an audio, video or picture file", _BEHIND),
    (r"([\s\S]{512})?\x89HDF\r\n\x1a\n|CDF[\x01\x02\x05]|SIMPLE  =", "an array file (HDF5, netCDF or FITS)", _ARRAYS),
    (r"(?i)Brain ?Vision (Data Exchange|Marker)", "a recording of BrainVision", _ARRAYS),
    (r"FCS[23]\.[01]  ", "a flow cytometry file (FCS)", "Export the events as CSV"),
    (r"\x80[\x02-\x05]|zip:data.pkl", "a pickle, which is never opened since it can run programs",
     "Save a table with .to_csv('x.csv', index=False) or arrays with numpy.savez"),
    (r"RD[AX][23]\n|X\n\0\0\0|A\n[23]\n\d{6}\n\d{6}\n", "R data", "In R: write.csv(x, 'x.csv', row.names = FALSE)"),
    (r"\$FL[23]@\(#\)", "an SPSS file", _PANDAS.format("read_spss('x.sav')")),
    (r"<stata_dta>|[f-s][\x01\x02]\x01\0(?=[\s\S]{105})", "a Stata file", _PANDAS.format("read_stata('x.dta')")),
    (r"\0{12}\xc2\xea\x81\x60|HEADER RECORD\*{7}LIB", "a SAS file", _PANDAS.format("read_sas('x')")),
    (rf"(ARROW1|FEA1){_BYTES}", "a Feather or Arrow file", _PANDAS.format("read_feather('x')")),
    (rf"ORC{_BYTES}", "an ORC file", _PANDAS.format("read_orc('x.orc')")),
    (rf"SQLite format 3\0|[\s\S]{{8}}DUCK{_BYTES}|\0\x01\0\0Standard |Obj\x01", "a database", _TABLE),
    (r"(?i)(--.*\n|/\*.*\n|\s)*(CREATE TABLE|INSERT INTO|DROP TABLE)", "an SQL dump", _TABLE),
    (r" ?[^\n|]+(\|[^\n|]+)+\n-{2,}(\+-{2,})+\s", "a table printed by psql", f"{_TABLE}, with \\copy and CSV HEADER"),
    (r"\xd0\xcf\x11\xe0|zip:(xl/workbook.bin|content.xml|\[Content_Types\].xml|mimetype)",
     "an old spreadsheet, or one of another program", _SHEET),
    (r"\{\\rtf", "a rich-text document", "Save the text as UTF-8, or a table as CSV UTF-8"),
    (rf"BZh{_BYTES}|\xfd7zXZ|7z\xbc\xaf|Rar!{_BYTES}|\x28\xb5\x2f\xfd|\x04\x22\x4d\x18|[\s\S]{{257}}ustar",
     "an archive", _UNPACK),
    (r"\x7fELF|MZ\x90\0|zip:META-INF/MANIFEST.MF", "a program", "Choose a file of data"),
    # Graphs.
    (r"\*([Vv]ertices|Network)", "a Pajek network", _GRAPH),
    (r"(?i)(strict\s+)?(di)?graph\s{0,9}(\"?\w*\"?\s{0,9})?\{", "a Graphviz graph", _GRAPH),
    (r"(c .*\n|c\n)*p (edge|col|sp|max|cnf|tw) \d", "a DIMACS file", _GRAPH),
    (r"(?i)dl\s{1,9}n\s{0,3}=\s{0,3}\d", "a UCINET file", _GRAPH),
    (r">>(graph6|sparse6|digraph6)<<", "a list of graphs (graph6)", _GRAPH),
    (r"(\d{1,9}+[^\n]{0,100}+\n)++#\n\d{1,9} \d{1,9}", "a graph in the trivial graph format", _GRAPH),
    (r"% (sym|asym|bip)\b", "a KONECT network", "Remove the lines that begin with %: the others are an edge list"),
    (r"NAME ?:.*\n[\s\S]{0,2000}?(NODE_COORD|EDGE_WEIGHT)_SECTION", "a TSPLIB file", _BEHIND),
    # Sequences and genomes.
    (r"BAM\x01|@(HD\tVN|SQ\tSN):", "a SAM file or a BAM file", "Convert it to FASTA"),
    (r"# STOCKHOLM", "a Stockholm alignment", _BIO.format("AlignIO", "stockholm")),
    (r"CLUSTAL [WO2]", "a Clustal alignment", _BIO.format("AlignIO", "clustal")),
    (r"(?i)#mega", "a MEGA file", "In MEGA: export the alignment as FASTA, or the distances as CSV"),
    (r"(?i)#nexus", "a NEXUS file", _BIO.format("AlignIO", "nexus")),
    (r" *\d{1,9}[ \t]{1,9}\d{1,9}([ \t]{1,9}[A-Za-z]{1,5})?[ \t]*\n"  # taxa and letters, then a name and letters
     r" *([^\n]{10}|\S{1,200}[ \t\n])[ \t]*([ACGTUN?.\-]+|[A-Za-z?*.\-]{10,})( +[A-Za-z?*.\-]+)*[ \t]*(\n|$)",
     "an alignment of PHYLIP", _BIO.format("AlignIO", "phylip-relaxed")),
    (r"(;.*\n)+[A-Za-z*\-\s]{20,}(\n;|$)", "a file of sequences whose headers begin with ;",
     "Write > in front of each name: that is FASTA"),
    (r">(P1|F1|DL|DC|RL|RC|N3|N1|XX);", "a file of sequences of PIR (NBRF)", _BIO.format("SeqIO", "pir")),
    (r"LOCUS {2,9}\S+ +\d+ (bp|aa)", "a GenBank file", _BIO.format("SeqIO", "genbank")),
    (r"ID   \S+; SV ", "an EMBL file", _BIO.format("SeqIO", "embl")),
    (rf"##gff-version|{_NOTES}([^\t\n]+\t){{3}}\d+\t\d+\t{_E}\t[-+.?]\t[.012]\t", "a table of genes (GTF or GFF)",
     _ROWS.format("feature")),
    (r"##fileformat=VCF", "a VCF file", "Write the genotypes as CSV, a row per sample"),
    (r"track type=|(variable|fixed)Step chrom", "a genome track (WIG)", _TABLE),
    (r"HMMER3/", "a HMMER profile", "Give the sequences behind it as FASTA"),
    (r"Distance Matrix\n---", "a table of distances of EMBOSS", "Write PHYLIP distances, or CSV"),
    (r"\([^;\n]{3,8000}\)[^;\n(),]{0,50};\s*$", "a tree (Newick)", "Write its distances as a matrix"),
    (r"((#|track|browser).*\n){0,20}chr\w+[ \t]\d+[ \t]\d+([ \t].*)?\nchr\w+[ \t]\d+[ \t]\d+([ \t].*)?(\n|$)",
     "a table of places in a genome (BED)", _BARE.format("'x.bed', sep=r'\\s+', comment='#'")),
    (r"l\x1b[\0\x01]|(\S+[ \t]){4}[012][ \t]-?\d{1,5}(\.\d+)?([ \t]{1,3}[ACGTN0D-I][ \t][ACGTN0D-I])+[ \t]*\n",
     "genotypes or persons of PLINK (.bed, .ped)", _PLINK),
    (r"(?=\S{0,50}[ \t]?\S{0,50}[A-Za-z])(\S+[ \t]){2}0[ \t]0[ \t][012][ \t](-9|[012])\n"
     r"(\S+[ \t]){4}[012][ \t](-9|[012])(\n|$)", "persons of PLINK (.fam)", _PANDAS.format(_FAM)),
    (rf"{_NOTES}([^\t\n]+\t){{2}}\d{{1,3}}\.\d+\t(\d+\t){{7}}{_E}\t *[.\deE+]+ *(\n|$)", "a table of hits of BLAST",
     _BARE.format("'x.tsv', sep='\\t', comment='#'")),
    (r"#1\.[23][ \t]*\n\d+\t\d+", "a table of gene expression (GCT)",
     _TURNED.format("gct", "skiprows=2", "iloc[:, 1:].")),
    (r"!(Series|Sample)_\w+\t", "a series matrix of GEO", _TURNED.format("txt", "comment='!'", "")),
    (_NOTES + r"Geneid\tChr\tStart\tEnd\tStrand\tLength\t", "a table of counts of featureCounts",
     _TURNED.format("txt", "comment='#'", "iloc[:, 5:].")),
    (r"(#\s*\n)*#\s+Percent Identity\s+Matrix", "a matrix of identities (Clustal)",
     "Delete the lines that begin with # and the number before each name"),
    # Molecules, spectra, shapes.
    (r"(.*\n){2,3}[ \d]{6}.{0,60}V[23]000|@<TRIPOS>", "a molfile (SDF or MOL2)", "Write SMILES"),
    (r"(HEADER|TITLE |REMARK|CRYST1|ATOM  |HETATM) {1,5}.{10,}\n([A-Z0-9]{3,6} .*\n)", "a protein structure (PDB)",
     "Write the chains as FASTA"),
    (r"data_\S+\s[\s\S]{0,2000}?\n(loop_|_entry\.|_cell)", "a crystal structure (CIF)", "Write SMILES or FASTA"),
    (r"\d{1,7}\n.*\n[A-Z][a-z]?(\s+-?\d+\.\d+){3}", "a molecule's coordinates (XYZ)", "Write SMILES"),
    (r"(MASS=.*\n|#.*\n)*BEGIN IONS\s", "a list of spectra (MGF)", _SPECTRA),
    (r"##TITLE ?=", "a spectrum (JCAMP-DX)", _SPECTRA),
    (r"ply\s+format (ascii|binary)|solid .*\n\s{0,99}facet normal|(ST|C|N|4|n){0,5}OFF\s+(#.*\n)*\d+ \d+ \d"
     r"|(#.*\n|(o|g|mtllib) .*\n)*v (-?\d+\.\d+ ){2}-?\d+\.\d+\s", "a three-dimensional mesh", _ROWS.format("mesh")),
    # Texts.
    (r"\\documentclass|\\begin\{|[^\n&]+(&[^\n&]+)+\\\\\s*(\\hline)?\n", "a LaTeX document", _COPY),
    (r"(?i)<(!doctype html|html)", "a web page", _COPY),
    (r"\\data\\", "an ARPA language model", "Give the texts behind it"),
    (r"__label__\S", "texts of fastText",
     _PANDAS.format(_LABELS).replace("index=False", "index=False, header=['label', 'text']")),
    (r"\d+\n\d+\n\d+\n\d+ \d+ \d+(\n|$)", "a bag of words (docword)",
     f"In Python: pandas.read_csv('x.txt', sep=' ', skiprows=3, header=None).{_WORDS}.to_csv('x.csv')"),
    (r"# (newdoc|newpar|sent_id|text)\b.*\n[\s\S]{0,4000}?\n?1\t\S|-DOCSTART- ", "a treebank or tagged words (CoNLL)",
     _ROWS.format("sentence")),
    (r"(\[[A-Z][A-Za-z]{1,30} \".*\"\]\n){2}", "chess games (PGN)", _ROWS.format("game")),
    (r"BEGIN:V(CALENDAR|CARD)\s", "a calendar or an address book", _ROWS.format("entry")),
    (r"From .{3,}\n([A-Z][A-Za-z-]{1,40}: .*\n){2}", "a mailbox", _ROWS.format("message")),
    (r"WEBVTT\b|1\n\d\d:\d\d:\d\d,\d{3} --> ", "subtitles", _ROWS.format("text")),
    (r"(?i)@(article|book|inproceedings|misc|phdthesis|techreport)\s{0,3}\{|TY  - ", "a list of references",
     _ROWS.format("reference")),
    (r"((\d{1,9} ){1,200}-1 ){1,200}-2\s", "sequences of sets (SPMF)", "Write a text per line, a word per item"),
    (r"\{\s*\"cells\"\s*:\s*\[\s*\{\s*\"(cell_type|attachments|execution)", "a Jupyter notebook", _TABLE),
    # Tables.
    (r"(?i)(%.*\n|\n)*@relation[\s\S]*?\n@(in|out)puts?\s", "a table of KEEL",
     _BARE.format("'x.dat', comment='@', skipinitialspace=True")),
    (r"[-+\d. ]{0,20}('\S+ ?)?\|\S{0,20} [^\n|]*?[A-Za-z]\w*:-?[\d.]+\s", "a Vowpal Wabbit file", "Write SVMlight"),
    (rf"[-+\d.]+( \d+:\d+:{_E})+\s", "a LIBFFM file, label field:feature:value",
     "Leave the fields out: label feature:value is SVMlight"),
    (rf"(\d+ \d+ \d+\n)?([-+\d.]{{0,20}}( \d+:{_E})+ ?\n){{0,40}}\d+(,\d+)+ \d+:",
     "an SVMlight file with several labels per line", "Keep one label per line"),
    (r"(\\.*\n)*\|( *\w[^|\n]*\|)+\n\|( *(i|int|l|long|f|float|d|double|r|real|c|char|date) *\|)+", "an IPAC table",
     _TABLE),
    (r"([#@].*\n)*?@ +(title|xaxis|yaxis) ", "a plot of xmgrace (XVG)", "Delete the lines that begin with # or @"),
    (r"(?i)[\w,]+\\(TIME_PERIOD|time)\t", "a table of Eurostat, whose numbers carry letters", "Download SDMX-CSV"),
    (r"[A-Z]{2}[A-Z0-9]{9}\d{6}[A-Z]{4}[ \d-]{5}", "daily weather of GHCN (.dly)", _ROWS.format("day")),
)  # fmt: skip


def kind_of(start: bytes, members: Collection[str] = ()) -> tuple[str, str] | None:
    """Return the name of a format that is not read and how to convert it; None for other files.

    Parameters: `start`, its first bytes, 8 kB at most; `members`, the names in it where it is a zip.

    >>> kind_of(b"%PDF-1.7")
    ('a PDF document', 'Copy the table into a spreadsheet and save it as CSV UTF-8')
    >>> kind_of(b"ORCHID,colour\\n1,red\\n") is None
    True
    """
    names = {f"zip:{name}" for member in members for name in (member, member.rpartition("/")[2])}
    raw = start.decode("latin-1")
    text = raw.removeprefix("\xef\xbb\xbf").replace("\r\n", "\n").replace("\r", "\n").lstrip()
    begins = {raw, text, *names}
    return next(((what, step) for mark, what, step in FOREIGN if any(re.match(mark, begin) for begin in begins)), None)
