# Every target does all its own set-up on Debian or Ubuntu with Python 3.11 or newer, and says what it does.
VENV := .venv
BIN  := $(VENV)/bin
PLAYPROOF := $(BIN)/playproof
GAMES := tasks/webgame
DEMO := runs/demo

.PHONY: demo demo-all test test-fast lint certify bench setup clean

demo: setup ## Three real games played in a real browser, with a report to look at
	$(PLAYPROOF) run $(GAMES)/tea-house --harness reference --harness broken:empty-shell --harness broken:frozen-clock \
		--harness broken:quiet-run --out $(DEMO) --workers 2 --no-table
	$(PLAYPROOF) run $(GAMES)/comet-courier $(GAMES)/crate-yard --harness reference --priority P0 --priority P1 \
		--out $(DEMO) --append --workers 2

demo-all: setup ## Every game with everything that it ships
	$(PLAYPROOF) run $(GAMES) --harness reference --harness accepted --harness broken --harness nothing --out runs/demo-all --workers 2

test: setup lint ## Everything
	$(BIN)/pytest --durations=10

test-fast: setup lint ## What needs no browser, sandbox or other heavy tool
	$(BIN)/pytest -m "not heavy" --durations=10

lint: setup
	$(BIN)/ruff check .
	$(BIN)/mypy core/src plugins/blender/src plugins/browser/src plugins/harnesses/src plugins/judges/src plugins/stats/src plugins/webgame/src plugins/xr/src

certify: setup ## Prove that the games' checks tell good from bad, and write their certificates
	$(PLAYPROOF) certify $(GAMES)

bench: setup ## Start-up, orchestration, re-scoring and re-judging, beside their targets
	$(BIN)/python benchmarks/startup.py
	$(BIN)/python benchmarks/orchestration.py
	$(BIN)/python benchmarks/rescoring.py
	$(BIN)/python benchmarks/xr.py
	$(BIN)/python benchmarks/judging.py
	$(BIN)/python benchmarks/blender_views.py
	$(BIN)/python benchmarks/gateway.py

setup:
	@sh scripts/setup.sh $(VENV)

clean:
	rm -rf $(VENV) build dist .pytest_cache .mypy_cache .ruff_cache .hypothesis
