# Everything a newcomer needs: `make demo` shows the main job, `make test` proves it.
# The first run sets up a virtual environment in .venv from requirements.lock.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: demo test test-long lint golden clean

demo: $(READY)
	$(BIN)/frieze check examples/support-desk
	$(BIN)/frieze compile examples/support-desk
	$(BIN)/frieze render examples/support-desk/dist/support_desk --agent concierge --platform line --model claude-sonnet-4-6 --personality friendly --context examples/support-desk/contexts/line-tokyo.json --now 2026-03-14T09:26:53Z

test: $(READY) $(VENV)/.node
	$(BIN)/python -m pytest -m "not slow"

test-long: $(READY) $(VENV)/.node
	$(BIN)/python -m pytest

lint: $(READY)
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

golden: $(READY)
	FRIEZE_UPDATE_GOLDEN=1 $(BIN)/python -m pytest -m "not slow" tests

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation -e .
	touch $@

clean:
	rm -rf $(VENV) examples/*/dist
