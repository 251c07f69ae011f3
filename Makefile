# Every target says what it does behind "##"; `make help` lists them.
.DEFAULT_GOAL := help
TOOLS := go tool -modfile=tools/go.mod

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-12s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## run the bundled suites: Kubernetes' validators beside their schemas
	go run ./cmd/diffrun run

.PHONY: test
test: ## run the tests, and say which of them had nothing to compare
	go test ./...
	@bash .ci/crds

.PHONY: check
check: ## formatting, go vet, staticcheck
	@test -z "$$(gofmt -l .)" || { echo "not formatted; run gofmt -w on:"; gofmt -l .; exit 1; }
	go vet ./...
	$(TOOLS) staticcheck ./...

.PHONY: generate
generate: ## write the schemas of the built-in kinds anew
	go generate ./...

.PHONY: fresh
fresh: generate ## generate, and fail when that changed a committed file
	@git diff --exit-code --stat -- backends/declarative/idl || { echo "generated files are stale: commit what make generate wrote"; exit 1; }

# Kubernetes names its staging modules at v0.0.0; unless each is required at its
# real version first, tidy looks for that.
KUBERNETES = $$(go list -m -f '{{.Dir}}' k8s.io/kubernetes)
.PHONY: tidy
tidy: ## go mod tidy, with the staging modules of Kubernetes required first
	go mod edit $$(awk '$$1 ~ /^k8s.io/ && $$2 == "v0.0.0" {print "-require=" $$1 "@v0.36.3"}' $(KUBERNETES)/go.mod) -require=k8s.io/sample-cli-plugin@v0.36.1
	go mod tidy

.PHONY: golden
golden: ## write the golden files of the tests anew; read the diff before you commit it
	go test ./... -update

.PHONY: bench
bench: ## measure validation beside what else there is; ratios as a table, and as JSON in bench.json
	go run ./internal/bench -json bench.json

.PHONY: upstream
upstream: ## hold our validation against the cases of apiextensions-apiserver's unit tests
	go run ./internal/upstream

.PHONY: ci
ci: ## what CI runs
	bash .ci/run
