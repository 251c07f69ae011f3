// Package skipped says which files of a repository have nothing for an API server, so that commands that get all YAML
// files of a commit leave them out, and say why.
package skipped

import (
	"bytes"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/kustomization"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Reason says why files are skipped, as the end of a sentence: "they hold no Kubernetes object". It is empty for files
// that are not.
type Reason string

// The reasons.
const (
	NoObject Reason = "they hold no Kubernetes object"
	NoSchema Reason = "they have no CustomResourceDefinition, schema or policy"
	Template Reason = "they are templates of a chart, which helm template renders"
	Patch    Reason = "they are patches of a kustomization"
)

// Reasons lists all reasons, in the order in which they are printed.
func Reasons() []Reason { return []Reason{NoObject, NoSchema, Template, Patch} }

// File is a file that is skipped.
type File struct {
	Name string
	Reason
}

// WithoutObject returns NoObject if no document of a file may be meant as an object of an API server. Values of charts,
// workflows and other YAML are not. An object may have lost its kind, so that a command has to look at it.
func WithoutObject(name string, data []byte, all []documents.Document) Reason {
	if slices.ContainsFunc(all, func(d documents.Document) bool { return mayBeObject(name, data, d) }) {
		return ""
	}
	return NoObject
}

// WithoutSchema returns NoSchema if a file may not be meant to have a definition or a schema.
func WithoutSchema(name string, data []byte) Reason {
	if definitions.MayHaveSchema(name, data) {
		return ""
	}
	return NoSchema
}

// List writes files by their reasons, a line for each reason.
func List(files []File) (lines []string) {
	for _, reason := range Reasons() {
		var names []string
		for _, file := range files {
			if file.Reason == reason {
				names = append(names, file.Name)
			}
		}
		if len(names) > 0 {
			lines = append(lines, "skipped, because "+string(reason)+": "+plaintext.List(names))
		}
	}
	return lines
}

// saysKind matches the keys that every Kubernetes object has, in text that cannot be parsed.
var saysKind = regexp.MustCompile(`["']?\b(apiVersion|kind)["']?\s*:`)

func mayBeObject(name string, data []byte, d documents.Document) bool {
	apiVersion, hasVersion := d.Object["apiVersion"]
	_, hasKind := d.Object["kind"]
	_, hasMetadata := d.Object["metadata"].(map[string]any)
	group, _, _ := strings.Cut(text(apiVersion), "/")
	switch {
	case group == kustomization.Group:
		return false
	case path.Base(filepath.ToSlash(name)) == "Chart.yaml" && !hasKind:
		return false
	}
	return hasVersion || hasKind || hasMetadata && d.Object["spec"] != nil || d.Err != nil && saysKind.Match(data)
}

func text(value any) string {
	is, _ := value.(string)
	return is
}

// Unfinished returns Template or Patch if a file is a source of objects, and not the objects that are sent.
func Unfinished(name string, data []byte, all []documents.Document) Reason {
	isWhole := func(d documents.Document) bool { return !definitions.IsPatch(d) }
	folders := strings.Split(path.Dir(filepath.ToSlash(name)), "/")
	switch {
	case slices.Contains(folders, "templates") && bytes.Contains(data, []byte("{{")):
		return Template
	case isPatch(name), len(all) > 0 && !slices.ContainsFunc(all, isWhole):
		return Patch
	}
	return ""
}

// isPatch reports whether a kustomization in the folder of a file or in one above names the file as a patch.
func isPatch(name string) bool {
	name = filepath.Clean(name)
	for folder := filepath.Dir(name); ; folder = filepath.Dir(folder) {
		for _, of := range kustomization.Names() {
			data, err := infile.ReadFile(filepath.Join(folder, of))
			if err != nil {
				continue
			}
			file, err := kustomization.Read(data)
			if err != nil {
				continue // who validates the kustomization says so
			}
			names := func(patch string) bool { return filepath.Join(folder, filepath.FromSlash(patch)) == name }
			if slices.ContainsFunc(file.Patches, names) {
				return true
			}
		}
		if folder == filepath.Dir(folder) {
			return false
		}
	}
}
