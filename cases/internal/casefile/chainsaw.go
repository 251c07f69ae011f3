package casefile

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// readChainsaw reads a Test of Chainsaw, the runner of Kyverno's tests in a cluster
// (github.com/kyverno/chainsaw/pkg/apis/v1alpha1). Its steps apply files; an apply that expects an error must
// be denied. An object that was applied before is an update.
func readChainsaw(test part, _ string) (list []sample, names []string) {
	spec, _ := test.part("spec")
	for i, step := range spec.parts("steps") {
		name := step.text("name")
		if name == "" {
			name = fmt.Sprintf("step %d", i+1)
		}
		for _, operation := range step.parts("try") {
			if sample, found := chainsawOperation(name, operation); found {
				list = append(list, sample)
			}
		}
	}
	return list, nil
}

// chainsawOperation returns the sample of an operation. found is false if it sends nothing to the API server.
func chainsawOperation(step string, operation part) (of sample, found bool) {
	for _, verb := range []string{"apply", "create", "update"} {
		if request, named := operation.part(verb); named {
			return chainsawRequest(step, request), true
		}
	}
	for _, verb := range []string{"patch", "delete", "script", "command"} {
		if request, named := operation.part(verb); named {
			return chainsawUnsent(step, verb, request), true
		}
	}
	return of, false
}

// chainsawRequest returns the sample of an operation that sends an object.
func chainsawRequest(step string, request part) sample {
	file, decision := request.text("file"), chainsawDecision(request)
	resource, inline := request.part("resource")
	if file == "" && !inline {
		request.of.mistakes.Addf(request.at(""), "%s names neither a file nor a resource", request.path)
	}
	return sample{at: request.at(""), file: file, inline: resource.fields,
		complete: func(c *harness.Case, name string, so *reading) string {
			object, _ := c.Object.(map[string]any)
			old, known := so.stored[name]
			switch {
			case c.Fault != nil:
			case isSetUp(object):
				leaveOut(c, "a policy or a definition of the test")
			case known && name != "":
				c.Old = maps.Clone(old)
			}
			if decided(c, decision); c.WantDecision == words.Admitted {
				so.stored[name] = object
			}
			return strings.Join(slices.DeleteFunc([]string{step, path.Base(file), name},
				func(s string) bool { return s == "" || s == "." }), "/")
		}}
}

// chainsawUnsent returns the sample of an operation that is left out.
func chainsawUnsent(step, verb string, operation part) sample {
	resource, _ := operation.part("resource")
	why := "a " + verb + " of the test"
	if isSetUp(resource.fields) {
		why = "a policy or a definition of the test"
	}
	return sample{at: operation.at(""), complete: func(c *harness.Case, _ string, so *reading) string {
		if verb == "delete" {
			clear(so.stored) // it may be any of them
		}
		leaveOut(c, why)
		return step + "/" + verb
	}}
}

// isSetUp reports whether an object sets up a test: it is a policy or defines a kind.
func isSetUp(object map[string]any) bool {
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	group, _, _ := strings.Cut(apiVersion, "/")
	return group == "kyverno.io" || strings.HasSuffix(group, ".kyverno.io") || strings.HasSuffix(group, ".gatekeeper.sh") ||
		kind == "CustomResourceDefinition" || strings.Contains(kind, "AdmissionPolicy")
}

// chainsawDecision returns what an operation expects: an error if a check says so. It is empty if the checks
// are about something else.
func chainsawDecision(request part) words.Decision {
	expectations := request.parts("expect")
	if len(expectations) == 0 {
		return words.Admitted
	}
	for _, expectation := range expectations {
		if _, some := expectation.part("match"); some {
			return "" // it is about some of the objects
		}
		check, _ := expectation.part("check")
		for _, key := range slices.Sorted(maps.Keys(check.fields)) {
			value := check.fields[key]
			switch {
			case strings.Contains(key, "$error != null") && value == true, strings.Contains(key, "$error == null") &&
				value == false, key == "($error)" && value != nil:
				return words.Denied
			case strings.Contains(key, "$error != null") && value == false, strings.Contains(key, "$error == null") && value == true:
				return words.Admitted
			}
		}
	}
	return ""
}
