package source

import (
	"errors"
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
)

// goType returns the schemas of a Go type: those of the versions of a definition, or the one of the
// type.
func (f Finder) goType(argument string, of gosource.Reference, err error) ([]Schema, error) {
	var source *gosource.Source
	if err == nil {
		source, err = f.load(of)
	}
	if err != nil {
		return nil, asMistakes(argument, err)
	}
	if source.Definition != nil {
		found, err := versionsOf(argument, of.Version, []*definitions.Definition{source.Definition})
		for i := range found {
			found[i].source = source
		}
		return found, err
	}
	return []Schema{{
		Name: argument, Schema: source.Root, Definitions: source.Definitions, Native: true, Root: !source.GroupVersionKind(of).Empty(),
		placed: source.Placed, at: source.At, source: source,
	}}, nil
}

func (f Finder) load(of gosource.Reference) (*gosource.Source, error) {
	source, err := gosource.Load(of, f.Go)
	if err == nil && f.Unexpressed != nil {
		f.Unexpressed(source.Unexpressed)
	}
	return source, err
}

// CRD returns the CustomResourceDefinition that an argument names, as YAML.
func (f Finder) CRD(argument string) ([]byte, error) {
	source, is, err := f.definition(argument)
	switch {
	case err != nil:
		return nil, err
	case !is:
		return nil, asMistakes(argument, errors.New("only the definition of a Go type can be printed, such as go:./api/v1.Widget; "+
			"a file already contains its CustomResourceDefinition"))
	}
	return source.YAML, nil
}

// ReadFile returns the CustomResourceDefinitions of a file, or the one made of a Go type. The error
// is a strictyaml.Mistakes.
func (f Finder) ReadFile(name string) ([]*definitions.Definition, error) {
	return f.readFile(name, definitions.ReadFile)
}

// ReadAllFile is ReadFile for callers that only need CustomResourceDefinitions, which may lack a
// schema.
func (f Finder) ReadAllFile(name string) ([]*definitions.Definition, error) {
	return f.readFile(name, definitions.ReadAllFile)
}

func (f Finder) readFile(name string, read func(string) ([]*definitions.Definition, error)) ([]*definitions.Definition, error) {
	source, is, err := f.definition(name)
	switch {
	case err != nil:
		return nil, err
	case !is:
		return read(name)
	}
	return []*definitions.Definition{source.Definition}, nil
}

// definition makes the definition of a Go type. It returns false for other arguments.
func (f Finder) definition(argument string) (*gosource.Source, bool, error) {
	of, is, err := gosource.Parse(argument)
	if !is {
		return nil, false, nil
	}
	if err == nil && of.Version != "" {
		err = fmt.Errorf("name a whole definition here, without a version: %s", strings.TrimSuffix(argument, "@"+of.Version))
	}
	f.Go.Conventions = gosource.OfCRD
	var source *gosource.Source
	if err == nil {
		source, err = f.load(of)
	}
	if err != nil {
		return nil, true, asMistakes(argument, err)
	}
	return source, true, nil
}

// IsGoType reports whether an argument names a Go type.
func IsGoType(argument string) bool { return strings.HasPrefix(argument, gosource.Prefix) }

// asMistakes adds the name of the argument to an error without a position.
func asMistakes(argument string, err error) error {
	var read strictyaml.Mistakes
	if errors.As(err, &read) {
		return err
	}
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: argument}, Message: strings.TrimPrefix(err.Error(), argument+": ")}}
}

// isPublished reports whether an argument is the published name of a built-in definition.
func isPublished(argument string) bool {
	return strings.HasPrefix(argument, "io.k8s.") && !exists(argument)
}
