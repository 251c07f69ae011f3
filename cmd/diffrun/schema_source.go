package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// namedSchema is a schema that an argument means.
type namedSchema struct {
	// name is for people: the file with its version, or the kind.
	name        string
	schema      *spec.Schema
	definitions map[string]*spec.Schema
	// placed gives the mistakes of the schema their lines.
	placed func(error) error
	// at says where a place in the schema stands, for people.
	at func(place string) string
	// of is the definition that it is a version of; nil of other schemas.
	of *definitions.Definition
	// root says that it is the schema of a resource, limited that the API server limits
	// what its rules may cost.
	root, limited bool
}

// findEach gives the schemas that arguments mean. The error is a strictyaml.Mistakes
// with all that is wrong.
func (p *program) findEach(arguments []string) ([]namedSchema, error) {
	var all []namedSchema
	var mistakes strictyaml.Mistakes
	for _, argument := range arguments {
		found, err := p.findSchemas(argument)
		mistakes.Merge(argument, err)
		all = append(all, found...)
	}
	return all, mistakes.Err()
}

// findSchemas gives the schemas that an argument means: each served version where it
// names none. The error is a strictyaml.Mistakes.
func (p *program) findSchemas(argument string) ([]namedSchema, error) {
	if version, err := harness.ParseTargetName(argument); err == nil && !exists(argument) {
		schema, definitions, err := schemas.NewLibrary().Schema(version)
		if err != nil {
			text := strings.TrimPrefix(err.Error(), version.String()+": ")
			return nil, strictyaml.Mistakes{{Position: strictyaml.Position{File: argument}, Message: text}}
		}
		return []namedSchema{{
			name: argument, schema: schema, definitions: definitions, root: true,
			placed: func(err error) error { return err }, at: func(string) string { return argument },
		}}, nil
	}
	if info, err := os.Stat(argument); err == nil && info.IsDir() {
		return p.findBelow(argument)
	}
	file, version := argument, ""
	if i := strings.LastIndex(argument, "@"); i > 0 && !exists(argument) {
		file, version = argument[:i], argument[i+1:]
	}
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, documents.Unreadable(file, err)
	}
	if version == "" && !definitions.HasDefinition(file, data) {
		read, err := definitions.ReadSchema(file, data)
		if err != nil {
			return nil, err
		}
		return []namedSchema{{
			name: file, schema: read.Schema, definitions: definitions.DefinitionsOf(read.Schema), placed: read.Placed,
			at: func(place string) string { return read.Document.At(file, place).String() },
		}}, nil
	}
	return findVersions(file, version, data)
}

// findBelow gives the schemas of the definitions in or below a directory.
func (p *program) findBelow(directory string) ([]namedSchema, error) {
	files, err := p.findDefinitions([]string{directory})
	if err != nil {
		return nil, err
	}
	return p.findEach(files)
}

// findVersions gives the schemas of the definitions in a file: those of a version, or
// of each served one.
func findVersions(file, version string, data []byte) ([]namedSchema, error) {
	all, err := definitions.Read(file, data)
	if err != nil {
		return nil, err
	}
	var found []namedSchema
	var mistakes strictyaml.Mistakes
	for _, definition := range all {
		picked, err := definition.Pick(version)
		mistakes.Merge(file, err)
		for _, v := range picked {
			found = append(found, namedSchema{
				name: nameOf(v, len(all) > 1), schema: v.Schema, placed: v.Placed, root: true, limited: true, of: definition,
				at: func(place string) string { return definition.At(strings.TrimSuffix(v.Path+"."+place, ".")).String() },
			})
		}
	}
	if version != "" && len(found) > 0 {
		return found, nil // the others do not have this version
	}
	return found, mistakes.Err()
}

// nameOf is the file with the version, and the definition where there are several.
func nameOf(v *definitions.Version, several bool) string {
	name := v.Of.File + "@" + v.Version
	if several {
		name += " of " + v.Of.CRD.Name
	}
	return name
}

// findSchema gives the one schema that an argument means.
func (p *program) findSchema(argument string) (namedSchema, error) {
	found, err := p.findSchemas(argument)
	if err != nil {
		return namedSchema{}, err
	}
	for _, one := range found {
		switch first := found[0].of; {
		case one.of == first:
		case one.of.File == first.File:
			return namedSchema{}, one.of.Second()
		default:
			return namedSchema{}, fmt.Errorf("%s has CustomResourceDefinitions in several files; name one: %s, %s, …", argument, first.File, one.of.File)
		}
	}
	if len(found) > 1 {
		names := make([]string, len(found))
		for i, one := range found {
			names[i] = one.name
		}
		return namedSchema{}, errors.New(argument + " serves several versions; name one: " + strings.Join(names, ", "))
	}
	return found[0], nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
