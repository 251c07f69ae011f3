package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/diffrun/diffrun/internal/definitions"
	"github.com/diffrun/diffrun/internal/documents"
	"github.com/diffrun/diffrun/internal/infile"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// readDefinitions reads the CustomResourceDefinitions of a file. The error is a
// strictyaml.Mistakes.
func readDefinitions(file string) ([]*definitions.Definition, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return definitions.Read(file, data)
}

// readAllDefinitions is readDefinitions for a command that judges definitions: they need
// not have a schema.
func readAllDefinitions(file string) ([]*definitions.Definition, error) {
	data, err := readWhole(file)
	if err != nil {
		return nil, err
	}
	return definitions.ReadAll(file, data)
}

// readWhole reads a file of definitions. A name with a version, as other commands take
// it, is none here.
func readWhole(file string) ([]byte, error) {
	data, err := infile.ReadFile(file)
	if err == nil {
		return data, nil
	}
	mistakes := unreadable(file, err)
	if i := strings.LastIndex(file, "@"); i > 0 && exists(file[:i]) {
		mistakes[0].Message += "; a whole file is wanted here, without a version: " + file[:i]
	}
	return nil, mistakes
}

// readSchema reads the schema of a file. The error is a strictyaml.Mistakes.
func readSchema(file string) (*definitions.Schema, error) {
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	return definitions.ReadSchema(file, data)
}

// unreadable is the mistake of naming a file that cannot be read.
func unreadable(file string, err error) strictyaml.Mistakes {
	return strictyaml.Mistakes{{Position: strictyaml.Position{File: file}, Message: fmt.Sprintf("cannot be read: %v", cause(err))}}
}

// cause is what the system says of a file, without its name and what was tried with it.
func cause(err error) error {
	if inner := (*os.PathError)(nil); errors.As(err, &inner) {
		return inner.Err
	}
	return err
}

// pathOf is the file that an error names, or else the one that was asked for.
func pathOf(err error, asked string) string {
	if inner := (*os.PathError)(nil); errors.As(err, &inner) {
		return inner.Path
	}
	return asked
}

// at is where a field of a document stands.
func at(file string, document documents.Document, path string) strictyaml.Position {
	return strictyaml.Position{File: file, Line: document.LineOf(path)}
}
