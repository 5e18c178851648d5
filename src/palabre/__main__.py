"""`python -m palabre` is the `palabre` command."""

from palabre.cli.main import run

if __name__ == "__main__":
    run()
