"""How large the package is: statements of Python, docstrings apart, and lines of the page, for each layer.

    python -m tools.sizes [FOLDER]

Lines and comments do not count, so that neither a longer explanation nor a longer line makes the package look larger.
"""

import argparse
import ast
from collections import Counter
from pathlib import Path

PACKAGE = Path(__file__).parent.parent / "src" / "palabre"


def statements(source: str) -> int:
    """How many statements a module has; what is inside another one counts as well, a docstring does not."""
    nodes = list(ast.walk(ast.parse(source)))
    with_body = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    docstrings = sum(isinstance(node, with_body) and ast.get_docstring(node) is not None for node in nodes)
    return sum(isinstance(node, ast.stmt) for node in nodes) - docstrings


def code_lines(source: str) -> int:
    """How many lines of JavaScript or CSS are neither blank nor only a comment."""
    stripped = (line.strip() for line in source.splitlines())
    return sum(bool(line) and not line.startswith(("//", "/*", "*")) for line in stripped)


def sizes(package: Path) -> dict[str, Counter[str]]:
    """For each folder of the package: how many files, statements and lines of the page it has."""
    found: dict[str, Counter[str]] = {}
    for file in sorted(package.rglob("*")):
        if file.suffix not in (".py", ".js", ".css"):
            continue
        folder = file.relative_to(package).parts[0] if file.parent != package else "."
        counted = found.setdefault(folder, Counter())
        source = file.read_text(encoding="utf-8")
        counted["files"] += 1
        if file.suffix == ".py":
            counted["statements"] += statements(source)
        else:
            counted["page"] += code_lines(source)
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description="How large the package is.")
    parser.add_argument("package", nargs="?", type=Path, default=PACKAGE, help="its folder; this checkout's by default")
    found = sizes(parser.parse_args().package)
    print(f"{'layer':<14}{'files':>8}{'statements':>12}{'page lines':>12}")
    for folder, counted in [*found.items(), ("all", sum(found.values(), Counter()))]:
        print(f"{folder:<14}{counted['files']:>8}{counted['statements']:>12}{counted['page']:>12}")


if __name__ == "__main__":
    main()
