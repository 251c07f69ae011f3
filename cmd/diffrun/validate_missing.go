package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/diffrun/diffrun/harness"
)

// errNoSchema says that nobody knows a kind.
var errNoSchema = errors.New("no schema")

// wrongType says why the apiVersion or kind of an object is missing or malformed; "" if they are fine.
func wrongType(object map[string]any) string {
	apiVersion, kind := object["apiVersion"], object["kind"]
	isNone := func(value any) bool { return value == nil || value == "" }
	text, isText := apiVersion.(string)
	_, kindIsText := kind.(string)
	_, err := schema.ParseGroupVersion(text)
	switch {
	case isNone(apiVersion) && isNone(kind):
		return "it has no apiVersion and kind"
	case isNone(apiVersion):
		return "it has no apiVersion"
	case isNone(kind):
		return "it has no kind"
	case !isText:
		return "its apiVersion is no text"
	case !kindIsText:
		return "its kind is no text"
	case err != nil:
		return fmt.Sprintf("its apiVersion is %q; write GROUP/VERSION, such as apps/v1, or v1", text)
	case kind == "List" && text == "v1":
		return "what is listed must be a list, under \"items\""
	}
	return ""
}

// missing says that there is no schema of a kind, and what to do: a kind of
// Kubernetes has no CustomResourceDefinition that could be given, and a definition has
// a command of its own.
func (c *objectCheckers) missing(version schema.GroupVersionKind) error {
	name := harness.TargetName(version)
	switch {
	case version.Kind == "CustomResourceDefinition" && version.Group == "apiextensions.k8s.io":
		return fmt.Errorf("there is %w of %s; diffrun schema check checks it, and --crd takes its schemas for other objects", errNoSchema, name)
	case len(c.alike(version)) > 0:
		return fmt.Errorf("there is %w of %s; --crd has %s", errNoSchema, name, strings.Join(c.alike(version), ", "))
	case !scheme.Scheme.Recognizes(version):
		return fmt.Errorf("there is %w of %s; give its CustomResourceDefinition with --crd", errNoSchema, name)
	case len(c.builtins) == 0:
		return fmt.Errorf("there is %w of %s: the %s backend has those of --crd alone", errNoSchema, name, c.engine)
	}
	return fmt.Errorf("there is %w of %s: diffrun has no built-in schema for this Kubernetes kind", errNoSchema, name)
}

// alike are the kinds of --crd that somebody may mean who writes a version: other
// versions, and another case of the kind.
func (c *objectCheckers) alike(version schema.GroupVersionKind) []string {
	var names []string
	for other := range c.resources {
		if other.Group == version.Group && strings.EqualFold(other.Kind, version.Kind) {
			names = append(names, harness.TargetName(other))
		}
	}
	slices.Sort(names)
	return names
}
