//go:build !slim

package main

import (
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/admissionpolicies"
	"github.com/diffrun/diffrun/internal/schema/lintreport"
	"github.com/diffrun/diffrun/internal/schema/policylint"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

// policyLoader evaluates policies with the API server's library.
func policyLoader() cases.PolicyLoader { return admissionpolicies.Load }

// policyLinter lints policies for the built-in kinds, and for definitions.
func policyLinter() lintreport.PolicyLinter {
	return func(found schemasource.Found) ([]lintreport.PolicyFinding, error) {
		var builtin []serving.Description
		for _, kind := range natives.Kinds() {
			if resource, err := natives.Served(kind); err == nil {
				builtin = append(builtin, resource.Describe())
			}
		}
		return policylint.Check(found, builtin)
	}
}
