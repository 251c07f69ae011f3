package infer

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/openapi"
)

// overlayFile is the name of the file with the markers of Go types.
const overlayFile = "overlay.yaml"

// definitionOf returns a definition with the schema of a Go type, to which rules are added. Such a target has no file with a
// definition: its rules become an overlay.
func definitionOf(target *Target) ([]byte, error) {
	version := target.Version
	plural := strings.ToLower(version.Kind) + "s"
	return yaml.Marshal(map[string]any{
		"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition", "metadata": map[string]any{"name": plural + "." + version.Group},
		"spec": map[string]any{
			"group": version.Group, "scope": "Namespaced",
			"names": map[string]any{"kind": version.Kind, "plural": plural, "singular": strings.ToLower(version.Kind), "listKind": version.Kind + "List"},
			"versions": []any{map[string]any{
				"name": version.Version, "served": true, "storage": true,
				"schema": map[string]any{"openAPIV3Schema": openapi.Inline(target.Document.Root, target.Document.Definitions)},
			}},
		},
	})
}

// overlay returns the rules as markers of Go types, in a file for suites and "schema generate".
func (i *inference) overlay(rules []*Rule) ([]byte, error) {
	types := map[string]*overlayType{}
	for _, rule := range rules {
		at := rule.at
		if rule.Required != "" {
			at = at.below(rule.Required)
		}
		name, below := i.typeOf(at)
		t := types[name]
		if t == nil {
			t = &overlayType{}
			types[name] = t
		}
		for _, marker := range rule.overlayMarkers() {
			if len(below) == 0 {
				t.Markers = append(t.Markers, "+"+marker)
				continue
			}
			if t.Fields == nil {
				t.Fields = map[string][]string{}
			}
			t.Fields[below[0]] = append(t.Fields[below[0]], "+"+prefixTo(below[1:])+marker)
		}
	}
	out, err := yaml.Marshal(map[string]any{"package": i.target.GoPackage, "types": types})
	if err != nil {
		return nil, err
	}
	return append([]byte("# Markers for "+i.target.GoPackage+", proposed by diffrun infer.\n"), out...), nil
}

// overlayType are the markers of a Go type.
type overlayType struct {
	Markers []string            `json:"markers,omitempty"`
	Fields  map[string][]string `json:"fields,omitempty"`
}

// typeOf returns the innermost Go type around a place that other kinds cannot share, as its name begins with that of the
// kind, and the rest of the place below it.
func (i *inference) typeOf(at place) (name string, below place) {
	kind := i.target.Version.Kind
	name, below = kind, at
	schema := i.types.Root
	for n := 0; ; n++ {
		if of, _ := openapi.DefinitionName(openapi.Reference(schema)); of != "" && i.types.Definitions[of] != nil {
			schema = i.types.Definitions[of]
			if short := path.Base(of); strings.HasPrefix(short[strings.LastIndex(short, ".")+1:], kind) {
				name, below = short[strings.LastIndex(short, ".")+1:], at[n:]
			}
		}
		if n == len(at) {
			return name, below
		}
		if schema = belowReference(schema, at[n]); schema == nil {
			return name, below
		}
	}
}

// belowReference returns the schema of a field or of the items, which may be a reference.
func belowReference(s *spec.Schema, name string) *spec.Schema {
	if name != anyItem {
		if child, has := s.Properties[name]; has {
			return &child
		}
		return nil
	}
	return schemaBelow(s, name)
}

// prefixTo returns the prefix of a marker for a place below.
func prefixTo(below place) string {
	var out strings.Builder
	for n, name := range below {
		switch {
		case name == anyItem:
			out.WriteString("items:")
			continue
		case n == 0 || below[n-1] == anyItem:
			out.WriteString(".")
		}
		out.WriteString(name)
		if n+1 < len(below) && below[n+1] != anyItem {
			out.WriteString(".")
			continue
		}
		out.WriteString(":")
	}
	return out.String()
}

// overlayMarkers returns the rule as markers of KEP-4153, without their "+".
func (r *Rule) overlayMarkers() (all []string) {
	switch {
	case r.Required != "":
		return []string{"required"}
	case r.Validation != nil:
		marker := fmt.Sprintf("validationRule=%q", r.Validation.Rule)
		if r.Validation.Message != "" {
			marker += fmt.Sprintf(",message=%q", r.Validation.Message)
		}
		if r.Validation.Reason != nil {
			marker += ",reason=" + strings.TrimPrefix(*r.Validation.Reason, "FieldValue")
		}
		if r.Validation.FieldPath != "" {
			marker += fmt.Sprintf(",field=%q", strings.TrimPrefix(r.Validation.FieldPath, "."))
		}
		return []string{marker}
	}
	for _, name := range slices.Sorted(maps.Keys(r.Keywords)) {
		switch value := r.Keywords[name].(type) {
		case []any:
			var words []string
			for _, word := range value {
				words = append(words, fmt.Sprintf("%q", word))
			}
			switch name {
			case openapi.XListMapKeys:
				for _, word := range words {
					all = append(all, "listMapKey="+strings.Trim(word, `"`))
				}
			default:
				all = append(all, name+"={"+strings.Join(words, ",")+"}")
			}
		case bool:
			all = append(all, name)
		case string:
			if name == openapi.XListType {
				name = "listType"
			}
			all = append(all, fmt.Sprintf("%s=%q", name, value))
		default:
			all = append(all, fmt.Sprintf("%s=%v", name, value))
		}
	}
	return all
}
