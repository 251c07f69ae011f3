package source

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	"github.com/diffrun/diffrun/userfile"
)

// Schema is a schema that an argument names.
type Schema struct {
	// Name is for messages: the file with its version, or the kind.
	Name string
	*spec.Schema
	Definitions map[string]*spec.Schema
	// Version is the version of a CustomResourceDefinition that the schema belongs to; nil if there
	// is none.
	Version *definitions.Version
	// Root means that it is the schema of a resource.
	Root bool
	// Native means that it has the semantics of KEP-4153, as the built-in kinds.
	Native bool
	// Kinds are the definitions of resources if the schema has several Go types; nil otherwise.
	Kinds []string

	sent    func() (*spec.Schema, map[string]*spec.Schema, error) // nil: the schema itself
	source  *gosource.Source
	markers map[userfile.Position]string // texts
	placed  func(error) error
	at      func(place string) userfile.Position
}

// Placed returns an error about the schema with its lines.
func (s Schema) Placed(err error) error { return s.placed(err) }

// Sent returns the schema for objects as clients send them, before defaulting. It differs for
// built-in kinds: fields that Kubernetes sets before validation are not required.
func (s Schema) Sent() (Schema, error) {
	if s.sent == nil {
		return s, nil
	}
	sent := s
	var err error
	sent.Schema, sent.Definitions, err = s.sent()
	return sent, err
}

// At returns the position of a place in the schema. The file of a built-in kind is its name.
func (s Schema) At(place string) userfile.Position { return s.at(place) }

// Of returns the name of the CustomResourceDefinition, or else of the schema.
func (s Schema) Of() string {
	if s.Version == nil {
		return s.Name
	}
	return s.Version.Of.CRD.Name
}

// Finder finds the schemas that arguments name.
type Finder struct {
	// Warn is called for files of directories that are skipped.
	Warn func([]infile.Skipped)
	// Go controls how Go types are read. Unexpressed is called for markers that their schemas
	// cannot express.
	Go          gosource.Config
	Unexpressed func([]idl.Unexpressed)
	// SkipOthers makes Packages skip templates, patches and what is no YAML, and succeed if no file has a schema or a policy.
	SkipOthers bool
}

// Each returns the schemas that arguments name. The error is a strictyaml.Mistakes with all
// mistakes.
func (f Finder) Each(arguments []string) ([]Schema, error) {
	var all []Schema
	var mistakes strictyaml.Mistakes
	for _, argument := range arguments {
		found, err := f.schemas(argument)
		mistakes.Merge(argument, err)
		all = append(all, found...)
	}
	return all, mistakes.Err()
}

// schemas returns the schemas that an argument names: those of all served versions if it names
// none. The error is a strictyaml.Mistakes.
func (f Finder) schemas(argument string) ([]Schema, error) {
	if _, is := gosource.Patterns(argument); is && !exists(argument) && !strings.HasPrefix(argument, gosource.Prefix) {
		return nil, strictyaml.Mistakes{
			{Position: strictyaml.Position{File: argument}, Message: "only schema lint takes all types of packages; name one type, " +
				"as go:./api/v1.Widget"},
		}
	}
	if of, is, err := gosource.Parse(argument); is {
		return f.goType(argument, of, err)
	}
	if version, err := apiname.ParseTarget(argument); err == nil && !exists(argument) || isPublished(argument) {
		library := schemas.NewLibrary()
		schema, definitions, err := library.Schema(version)
		root := err == nil
		if err != nil {
			if isPublished(argument) {
				schema, definitions, err = library.Definition(version, argument)
			} else if named, all, wrong := library.Definition(version, ""); wrong == nil {
				schema, definitions, err = named, all, nil
			}
		}
		if err != nil {
			text := strings.TrimPrefix(err.Error(), version.String()+": ")
			return nil, strictyaml.Mistakes{{Position: strictyaml.Position{File: argument}, Message: text}}
		}
		found := Schema{
			Name: argument, Schema: schema, Definitions: definitions, Root: root, Native: true,
			placed: func(err error) error { return err }, at: func(string) userfile.Position { return userfile.Position{File: argument} },
		}
		if root {
			found.sent = func() (*spec.Schema, map[string]*spec.Schema, error) { return library.Sent(version) }
		}
		return []Schema{found}, nil
	}
	if info, err := os.Stat(argument); err == nil && info.IsDir() {
		return f.below(argument)
	}
	file, version := argument, ""
	if i := strings.LastIndex(argument, "@"); i > 0 && !exists(argument) {
		file, version = argument[:i], argument[i+1:]
	}
	data, err := infile.ReadFile(file)
	if err != nil {
		return nil, unreadable(file, err)
	}
	if version == "" && !definitions.HasDefinition(file, data) {
		read, err := definitions.ReadSchema(file, data)
		if err != nil {
			return nil, err
		}
		return []Schema{{
			Name: file, Schema: read.Schema, Definitions: definitions.DefinitionsOf(read.Schema), placed: read.Placed,
			at: func(place string) userfile.Position { return read.Document.At(file, place) },
		}}, nil
	}
	return findVersions(file, version, data)
}

// unreadable returns an error for an argument that is not a readable file. If the argument may have
// been meant as a kind, the error shows how to write one.
func unreadable(file string, err error) strictyaml.Mistakes {
	mistakes := documents.Unreadable(file, err)
	if errors.Is(err, fs.ErrNotExist) && !slices.Contains([]string{".yaml", ".yml", ".json"}, filepath.Ext(file)) {
		mistakes[0].Message += `; a built-in kind is written with its version, as in "apps/v1 Deployment"`
	}
	return mistakes
}

// below returns the schemas of the definitions in or below a directory.
func (f Finder) below(directory string) ([]Schema, error) {
	files, err := f.Files([]string{directory})
	if err != nil {
		return nil, err
	}
	return f.Each(files)
}

// Files returns the files that arguments name: those in a directory that have a
// CustomResourceDefinition. The error is a strictyaml.Mistakes.
func (f Finder) Files(arguments []string) ([]string, error) {
	files, skipped, err := definitions.FindFiles(arguments)
	if f.Warn != nil {
		f.Warn(skipped)
	}
	return files, err
}

// Definitions returns the definitions of a file or directory, or the one made of a Go type. It
// returns false for other arguments. The error is a strictyaml.Mistakes; served versions must have
// a schema.
func (f Finder) Definitions(argument string) ([]*definitions.Definition, bool, error) {
	if of, is, err := gosource.Parse(argument); is && err == nil && of.Version == "" {
		source, err := f.load(of)
		switch {
		case err != nil:
			return nil, true, asMistakes(argument, err)
		case source.Definition == nil:
			return nil, false, nil
		}
		return []*definitions.Definition{source.Definition}, true, nil
	}
	info, err := os.Stat(argument)
	if err != nil {
		return nil, false, nil
	}
	files := []string{argument}
	if info.IsDir() {
		if files, err = f.Files(files); err != nil {
			return nil, true, err
		}
	}
	var all []*definitions.Definition
	var mistakes strictyaml.Mistakes
	for _, file := range files {
		data, err := infile.ReadFile(file)
		switch {
		case err != nil:
			mistakes.Merge(file, documents.Unreadable(file, err))
			continue
		case !info.IsDir() && !definitions.HasDefinition(file, data):
			return nil, false, nil
		}
		read, err := definitions.Read(file, data)
		mistakes.Merge(file, err)
		for _, definition := range read {
			_, err := definition.Pick("")
			mistakes.Merge(file, err)
			all = append(all, definition)
		}
	}
	return all, true, mistakes.Err()
}

// findVersions returns the schemas of the definitions in a file: those of one version, or of every
// served one.
func findVersions(file, version string, data []byte) ([]Schema, error) {
	all, err := definitions.Read(file, data)
	if err != nil {
		return nil, err
	}
	return versionsOf(file, version, all)
}

func versionsOf(file, version string, all []*definitions.Definition) ([]Schema, error) {
	var found []Schema
	var mistakes strictyaml.Mistakes
	for _, definition := range all {
		picked, err := definition.Pick(version)
		mistakes.Merge(file, err)
		for _, v := range picked {
			found = append(found, Schema{
				Name: nameOf(v, len(all) > 1), Schema: v.Schema, Version: v, placed: v.Placed, Root: true,
				at: func(place string) userfile.Position { return definition.At(strings.TrimSuffix(v.Path+"."+place, ".")) },
			})
		}
	}
	if version != "" && len(found) > 0 {
		return found, nil // the other definitions do not have this version
	}
	return found, mistakes.Err()
}

// nameOf returns the file with the version, and the name of the definition if there are several.
func nameOf(v *definitions.Version, several bool) string {
	name := v.Of.File + "@" + v.Version
	if several {
		name += " of " + v.Of.CRD.Name
	}
	return name
}

// One returns the only schema that an argument names.
func (f Finder) One(argument string) (Schema, error) {
	found, err := f.schemas(argument)
	if err != nil {
		return Schema{}, err
	}
	for _, one := range found {
		if one.Version == nil || one.Version.Of == found[0].Version.Of {
			continue
		}
		first, second := found[0].Version.Of, one.Version.Of
		if second.File == first.File {
			return Schema{}, second.Second()
		}
		return Schema{}, fmt.Errorf("%s has CustomResourceDefinitions in several files; name one: %s, %s, …", argument, first.File,
			second.File)
	}
	if len(found) > 1 {
		names := make([]string, len(found))
		for i, one := range found {
			names[i] = one.Name
		}
		return Schema{}, errors.New(argument + " serves several versions; name one: " + strings.Join(names, ", "))
	}
	return found[0], nil
}

func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}
