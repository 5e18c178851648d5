"""`python -m studies`: lists the studies, or runs some and writes their pages; resumable, and judged by rules.

This file imports nothing that takes time: Ctrl-C works from the start, and the processes that measure import it, too.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

INTERRUPTED = 130  # the usual exit code of a program stopped by Ctrl-C


def at_least(least: int) -> Callable[[str], int]:
    """The type of an option that is a whole number, not below the least."""

    def number(text: str) -> int:
        if int(text) < least:
            raise argparse.ArgumentTypeError(f"{text} is less than {least}")
        return int(text)

    return number


def options() -> argparse.ArgumentParser:
    """What can be typed after the command."""
    parser = argparse.ArgumentParser(
        prog="python -m studies",
        description="Test what the course projects claimed, with enough games, and write a page with a verdict on each "
        "claim. Ctrl-C stops; the same command resumes.",
    )
    add = parser.add_argument
    add("names", nargs="*", metavar="NAME", help="studies, or games for all of theirs; without any, list them")
    add("--output", type=Path, default=Path("experiments"), metavar="DIR", help="write the pages here")
    add("--data", type=Path, metavar="DIR", help="keep games and measurements here, to resume")
    add("--games", type=at_least(2), metavar="N", help="most games of a line-up, instead of the study's own number")
    add("--observations", type=Path, metavar="FILE", help="observations to learn from, for studies that need them")
    add("--quick", action="store_true", help="play a few games of fast bots, to see that everything works")
    add("--workers", type=at_least(0), metavar="N", help="processes, by default one per core; 0 uses this one alone")
    add("--on", metavar="ray|ray://HOST:PORT", help="play and measure on a Ray cluster")
    add("--again", action="append", default=[], metavar="BOT", help="play the games of a bot again that has changed")
    add("--json", action="store_true", help="print one JSON document and nothing else")
    return parser


def main() -> None:
    """Run the command: exit code 2 and one line for bad input, 130 for Ctrl-C."""
    parser = options()
    given = parser.parse_args()
    try:
        from palabre import PalabreError
        from studies import command
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    try:
        command.run(given)
    except (PalabreError, OSError) as error:
        parser.exit(2, f"{parser.prog}: {error}\n")
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)


if __name__ == "__main__":
    main()
