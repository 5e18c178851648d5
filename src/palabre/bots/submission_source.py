"""What the Python source of a submission shows without being run: its bots, and whether it is a copy of another."""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from palabre.bots.submission import BASES, MOST_SOURCE, TOML, Rejected
from palabre.core.files import line_of_null
from palabre.core.source import parse
from palabre.core.words import say


def _named(file: Path, path: Path) -> str:
    """A file of a submission, which may be all of it."""
    return str(path) if path.suffix == ".py" else f"{path}: {file.name}"


def bots_in(content: bytes, file: Path, path: Path) -> list[dict[str, Any]]:
    """The classes in a file that are bots, with what they say of themselves in plain text."""
    tree = _parse(content, file, path)
    bases, bots = set(BASES), []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and any(_last_name(base) in bases for base in node.bases):
            bases.add(node.name)
            bots.append({"class": node.name, **_facts(node, path)})
    return bots


def _parse(content: bytes, file: Path, path: Path) -> ast.Module:
    null = line_of_null(content)
    if null is not None:
        raise Rejected(say("spec.null_byte", file=_named(file, path), line=null))
    try:
        return parse(content)
    except SyntaxError as error:
        line = f"line {error.lineno}: {error.msg}: {(error.text or '').strip()}".removesuffix(": ")
        raise Rejected(say("submission.no_python", file=_named(file, path), error=line)) from error
    except (ValueError, RecursionError, MemoryError) as error:
        why = str(error) or type(error).__name__
        raise Rejected(say("submission.no_python", file=_named(file, path), error=why)) from error


def _last_name(base: ast.expr) -> str:
    """`Bot` in `Bot` and in `palabre.Bot`; other expressions have none."""
    return base.id if isinstance(base, ast.Name) else base.attr if isinstance(base, ast.Attribute) else ""


def _facts(node: ast.ClassDef, path: Path) -> dict[str, Any]:
    """Name and authors of a class, if it has them."""
    facts: dict[str, Any] = {}
    for name, value in _assigned(node.body):
        if name in ("name", "authors"):
            try:
                facts[name] = ast.literal_eval(value)
            except (ValueError, TypeError, RecursionError, MemoryError):
                facts[name] = None
            if not isinstance(facts[name], str if name == "name" else (str, list, tuple)):
                raise Rejected(say("submission.computed", path=path, attribute=f"{node.name}.{name}"))
    return facts


def _assigned(body: Iterable[ast.stmt]) -> Iterator[tuple[str, ast.expr]]:
    """The names that statements assign to, and what they assign."""
    for statement in body:
        if isinstance(statement, ast.Assign):
            targets, value = statement.targets, statement.value
        elif isinstance(statement, ast.AnnAssign) and statement.value is not None:
            targets, value = [statement.target], statement.value
        else:
            continue
        yield from ((target.id, value) for target in targets if isinstance(target, ast.Name))


def fingerprint(folder: Path) -> str:
    """A digest of what is in a folder that is the same for a copy under other names.

    The names of files do not count, nor comments, nor the name and authors of a Python class.
    """
    parts = sorted(_content(file) for file in folder.rglob("*") if file.is_file() and file.name != TOML)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def _content(file: Path) -> str:
    content = file.read_bytes()
    if file.suffix == ".py" and len(content) <= MOST_SOURCE:
        try:
            tree = parse(content)
            for node in ast.walk(tree):
                if isinstance(node, ast.ClassDef):
                    node.name, node.body = "", [part for part in node.body if not _names_someone(part)]
            content = ast.dump(tree).encode(errors="surrogatepass")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            pass  # as it is, then
    return hashlib.sha256(content).hexdigest()


def _names_someone(statement: ast.stmt) -> bool:
    return any(name in ("name", "authors") for name, _ in _assigned([statement]))
