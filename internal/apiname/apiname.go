package apiname

import (
	"fmt"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// Target returns the name that suites and reports use for a version: "apps/v1 Deployment", "v1 Pod".
func Target(version schema.GroupVersionKind) string {
	return version.GroupVersion().String() + " " + version.Kind
}

// ParseTarget parses a name that Target returns.
func ParseTarget(name string) (schema.GroupVersionKind, error) {
	apiVersion, kind, found := strings.Cut(name, " ")
	if !found || kind == "" || strings.ContainsAny(kind, " /") {
		return schema.GroupVersionKind{}, fmt.Errorf("%q names no target; write it as \"apps/v1 Deployment\"", name)
	}
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || version.Version == "" {
		return schema.GroupVersionKind{}, fmt.Errorf("%q names no target: %q is not a group and version; write it as \"apps/v1 "+
			"Deployment\"", name, apiVersion)
	}
	return version.WithKind(kind), nil
}

// Written returns the version that a document names. Missing and malformed parts are empty.
func Written(document map[string]any) schema.GroupVersionKind {
	return schema.FromAPIVersionAndKind(text(document["apiVersion"]), text(document["kind"]))
}

// CheckVersion returns an error if apiVersion or kind of a document is missing, or differs from
// version.
func CheckVersion(document map[string]any, version schema.GroupVersionKind) error {
	written := Written(document)
	var missing []string
	for _, key := range []string{"apiVersion", "kind"} {
		if text(document[key]) == "" {
			missing = append(missing, key)
		}
	}
	switch {
	case len(missing) > 0:
		return fmt.Errorf("the case is written for %s, but its object has no %s", Target(version), strings.Join(missing, " and no "))
	case written != version:
		return fmt.Errorf("the case is written for %s, but its object is a %s", Target(version), Target(written))
	}
	return nil
}

func text(value any) string {
	s, _ := value.(string)
	return s
}

// Subresources lists the Kubernetes subresources that take an object of the kind itself, and scale.
// A case may name any other.
func Subresources() []string {
	return []string{"status", "scale", "resize", "ephemeralcontainers", "approval", "binding", "eviction", "finalize", "token"}
}

// OtherSubresource replaces the name of any other subresource where it must not be shown.
const OtherSubresource = "other"

// Operations returns the operations of requests that are compared.
func Operations() []admissionv1.Operation {
	return []admissionv1.Operation{admissionv1.Create, admissionv1.Update, admissionv1.Delete, admissionv1.Connect}
}
