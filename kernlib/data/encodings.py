"""Decode text that is not UTF-8, with a guess that shows a sample."""

from __future__ import annotations

import codecs
import re

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
#: Other alphabets: nearly all letters of their words are beyond ASCII, unlike those of Western words.
_OWN_ALPHABETS = ("cp1251", "cp1253", "gb18030", "shift_jis", "euc_jp", "big5", "euc_kr")
_WESTERN = ("cp1250", "cp1254", "mac_roman", "cp850", "cp1251")
#: Bytes that Windows-1252 gives to rare signs such as ‰ and ƒ, other encodings to letters.
_RARE = re.compile(rb"[\x81-\x84\x86-\x90\x98\x9b\x9d\x9f]")
_RUN = re.compile(rb"[\x80-\xff]+")


def as_utf8(raw: bytes, name: str, encoding: str = "") -> tuple[bytes, Guess | None]:
    """Return the text in UTF-8, and the guess of its encoding; UTF-8 and binary files are returned as they are.

    Parameters: `encoding`, a name of `ENCODINGS`; "" guesses: Windows-1252, which has the letters of Western Europe,
    and a question where the letters could belong to another alphabet.

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
    if not encoding:
        lenient = raw.decode("utf-8", "replace")
        wrong = lenient.count("\ufffd")
        if not wrong or wrong < sum(c > "\x7f" for c in lenient) - wrong:
            return raw, None  # UTF-8, perhaps with an error, which its reader names by the line
    chosen = encoding or _japanese(raw) or ("cp1252" if not re.search(rb"[\x81\x8d\x8f\x90\x9d]", raw) else "latin_1")
    try:
        text = raw.decode(chosen)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise DataError(
            f"{name}: line {line} cannot be {ENCODINGS[chosen]} (byte {raw[error.start]:#04x}). Choose another "
            "encoding, or save the file as UTF-8 ('CSV UTF-8' in a spreadsheet)."
        ) from None
    own_alphabet = not encoding and (chosen in _OWN_ALPHABETS or _is_another_alphabet(raw))
    foreign = own_alphabet or (not encoding and _has_rare_signs(raw))
    offered: tuple[str, ...] = _OWN_ALPHABETS if own_alphabet else _WESTERN
    if encoding or (foreign and not own_alphabet):
        offered = (*_WESTERN, *_OWN_ALPHABETS)
    others = tuple(
        Choice(f"{ENCODINGS[other]}: {shortened(sample[:24])}", encoding=other)
        for other in dict.fromkeys((*offered, "cp1252"))
        if other != chosen and (sample := _sample(raw, other)) and sample != _sample(raw, chosen)
    )
    sentence = f"The file is not UTF-8. It is read as {ENCODINGS[chosen]}, for example "
    return text.encode(), Guess(f"{sentence}{shortened(_sample(raw, chosen))}.", others[:8], question=foreign)


def _is_another_alphabet(raw: bytes) -> bool:
    """Return whether letters beyond ASCII are mostly side by side, as words of another alphabet."""
    runs = [len(run) for run in _RUN.findall(raw[:200_000])]
    return sum(length for length in runs if length > 2) > sum(runs) / 2


def _has_rare_signs(raw: bytes) -> bool:
    """Return whether more than a tenth of the bytes beyond ASCII are signs that Western text hardly has."""
    sample = raw[:200_000]
    return 10 * len(_RARE.findall(sample)) > sum(map(len, _RUN.findall(sample)))


def _japanese(raw: bytes) -> str:
    """Return the Japanese encoding in which a fifth of the letters beyond ASCII are kana, or ""."""
    for encoding in ("shift_jis", "euc_jp"):
        try:
            letters = [c for c in raw.decode(encoding) if c > "\x7f"]
        except UnicodeDecodeError:
            continue
        if 5 * sum("\u3040" <= c <= "\u30ff" for c in letters) >= len(letters):
            return encoding
    return ""


def _sample(raw: bytes, encoding: str) -> str:
    """Return the first words beyond ASCII in this encoding; "" where it cannot decode them."""
    sample: dict[str, None] = {}
    for line in raw[:200_000].splitlines():
        if line.isascii():
            continue
        try:
            words = re.findall(r"[^\s,;|\t\"']*[^\x00-\x7f][^\s,;|\t\"']*", line.decode(encoding))
        except UnicodeDecodeError:
            return ""
        sample |= dict.fromkeys(words)
        if len(sample) > 3:
            break
    return " ".join(list(sample)[:4])[:50]
