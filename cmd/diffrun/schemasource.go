package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// readDefinitions reads the CustomResourceDefinitions of a file. The error is a
// strictyaml.Mistakes.
func readDefinitions(file string) ([]*definitions.Definition, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	return definitions.Read(file, data)
}

// readAllDefinitions is readDefinitions for a command that judges definitions: they need
// not have a schema.
func readAllDefinitions(file string) ([]*definitions.Definition, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	return definitions.ReadAll(file, data)
}

// readDefinition reads a file that must hold one.
func readDefinition(file string) (*definitions.Definition, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	return definitions.ReadOne(file, data)
}

// readSchema reads the schema of a file. The error is a strictyaml.Mistakes.
func readSchema(file string) (*definitions.Schema, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	return definitions.ReadSchema(file, data)
}

// unreadable is the mistake of naming a file that cannot be read.
func unreadable(file string, err error) strictyaml.Mistakes {
	if inner := (*os.PathError)(nil); errors.As(err, &inner) {
		err = inner.Err
	}
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: file}, Message: fmt.Sprintf("cannot be read: %v", err)}}
}

// at is where a field of a document stands.
func at(file string, document documents.Document, path string) strictyaml.Position {
	return strictyaml.Position{File: file, Line: document.LineOf(path)}
}
