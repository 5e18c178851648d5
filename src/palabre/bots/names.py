"""Names that people give to bots: printable, short, and of which no two look the same."""

import unicodedata
from collections.abc import Iterable

LONGEST_NAME = 40  # characters
# Characters that Python calls printable although nothing is seen of them: fillers of Hangul, vowels of Khmer, the blank
# of Braille.
BLANKS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
# Letters and signs that look like others in common typefaces, after https://www.unicode.org/reports/tr39/
# (confusables), for the scripts with most of them. The list is not complete, and cannot be.
CONFUSABLES = {
    # Cyrillic
    **dict(zip("АВЕЅІЇЈКМНОРСТУХЗҮԌԚԜҺӀГ", "ABESIÏJKMHOPCTYX3YGQWHIG", strict=True)),
    **dict(zip("авеёѕіїјкмнорстухзүԁԛԝһӏгьпшӕ", "aBeësiïjKMHopcTyx3ydqwhlrbnwæ", strict=True)),
    # Greek
    **dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹϺ", "ABEZHIKMNOPTYXCM", strict=True)),
    **dict(zip("αβγεηικμνορστυχωϲϳ", "aBycnikuvopotuxwcj", strict=True)),
    # Armenian, Cherokee, Lisu
    **dict(zip("օսհոյզցՕՍՏԼ", "ouhnjqgOUSL", strict=True)),
    **dict(zip("ᎪᏴᏟᎠᎬᎻᎫᏦᏞᎷᏢᎡᏚᎢᏙᎳᏃ", "ABCDEHJKLMPRSTVWZ", strict=True)),
    **dict(zip("ꓮꓐꓚꓓꓰꓝꓖꓧꓲꓙꓗꓡꓟꓠꓳꓑꓣꓢꓔꓴꓦꓪꓫꓬꓜ", "ABCDEFGHIJKLMNOPRSTUVWXYZ", strict=True)),
    # Coptic
    **dict(zip("ⲁⲃⲉⲏⲓⲕⲙⲛⲟⲣⲥⲧⲩⲭ", "aBeHiKMNopcTyx", strict=True)),
    # Latin letters without their dots and bows, and small capitals
    **dict(zip("ıȷɑɡɩƽǀꞵ", "ijagi5lB", strict=True)),
    **dict(zip("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ", "ABCDEFGHIJKLMNOPRSTUVWYZ", strict=True)),
    # The signs that specs consist of
    **dict.fromkeys("\u02d0\u02f8\u0589\u05c3\u205a\u2236\ua4fd\ua789", ":"),
    **dict.fromkeys("\u1400\u2e40\u30a0\ua4ff\ua78a", "="),
    **dict.fromkeys("\u060d\u201a\ua4f9", ","),
    **dict.fromkeys("\u0701\ua4f8", "."),
    **dict.fromkeys("\u02d7\u2010\u2012\u2013\u2043\u2212", "-"),
    **dict.fromkeys("\u2044\u2215", "/"),
}
_LETTERS = str.maketrans(CONFUSABLES)
_STROKES = str.maketrans({"0": "o", "1": "l", "i": "l", "|": "l", "ı": "l"})


def clean_name(text: str) -> str:
    """A name that can be printed anywhere: no control or invisible characters, no runs of blanks, not long."""
    normal = unicodedata.normalize("NFC", text[: 20 * LONGEST_NAME])
    visible = "".join(sign if sign.isprintable() and sign not in BLANKS else " " for sign in normal)
    return " ".join(visible.split())[:LONGEST_NAME].strip()


def skeleton(name: str) -> str:
    """What a name looks like: the same for names that differ in case, blanks, invisible marks or look-alike letters."""
    plain = unicodedata.normalize("NFKC", name).translate(_LETTERS).casefold().translate(_LETTERS)
    seen = "".join(sign for sign in plain if sign not in BLANKS and unicodedata.category(sign)[0] not in "MZC")
    return seen.translate(_STROKES).replace("rn", "m").replace("vv", "w")


def distinct_names(names: Iterable[str]) -> list[str]:
    """The same names, the second `Max` as `Max (2)`; names that look the same count as the same."""
    taken: set[str] = set()
    distinct = []
    for name in names:
        number, candidate = 1, name
        while skeleton(candidate) in taken:
            number += 1
            candidate = f"{name} ({number})"
        taken.add(skeleton(candidate))
        distinct.append(candidate)
    return distinct


def odd_letters(name: str) -> str:
    """The letters of a name that look like others, with their names in Unicode; empty if there are none."""
    odd = dict.fromkeys(sign for sign in name if not sign.isascii() and skeleton(sign).isascii())
    return ", ".join(unicodedata.name(sign, f"U+{ord(sign):04X}") for sign in odd)
