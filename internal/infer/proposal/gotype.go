package proposal

import (
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/openapi"
)

// OverlayFile is the name of the file with the markers of Go types.
const OverlayFile = "overlay.yaml"

// versionOfGoType returns the schema of a Go type without references, as that of a version. Such a target has no file with a
// definition: its rules become an overlay.
func versionOfGoType(target *evidence.Target) *definitions.Version {
	return &definitions.Version{GroupVersionKind: target.Version, Schema: openapi.Inline(target.Document.Root, target.Document.Definitions)}
}

// withRules returns the schema of a Go type with rules. The definitions around them are copied into their use; the others
// stay, because rules of today may need that several fields have one type.
func (pr *Prover) withRules(rules []*Rule) (tally.Document, error) {
	out := tally.Document{Root: pr.types.Root, Definitions: pr.types.Definitions}
	for _, rule := range rules {
		var err error
		out.Root = pr.edited(out.Root, rule.At, func(s *spec.Schema) *spec.Schema {
			var with *spec.Schema
			with, err = rule.in(s)
			return with
		})
		if err != nil {
			return out, err
		}
	}
	return out, nil
}

// edited returns a schema that is changed at a place.
func (pr *Prover) edited(s *spec.Schema, at evidence.Place, edit func(*spec.Schema) *spec.Schema) *spec.Schema {
	if name, _ := openapi.DefinitionName(openapi.Reference(s)); pr.types.Definitions[name] != nil && len(s.Properties) == 0 {
		return pr.edited(pr.types.Definitions[name], at, edit)
	}
	if len(at) == 0 {
		return edit(s)
	}
	out := *s
	child := belowReference(s, at[0])
	if child == nil {
		return s
	}
	below := pr.edited(child, at[1:], edit)
	switch {
	case at[0] != evidence.AnyItem:
		out.Properties = maps.Clone(s.Properties)
		out.Properties[at[0]] = *below
	case openapi.Items(s) != nil:
		out.Items = &spec.SchemaOrArray{Schema: below}
	default:
		out.AdditionalProperties = &spec.SchemaOrBool{Allows: true, Schema: below}
	}
	return &out
}

// in returns a schema with the rule.
func (r *Rule) in(s *spec.Schema) (*spec.Schema, error) {
	data, err := json.Marshal(s)
	if err != nil {
		return nil, err
	}
	var fields map[string]any
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	add := func(name string, value any) {
		list, _ := fields[name].([]any)
		fields[name] = append(slices.Clone(list), value)
	}
	switch {
	case r.Required != "":
		add("required", r.Required)
	case r.Validation != nil:
		add(openapi.XValidations, validationValue(r.Validation))
	default:
		maps.Copy(fields, r.Keywords)
	}
	if data, err = json.Marshal(fields); err != nil {
		return nil, err
	}
	out := new(spec.Schema)
	return out, json.Unmarshal(data, out)
}

// Overlay returns the rules as markers of Go types, in a file for suites and "schema generate".
func (pr *Prover) Overlay(rules []*Rule) ([]byte, error) {
	types := map[string]*overlayType{}
	for _, rule := range rules {
		at := rule.At
		if rule.Required != "" {
			at = at.Below(rule.Required)
		}
		name, below := pr.typeOf(at)
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
	out, err := yaml.Marshal(map[string]any{"package": pr.Evidence.Target.GoPackage, "types": types})
	if err != nil {
		return nil, err
	}
	return append([]byte("# Markers for "+pr.Evidence.Target.GoPackage+", proposed by diffrun infer.\n"), out...), nil
}

// overlayType are the markers of a Go type.
type overlayType struct {
	Markers []string            `json:"markers,omitempty"`
	Fields  map[string][]string `json:"fields,omitempty"`
}

// typeOf returns the innermost Go type around a place that other kinds cannot share, as its name begins with that of the
// kind, and the rest of the place below it.
func (pr *Prover) typeOf(at evidence.Place) (name string, below evidence.Place) {
	kind := pr.Evidence.Target.Version.Kind
	name, below = kind, at
	schema := pr.types.Root
	for n := 0; ; n++ {
		if of, _ := openapi.DefinitionName(openapi.Reference(schema)); of != "" && pr.types.Definitions[of] != nil {
			schema = pr.types.Definitions[of]
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
	if name != evidence.AnyItem {
		if child, has := s.Properties[name]; has {
			return &child
		}
		return nil
	}
	return evidence.SchemaBelow(s, name)
}

// prefixTo returns the prefix of a marker for a place below.
func prefixTo(below evidence.Place) string {
	var out strings.Builder
	for n, name := range below {
		switch {
		case name == evidence.AnyItem:
			out.WriteString("items:")
			continue
		case n == 0 || below[n-1] == evidence.AnyItem:
			out.WriteString(".")
		}
		out.WriteString(name)
		if n+1 < len(below) && below[n+1] != evidence.AnyItem {
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
		if r.Validation.OptionalOldSelf != nil {
			marker += ",optionalOldSelf=true"
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
