package main

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/diffrun/diffrun/harness"
)

// errNoSchema says that nobody knows a kind.
var errNoSchema = errors.New("no schema")

// missing says that there is no schema of a kind, and what to do: a kind of
// Kubernetes has no CustomResourceDefinition that could be given, and a definition has
// a command of its own.
func (c *objectCheckers) missing(version schema.GroupVersionKind) error {
	name := harness.TargetName(version)
	switch {
	case version.Kind == "CustomResourceDefinition" && version.Group == "apiextensions.k8s.io":
		return fmt.Errorf("there is %w of %s; diffrun schema check checks it, and --crd takes its schemas for other objects", errNoSchema, name)
	case !scheme.Scheme.Recognizes(version):
		return fmt.Errorf("there is %w of %s; give its CustomResourceDefinition with --crd", errNoSchema, name)
	case len(c.builtins) == 0:
		return fmt.Errorf("there is %w of %s: the %s backend has those of --crd alone", errNoSchema, name, c.engine)
	}
	return fmt.Errorf("there is %w of %s: it is one of Kubernetes' kinds that diffrun has none of", errNoSchema, name)
}
