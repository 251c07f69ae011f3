package casefile

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// kyvernoResult is an expected result of a rule for some resources.
type kyvernoResult struct {
	of         part
	kind, rule string
	resources  []string // names, or namespace/name
	operation  string
	result     string
}

// readKyvernoTest reads a Test of the command line of Kyverno
// (github.com/kyverno/kyverno/cmd/cli/kubectl-kyverno/apis/v1alpha1, test.go). A test usually has one policy.
func readKyvernoTest(test part, only string) (list []sample, names []string) {
	var results []kyvernoResult
	for _, r := range test.parts("results") {
		policy := r.text("policy")
		if policy == "" {
			policy = r.text("policyName")
		}
		if !slices.Contains(names, policy) {
			names = append(names, policy)
		}
		if only == "" || policy == only {
			results = append(results, newKyvernoResult(r))
		}
	}
	why := ""
	for _, key := range []string{"variables", "values", "userinfo", "context"} {
		if test.fields[key] != nil {
			why = "the test replaces what a cluster has (" + key + ")"
		}
	}
	for i, file := range test.texts("resources") {
		list = append(list, sample{at: test.at("resources"), file: file, complete: func(c *harness.Case, name string, _ *reading) string {
			if object, ok := c.Object.(map[string]any); ok {
				kyvernoExpected(c, object, results)
			}
			if why != "" {
				leaveOut(c, why)
			}
			if name == "" || i > 0 {
				return strings.TrimSuffix(path.Base(file)+" "+name, " ")
			}
			return name
		}})
	}
	if len(list) > 0 && why == "" && test.fields["targetResources"] == nil { // else the objects may be elsewhere
		list = append(list, sample{at: test.at("results"),
			problems: func(so *reading) []problem { return kyvernoUnlooked(results, so.seen) }})
	}
	return list, names
}

// kyvernoUnlooked returns a problem for each expectation about an object that the test does not have.
func kyvernoUnlooked(results []kyvernoResult, objects []map[string]any) []problem {
	var problems []problem
	for _, r := range results {
		missing := slices.DeleteFunc(slices.Clone(r.resources), func(name string) bool {
			one := kyvernoResult{kind: r.kind, resources: []string{name}}
			return slices.ContainsFunc(objects, one.isAbout)
		})
		kind, text := r.kind, ""
		if kind == "." {
			kind = "object"
		}
		switch {
		case len(missing) > 0:
			text = fmt.Sprintf("%s expects %q of %s %s, and the resources have no such %s", r.of.path, r.result, kind,
				strings.Join(missing, ", "), kind)
		case len(r.resources) == 0 && !slices.ContainsFunc(objects, r.isAbout):
			text = fmt.Sprintf("%s expects %q of each %s, and the resources have none", r.of.path, r.result, kind)
		default:
			continue
		}
		problems = append(problems, problem{r.of.at(""), text + "; correct the name, or remove the result"})
	}
	return problems
}

func newKyvernoResult(r part) kyvernoResult {
	rule := r.text("rule")
	for _, prefix := range []string{"autogen-cronjob-", "autogen-"} { // of the rules for controllers of Pods
		rule = strings.TrimPrefix(rule, prefix)
	}
	read := kyvernoResult{of: r, kind: path.Base(r.text("kind")), rule: rule, operation: r.text("operation"), result: r.text("result")}
	read.resources = r.texts("resources")
	if one := r.text("resource"); one != "" {
		read.resources = append(read.resources, one)
	}
	if read.result == "" {
		read.result = r.text("status") // until 1.10
	}
	for _, known := range []string{"pass", "fail", "skip", "warn", "error"} {
		if read.result == known {
			return read
		}
	}
	r.mustf("result", "pass, fail, skip, warn or error")
	return read
}

// kyvernoExpected sets what the results say about the object of a case: one rule that fails denies it, and it
// is admitted if they say of all rules that these pass.
func kyvernoExpected(c *harness.Case, object map[string]any, results []kyvernoResult) {
	decision, unknown := words.Admitted, map[string]bool{} // rules
	for _, r := range results {
		if _, decided := unknown[r.rule]; !decided {
			unknown[r.rule] = true
		}
		if !r.isAbout(object) {
			continue
		}
		unknown[r.rule] = r.result == "error"
		if r.result == "fail" {
			decision = words.Denied
		}
		switch admissionv1.Operation(r.operation) {
		case admissionv1.Update:
			c.Old = object
		case admissionv1.Delete:
			c.Deletes = true
		}
	}
	// An object that some rules pass may fail another one.
	if decision == words.Denied || !slices.Contains(slices.Collect(maps.Values(unknown)), true) {
		decided(c, decision)
	}
}

// isAbout reports whether a result is about an object.
func (r kyvernoResult) isAbout(object map[string]any) bool {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	namespace, _ := metadata["namespace"].(string)
	kind, _ := object["kind"].(string)
	if r.kind != "." && r.kind != kind { // path.Base of no kind is a dot
		return false
	}
	return len(r.resources) == 0 || slices.Contains(r.resources, name) ||
		slices.Contains(r.resources, cmp.Or(namespace, "default")+"/"+name)
}
