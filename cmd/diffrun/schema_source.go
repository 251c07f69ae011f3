package main

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	schemas "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/documents"
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
	// root says that it is the schema of a resource, limited that the API server limits
	// what its rules may cost.
	root, limited bool
}

// findSchemas gives the schemas that an argument means: each served version where it
// names none. The error is a strictyaml.Mistakes where it is about a file.
func findSchemas(argument string) ([]namedSchema, error) {
	if version, err := harness.ParseTargetName(argument); err == nil && !exists(argument) {
		schema, definitions, err := schemas.NewLibrary().Schema(version)
		if err != nil {
			return nil, err
		}
		return []namedSchema{{
			name: argument, schema: schema, definitions: definitions, root: true,
			placed: func(err error) error { return err }, at: func(string) string { return argument },
		}}, nil
	}
	file, version := argument, ""
	if i := strings.LastIndex(argument, "@"); i > 0 && !exists(argument) {
		file, version = argument[:i], argument[i+1:]
	}
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	if version == "" && !holdsDefinition(file, data) {
		read, err := definitions.ReadSchema(file, data)
		if err != nil {
			return nil, err
		}
		return []namedSchema{{
			name: file, schema: read.Schema, definitions: definitions.DefinitionsOf(read.Schema), placed: read.Placed,
			at: func(place string) string { return at(file, read.Document, place).String() },
		}}, nil
	}
	return findVersions(file, version, data)
}

func findVersions(file, version string, data []byte) ([]namedSchema, error) {
	definition, err := definitions.ReadOne(file, data)
	if err != nil {
		return nil, err
	}
	picked, err := definition.Pick(version)
	if err != nil {
		return nil, err
	}
	var found []namedSchema
	for _, v := range picked {
		found = append(found, namedSchema{
			name: file + "@" + v.Version, schema: v.Schema, placed: v.Placed, root: true, limited: true,
			at: func(place string) string { return definition.At(strings.TrimSuffix(v.Path+"."+place, ".")).String() },
		})
	}
	return found, nil
}

// findSchema gives the one schema that an argument means.
func findSchema(argument string) (namedSchema, error) {
	found, err := findSchemas(argument)
	if err != nil {
		return namedSchema{}, err
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

// holdsDefinition says that a file is one of CustomResourceDefinitions, to which what
// else is wrong with it belongs.
func holdsDefinition(file string, data []byte) bool {
	return slices.ContainsFunc(slices.Collect(documents.Manifest(filepath.ToSlash(file), data)), definitions.IsDefinition)
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
