"""Write docs/api.md, the page of the public API, from the docstrings.

python -m tools.api
"""

import inspect
import re
import sys
from dataclasses import is_dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import palabre
from palabre import author, study
from palabre.core import board, lanes, observations, verbs
from palabre.core.kernels import VERBS, Verb

PAGE = Path(__file__).parent.parent / "docs" / "api.md"
WIDTH = 100  # of a line of code
# Types that say what a file may hold (`play/finished.py`), and what they are to a reader.
BOUNDED = {"Whole": "int", "Integer": "int", "Seconds": "float", "Share": "float"}
HEAD = """\
# The Python API

All of this comes from `import palabre`, what the files of a game need from [`palabre.author`](#for-authors-of-games),
and experiments from [`palabre.study`](#experiments-palabrestudy). What is not on this page may change without notice.

This page is generated from the docstrings: `python -m tools.api` rewrites it.

"""
SECTIONS = {
    "Games": ("game", "Game", "Position", "Move"),
    "Bots": ("bot", "Bot", "SearchBot", "Learner", "Clock", "Parameter", "Decimal"),
    "Thinking": ("analyse", "analyse_many", "Thought", "review", "ReviewedMove"),
    "Counting": ("count_sequences", "divide", "play_randomly", "Playouts", "measure_speed", "Speed"),
    "Machine code": ("compiled", "integers", "warmup"),
    "Checking": ("check_game", "Checked", "check_bot", "BotCheck", "debug_bot", "DebugAnswer", "installation"),
    "Starting": ("new_bot", "new_game"),
    "Matches": (
        *(
            "play_match",
            "MatchResult",
            "Match",
            "MatchTable",
            "random_openings",
            "play_sprt",
            "sprt",
            "Sprt",
            "read_store",
            "GameRow",
            "write_report",
        ),
        *("rate", "Ratings"),
    ),
    "Championships": ("Championship", "Plan", "read_format", "read_marks", "Meeting", "Outcome"),
    "Learning": (
        *("self_play", "fit", "Fit", "train", "Training", "learn_net", "Generation", "calibrate", "Calibration"),
        *("folds", "move_hits", "count_hits", "Hits"),
    ),
    "Environments": (
        *("vector", "Vector", "VectorStep", "arrays", "Arrays", "planes", "Planes", "Plane"),
        *("pettingzoo_env", "gymnasium_env", "openspiel_game"),
    ),
    "Records": (
        *("Record", "read_records", "read_games", "record_stats", "RecordStats"),
        *("Observation", "read_observations", "observed", "observe", "observations_to_text"),
    ),
    "Errors": ("PalabreError", "BadSpec", "IllegalMove", "ImpossiblePosition", "UnreadableText"),
}
AUTHOR_HEAD = """\
## For authors of games

`from palabre.author import …` gives a game's files all that they need. [Adding a game](adding_a_game.md) shows how to
use it. It also has {shared}, which are described above.

"""
AUTHOR_SECTIONS: dict[str, tuple[str, ...]] = {
    "Facts": ("GameFacts", "Preset", "Options"),
    "Rules": (
        "rule",
        "kernel",
        "answer",
        "Table",
        "State",
        "Moves",
        "move_buffer",
        "Rows",
        "row_buffer",
        "MAX_MOVE_CODES",
        "MAX_PLAYERS",
    ),
    "Verbs": tuple(VERBS),
    "What verbs answer": ("share", "win_draw_loss", "Weights", "FAR", "MANY_PLIES", "USUAL_PLIES"),
    "Bits": ("signed", "popcount", "lowest", "nth", "shift_right", "add", "multiply", "mix", "combine"),
    "Vectors": ("Lanes", "spread", "add_lanes", "store_lanes"),
    "Chance": ("shake", "roll", "chance"),
    "Texts": ("fields", "number", "numbers", "player_from_text", "listing", "own_words", "the_player", "Message"),
    "The board": ("Cell", "Piece", "Clicks", "Board", "Label", "Stage", "Travel", "Saying"),
    "Observations": ("Form", "Cells", "BadCell"),
}
EXPERIMENTS = (
    *("Experiment", "Games", "Measurement", "Claim", "run", "Results", "mean_share"),
    *("Estimate", "share_estimate", "difference_estimate", "mean_estimate", "ratio_estimate"),
    *("above", "below", "fact", "all_of", "Finding", "Figure", "machine_facts"),
)


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for title, names in SECTIONS.items():
        parts.append(f"## {title}\n\n")
        parts += [_described(name, getattr(palabre, name), "###") for name in names if name in palabre.__all__]
    parts.append(
        AUTHOR_HEAD.format(shared=", ".join(f"`{name}`" for name in author.__all__ if name in palabre.__all__))
    )
    for title, names in AUTHOR_SECTIONS.items():
        parts.append(f"### {title}\n\n")
        rows = [_row(name) for name in names if not inspect.isclass(getattr(author, name))]
        parts += ["| | |\n|---|---|\n", *rows, "\n"] if rows else []
        parts += [_described(kind.__name__, kind, "####") for kind in _author_classes() if kind.__name__ in names]
    parts.append(f"## Experiments: `palabre.study`\n\n{_documentation(study)}\n\n")
    parts += [_described(name, getattr(study, name), "###") for name in EXPERIMENTS]
    return "".join(parts).rstrip("\n") + "\n"


def missing() -> list[str]:
    """Public names, and members of public classes, that have no docstring or no place on the page."""
    listed = {name for names in SECTIONS.values() for name in names}
    found = [name for name in palabre.__all__ if name not in listed] + sorted({*study.__all__} ^ {*EXPERIMENTS})
    listed = {name for names in AUTHOR_SECTIONS.values() for name in names} | set(palabre.__all__)
    found += [f"author.{name}" for name in author.__all__ if name not in listed or not _explained(name)]
    everything = [(name, getattr(home, name)) for home in (palabre, study) for name in home.__all__]
    found += [name for name, public in everything if not _documentation(public)]
    for kind in filter(inspect.isclass, [public for _, public in everything] + _author_classes()):
        found += [f"{kind.__name__}.{name}" for name, _ in _members(kind) if not _documentation(getattr(kind, name))]
    return found


def _author_classes() -> list[type]:
    return [kind for name in author.__all__ if inspect.isclass(kind := getattr(author, name))]


def _explained(name: str) -> str:
    """What a name of `palabre.author` is: its docstring, or the comment behind a constant or a type."""
    public = getattr(author, name)
    if inspect.isclass(public) or inspect.isfunction(public) or isinstance(public, Verb):
        return _documentation(public)
    sources = "\n".join(inspect.getsource(module) for module in (verbs, board, observations, lanes))
    found = re.search(rf"^{name} = .*?  # (.*)$", sources, re.MULTILINE)
    return found[1] if found else ""


def _row(name: str) -> str:
    """A row for a function, a verb, a constant or a type of `palabre.author`."""
    public = getattr(author, name)
    function = public.default if isinstance(public, Verb) else public
    shown = _call(name, function).replace("|", "\\|") if inspect.isfunction(function) else name
    text = " ".join(_explained(name).split("\n\n")[0].split()).replace("|", "\\|")
    return f"| `{shown}` | {text} |\n"


def is_protocol(kind: type) -> bool:
    """Whether a class only says what others have in common."""
    return bool(getattr(kind, "_is_protocol", False))


def _described(name: str, public: Any, level: str) -> str:
    if not inspect.isclass(public):
        return f"{level} `{name}`\n\n```text\n{_call(name, public, WIDTH)}\n```\n\n{_documentation(public)}\n\n"
    parts = [f"{level} `class {name}`\n\n{_documentation(public)}\n\n"]
    if issubclass(public, Exception):
        return parts[0]
    is_written = "__init__" in vars(public) and not is_dataclass(public) and not is_protocol(public)
    if level == "####" and is_written:
        parts.append(f"```text\n{_call(name, public.__init__, WIDTH).removesuffix(' -> None')}\n```\n\n")
    kinds = [*_bases(public), public]
    rows = [f"| `{field}` | {note} |" for kind in kinds for field, note in _fields(kind)]
    for member, value in [member for kind in kinds for member in _members(kind)]:
        call = _call(member, value).replace("|", "\\|")
        rows.append(f"| `{call}` | {_first_paragraph(getattr(public, member))} |")
    if rows:
        parts += ["| | |\n|---|---|\n", *(f"{row}\n" for row in rows), "\n"]
    return "".join(parts)


def _bases(kind: type) -> list[type]:
    """The dataclasses that a class is made of and that are not on the page themselves."""
    return [base for base in kind.__mro__[:0:-1] if is_dataclass(base) and base.__name__ not in palabre.__all__]


def _fields(kind: type) -> list[tuple[str, str]]:
    """The annotated fields of a class, with their types and the comments behind them."""
    body = inspect.getsource(kind).split('"""', 2)[-1]  # without the docstring
    head = re.split(r"\n    (?:def |@)", body)[0]
    found = re.findall(r"^    ([a-z]\w*): (.*?)(?: = .*?)?(?:  # type: ignore.*|  # (.*))?$", head, re.MULTILINE)
    return [(f"{name}: {_kind(annotation)}", note.replace("|", "\\|")) for name, annotation, note in found]


def _kind(annotation: str) -> str:
    """A type as a reader wants it: no quotes, no `ClassVar`, and a bar that does not end the cell of a table."""
    bare = re.sub(r"^ClassVar\[(.*)\]$", r"\1", annotation.strip("\"'"))
    bare = re.sub(r"\b(Whole|Integer|Seconds|Share)\b", lambda found: BOUNDED[found[0]], bare)
    return bare.strip("\"'").replace("|", "\\|")


def _members(kind: type) -> list[tuple[str, Any]]:
    """The public methods and properties that a class defines itself, as they are written."""
    own = [(name, value) for name, value in vars(kind).items() if not name.startswith("_")]
    return [
        (name, value.__func__ if isinstance(value, classmethod | staticmethod) else value)
        for name, value in own
        if isinstance(value, property | cached_property | classmethod | staticmethod) or inspect.isfunction(value)
    ]


def _call(name: str, member: Any, width: int | None = None) -> str:
    """How a function is called, with all types and with defaults that are plain values; the type of a property.

    What does not fit the width is written on several lines.
    """
    if not inspect.isfunction(member):
        getter: Any = member.fget if isinstance(member, property) else member.func
        return f"{name}: {_type(inspect.signature(getter).return_annotation)}"
    signature = inspect.signature(member)
    parameters = [each for each in signature.parameters.values() if each.name not in ("self", "cls")]
    words: list[str] = []
    for before, each in zip([None, *parameters], parameters, strict=False):
        if each.kind is each.KEYWORD_ONLY and (before is None or before.kind < each.VAR_POSITIONAL):
            words.append("*")
        stars = "*" if each.kind is each.VAR_POSITIONAL else "**" if each.kind is each.VAR_KEYWORD else ""
        default = "" if each.default is each.empty else f" = {_plain(each.default)}"
        words.append(f"{stars}{each.name}: {_type(each.annotation)}{default}")
    end = f" -> {_type(signature.return_annotation)}"
    line = f"{name}({', '.join(words)}){end}"
    if width is None or len(line) <= width:
        return line
    return f"{name}(\n" + "".join(f"    {word},\n" for word in words) + f"){end}"


def _type(annotation: Any) -> str:
    """A type as one writes it: without the modules that it is from."""
    text = annotation if isinstance(annotation, str) else inspect.formatannotation(annotation)
    text = re.sub(r"(?:\w+\.)*Annotated\[([^,\[\]]+), [^\]]*\]", r"\1", text)  # what a file may hold is for msgspec
    text = re.sub(r"Optional\[([^\[\]]+)\]", r"\1 | None", text)
    return re.sub(r"(?:\w+\.)+(\w+)", r"\1", text).translate(dict.fromkeys(map(ord, "'\"~")))


def _plain(default: Any) -> str:
    """A default; one that says nothing to a reader, such as a function, is left out."""
    return repr(default) if isinstance(default, int | float | str | tuple | None) else "…"


def _documentation(public: Any) -> str:
    text = inspect.getdoc(public) or ""  # an overriding method's may be that of the method it overrides
    # Python writes the docstring of a NamedTuple or dataclass that has none.
    return "" if text.startswith(f"{getattr(public, '__name__', '?')}(") else text


def _first_paragraph(public: Any) -> str:
    return " ".join(_documentation(public).split("\n\n")[0].split()).replace("|", "\\|")


if __name__ == "__main__":
    if missing():
        sys.exit(f"no docstring, or no place on the page: {', '.join(missing())}")
    PAGE.write_text(page(), encoding="utf-8")
