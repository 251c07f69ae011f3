// Package policies evaluates ValidatingAdmissionPolicies from files, as the API server does.
//
// [Load] reads policies, their bindings, parameter objects, namespaces and definitions of parameter kinds, and
// reports all mistakes at once. [Set.Validate] returns the denials and warnings for one request. A [Set] is also
// what guards a world (package backends/world).
//
// Package backends/policies/evaluation does the work. It has more, which may change in every release: policies
// that mutate, weaker forms of policies, and lints.
package policies

import "github.com/diffrun/diffrun/backends/policies/evaluation"

// The types of a set of policies.
type (
	// File is a file with policies and what they need.
	File = evaluation.File
	// Options say what Load knows besides the files.
	Options = evaluation.Options
	// Resource is a resource that requests are about.
	Resource = evaluation.Resource
	// Set is a set of bound policies. It never changes, so several goroutines can use it.
	Set = evaluation.Set
	// Request is a request to the API server.
	Request = evaluation.Request
	// Outcome is the result of the policies for a request.
	Outcome = evaluation.Outcome
	// Denial is a policy's refusal of a request.
	Denial = evaluation.Denial
)

// Load reads the policies of files. The error is a userfile.Mistakes.
func Load(files []File, options Options) (*Set, error) { return evaluation.Load(files, options) }
