package suitefile

import (
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// KEPs are the behaviours to implement as the KEPs propose them. docs/keps.md lists them.
type KEPs struct {
	strictyaml.Position `yaml:"-"`

	PreserveUnknownFields string `yaml:"preserveUnknownFields"`
	NullDefaulting        string `yaml:"nullDefaulting"`
	Scale                 string `yaml:"scale"`
	Proposals             bool   `yaml:"proposals"`
}

// ScopeOf is the key scope of a kind that has no definition.
func ScopeOf(value string) Word {
	return Word{"scope", value, []string{string(apiextensionsv1.NamespaceScoped), string(apiextensionsv1.ClusterScoped)}}
}

// OpenAPI names a schema in an OpenAPI document.
type OpenAPI struct {
	strictyaml.Position `yaml:"-"`

	File       Reference `yaml:"file"`
	Definition string    `yaml:"definition"`
	// Kind is the kind of the objects. It is required if the definition does not name it.
	Kind casefile.Target `yaml:"kind"`
	// Resource is the plural of the kind, for webhooks. The default is a guess.
	Resource string `yaml:"resource"`
	// Scope is Namespaced or Cluster, for guards. The default is Namespaced.
	Scope string `yaml:"scope"`
}

// Restrict implements strictyaml.Restricted.
func (*OpenAPI) Restrict(schema map[string]any) { restrictWords(schema, ScopeOf("")) }
