# The two commands: `make run` and `make test`. Both can be repeated; neither needs another step.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test clean

run: $(VENV)/.installed
	$(BIN)/python manage.py quickstart

test: $(VENV)/.installed-test
	./.ci/system-packages
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/python manage.py makemigrations --check --dry-run
	$(BIN)/python manage.py spectacular --validate --fail-on-warn --file /dev/null
	$(BIN)/pytest -n 2 --dist loadscope --no-loadscope-reorder

$(VENV)/bin/python:
	$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "KnowledgeTree needs Python 3.11 or later; try: make PYTHON=python3.12")'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check --upgrade 'pip>=23.3'  # older ones warn of jusText's lxml[html_clean]

$(VENV)/.installed: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable .
	@touch $@

$(VENV)/.installed-test: pyproject.toml $(VENV)/bin/python
	$(BIN)/pip install --quiet --disable-pip-version-check --editable '.[dual,neural,test]'
	@touch $@ $(VENV)/.installed

clean:
	rm -rf $(VENV)
