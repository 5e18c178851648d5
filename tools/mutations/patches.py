"""The patches: reading them, and whether they still apply."""

import os
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

FOLDER = Path(__file__).with_name("patches")
DIFF = "diff --git "
FIELDS = ("Breaks", "Layer", "Caught-by", "Run")

Run = Literal["plain", "compiled"]
RUNS: tuple[Run, ...] = get_args(Run)


class BadPatch(Exception):
    """A patch has no complete header, or no longer applies."""


@dataclass(frozen=True)
class Mutation:
    """A mistake: a patch, and what its header says."""

    file: Path
    breaks: str
    layer: str
    caught_by: tuple[str, ...]
    run: Run

    @property
    def name(self) -> str:
        return self.file.stem

    @property
    def changed(self) -> tuple[str, ...]:
        """The files that the patch changes."""
        lines = self.file.read_text(encoding="utf-8").splitlines()
        return tuple(line.removeprefix("+++ b/") for line in lines if line.startswith("+++ b/"))


def read_patch(file: Path) -> Mutation:
    """A patch with its header; `BadPatch` if that lacks something."""
    header, is_diff, _ = file.read_text(encoding="utf-8").partition(DIFF)
    fields = dict(line.split(": ", 1) for line in header.splitlines() if ": " in line)
    missing = [field for field in FIELDS if not fields.get(field)]
    if missing or not is_diff:
        raise BadPatch(f"{file.name} lacks {', '.join(missing) or 'a diff'}")
    run: Run | None = next((each for each in RUNS if each == fields["Run"]), None)
    if run is None:
        raise BadPatch(f"{file.name}: Run is {fields['Run']}, but should be one of {', '.join(RUNS)}")
    return Mutation(file, fields["Breaks"], fields["Layer"], tuple(fields["Caught-by"].split()), run)


def all_mutations() -> list[Mutation]:
    """Every patch, by name."""
    return [read_patch(file) for file in sorted(FOLDER.glob("*.patch"))]


def apply(mutation: Mutation, tree: Path, *options: str) -> None:
    """Apply a patch to a tree; `BadPatch` names one that does not fit. With `--check`, nothing is changed."""
    # Without a repository, so that git applies the patch to this very folder, wherever it lies.
    environment = {**os.environ, "GIT_CEILING_DIRECTORIES": str(tree.resolve().parent), "GIT_DIR": os.devnull}
    done = subprocess.run(
        ["git", "apply", *options, str(mutation.file)],
        cwd=tree,
        env=environment,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if done.returncode != 0:
        raise BadPatch(f"{mutation.file.name} does not apply; make it again: {done.stderr.strip()}")
