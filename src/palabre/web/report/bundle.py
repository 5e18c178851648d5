"""One classic script of the page's modules, for pages that are opened from a disk: browsers load no modules from there.

Each module becomes a function that runs once, after those that it imports, and returns what it exports. Only the forms
that the page's modules use are understood; anything else is refused, and so are modules that import each other.
"""

import re
from functools import cache
from pathlib import Path

STATIC = Path(__file__).parent.with_name("static")

IMPORT = re.compile(r'^import \{([^}]*)\} from "\./([\w.]+)";$', re.MULTILINE)
LATER = re.compile(r'\bimport\("\./([\w.]+)"\)')  # what is loaded once it is wanted
EXPORT = re.compile(r"^export ((?:async )?function|class|const) (\w+)", re.MULTILINE)
LEFT_OVER = re.compile(r"^(?:import|export)\b.*|\bimport\s*\(.*|\bimport\.meta\b.*", re.MULTILINE)
COMMENT = re.compile(r"^[ \t]*(?://.*|/\*\*(?:(?!\*/)[\s\S])*\*/)\n", re.MULTILINE)  # on lines of its own
ENDS_SCRIPT = re.compile(r"</script|<!--", re.IGNORECASE)  # what may not stand in a script in a page


@cache
def bundle(entry: str, folder: Path = STATIC) -> str:
    """The script that does what a module does, given its file name."""
    modules: dict[str, str] = {}
    _collect(entry, folder, modules, ())
    parts = [f'modules["{name}"] = (() => {{\n{code}}})();\n' for name, code in modules.items()]
    script = f'"use strict";\n(() => {{\nconst modules = {{}};\n{"".join(parts)}}})();\n'
    if ENDS_SCRIPT.search(script):
        raise ValueError(f"{entry} cannot stand in a page: a text in it would end the script")
    return script


def _collect(name: str, folder: Path, modules: dict[str, str], importers: tuple[str, ...]) -> None:
    """Add a module as a function's body, after all that it imports."""
    if name in modules:
        return
    if name in importers:
        raise ValueError(f"modules import each other: {' imports '.join([*importers, name])}")
    source = COMMENT.sub("", (folder / name).read_text(encoding="utf-8"))
    for needed in [match[2] for match in IMPORT.finditer(source)] + LATER.findall(source):
        _collect(needed, folder, modules, (*importers, name))
    names = ", ".join(match[2] for match in EXPORT.finditer(source))
    code = IMPORT.sub(_import, source)
    code = LATER.sub(r'Promise.resolve(modules["\1"])', code)
    code = EXPORT.sub(r"\1 \2", code)
    left = LEFT_OVER.search(code)
    if left:
        raise ValueError(f"{name} has something that cannot be bundled: {left[0]}")
    modules[name] = f"{code}return {{ {names} }};\n"


def _import(match: re.Match[str]) -> str:
    names = re.sub(r"\s+as\s+", ": ", match[1].strip().rstrip(","))
    return f'const {{ {" ".join(names.split())} }} = modules["{match[2]}"];'
