# The commands one must know; `make` alone lists them. Everything is installed into .venv beside this file. What tests
# need of the system (see `programs`) is installed only for root on Debian and its kin.

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1
unexport PYTHONDONTWRITEBYTECODE # or each process of tests rewrites the assertions of all files for itself

# Neighbouring tests use the same compiled code. `worksteal` keeps them in one process, which loads it once, and still
# gives both processes work to the end.
SPREAD := -n auto --dist worksteal
PYTEST := $(BIN)/python -m pytest $(SPREAD)
COVERED := $(BIN)/python -m coverage run -m pytest $(SPREAD)

# The fast tests of every layer, as plain Python: nothing has to be compiled, whatever was edited, so they are as fast on
# a fresh clone. The marks are in pyproject.toml.
QUICK := -m "not slow and not processes and not browser and not ray"

# Kernels are tested three ways: compiled, as plain Python, and compiled with bounds checks.
AS_PLAIN_PYTHON := -m "kernels and not compiled_twin"
WITH_BOUNDS_CHECKS := -m "kernels and not bounds_elsewhere"

# These tests of compiling also run without the patches that only make it faster, and with the oldest Numba.
SMOKE := tests/compile/test_internals.py tests/compile/test_linking.py tests/compile/test_compiler.py tests/core/test_bits.py tests/core/test_kernels.py

# What some tests run, by the name of its Debian package. Without it they are skipped with a sentence, or fail if CI is set.
PROGRAMS := bubblewrap chromium default-jdk-headless g++ librsvg2-bin openssl
bubblewrap: NAMES := bwrap
chromium: NAMES := chromium chromium-browser
default-jdk-headless: NAMES := javac
g++: NAMES := g++
librsvg2-bin: NAMES := rsvg-convert
openssl: NAMES := openssl

.DEFAULT_GOAL := help
.PHONY: help play test test-ray test-versions quick check mutations coverage docs bench bench-others studies clean $(PROGRAMS)

help: ## list the commands
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-14s %s\n", $$1, $$2 }' Makefile

play: .venv/play ## install what is needed and open the board in the browser; SPEC=GAME begins a game
	@$(BIN)/palabre play $(SPEC)

test: .venv/test $(PROGRAMS) ## install what is needed and run all tests
	@$(MAKE) --no-print-directory --jobs=2 test-all test-kernels

.PHONY: test-all test-kernels
test-all:
	$(PYTEST)

# All tests together wait for processes, browsers and disks a third of the time. These passes only compute, so they run
# beside them, and their output is shown as a whole when they have ended.
test-kernels:
	@mkdir -p build
	@( set -ex; \
		NUMBA_DISABLE_JIT=1 $(PYTEST) $(AS_PLAIN_PYTHON); \
		NUMBA_BOUNDSCHECK=1 $(PYTEST) $(WITH_BOUNDS_CHECKS); \
		PALABRE_STOCK_NUMBA=1 $(PYTEST) $(SMOKE); \
	) > build/test-kernels.log 2>&1; status=$$?; cat build/test-kernels.log; exit $$status

# Several nodes on the loopback interface, with a token. They are killed in the end, whatever happens.
test-ray: .venv/ray bubblewrap ## events on a real Ray cluster of several nodes, all on this machine
	$(BIN)/python -m pytest -q -m ray tests/arena/test_cluster.py

$(PROGRAMS):
	@for name in $(NAMES); do command -v $$name >/dev/null && exit; done; \
		{ [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
			&& { apt-get update -qq; apt-get install -y -qq --no-install-recommends $@; } >/dev/null 2>&1; } \
		|| echo "$@ is missing: apt-get install $@ (or dnf, pacman). Some tests are skipped, or fail if CI is set."

quick: .venv/check ## lint, types and the fast tests of every layer: run it after every edit
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	$(BIN)/python -m tools.page
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q $(QUICK)

check: .venv/check ## format, lint and types, of the page's code as well
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m tools.page

# Compiled code cannot be traced, so the kernels are traced as plain Python and everything else as it runs.
# Deliberate mistakes, each of which a test must catch; MUTATIONS="NAME…" chooses some.
mutations: .venv/test ## break the code in many known ways and say which test notices
	$(BIN)/python -m tools.mutations $(MUTATIONS)

coverage: .venv/test ## what the tests execute, kernels included
	rm -rf .coverage && mkdir .coverage
	NUMBA_DISABLE_JIT=1 $(COVERED) -q -m kernels
	$(COVERED) -q -m "not kernels and not ray"
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# The oldest and the newest Numba that pyproject.toml allows, each in an environment of its own.
NUMBA_VERSIONS := 0.65.0 0.68.1
test-versions: $(NUMBA_VERSIONS:%=.venv-versions/%/tested) ## the oldest and the newest Numba, each in an environment of its own

.venv-versions/%/tested: pyproject.toml | .venv/bin/python
	$(BIN)/python -m venv .venv-versions/$*
	.venv-versions/$*/bin/python -m pip install --quiet --editable '.[test]' numba==$*
	.venv-versions/$*/bin/python -m pytest -q $(SMOKE)
	PALABRE_STOCK_NUMBA=1 .venv-versions/$*/bin/python -m pytest -q $(SMOKE)
	@touch $@

# The page of the API is made from the docstrings first. A dead link is an error, here and in tests/test_docs.py.
docs: .venv/docs ## the documents as a site, in build/site
	$(BIN)/python -m tools.api
	$(BIN)/python -m tools.site
	$(BIN)/zensical build --clean --strict

bench: .venv/bench ## measure against other systems, C and what is promised; writes benchmarks/results
	$(BIN)/python -m benchmarks

bench-others: .venv/bench-others ## measure vectors of boards beside pgx and OpenSpiel; installs JAX
	$(BIN)/python -m benchmarks.vector --others

# Pages are written to the folder `experiments`; python -m studies --help shows the options.
studies: .venv/studies ## test what the course projects claimed; STUDIES="NAME…" runs some, without it they are listed
	$(BIN)/python -m studies $(STUDIES)

clean: ## remove all that was installed or built
	rm -rf .venv .venv-versions node_modules build .cache

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 15))' \
		|| { echo "Palabre needs Python 3.11 to 3.14; say which with: make PYTHON=python3.12 …"; exit 1; }
	$(PYTHON) -m venv .venv

.venv/play: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable .
	@touch $@

.venv/test: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test]'
	@touch $@

.venv/ray: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test,ray]'
	@touch $@

.venv/check: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test,check]'
	@touch $@

.venv/docs: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[docs]'
	@touch $@

.venv/studies: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[learn,plots]'
	@touch $@

.venv/bench-others: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench-others]'
	@touch $@

.venv/bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@
