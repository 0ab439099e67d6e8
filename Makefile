# Every command makes its own environment first: .venv/ from requirements.lock, again only when the lock changed.
PYTHON ?= python3
FIDELITY ?=
VENV ?= .venv
RUN := $(VENV)/bin/python
# The matrices here are small or sparse: threads of the linear algebra would only wait for each other.
export OPENBLAS_NUM_THREADS := 1

.PHONY: help environment book test mutants bench reproduce lock clean

help:
	@echo "make environment | book | test | mutants | bench | reproduce | lock | clean"

environment:
	@cmp -s requirements.lock $(VENV)/lock || { \
	  $(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	    { echo "Python 3.11 or later is needed; choose one with make PYTHON=..."; exit 2; }; \
	  echo "Making $(VENV) from requirements.lock (about two minutes) ..."; \
	  rm -rf $(VENV) && $(PYTHON) -m venv $(VENV) && \
	  $(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock && \
	  $(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e . && \
	  cp requirements.lock $(VENV)/lock; }

book: environment
	@$(RUN) -m compendium book

test: environment
	@$(RUN) -m pytest -n auto

# Every fault of data/mutants.csv, each of which must turn the claim named for it; `make test` draws two.
mutants: environment
	@$(RUN) -m compendium mutants

bench: environment
	@$(RUN) -m benchmarks

# Every stored point again, then the whole book from an empty store (FIDELITY=paper: at the sources' own run lengths).
reproduce: environment
	@$(RUN) -m compendium results
	@$(RUN) -m compendium book --fresh --output _build/reproduce $(if $(FIDELITY),--fidelity $(FIDELITY))

# For maintainers; needs uv. No index address may enter the lock.
lock:
	uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --all-extras --generate-hashes \
	  --no-header --no-annotate pyproject.toml -o requirements.lock

clean:
	rm -rf _build $(VENV)
	find lib -name __pycache__ -type d -prune -exec rm -rf {} +
