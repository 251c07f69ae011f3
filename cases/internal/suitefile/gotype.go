package suitefile

import (
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
)

// GoType names a Go type whose markers define the schema (KEP-4153, "IDL tags").
type GoType struct {
	strictyaml.Position `yaml:"-"`

	// Package is an import path, or a path that begins with a dot and is relative to the suite's
	// directory. The go command finds it there.
	Package string `yaml:"package"`
	// Packages are those of several versions of one kind.
	Packages []string `yaml:"packages"`
	Type     string   `yaml:"type"`
	// Kind is the kind of the objects. It is required if the package has no +groupName.
	Kind casefile.Target `yaml:"kind"`
	// Resource is the plural of the kind, for webhooks. The default is a guess.
	Resource string `yaml:"resource"`
	// Scope is Namespaced or Cluster, for guards. The default is Namespaced.
	Scope string `yaml:"scope"`
	// Overlays add markers to types that cannot be edited.
	Overlays []Reference `yaml:"overlays"`
	// UnknownMarkers is "ignore" to ignore misspelled markers.
	UnknownMarkers string `yaml:"unknownMarkers"`
	// Conventions, Stage and Options say how the markers are read.
	Conventions gosource.Conventions `yaml:"conventions"`
	Stage       string               `yaml:"stage"`
	Options     []string             `yaml:"options"`
	// BundledRules is false if fields of Kubernetes types do not get the validations of the
	// built-in kinds. The default is true.
	BundledRules *bool `yaml:"bundledRules"`
	// Conversion is how objects are converted between versions. The default is through the hub of
	// the project, if the type has the methods.
	Conversion string `yaml:"conversion"`
}

// The words that the key conversion accepts.
const (
	ConversionHub  = "hub"
	ConversionNone = "none"
)

// CheckKind returns an error if neither the suite nor the package names the kind.
func (g *GoType) CheckKind(found idl.Package) error {
	var mistakes strictyaml.Mistakes
	if g.KindIn(found).Empty() {
		mistakes.Addf(g.Position, "package %s has no marker +groupName and no constant GroupName; name the kind, for instance "+
			"\"kind: example.com/v1 %s\"", found.Path, g.Type)
	}
	return mistakes.Err()
}

// Mistakes returns the mistakes of the keys.
func (g *GoType) Mistakes(onDisk bool) strictyaml.Mistakes {
	var mistakes strictyaml.Mistakes
	add := func(wrong bool, format string, args ...any) {
		if wrong {
			mistakes.Addf(g.Position, format, args...)
		}
	}
	add(g.Package == "" && len(g.Packages) == 0 || g.Type == "", "go must name a package and a type in it")
	add(g.Package != "" && len(g.Packages) > 0, "go names a package and packages; write one of the two")
	for _, word := range g.words() {
		err := word.Check()
		add(err != nil, "%v", err)
	}
	add(g.Conversion == ConversionHub && len(g.Packages) < 2, "conversion: hub is about several versions; name their packages "+
		"under \"packages\"")
	add(len(mistakes) == 0 && !onDisk, "only a suite on disk can name a Go package")
	return mistakes
}

// words are the keys that accept some words.
func (g *GoType) words() []Word {
	return []Word{
		{"unknownMarkers", g.UnknownMarkers, []string{"ignore"}},
		{"stage", g.Stage, idl.StageNames()},
		{"conventions", string(g.Conventions), []string{string(gosource.OfKEP), string(gosource.OfCRD)}},
		{"conversion", g.Conversion, []string{ConversionHub, ConversionNone}},
	}
}

// Restrict implements strictyaml.Restricted.
func (g *GoType) Restrict(schema map[string]any) {
	restrictWords(schema, append(g.words(), ScopeOf(""))...)
	schema["oneOf"] = []any{map[string]any{"required": []string{"package"}}, map[string]any{"required": []string{"packages"}}}
}

// Reference returns the packages and the type.
func (g *GoType) Reference() gosource.Reference {
	if len(g.Packages) > 0 {
		return gosource.Reference{Packages: g.Packages, Type: g.Type}
	}
	return gosource.Reference{Packages: []string{g.Package}, Type: g.Type}
}

// Reading returns how markers are read: as the suite says, or else as given.
func (g *GoType) Reading(given idl.Reading) idl.Reading {
	given.IgnoreUnknown = given.IgnoreUnknown || g.UnknownMarkers != ""
	if stage, ok := idl.StageNamed(g.Stage); ok {
		given.Stage = stage
	}
	if g.Options != nil {
		given.Options = g.Options
	}
	return given
}

// KindIn returns the kind of the objects. It is empty if neither the suite nor the package names
// it.
func (g *GoType) KindIn(found idl.Package) schema.GroupVersionKind {
	switch {
	case !g.Kind.Empty():
		return g.Kind.GroupVersionKind
	case found.GroupVersion.Empty():
		return schema.GroupVersionKind{}
	}
	return found.GroupVersion.WithKind(g.Type)
}
