//go:build slim

package main

import (
	"context"
	"io/fs"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/upgrading"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/schema/lintreport"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/validate"
)

// A build with -tags slim has no Kubernetes validators, policies, clusters and reference: kubernetes.go, policies.go,
// cluster.go and reference.go link them. It compiles in less than half of the time.

// leftOut is the advice about a part that is left out.
const leftOut = "this diffrun was built with -tags slim; use a released archive or image, or build without that tag"

func kubernetesBuiltin() cases.Builtin { return cases.Builtin{LeftOut: leftOut} }

// bundle returns nil: the bundled suites compare Kubernetes' validators.
func bundle() fs.FS { return nil }

func policyLoader() cases.PolicyLoader {
	return func(cases.PolicyFiles, []serving.Resource) (*cases.Policies, error) {
		return nil, &cases.LeftOutError{Advice: leftOut}
	}
}

func policyLinter() lintreport.PolicyLinter {
	return func(schemasource.Found) ([]lintreport.PolicyFinding, error) {
		return nil, &cases.LeftOutError{Advice: leftOut}
	}
}

func policyStarts(string, ...schemasource.PolicyFile) (string, error) {
	return "", &cases.LeftOutError{Advice: leftOut}
}

func openCluster(cases.ClusterOptions) (cases.Cluster, error) {
	return nil, &cases.LeftOutError{Advice: leftOut}
}

func kustomize(string) ([]byte, error) { return nil, &cases.LeftOutError{Advice: leftOut} }

func clusterProject(context.Context, scaffold.Access) (*scaffold.Project, error) {
	return nil, &cases.LeftOutError{Advice: leftOut}
}

func readCluster(context.Context, upgrading.Access, func(upgrading.Resource, map[string]any) error) (upgrading.Read, error) {
	return upgrading.Read{}, &cases.LeftOutError{Advice: leftOut}
}

// referenceCompiler returns nil: --backend reference is refused.
func referenceCompiler() validate.ReferenceCompiler { return nil }
