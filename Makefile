# The commands: `make run`, `make test` and its short form `make check`, and `make docs`, the documentation as a site. All can be repeated; none needs another step.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

# Some hundred processes start in a run of the tests: what the first one compiled the others read.
export PYTHONDONTWRITEBYTECODE :=

# Four processes on two cores: some always wait for a database, a browser or a server. They are forked when all is imported
# and collected (`tests/forks.py`), so each costs little. In `make check` nobody waits long, and there are three.
PROCESSES := 4
PYTEST := $(BIN)/pytest --forks $(PROCESSES)
LINTERS := style types contracts

.PHONY: run test check docs clean tests $(LINTERS)

run: $(VENV)/.installed
	$(BIN)/python manage.py quickstart

test: $(VENV)/.installed-test
	./.ci/system-packages
	$(MAKE) $(VENV)/.installed-directories
	$(MAKE) --jobs 2 --output-sync=target tests $(LINTERS)

check: $(VENV)/.installed-test
	$(MAKE) --jobs 2 --output-sync=target tests $(LINTERS) PROCESSES=3 CHOSEN='--ignore tests/browser --ignore tests/journeys -m "not slow"'

# The plus sign lets the tests write as they go, beside --output-sync; what the linters say comes when each has ended.
tests: $(VENV)/.installed-test
	+$(PYTEST) $(CHOSEN)

style: $(VENV)/.installed-test
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: $(VENV)/.installed-test
	$(BIN)/mypy

contracts: $(VENV)/.installed-test
	$(BIN)/lint-imports

docs: $(VENV)/.installed-docs
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict  # not --quiet: then no warning counts
	@echo "build/docs/index.html"

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "KnowledgeTree needs Python 3.11 or later; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=23.3'  # older ones warn of jusText's lxml[html_clean]

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[connectors,docs,dual,neural,optimize,otel,qdrant,redis,s3,test]'
	@touch $@ $(VENV)/.installed

$(VENV)/.installed-docs: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[docs]'
	@touch $@

# LDAP is compiled and SAML brings a library of XML: where that fails, their tests are skipped.
$(VENV)/.installed-directories: pyproject.toml
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[ldap,saml]' \
		|| echo "Not installed: the extras ldap and saml. Their tests are skipped." >&2
	@touch $@

clean:
	rm -rf $(VENV)
