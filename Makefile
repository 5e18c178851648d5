# The commands one must know. Everything is installed into .venv beside this file, nothing anywhere else.
#
#   make play    install what is needed and play
#   make test    install what is needed and run all tests
#   make check   format, lint and types
#   make bench   measure against other systems and a floor in C; writes benchmarks/results/

PYTHON ?= python3
BIN := .venv/bin
export PIP_DISABLE_PIP_VERSION_CHECK := 1

.PHONY: play test test-versions check bench clean

play: .venv/play
	@$(BIN)/palabre play $(SPEC)

# Kernels are tested three ways: compiled, as plain Python, and compiled with bounds checks.
test: .venv/test
	$(BIN)/python -m pytest -n auto
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest -n auto -m kernels
	NUMBA_BOUNDSCHECK=1 $(BIN)/python -m pytest -n auto -m kernels

check: .venv/check
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy

# The oldest and the newest Numba that pyproject.toml allows, each in an environment of its own.
NUMBA_VERSIONS := 0.65.0 0.68.1
SMOKE := tests/compile/test_internals.py tests/compile/test_compiler.py tests/core/test_bits.py tests/core/test_kernels.py
test-versions: $(NUMBA_VERSIONS:%=.venv-versions/%/tested)

.venv-versions/%/tested: pyproject.toml | .venv/bin/python
	$(BIN)/python -m venv .venv-versions/$*
	.venv-versions/$*/bin/python -m pip install --quiet --editable '.[test]' numba==$*
	.venv-versions/$*/bin/python -m pytest -q $(SMOKE)
	@touch $@

bench: .venv/bench
	$(BIN)/python -m benchmarks

clean:
	rm -rf .venv .venv-versions

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

.venv/check: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[test,check]'
	@touch $@

.venv/bench: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[bench]'
	@touch $@
