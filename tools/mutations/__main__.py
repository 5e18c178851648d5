"""`make mutations`: apply each patch in a copy of the tree, and say which test notices.

    python -m tools.mutations [NAME…]

The tests that the patch names are run first; if they pass, those of their folders. The exit status is 1 if a mistake
survives, and 2 if a patch no longer applies or the tests fail without any.
"""

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tools.mutations.patches import RUNS, BadPatch, Mutation, all_mutations, apply
from tools.mutations.tree import NEVER_ENDS, ROOT, Tree, copied_tree

SURVIVES = "survives"


def chosen(names: Sequence[str]) -> list[Mutation]:
    """The mutations with these names, or all."""
    known = all_mutations()
    unknown = sorted(set(names) - {mutation.name for mutation in known})
    if unknown:
        raise BadPatch(f"there is no patch {', '.join(unknown)}; there are {', '.join(each.name for each in known)}")
    return [mutation for mutation in known if not names or mutation.name in names]


def check_baseline(tree: Tree, mutations: Sequence[Mutation]) -> None:
    """Without a mistake, the tests that should notice pass: otherwise that they fail would mean nothing."""
    for run in RUNS:
        tests = sorted({test for mutation in mutations if mutation.run == run for test in mutation.caught_by})
        outcome = tree.test(tests, run) if tests else None
        if outcome is not None and outcome.failed is not None:
            raise BadPatch(f"{outcome.failed} fails without any patch ({run}):\n{outcome.output}")


def notice(tree: Tree, mutation: Mutation) -> str:
    """The test that notices a mistake, or SURVIVES."""
    apply(mutation, tree.folder)
    try:
        folders = sorted({str(Path(test.partition("::")[0]).parent) for test in mutation.caught_by})
        for tests in (mutation.caught_by, folders):
            failed = tree.test(tests, mutation.run).failed
            # All tests of a folder may take so long on a busy machine, which proves nothing.
            if failed is not None and (failed != NEVER_ENDS or tests is not folders):
                return failed if tests is mutation.caught_by else f"{failed} (not among those named)"
        return SURVIVES
    finally:
        apply(mutation, tree.folder, "--reverse")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tools.mutations", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help="patches; by default all")
    names = parser.parse_args().names
    console = Console(soft_wrap=True, highlight=False)
    table = Table("mutation", "layer", "breaks", "noticed by", box=None)
    try:
        mutations = chosen(names)
        for mutation in mutations:
            apply(mutation, ROOT, "--check")
        survivors = 0
        with copied_tree() as tree:
            check_baseline(tree, mutations)
            for mutation in mutations:
                noticed = notice(tree, mutation)
                survivors += noticed == SURVIVES
                console.print(f"{mutation.name}: {noticed}", markup=False)
                style = "red" if noticed == SURVIVES else None
                table.add_row(mutation.name, mutation.layer, mutation.breaks, noticed, style=style)
    except BadPatch as error:
        print(error, file=sys.stderr)
        return 2
    console.print(table)
    console.print(f"{len(mutations)} mistakes, {survivors} of which no test notices")
    return 1 if survivors else 0


if __name__ == "__main__":
    sys.exit(main())
