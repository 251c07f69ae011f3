package harness

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Target is one kind under test: the versions it has, how its objects convert
// between them, and the two backends of each.
type Target struct {
	// Suite names the suite that bound the target, for reports.
	Suite string
	// Sides are the names of the two sides for people.
	Sides contract.SideNames
	// Kind is the kind under test.
	Kind schema.GroupKind
	// Scheme decodes, defaults and converts the objects of the kind.
	Scheme Scheme
	// Versions are compared one by one, in this order.
	Versions []Version
	// TypedVersion is the version, such as "v1", of typed objects without an apiVersion, as most
	// are in Go, if their case has no Version. It is needed only if the Scheme takes documents
	// (contract.SchemeCapabilities.Document) and several versions are compared.
	TypedVersion string
}

// Version is one API version of a target with its backends.
type Version struct {
	schema.GroupVersionKind
	Native, Declarative Backend
	// Position returns the position of a place of the schema (Located), as in "crd.yaml:21"; empty:
	// unknown. Nil: all positions are unknown.
	Position func(declared string) string
	// Resource is the plural of the kind in request paths, as in "httproutes". Empty: unknown;
	// webhooks get a guess.
	Resource string
	// Carrier is the version of Resource if only requests to one of its subresources carry the kind, as
	// those to pods of v1 carry a policy/v1 Eviction. Zero: that of the kind.
	Carrier schema.GroupVersion
}

// resource returns the resource in request paths; empty: unknown.
func (v Version) resource() schema.GroupVersionResource {
	switch {
	case v.Resource == "":
		return schema.GroupVersionResource{}
	case !v.Carrier.Empty():
		return v.Carrier.WithResource(v.Resource)
	}
	return v.GroupVersion().WithResource(v.Resource)
}

// Scheme prepares the objects of a target for validation, as the API server does. Only
// the Scheme and the backends of the target know the Go type of the objects.
type Scheme interface {
	// Decode reads a document of a version. A field that the version does not have is
	// an error, because a case with a misspelt field tests nothing. If the API server
	// drops such a field, Decode drops it, and contract.SchemeCapabilities.Omitted lists it.
	Decode(document map[string]any, version schema.GroupVersionKind) (any, error)
	// Default returns the object and the old object as validation sees them: with defaults, and
	// without fields that the request may not set. Old is nil for a create.
	Default(ctx context.Context, request Request, object, old any) (any, any, error)
	// Convert returns the object in a version, ready for the backends. The error is an
	// *InexpressibleError if the version cannot express the object.
	Convert(object any, version schema.GroupVersionKind) (any, error)
}

// validate returns all mistakes of a target at once.
func (t *Target) validate() error {
	if t == nil {
		return errors.New("the target is missing")
	}
	var mistakes []error
	if t.Scheme == nil {
		mistakes = append(mistakes, errors.New("it has no scheme"))
	}
	if len(t.Versions) == 0 {
		mistakes = append(mistakes, errors.New("it has no version"))
	}
	if err := t.Sides.Check(); err != nil {
		mistakes = append(mistakes, err)
	}
	if err := t.checkTypedVersion(); err != nil {
		mistakes = append(mistakes, err)
	}
	seen := map[schema.GroupVersionKind]bool{}
	for i, version := range t.Versions {
		switch {
		case version.Empty() && t.Kind.Empty() && len(t.Versions) == 1:
			// For cases that name no target: each is a fault.
		case version.Empty():
			mistakes = append(mistakes, fmt.Errorf("versions[%d] is empty; name a version and a kind", i))
			continue
		case version.Version == "" || version.Kind == "":
			mistakes = append(mistakes, fmt.Errorf("%q is not a version and kind", apiname.Target(version.GroupVersionKind)))
		case seen[version.GroupVersionKind]:
			mistakes = append(mistakes, fmt.Errorf("%s is there twice", apiname.Target(version.GroupVersionKind)))
		}
		seen[version.GroupVersionKind] = true
		if version.Native == nil {
			mistakes = append(mistakes, fmt.Errorf("%s has no native backend", apiname.Target(version.GroupVersionKind)))
		}
		if version.Declarative == nil {
			mistakes = append(mistakes, fmt.Errorf("%s has no declarative backend", apiname.Target(version.GroupVersionKind)))
		}
	}
	for i, mistake := range mistakes {
		mistakes[i] = fmt.Errorf("%s: %w", t.name(), mistake)
	}
	return errors.Join(mistakes...)
}

// checkTypedVersion returns an error if TypedVersion is not a version of t.
func (t *Target) checkTypedVersion() error {
	var known []string
	for _, version := range t.Versions {
		known = append(known, version.Version)
	}
	if t.TypedVersion == "" || slices.Contains(known, t.TypedVersion) {
		return nil
	}
	return fmt.Errorf("it has no version %q for TypedVersion; its versions are %s", t.TypedVersion, strings.Join(known, ", "))
}

// versionOfTyped returns the version of typed objects that do not name theirs; empty: unknown.
func (t *Target) versionOfTyped(c Case) schema.GroupVersionKind {
	switch {
	case !c.Version.Empty():
		return c.Version
	case t.TypedVersion != "":
		return t.Kind.WithVersion(t.TypedVersion)
	case len(t.Versions) == 1:
		return t.Versions[0].GroupVersionKind
	}
	return schema.GroupVersionKind{}
}

// name returns the name of a target for error messages.
func (t *Target) name() string {
	if t.Kind.Empty() {
		return "a target without a kind"
	}
	return "target " + t.Kind.String()
}
