# The commands one must know. Everything is installed into .venv beside this file, nothing anywhere else.
#
#   make play       install what is needed and open the board in the browser; SPEC=GAME begins a game
#   make test       install what is needed and run all tests
#   make quick      lint, types and the fast tests, in under a minute: run it after every edit
#   make check      format, lint and types
#   make test-ray   events on a real Ray cluster of several nodes, all on this machine
#   make coverage   what the tests execute, kernels included
#   make docs       the documents as a site, in build/site
#   make bench      measure against other systems and a floor in C; writes benchmarks/results/

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# Neighbouring tests use the same compiled code. `worksteal` keeps them in one process, which loads it once, and still
# gives both processes work to the end.
SPREAD := -n auto --dist worksteal
PYTEST := $(BIN)/python -m pytest $(SPREAD)
COVERED := $(BIN)/python -m coverage run -m pytest $(SPREAD)

# The fast tests: the core, the arena and the rules and evaluations of every game, as plain Python. Nothing has to be
# compiled, whatever was edited, so they are as fast on a fresh clone. Those that start many processes are left out.
QUICK := tests/core tests/arena tests/games tests/ugi/test_words.py tests/test_layers.py tests/test_against.py \
	--ignore tests/games/test_twins.py --ignore tests/games/test_properties.py --ignore tests/arena/test_zoo.py \
	--ignore tests/arena/test_sandbox.py --ignore-glob 'tests/arena/test_championship*.py' --ignore tests/arena/test_event.py \
	--ignore tests/arena/test_late.py --ignore tests/arena/test_needs.py \
	--ignore-glob 'tests/games/*/test_bots.py' --ignore-glob 'tests/games/*/test_training.py'

# The files with tests that also run as plain Python and with bounds checks; to read the others would take longer.
KERNELS = $(shell grep -rl --include='test_*.py' 'mark.kernels' tests) -m kernels

# As plain Python these would compare plain Python with itself.
NOTHING_TO_COMPARE := --deselect tests/laws/test_check.py::test_the_games_we_have_obey_compiled \
	--deselect tests/games/test_properties.py::test_compiled_and_plain_rules_say_the_same

# Bounds checks are for kernels that index arrays. The textbook searches index nothing but the buffer of moves, as perft
# does. The engine and the tree search are checked in Awélé (few codes, captures, repetitions) and in Penguins (many
# codes, bounds of the margin, turns that are skipped); the rules, evaluations and hints of every game are checked by
# themselves.
NOTHING_TO_INDEX := --deselect tests/core/test_bits.py --deselect tests/search/test_textbook.py \
	--deselect 'tests/search/test_engine.py::test_ends_are_solved_as_by_brute_force[avalam]' \
	--deselect 'tests/search/test_engine.py::test_ends_are_solved_as_by_brute_force[avalam:official]' \
	--deselect tests/search/test_engine.py::test_without_its_techniques_it_is_alpha_beta \
	--deselect 'tests/search/test_mcts.py::test_ends_are_proven_as_by_brute_force[avalam-plain]' \
	--deselect 'tests/search/test_mcts.py::test_ends_are_proven_as_by_brute_force[avalam-sharp]' \
	--deselect 'tests/search/test_mcts.py::test_ends_are_proven_as_by_brute_force[avalam:official-plain]' \
	--deselect 'tests/search/test_mcts.py::test_ends_are_proven_as_by_brute_force[avalam:official-sharp]'

.PHONY: play bubblewrap chromium test test-ray test-versions quick check coverage docs bench clean

play: .venv/play
	@$(BIN)/palabre play $(SPEC)

# Kernels are tested three ways: compiled, as plain Python, and compiled with bounds checks.
test: .venv/test bubblewrap chromium
	$(PYTEST)
	NUMBA_DISABLE_JIT=1 $(PYTEST) $(KERNELS) $(NOTHING_TO_COMPARE)
	NUMBA_BOUNDSCHECK=1 $(PYTEST) $(KERNELS) $(NOTHING_TO_INDEX)

# Several nodes on the loopback interface, with a token. They are killed in the end, whatever happens.
test-ray: .venv/ray bubblewrap
	$(BIN)/python -m pytest -q -m ray tests/arena/test_cluster.py

# Bots of others run in sandboxes, which need bubblewrap. Only root on Debian and its kin gets it without being asked.
bubblewrap:
	@command -v bwrap >/dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { apt-get update -qq; apt-get install -y -qq bubblewrap; } >/dev/null 2>&1; } \
		|| echo "bubblewrap is missing: apt-get install bubblewrap (or dnf, pacman). The tests of sandboxes are skipped, or fail if CI is set."

# The page is tested in a real browser: Debian's Chromium, which is installed in the same way.
chromium:
	@command -v chromium >/dev/null || command -v chromium-browser >/dev/null \
		|| { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
		&& { apt-get update -qq; apt-get install -y -qq --no-install-recommends chromium; } >/dev/null 2>&1; } \
		|| echo "chromium is missing: apt-get install chromium (or dnf, pacman). The tests of the page are skipped, or fail if CI is set."

quick: .venv/check
	$(BIN)/ruff format --check --quiet .
	$(BIN)/ruff check --quiet .
	$(BIN)/mypy
	NUMBA_DISABLE_JIT=1 $(PYTEST) -q $(QUICK)

check: .venv/check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# Compiled code cannot be traced, so the kernels are traced as plain Python and everything else as it runs.
coverage: .venv/test
	rm -rf .coverage && mkdir .coverage
	NUMBA_DISABLE_JIT=1 $(COVERED) -q $(KERNELS)
	$(COVERED) -q -m "not kernels and not ray"
	$(BIN)/python -m coverage combine --quiet
	$(BIN)/python -m coverage report

# The oldest and the newest Numba that pyproject.toml allows, each in an environment of its own.
NUMBA_VERSIONS := 0.65.0 0.68.1
SMOKE := tests/compile/test_internals.py tests/compile/test_linking.py tests/compile/test_compiler.py tests/core/test_bits.py tests/core/test_kernels.py
test-versions: $(NUMBA_VERSIONS:%=.venv-versions/%/tested)

.venv-versions/%/tested: pyproject.toml | .venv/bin/python
	$(BIN)/python -m venv .venv-versions/$*
	.venv-versions/$*/bin/python -m pip install --quiet --editable '.[test]' numba==$*
	.venv-versions/$*/bin/python -m pytest -q $(SMOKE)
	@touch $@

# The page of the API is made from the docstrings first. A dead link is an error, here and in tests/test_docs.py.
docs: .venv/docs
	$(BIN)/python -m tools.api
	$(BIN)/python -m tools.site
	$(BIN)/zensical build --clean --strict

bench: .venv/bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .venv-versions build .cache

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

.venv/bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@
