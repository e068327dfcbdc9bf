# Tasks for people and for CI. `make help` lists them.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# pip compiles 24,000 modules one after the other; COMPILE does it on every processor, without the libraries' own tests and what hardly anybody imports.
INSTALL := $(BIN)/python -m pip install -q --no-compile
HARDLY := tests?|transformers/models|torch/(_inductor|testing)|ray/(rllib|serve|tune|train|llm|autoscaler)
COMPILE := $(BIN)/python -m compileall -q -q -j 0 -x '/($(HARDLY))/' $(VENV)/lib ragviz || true
# Images for containers set it, and then each of the processes that tests start compiles what it imports: a third of its start.
unexport PYTHONDONTWRITEBYTECODE
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The shell is Chromium without windows: a page costs a third less than in the whole browser, which draws its own toolbars beside it.
APT := -o Acquire::http::Timeout=20 -o Acquire::https::Timeout=20
APT_INSTALL := DEBIAN_FRONTEND=noninteractive apt-get $(APT) install -y -qq --no-install-recommends
HEADLESS := $(APT_INSTALL) chromium-headless-shell fonts-noto-core >/dev/null 2>&1
WHOLE := $(APT_INSTALL) chromium fonts-noto-core >/dev/null

.DEFAULT_GOAL := help
.PHONY: help setup setup-dev browser run lint fmt types test test-fast golden samples bench docs reliability fuzz audit clean

help: ## this list
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

$(VENV)/.python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { echo "ragviz needs Python 3.11 or newer; this is $$($(PYTHON) --version). Try: make $(MAKECMDGOALS) PYTHON=python3.12"; exit 1; }
	$(PYTHON) -m venv $(VENV)
	@touch $@

$(VENV)/.installed: $(VENV)/.python requirements.txt pyproject.toml
	$(INSTALL) -r requirements.txt
	$(INSTALL) --no-deps -e .
	@$(COMPILE)
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed requirements-dev.txt
	$(INSTALL) -r requirements-dev.txt
	@$(COMPILE)
	@touch $@

setup: $(VENV)/.installed ## create .venv and install what the dashboard needs

setup-dev: $(VENV)/.installed-dev ## the same, and what the checks need

browser: ## Chromium for the browser tests, from Debian's packages when root; they skip without it
	@if command -v chromium-headless-shell >/dev/null; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null && apt-get $(APT) update -qq && { $(HEADLESS) || command -v chromium >/dev/null || $(WHOLE); }; then :; \
	elif command -v chromium >/dev/null || command -v google-chrome >/dev/null; then :; \
	else echo "No Chromium found: browser tests will be skipped (Debian: apt-get install chromium-headless-shell)."; fi

run: setup ## open the dashboard on the sample traces
	$(BIN)/ragviz open

lint: setup-dev ## style and import rules
	$(BIN)/ruff check .
	$(BIN)/lint-imports

fmt: setup-dev ## repair what can be repaired
	$(BIN)/ruff check --fix .

types: setup-dev ## mypy --strict
	$(BIN)/mypy

# Four on two processors, if they have the memory: half of what browsers, clusters and databases do is waiting.
WORKERS ?= $(shell awk '/^MemTotal/ {print ($$2 > 12e6) ? 4 : 3}' /proc/meminfo 2>/dev/null)
test: setup-dev browser ## everything: set up, then every test
	$(BIN)/python -m pytest -n $(or $(WORKERS),3) --dist loadfile --no-loadscope-reorder

test-fast: setup-dev ## without browser and model
	$(BIN)/python -m pytest -q -m "not browser and not weights and not slow"

reliability: setup-dev browser ## crashes, faults, doors and load, with the table of docs/RELIABILITY.md: about 15 minutes (ROUNDS=12 MINUTES=10)
	$(BIN)/python -m tests.reliability.everything --rounds $(or $(ROUNDS),12) --minutes $(or $(MINUTES),10)

fuzz: setup-dev ## coverage-guided fuzzing with atheris, beside what is installed (SECONDS_EACH=60 for each of its targets; TARGETS="claims files")
	$(PYTHON) -m venv .venv-fuzz
	.venv-fuzz/bin/python -m pip install -q atheris
	@path=.:$$(.venv-fuzz/bin/python -c 'import site; print(site.getsitepackages()[0])'); \
	for target in $(or $(TARGETS),$$(PYTHONPATH=$$path $(BIN)/python -m tests.reliability.fuzz --list)); do echo "== $$target"; \
		PYTHONPATH=$$path $(BIN)/python -m tests.reliability.fuzz $$target -max_total_time=$(or $(SECONDS_EACH),60) -max_len=4096 -timeout=60 -rss_limit_mb=4096 || exit 1; done

audit: setup-dev ## known holes in what is installed; asks PyPI's advisory service, so it needs the internet; a package it cannot tell of fails it
	$(BIN)/python -m pip install -q pip-audit
	$(BIN)/python -m pip freeze --exclude-editable > .audit.txt
	$(BIN)/python -m pip_audit --strict --no-deps --disable-pip -r .audit.txt; status=$$?; rm -f .audit.txt; exit $$status

golden: setup-dev ## rewrite the golden files; read the difference before committing
	$(BIN)/python -m pytest -q tests/golden --golden-write

samples: setup ## write the annotated facts into the sample traces, judge them again and store the verdicts beside them
	$(BIN)/python docs/annotate_samples.py
	$(BIN)/python docs/generate_sample_verdicts.py

docs: setup ## rewrite the generated reference pages
	$(BIN)/python docs/generate_metrics.py

bench: setup-dev ## every benchmark, one table each, on a store of TRACES=20000; installs the libraries compared with (3 GB), takes hours
	@folder=$$(mktemp -d); store=$$folder/bench.sqlite; $(BIN)/python benchmarks/large_store.py $$store --traces $(or $(TRACES),20000); \
	for file in benchmarks/speed_*.py benchmarks/simulate_parquet.py; do echo "== $$file"; \
		case $$file in *_lists.py|*_pages.py|*_sessions.py) $(BIN)/python $$file $$store;; *) $(BIN)/python $$file;; esac; done; rm -rf "$$folder"

clean: ## remove what setup and tests created
	rm -rf $(VENV) .venv-fuzz .fuzz .pytest_cache .mypy_cache .ruff_cache .hypothesis build dist
