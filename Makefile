# Every command makes its own environment first: .venv/ from requirements.lock; again when the lock changed, when the
# checkout was moved, and when another Python is asked for.
PYTHON ?= python3
FIDELITY ?=
OPTIONS ?=
ONLY ?=
CLAIMS ?=
VENV ?= .venv
RUN := $(VENV)/bin/python
# The matrices here are small or sparse: threads of the linear algebra would only wait for each other.
export OPENBLAS_NUM_THREADS := 1
# With the same kernels on all machines that have them sums are the same to the last bit, which a minimum magnifies.
ifneq (,$(shell grep -o -m 1 avx2 /proc/cpuinfo 2> /dev/null))
export OPENBLAS_CORETYPE := Haswell
endif
# Modules that many processes load are compiled once, even where Python is told not to keep what it compiled.
unexport PYTHONDONTWRITEBYTECODE

# COMPILE= leaves it to the first import to compile a module, where few are imported; pip would use one processor.
COMPILE ?= yes
INSTALL := $(RUN) -m pip install --quiet --disable-pip-version-check --no-deps --no-compile

# Whether the environment is of this lock, runs, is of the Python named on the command line, and imports from here.
CURRENT := cmp -s requirements.lock $(VENV)/lock && [ -x $(RUN) ] && \
  { [ "$(origin PYTHON)" = file ] || [ "$$($(PYTHON) -V 2>/dev/null)" = "$$($(RUN) -V)" ]; } && \
  $(RUN) -c 'import os, sys; from compendium import places; sys.exit(not os.path.samefile(places.ROOT, "."))' 2>/dev/null

# Whether the environment may be deleted: it is not there, is empty, or was made here, if only in part.
MADE := [ -z "$$(ls -A $(VENV) 2>/dev/null)" ] || [ -e $(VENV)/lock ] || [ -e $(VENV)/made-by-compendium ] || \
  { echo "$(VENV) was not made here: move it away, or choose another place with make VENV=..."; exit 2; }

.PHONY: help environment jupyterlab book pdf lab test extremes mutants faults prove bench reproduce lock clean

help:
	@echo "make environment | book | pdf | lab | test | extremes | mutants | faults | prove | bench | reproduce | lock | clean"

environment:
	@$(CURRENT) || { \
	  command -v $(firstword $(PYTHON)) >/dev/null || \
	    { echo "$(PYTHON) is not found; choose another Python with make PYTHON=..."; exit 2; }; \
	  [ "$$($(PYTHON) -c 'import sys; print(sys.version_info >= (3, 11))' 2>/dev/null)" = True ] || \
	    { echo "Python 3.11 or later is needed, which $(PYTHON) is not; choose one with make PYTHON=..."; exit 2; }; \
	  $(MADE); \
	  echo "Making $(VENV) from requirements.lock (about two minutes) ..."; \
	  rm -rf $(VENV) && mkdir -p $(VENV) && touch $(VENV)/made-by-compendium && \
	  $(PYTHON) -m venv --upgrade-deps $(VENV) > /dev/null && \
	  $(INSTALL) --require-hashes -r requirements.lock && \
	  $(INSTALL) --no-build-isolation -e . && \
	  { $(if $(COMPILE),$(RUN) -m compileall -qq -j 0 lib $(VENV)/lib ||,) :; } && \
	  cp requirements.lock $(VENV)/lock; }

# What `make lab` needs besides, and the test of it: the same versions where both locks name a package.
jupyterlab: environment
	@cmp -s requirements-lab.lock $(VENV)/lock-lab || { \
	  echo "Adding JupyterLab to $(VENV) from requirements-lab.lock ..."; \
	  $(INSTALL) --require-hashes -r requirements-lab.lock && cp requirements-lab.lock $(VENV)/lock-lab; }

book: environment
	@$(RUN) -m compendium book

# The book on paper; wants Chromium.
pdf: environment
	@$(RUN) -m compendium pdf

# A copy of the pages in JupyterLab, with this environment's kernel. OPTIONS are JupyterLab's, such as --no-browser.
lab: jupyterlab
	@$(RUN) -m compendium lab -- $(OPTIONS)

test: jupyterlab
	@$(RUN) -m pytest -n auto

# Every public function of the models with every extreme value, and more at random; `make test` draws a few.
extremes: environment
	@$(RUN) tests/clustershare/indices.py --calls 3000
	@$(RUN) tests/clustershare/extremes.py --all

# Every fault of data/mutants.csv, each of which must turn the claim named for it; `make test` draws two.
mutants: environment
	@$(RUN) -m compendium mutants

# Faults drawn in what each claim's check runs, and how many it notices, kept in data/proofs/faults.csv: two hours on two
# cores; with ONLY=stale where that is not of today's code, with CLAIMS for some. `make test` makes a few.
faults: environment
	@$(RUN) -m compendium faults $(CLAIMS) $(if $(ONLY),--$(ONLY))

# What every claim finds, that every page's execution gives what is committed, and that no page of the book looks wrong:
# proven, and kept in data/proofs/; with ONLY=stale what is not of today's code and data. `make test` proves that, and a
# twentieth of the rest.
prove: environment
	@$(RUN) -m compendium prove $(if $(ONLY),--$(ONLY))
	@$(RUN) -m pytest -n auto -m proof --prove $(or $(ONLY),all)

bench: environment
	@$(RUN) -m benchmarks

# Every stored point again, then the whole book from an empty store (FIDELITY=paper: at the sources' own run lengths).
reproduce: environment
	@$(RUN) -m compendium results
	@$(RUN) -m compendium book --fresh --output _build/reproduce $(if $(FIDELITY),--fidelity $(FIDELITY))

# For maintainers; needs uv. No index address may enter the lock.
LOCK := uv pip compile --quiet --universal --python-version 3.11 --fork-strategy fewest --generate-hashes \
  --no-header --no-annotate
# What jsonschema imports if it is there, to check addresses that no notebook has: a second of every process's start.
SLOW := rfc3987-syntax lark
lock:
	$(LOCK) $(foreach extra,book cluster pdf test bench build,--extra $(extra)) pyproject.toml -o requirements.lock
	$(LOCK) --group lab --constraint requirements.lock $(SLOW:%=--no-emit-package %) -o requirements-lab.lock

# All but the pages that a reader worked on.
clean:
	@$(MADE)
	rm -rf $(VENV)
	[ ! -d _build ] || find _build -mindepth 1 -maxdepth 1 ! -name lab -exec rm -rf {} +
	find lib -name __pycache__ -type d -prune -exec rm -rf {} +
