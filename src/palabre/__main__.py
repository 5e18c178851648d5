"""`python -m palabre` is the `palabre` command."""

from palabre.cli.main import main

if __name__ == "__main__":
    main()
