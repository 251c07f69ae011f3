package gosource

import (
	"errors"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// At returns the line of the source that made a place of the schema with the conventions of the
// KEP.
func (s *Source) At(place string) userfile.Position {
	if !strings.HasPrefix(place, "definitions[") {
		place = strings.TrimSuffix(s.root+"."+place, ".")
	}
	if at, ok := s.origins.At(place); ok {
		return at
	}
	return userfile.Position{File: s.Name}
}

// Exact returns the line that made exactly this place of the schema, in a version if there are
// several. It returns false for keywords that only conventions set.
func (s *Source) Exact(version, place string) (userfile.Position, bool) {
	if s.exact != nil {
		return s.exact(version, place)
	}
	if !strings.HasPrefix(place, "definitions[") {
		place = strings.TrimSuffix(s.root+"."+place, ".")
	}
	at, ok := s.origins[place]
	return at, ok
}

// Placed returns an error about the schema with the lines of the source.
func (s *Source) Placed(err error) error { return definitions.PlacedAt(s.At, err) }

// check compiles the schema. The error is a userfile.Mistakes.
func (s *Source) check(root bool) error {
	_, err := declarative.Compile(s.Root, declarative.Options{Definitions: s.Definitions, Root: root, WithoutEstimation: true})
	return s.Placed(err)
}

// checkVersion compiles the schema of a version as that of a custom resource. The error is a
// userfile.Mistakes.
func checkVersion(v *definitions.Version) error {
	_, err := declarative.Compile(v.Schema, ofVersion())
	return v.Placed(err)
}

func ofVersion() declarative.Options {
	return declarative.Options{Root: true, Semantics: declarative.CustomResources, WithoutEstimation: true}
}

// compileVersion returns the mistakes in the schema of a version.
func compileVersion(s *spec.Schema) field.ErrorList {
	_, err := declarative.Compile(s, ofVersion())
	return definitions.FieldErrors(err)
}

// originsOf returns a function that finds the line of the source that made a place of a definition.
// Places outside the schemas of versions have the line of the kind.
func originsOf(d *definitions.Definition, of map[string]idl.Origins) func(path string) userfile.Position {
	return func(path string) userfile.Position {
		var kind userfile.Position
		for _, version := range d.Versions {
			origins := of[version.Version]
			if inside, ok := strings.CutPrefix(path, version.Path); ok {
				at, _ := origins.At(strings.TrimPrefix(inside, "."))
				return at
			}
			if kind.File == "" {
				kind, _ = origins.At("")
			}
		}
		return kind
	}
}

// asMistakes returns the mistakes of an error, or nil if it is another error.
func asMistakes(err error) strictyaml.Mistakes {
	var mistakes strictyaml.Mistakes
	errors.As(err, &mistakes)
	return mistakes
}
