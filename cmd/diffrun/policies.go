//go:build !slim

package main

import (
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/admissionpolicies"
)

// policyLoader evaluates policies with the API server's library.
func policyLoader() cases.PolicyLoader { return admissionpolicies.Load }
