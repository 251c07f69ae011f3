package apiresource

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

// Resource is a kind with its versions.
type Resource struct {
	Kind schema.GroupKind
	// Plural is the name in request paths, as in "httproutes"; empty: unknown.
	Plural     string
	Namespaced bool
	// PreservesUnknownFields is spec.preserveUnknownFields: nothing is pruned.
	PreservesUnknownFields bool
	// Conversion selects how objects are converted between versions.
	Conversion Conversion
	// Converter, if not nil, converts objects instead of Conversion.
	Converter Converter
	// KEPs selects behavior that the KEPs propose.
	KEPs KEPs
	// NativeTypes is set for a schema that takes the place of hand-written code: its errors look like those of
	// declarative.NativeTypes, not like those of the API server.
	NativeTypes bool
	// Versions are the served versions, in the order in which they are compared.
	Versions []Version
}

// Version is a version of a resource.
type Version struct {
	Name         string
	Schema       *spec.Schema
	Definitions  map[string]*spec.Schema // the targets of references in Schema
	Subresources subresource.Subresources
	// Unserved reports whether clients cannot send the version: objects are only converted to
	// it.
	Unserved bool
	// Storage reports whether objects are stored in the version. If none is, each version is stored as it is.
	Storage bool
}

// Conversion is spec.conversion.strategy.
type Conversion uint8

const (
	// SetAPIVersion is the strategy None: to convert an object, change its apiVersion.
	SetAPIVersion Conversion = iota
	// AskWebhook is the strategy Webhook. The webhook is not called: an object exists
	// only in the version that it is written in.
	AskWebhook
)

// New returns the Resource of a CustomResourceDefinition with versions that it declares, in this order. Schemas
// are given separately, because the Go type of a definition drops unknown keywords.
func New(crd *apiextensionsv1.CustomResourceDefinition, versions ...Version) Resource {
	r := Resource{
		Kind:                   schema.GroupKind{Group: crd.Spec.Group, Kind: crd.Spec.Names.Kind},
		Plural:                 crd.Spec.Names.Plural,
		Namespaced:             crd.Spec.Scope == apiextensionsv1.NamespaceScoped,
		PreservesUnknownFields: crd.Spec.PreserveUnknownFields,
	}
	if c := crd.Spec.Conversion; c != nil && c.Strategy == apiextensionsv1.WebhookConverter {
		r.Conversion = AskWebhook
	}
	for _, version := range versions {
		for i := range crd.Spec.Versions {
			if declared := &crd.Spec.Versions[i]; declared.Name == version.Name {
				version.Subresources, version.Storage = subresource.Of(declared), declared.Storage
			}
		}
		r.Versions = append(r.Versions, version)
	}
	return r
}

// Preparation returns the preparation of requests to a version.
func (r Resource) Preparation(version Version) Preparation {
	subresources := version.Subresources
	subresources.Conformance = r.KEPs.Scale
	return Preparation{Namespaced: r.Namespaced, Subresources: subresources}
}

// Options returns the options of Compile for a version.
func (r Resource) Options(version Version) Options {
	opts := Options{
		Kind: r.Kind.WithVersion(version.Name), Namespaced: r.Namespaced, NativeTypes: r.NativeTypes,
		Subresources: r.Preparation(version).Subresources,
	}
	opts.Schema.Definitions, opts.Schema.Proposals = version.Definitions, r.KEPs.Proposals
	for _, one := range r.Versions {
		opts.versions = append(opts.versions, declared.Schema{Root: one.Schema, Definitions: one.Definitions})
	}
	return opts
}
