"""`python -m palabre` is the `palabre` command."""

from palabre.cli.start import run

if __name__ == "__main__":
    run()
