package main

// notRun has the commands of the documentation that the test does not run.
var notRun = map[string]string{
	"go run ./cmd/diffrun run": "is part of .ci/run",
	"go test ./...":            "runs this test",
	"go test ./examples/...":   "is part of go test ./...",
	"go install ./cmd/diffrun": ".ci/run builds the command",
	"make check":               "is part of .ci/run",
	"go install github.com/diffrun/diffrun/cmd/diffrun@latest":  "installs a release",
	"cd YOUR-REPOSITORY && diffrun init && diffrun run diffrun": "is about the repository of the reader",
	"make test":                       "runs this test",
	"make kubernetes VERSION=v1.38.0": "needs a release that there is not yet; package dev/kubernetesupgrade has tests",
	"make upstream":                   "is part of .ci/run",
	"bash .ci/run":                    "runs this test",
}

// slowPages have commands that build programs in the clone, or run all bundled suites. With "make slow" they run too.
var slowPages = []string{
	"docs/accept.md",
	"docs/ci.md",
	"docs/coverage.md",
	"docs/how-it-works.md",
	"docs/infer.md",
	"docs/kubernetes-schemas.md",
	"docs/reference/case-files.md",
	"docs/reference/exceptions.md",
	"docs/reference/suites.md",
	"docs/scale.md",
	"docs/tutorial/4-ci.md",
	"docs/validation-go.md",
}

// mayRun are the programs that a page may tell its reader to run.
var mayRun = []string{"diffrun", "go", "make", "bash", "printf", "cp"}
