# Every target says what it does behind "##"; `make help` lists them.
.DEFAULT_GOAL := help
TOOLS := go tool -modfile=tools/go.mod

.PHONY: help
help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  %-14s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

.PHONY: run
run: ## run the bundled suites: Kubernetes' validators beside their schemas
	go run ./cmd/diffrun run

.PHONY: test
test: ## run the tests, and say which of them were left out or had nothing to compare
	go test ./...
	@bash .ci/slow list
	@bash .ci/crds
	@bash .ci/browser

.PHONY: dev
dev: ## test the module dev: benchmarks and comparisons with upstream's unit tests
	cd dev && go test ./...

.PHONY: slow
slow: ## run the tests that take minutes: generated files, captures of other modules, the action of GitHub, all of the documentation
	bash .ci/slow

.PHONY: check
check: ## formatting, length of lines, go vet, staticcheck, actionlint, go.mod
	@test -z "$$(gofmt -l .)" || { echo "not formatted; run gofmt -w on:"; gofmt -l .; exit 1; }
	@! git grep -n '' -- '*.go' ':!:*/testdata/*' | sed 's/\t/    /g' | LC_ALL=C.UTF-8 grep -E '^[^:]+:[0-9]+:.{141}' || { echo "longer than 140 columns, four for a tab: a list stands one a line, a call and a text go on in the next line"; exit 1; }
	go vet ./...
	cd dev && go vet ./...
	$(TOOLS) staticcheck ./...
	cd dev && go tool -modfile=../tools/go.mod staticcheck ./...
	$(TOOLS) actionlint -shellcheck= -pyflakes= examples/github/*.yaml .github/workflows/*.yaml
	go mod tidy -diff
	cd dev && go mod tidy -diff

.PHONY: generate
generate: ## write the schemas of the built-in kinds anew
	go generate ./...

.PHONY: kubernetes
kubernetes: ## move the built-in kinds to VERSION=v1.38.0 of Kubernetes, and list what a person has to decide; without VERSION, only list it
	cd dev && go run ./kubernetesupgrade $(if $(filter command line environment,$(origin VERSION)),-version $(VERSION))

.PHONY: fresh
fresh: ## fail when a generated file is not what make generate would write
	DIFFRUN_SLOW_TESTS=1 go test -count 1 ./backends/declarative/kubernetes/gen

.PHONY: tidy
tidy: ## go mod tidy, of the module, its tools, dev, e2e and its servers of buckets, and the examples with modules
	go mod tidy
	cd dev && go mod tidy
	cd tools && go mod tidy
	cd e2e && go mod tidy
	cd e2e/buckets && go mod tidy
	cd examples/gateway-api && go mod tidy

.PHONY: golden
golden: ## write the golden files of the tests anew; read the diff before you commit it
	go test ./... -update

COUNT ?= 6
.PHONY: bench
bench: ## measure validation beside what else there is, and print the ratios; V='-bench Create' narrows it, COUNT is how often each benchmark runs
	cd dev && go test ./bench -run '^$$' -bench . -cpu 1 -count $(COUNT) -timeout 1h $(V) > ../bench.txt
	@grep -q '^Benchmark' bench.txt || { echo "nothing was measured: no benchmark has the name, or DIFFRUN_CRDS names no folder with definitions"; exit 1; }
	$(TOOLS) benchstat bench.txt

OUT ?= diffrun
.PHONY: static
static: ## build a command that needs no libraries; GOOS, GOARCH, VERSION, COMMIT and OUT may be given
	CGO_ENABLED=0 GOOS=$(GOOS) GOARCH=$(GOARCH) go build -trimpath -tags buckets -ldflags "-s -w -X main.releaseVersion=$(VERSION) -X main.releaseCommit=$(COMMIT)" -o $(OUT) ./cmd/diffrun

MAN ?= manpages
.PHONY: man
man: ## write a man page of each command to the folder MAN, with the date of the commit
	SOURCE_DATE_EPOCH=$$(git log -1 --format=%ct) go test ./cmd/diffrun -count 1 -run '^TestManPages$$' -man $(abspath $(MAN))

LINES ?= 100000
.PHONY: scale
scale: ## measure what docs/scale.md says: CPU time for each of LINES lines, and memory
	bash .ci/scale $(LINES)

.PHONY: upstream
upstream: ## hold our validation against the cases of apiextensions-apiserver's unit tests
	cd dev && go run ./upstream $(V)

.PHONY: e2e
e2e: ## hold everything against a real kube-apiserver, etcd and servers of buckets, which it builds from their modules
	bash .ci/prometheus
	bash .ci/azurite
	cd e2e && go test -count 1 -timeout 40m ./...

.PHONY: tags
tags: ## compare the three validators of upstream's +k8s: tags, and write docs/tags.md and docs/tags-disagreements.md: which lines a case breaks, and where they disagree
	go run ./cmd/diffrun run cases/tags
	DIFFRUN_SLOW_TESTS=1 go test ./cmd/diffrun -count 1 -run TestTagsPages -update-tags

.PHONY: upstream-lines
upstream-lines: ## put the line of package harness into copies of Kubernetes' unit tests; V=-v lists what differs, V='-least 98 -most 2' fails as the gate does
	cd dev && go run ./upstreamlines $(V)

CORPUS ?= ../diffrun-corpus
.PHONY: capture-kubernetes
capture-kubernetes: ## record the unit tests of Kubernetes' validation packages into CORPUS, a folder outside the repository, and print the time
	@start=$$(date +%s); go run ./cmd/diffrun capture -o $(CORPUS) --func 'k8s.io/kubernetes/pkg/apis/*/validation.Validate*' \
		--subresource ValidatePodResize=resize --subresource ValidatePodEphemeralContainersUpdate=ephemeralcontainers \
		--subresource ValidateNamespaceFinalizeUpdate=finalize --subresource 'ValidateCertificateSigningRequestApprovalUpdate=approval' \
		--scheme k8s.io/kubernetes/pkg/api/legacyscheme.Scheme -- go test k8s.io/kubernetes/pkg/apis/.../validation; \
		status=$$?; echo "in $$(($$(date +%s) - start)) s"; exit $$status

.PHONY: kubernetes-share
kubernetes-share: ## which share of what Kubernetes' unit tests refuse (CORPUS, of capture-kubernetes) the schemas refuse as well; V=-update keeps it
	cd dev && go run ./kubernetesshare -corpus $(abspath $(CORPUS)) $(V)

.PHONY: ci
ci: ## what CI runs
	bash .ci/run
