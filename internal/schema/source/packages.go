package source

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/skipped"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	"github.com/diffrun/diffrun/userfile"
)

// Found has the schemas of arguments, which may include packages.
type Found struct {
	Schemas []Schema
	// Differences are the markers that the versions of one API do not share.
	Differences []Difference
	// Policies are the files that have admission policies.
	Policies []PolicyFile
	// Skipped are the files that have nothing of these.
	Skipped []skipped.File
}

// PolicyFile is a file that has admission policies.
type PolicyFile struct {
	Name string
	Data []byte
	// Validates and Mutates report which kinds of policies it has.
	Validates, Mutates bool
}

// Policies returns the content of an argument that is a file with policies.
func Policies(argument string) (file PolicyFile, has bool) {
	data, err := infile.ReadFile(argument)
	if err != nil {
		return PolicyFile{}, false // it is no file, or another reader says why
	}
	return policiesOf(argument, slices.Collect(documents.Manifest(filepath.ToSlash(argument), data)), data)
}

func policiesOf(name string, all []documents.Document, data []byte) (file PolicyFile, has bool) {
	file = PolicyFile{Name: name, Data: data}
	for _, document := range all {
		apiVersion, _ := document.Object["apiVersion"].(string)
		if !strings.HasPrefix(apiVersion, "admissionregistration.k8s.io/") {
			continue
		}
		file.Validates = file.Validates || document.Object["kind"] == "ValidatingAdmissionPolicy"
		file.Mutates = file.Mutates || document.Object["kind"] == "MutatingAdmissionPolicy"
	}
	return file, file.Validates || file.Mutates
}

// Packages returns the schemas that arguments name, including those of all types in packages such
// as "./api/..." and, if requested, those of the built-in kinds with the lines of their sources.
// The error is a strictyaml.Mistakes with all mistakes.
func (f Finder) Packages(arguments []string, builtin bool) (Found, error) {
	var all Found
	var mistakes strictyaml.Mistakes
	add := func(argument string, found *gosource.Packages, err error) {
		if err != nil {
			mistakes.Merge(argument, asMistakes(argument, err))
			return
		}
		more, err := f.ofPackages(argument, found)
		mistakes.Merge(argument, err)
		all.Schemas = append(all.Schemas, more.Schemas...)
		all.Differences = append(all.Differences, more.Differences...)
	}
	if builtin {
		found, err := gosource.LoadBuiltin(f.Go)
		add("built-in kinds", found, err)
	}
	for _, argument := range arguments {
		patterns, is := gosource.Patterns(argument)
		if data, err := infile.ReadFile(argument); err == nil { // else it is no file, or another reader says why
			if !f.file(&all, argument, data) {
				continue
			}
		}
		if !is || exists(argument) {
			schemas, err := f.schemas(argument)
			mistakes.Merge(argument, err)
			all.Schemas = append(all.Schemas, schemas...)
			continue
		}
		found, err := gosource.LoadPackages(patterns, f.Go)
		add(argument, found, err)
	}
	if len(all.Schemas)+len(all.Policies) == 0 && !f.SkipOthers {
		for _, file := range all.Skipped {
			mistakes.Addf(strictyaml.Position{File: file.Name}, "nothing to lint: this file has no CustomResourceDefinition, "+
				"OpenAPI v3 schema or "+
				"admission policy; diffrun validate checks other objects, and --skip-others accepts such files alone, as hooks need")
		}
	}
	return all, mistakes.Err()
}

// file adds a file with policies or one to skip, and reports whether it may also have schemas.
func (f Finder) file(all *Found, name string, data []byte) (hasSchemas bool) {
	read := slices.Collect(documents.Manifest(filepath.ToSlash(name), data))
	if reason := skipped.Unfinished(name, data, read); reason != "" && f.SkipOthers {
		all.Skipped = append(all.Skipped, skipped.File{Name: name, Reason: reason})
		return false
	}
	if file, has := policiesOf(name, read, data); has {
		all.Policies = append(all.Policies, file)
		return definitions.HasDefinition(name, data)
	}
	broken := slices.ContainsFunc(read, func(d documents.Document) bool { return d.Err != nil })
	if reason := skipped.WithoutSchema(name, data); reason != "" && (f.SkipOthers || !broken) {
		all.Skipped = append(all.Skipped, skipped.File{Name: name, Reason: reason})
		return false
	}
	return true
}

func (f Finder) ofPackages(argument string, found *gosource.Packages) (Found, error) {
	all := Found{Differences: Differences(found.Packages, found.Marked)}
	texts := map[userfile.Position]string{}
	for _, each := range found.Marked {
		for _, marker := range each.Markers {
			texts[marker.Position] = marker.Text
		}
	}
	var mistakes strictyaml.Mistakes
	for _, source := range found.Sources {
		if f.Unexpressed != nil {
			f.Unexpressed(source.Unexpressed)
		}
		schemas, err := f.ofSource(argument, source)
		mistakes.Merge(argument, err)
		for _, schema := range schemas {
			schema.source, schema.markers = source, texts
			all.Schemas = append(all.Schemas, schema)
		}
	}
	return all, mistakes.Err()
}

func (f Finder) ofSource(argument string, source *gosource.Source) ([]Schema, error) {
	if source.Definition != nil {
		return versionsOf(source.Name, "", []*definitions.Definition{source.Definition})
	}
	return []Schema{{
		Name: argument, Schema: source.Root, Definitions: source.Definitions, Kinds: source.Roots, Native: true,
		placed: source.Placed, at: source.At,
	}}, nil
}

// Foreign reports whether a place comes from another module.
func (s Schema) Foreign(place string) bool {
	return s.source != nil && s.source.Foreign[s.At(place).File]
}

// Markers returns a function that reports whether a marker of the source set exactly a place, and
// one that returns the text of the marker if it is in one of the packages. Both are nil without a
// source.
func (s Schema) Markers() (written func(place string) bool, text func(place string) string) {
	if s.source == nil {
		return nil, nil
	}
	written = func(place string) bool {
		_, ok := s.exact(place)
		return ok
	}
	return written, func(place string) string {
		at, _ := s.exact(place)
		return s.markers[at]
	}
}

func (s Schema) exact(place string) (userfile.Position, bool) {
	version := ""
	if s.Version != nil {
		version = s.Version.Version
	}
	return s.source.Exact(version, place)
}

// Type returns the name of the Go type that contains a place, and the place in the schema of that
// type, if the schema has several types.
func (s Schema) Type(place string) (name, inside string, ok bool) {
	rest, of := strings.CutPrefix(place, "definitions[")
	if !of || s.Kinds == nil {
		return "", place, false
	}
	name, inside, ok = strings.Cut(rest, "]")
	return name, strings.TrimPrefix(inside, "."), ok
}
