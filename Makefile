# Everything a developer does here; `make help` lists it.
SHELL := /bin/bash
.SHELLFLAGS := -eu -o pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
UV_VERSION := 0.13.8
VENV := .venv
PY := $(VENV)/bin/python
UV := $(VENV)/bin/uv
# xdist: one worker a core. PYTEST_ARGS adds to every run, e.g. PYTEST_ARGS="-k draft -x".
PYTEST := $(PY) -m pytest -q -n auto $(PYTEST_ARGS)

MEMBERS := $(patsubst %/pyproject.toml,%,$(wildcard libs/*/pyproject.toml services/*/pyproject.toml))
PACKAGING := $(wildcard libs/*/pyproject.toml services/*/pyproject.toml libs/*/setup.py libs/*/c_compiler.py)
ENGINES := $(shell find libs/games/src -name '*.py')
SCHEMA := $(wildcard proto/starport/v1/*.proto)

# The services that docker-compose.yml runs, a container each.
CONTAINERS := rules lobby scoring smuggler

# Stamps. Each says "done for these inputs", so a second `make` is quick.
TOOLS := $(VENV)/.tools
INSTALLED := $(VENV)/.installed
GENERATED := $(VENV)/.generated
# Holds `compiled` or `pure`, what the engines in the tree are; asking for pure ones is another stamp.
BUILT := $(VENV)/.built$(if $(filter-out 0,$(STARPORT_PURE)),-pure)

.PHONY: help setup lint format test test-fast test-compiled test-pure rules-report lock clean play demo serve \
	up down bench-games bench-services random-games balance

help: ## Lists these targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## /{printf "  make %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

setup: $(BUILT) ## Makes .venv, installs the locked tools and our packages, compiles the engines

$(TOOLS): requirements.lock Makefile
	test -x $(PY) || $(PYTHON) -m venv $(VENV)
	$(PY) -m pip install --quiet --disable-pip-version-check uv==$(UV_VERSION)
	$(UV) pip install --quiet --python $(PY) --require-hashes -r requirements.lock
	touch $@

# Installed pure and compiled by the next rule, which skips what did not change; a new list of modules starts clean.
$(INSTALLED): $(TOOLS) $(PACKAGING)
	find $(MEMBERS) -name '*.so' -delete
	STARPORT_PURE=1 $(UV) pip install --quiet --python $(PY) --no-build-isolation --no-deps \
		$(foreach member,$(MEMBERS),--editable $(member))
	touch $@

# The schema as Python, in libs/wire/src/starport/v1; never in git.
$(GENERATED): $(INSTALLED) $(SCHEMA) libs/wire/generate.py
	$(PY) libs/wire/generate.py
	touch $@

# Without a C compiler no compiled module may stay: it would be older than its source and win over it.
$(BUILT): $(INSTALLED) $(GENERATED) $(ENGINES)
	rm -f $(VENV)/.built*
	mode=$$($(PY) libs/games/c_compiler.py); \
	if [ $$mode = compiled ]; \
		then (cd libs/games && ../../$(PY) setup.py --quiet build_ext --inplace); \
		else find $(MEMBERS) -name '*.so' -delete; echo "engines: pure Python (no C compiler, or STARPORT_PURE=1)"; \
	fi; \
	echo $$mode > $@

lint: setup ## Style, types and import directions
	$(PY) -m ruff check .
	$(PY) -m ruff format --check .
	$(PY) -m mypy
	$(VENV)/bin/lint-imports

format: setup ## Formats the code and applies safe fixes
	$(PY) -m ruff check --fix-only .
	$(PY) -m ruff format .

test: setup lint test-compiled test-pure rules-report ## Everything that must hold before a change goes in

test-compiled: setup ## All tests, on the compiled engines (without a C compiler: on the interpreted ones)
	@echo "tests: engines are $$(cat $(BUILT))"
	STARPORT_EXPECT=$$(cat $(BUILT)) $(PYTEST) -m "not clauses"

test-pure: setup ## The tests of the games on interpreted engines, without the slow ones
	rm -rf build/pure
	mkdir -p build/pure
	cp -R libs/games/src/. build/pure/
	find build/pure -name '*.so' -delete
	STARPORT_EXPECT=pure PYTHONPATH=$(CURDIR)/build/pure $(PYTEST) -m "not clauses and not slow" \
		libs/games tests/conformance tests/architecture

test-fast: setup ## One run of the tests without the slow ones and without lint
	STARPORT_EXPECT=$$(cat $(BUILT)) $(PYTEST) -m "not clauses and not slow"

rules-report: setup ## Clauses of docs/rules that no test cites, and citations of clauses that do not exist
	$(PY) tests/rules_report.py

lock: $(TOOLS) ## Resolves the dependencies anew and writes the hashed locks
	$(UV) lock --quiet --upgrade
	$(UV) export --quiet --frozen --all-packages --all-groups --no-group bench --no-emit-workspace --no-header \
		--output-file requirements.lock
	$(UV) export --quiet --frozen --only-group bench --no-emit-workspace --no-header \
		--output-file requirements-bench.lock
	$(UV) export --quiet --frozen --no-dev $(foreach service,$(CONTAINERS),--package starport-$(service)) \
		--no-emit-workspace --no-header --output-file requirements-runtime.lock
	! grep -n '://' requirements.lock requirements-bench.lock requirements-runtime.lock

clean: ## Removes everything that a build or a test run made
	rm -rf $(VENV) build dist uv.lock .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	rm -rf $(foreach member,$(MEMBERS),$(member)/build $(member)/dist $(member)/.mypy_cache $(member)/src/*.egg-info)
	rm -rf libs/wire/src/starport
	find libs services tests \( -name '*.so' -o -name '*.pyc' \) -delete

# The key by which services trust each other is made once, here, and stays on this machine.
up: ## Builds the images, starts everything in containers, waits until it is healthy (ARGS="--scale rules=2")
	grep -qs '^STARPORT_SERVICE_KEY=.' .env || (umask 077; $(PYTHON) -c \
		'import secrets; print(f"STARPORT_SERVICE_KEY={secrets.token_urlsafe(32)}")' >> .env)
	chmod 600 .env
	docker compose build --quiet
	docker compose up --detach --wait --wait-timeout 120 $(ARGS)

down: ## Stops the containers; what they keep stays (ARGS=-v removes that too)
	STARPORT_SERVICE_KEY=$${STARPORT_SERVICE_KEY:-unused} docker compose down $(ARGS)

play: setup ## Plays a game in the terminal (ARGS="--help" says more)
	$(VENV)/bin/starport play $(ARGS)

demo: setup ## Lets house bots play one whole match through the services
	$(VENV)/bin/starport demo $(ARGS)

serve: setup ## Hosts everything in one process until Ctrl-C
	$(VENV)/bin/starport up $(ARGS)

bench-games: setup ## Measures the engines beside their peers (dependency group `bench`)
	$(UV) pip install --quiet --python $(PY) --require-hashes -r requirements-bench.lock
	$(PY) -m tests.bench.games $(ARGS)

bench-services: setup ## Measures a move through the rules service beside its floor
	$(PY) -m tests.bench.services $(ARGS)

random-games: setup ## Plays random matches to the end and checks every invariant
	$(PY) -m starport_games random $(ARGS)

balance: setup ## Measures how fair the card files are
	$(PY) -m starport_games balance $(ARGS)
