# Everything a newcomer needs: `make demo` shows the main job, `make test` proves it.
# The first run sets up a virtual environment in .venv from requirements.lock.

VENV := .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready
NODE := $(VENV)/.node
DEMO := examples/support-desk
SERVICE := build/service
SPREAD := --numprocesses auto --maxprocesses 4 --dist loadfile
AGENT := build/agent

export PATH := $(CURDIR)/$(BIN):$(PATH)

.PHONY: demo service agent test test-long lint golden lock clean

demo: $(READY)
	frieze check $(DEMO)
	frieze compile $(DEMO)
	frieze render $(DEMO)/dist/support_desk --agent concierge --platform line --model claude-sonnet-4-6 --personality friendly --context $(DEMO)/contexts/line-tokyo.json --now 2026-03-14T09:26:53Z

# Installs the demo's prompts as a wheel into an empty environment and runs a service there. The vendor's client is lent
# by .venv, so that nothing but the prompts is installed.
service: $(READY)
	rm -rf $(SERVICE)
	frieze compile --wheel -o $(SERVICE)/wheel $(DEMO)
	frieze verify $(SERVICE)/wheel/*.whl
	python -m venv --without-pip $(SERVICE)/environment
	python -m pip --python $(SERVICE)/environment install --quiet --disable-pip-version-check --no-deps --no-index $(SERVICE)/wheel/*.whl
	PYTHONPATH=`python -c 'import sysconfig; print(sysconfig.get_path("purelib"))'` $(SERVICE)/environment/bin/python $(DEMO)/service.py

# A session of examples/coding-agent on a copy of its sample: the model is scripted, everything else is real.
agent: $(READY)
	rm -rf $(AGENT)
	frieze compile -o $(AGENT)/coding_agent examples/coding-agent
	PYTHONPATH=$(AGENT) python examples/coding-agent/demo.py

test: $(READY) $(NODE)
	python -m pytest -m "not slow" $(SPREAD)

test-long: $(READY) $(NODE)
	python -m pytest $(SPREAD)

lint: $(READY)
	ruff check
	ruff format --check
	mypy

# Writes the expected texts of golden tests anew; look at `git diff` afterwards.
golden: $(READY) $(NODE)
	FRIEZE_UPDATE_GOLDEN=1 python -m pytest -m "not slow"

lock:
	uv pip compile pyproject.toml --group dev --extra tz --universal --no-header --upgrade --output-file requirements.lock

clean:
	rm -rf $(VENV) build examples/*/dist

$(READY): requirements.lock pyproject.toml .ci/setup
	.ci/setup python
	touch $@

$(NODE): .ci/setup | $(READY)
	.ci/setup node
	touch $@
