"""Decode text that is not UTF-8, with a guess that shows a sample."""

from __future__ import annotations

import codecs
import re

from charset_normalizer import from_bytes

from ..errors import DataError
from .foreign import kind_of
from .guesses import Choice, Guess
from .uploads import is_binary, not_text, shortened

#: The encodings that a person can choose: Python's name and the text on screen.
ENCODINGS = {
    "cp1252": "Western (Windows-1252)",
    "cp1250": "Central European (Windows-1250)",
    "cp1251": "Cyrillic (Windows-1251)",
    "cp1253": "Greek (Windows-1253)",
    "cp1254": "Turkish (Windows-1254)",
    "mac_roman": "Western (an old Macintosh)",
    "cp850": "Western (DOS)",
    "latin_1": "Western (ISO 8859-1)",
    "shift_jis": "Japanese (Shift JIS)",
    "euc_jp": "Japanese (EUC-JP)",
    "gb18030": "Chinese (GB 18030)",
    "big5": "Chinese (Big5)",
    "euc_kr": "Korean (EUC-KR)",
}
#: Bytes that Windows-1252 gives to rare signs such as ‰ and ƒ, other encodings to letters.
_RARE = re.compile(rb"[\x81-\x84\x86-\x90\x98\x9b\x9d\x9f]")
_BEYOND = re.compile(rb"[\x80-\xff]")
#: The number of bytes that are judged.
_JUDGED = 100_000


def as_utf8(raw: bytes, name: str, encoding: str = "") -> tuple[bytes, Guess | None]:
    """Return the text in UTF-8, and the guess of its encoding; UTF-8 and binary files are returned as they are.

    Parameters: `encoding`, a name of `ENCODINGS`; "" guesses: Windows-1252, which has the letters of Western Europe,
    where that is possible, else a question.

    Raises DataError for another name, and for text that cannot be of that encoding.

    >>> as_utf8("x;Größe".encode("cp1252"), "t.csv")[0].decode()
    'x;Größe'
    """
    if encoding and encoding not in ENCODINGS:
        raise DataError(f"{name}: the encoding must be one of {', '.join(ENCODINGS)}; got {encoding!r}. Choose one.")
    if raw.isascii() or raw.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE, codecs.BOM_UTF8)):
        return raw, None
    if not_text(raw) or b"\0" in raw or is_binary(raw) or kind_of(raw[:8192]):
        return raw, None
    return _decoded(raw, name, encoding) if encoding or _is_other(raw) else (raw, None)


def _is_other(raw: bytes) -> bool:
    """Return whether a text is not UTF-8; a single wrong byte is an error, which a reader names by the line."""
    lenient = raw.decode("utf-8", "replace")
    wrong = lenient.count("\ufffd")
    return wrong > 0 and wrong >= sum(c > "\x7f" for c in lenient) - wrong


def _decoded(raw: bytes, name: str, encoding: str) -> tuple[bytes, Guess]:
    """Return the text in UTF-8, and the guess with the words beyond ASCII in each possible encoding."""
    sample = b"\n".join(line for line in raw[:_JUDGED].splitlines() if not line.isascii())[:_JUDGED] or raw[:_JUDGED]
    matches = from_bytes(sample, cp_isolation=list(ENCODINGS), enable_fallback=False, threshold=0.5)
    ranked = [name for match in matches for name in (match.encoding, *match.could_be_from_charset)]
    western = not ranked or "cp1252" in next(match.could_be_from_charset for match in matches)
    western = western and _words(raw, "cp1252") != ""
    chosen = encoding or ("cp1252" if western else next(iter(ranked), "latin_1"))
    rare = 10 * len(_RARE.findall(sample)) > len(_BEYOND.findall(sample))
    try:
        text = raw.decode(chosen)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{name}: line {line} cannot be {ENCODINGS[chosen]} (byte {raw[error.start]:#04x}). Choose another "
            "encoding, or save the file as UTF-8 ('CSV UTF-8' in a spreadsheet)."
        ) from None
    shown = {chosen: _words(raw, chosen)}
    for other in dict.fromkeys((*ranked, *ENCODINGS)):
        words = _words(raw, other)
        if words and words not in shown.values():
            shown[other] = words
    choices = (Choice(f"{ENCODINGS[other]}: {shortened(words[:24])}", encoding=other) for other, words in shown.items())
    sentence = f"The file is not UTF-8. It is read as {ENCODINGS[chosen]}, for example {shortened(shown[chosen])}."
    others = tuple(choice for choice in choices if choice.encoding != chosen)
    return text.encode(), Guess(sentence, others[:8], question=not encoding and (not western or rare))


def _words(raw: bytes, encoding: str) -> str:
    """Return the first words beyond ASCII in this encoding; "" where it cannot decode them."""
    lines = [line for line in raw[:_JUDGED].splitlines() if not line.isascii()][:4]
    try:
        text = b"\n".join(lines).decode(encoding)
    except UnicodeDecodeError:
        return ""
    return " ".join(dict.fromkeys(re.findall(r"[^\s,;|\t\"']*[^\x00-\x7f][^\s,;|\t\"']*", text)))[:50]
