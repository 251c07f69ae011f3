package policysets

import (
	"path"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

// language is how the rules of a policy are written.
type language string

const (
	patterns   language = "patterns"  // a ClusterPolicy or Policy of Kyverno
	cel        language = "cel"       // the same, with rules in CEL
	validating language = "vpol"      // a ValidatingPolicy of Kyverno
	admission  language = "vap"       // a ValidatingAdmissionPolicy
	other      language = "validates" // it does not validate, or no program here evaluates it
)

// policy is a policy in a file.
type policy struct {
	file, name string
	language   language
	kind       string
}

// suffixes are those of the folders and names of policies in another language.
var suffixes = []string{"-cel", "-vpol", "-vap"}

// place is where the policy is, without the suffixes of languages: a policy in patterns and its successor have the same.
func (p policy) place() string {
	parts := strings.Split(p.file, "/")
	for i := range parts {
		ending := path.Ext(parts[i])
		parts[i] = plain(strings.TrimSuffix(parts[i], ending)) + ending
	}
	return strings.Join(parts, "/")
}

// plain returns a name without the suffix of a language.
func plain(name string) string {
	for _, suffix := range suffixes {
		name = strings.TrimSuffix(name, suffix)
	}
	return name
}

// read returns the policy that an object is. ok is false if it is none.
func read(file string, object map[string]any) (found policy, ok bool) {
	apiVersion, _ := object["apiVersion"].(string)
	group, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return policy{}, false
	}
	metadata, _ := object["metadata"].(map[string]any)
	found.file = file
	found.name, _ = metadata["name"].(string)
	found.kind, _ = object["kind"].(string)
	spec, _ := object["spec"].(map[string]any)
	switch {
	case group.Group == "kyverno.io" && (found.kind == "ClusterPolicy" || found.kind == "Policy"):
		found.language = languageOf(spec)
	case group.Group == "policies.kyverno.io" && found.kind == "ValidatingPolicy":
		found.language = validating
	case group.Group == "policies.kyverno.io" && strings.HasSuffix(found.kind, "Policy"):
		found.language = other
	case group.Group == "admissionregistration.k8s.io" && found.kind == "ValidatingAdmissionPolicy":
		found.language = admission
	default:
		return policy{}, false
	}
	return found, true
}

// languageOf returns the language of the rules of a ClusterPolicy that validate.
func languageOf(spec map[string]any) language {
	of := other
	rules, _ := spec["rules"].([]any)
	for _, rule := range rules {
		fields, _ := rule.(map[string]any)
		validate, validates := fields["validate"].(map[string]any)
		switch {
		case !validates:
		case validate["cel"] != nil:
			return cel
		default:
			of = patterns
		}
	}
	return of
}
