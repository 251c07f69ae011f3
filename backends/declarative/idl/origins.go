package idl

import (
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/userfile"
)

// Origins maps places of a schema to the lines of sources and overlays that made them. Places are
// written as in the errors of declarative.Compile: "properties[spec].maximum",
// "definitions[NAME].properties[size].x-kubernetes-validations[0]". A field and a type have their
// own lines; a keyword or rule has the line of its marker.
type Origins map[string]userfile.Position

// At returns the line of a place, or of the longest part of it that has one.
func (o Origins) At(place string) (userfile.Position, bool) {
	for steps := fieldpath.Split(place); ; steps = steps[:len(steps)-1] {
		at, ok := o[place]
		if ok || len(steps) == 0 {
			return at, ok
		}
		last := steps[len(steps)-1]
		if last.Bracket {
			place = strings.TrimSuffix(place, "["+last.Text+"]")
		} else {
			place = strings.TrimSuffix(strings.TrimSuffix(place, last.Text), ".")
		}
	}
}

// collect returns a schema without the recorded lines of it and everything in it, and adds them to o.
// at is the place of the schema.
func (o Origins) collect(s *spec.Schema, at *field.Path) *spec.Schema {
	plain := openapi.MapChildren(s, func(child openapi.Child) *spec.Schema { return o.collect(child.Schema, child.At(at)) })
	plain.Extensions = maps.Clone(s.Extensions)
	for name, value := range s.Extensions {
		line, isLine := value.(userfile.Position)
		switch keyword, isOrigin := strings.CutPrefix(name, target.OriginKey); {
		case !isOrigin || !isLine:
			continue
		case keyword == "":
			o[pathText(at)] = line
		default:
			o[pathText(at.Child(keyword))] = line
		}
		delete(plain.Extensions, name)
	}
	o.collectRules(plain, at.Child(openapi.XValidations))
	for i, name := range s.Required { // presence has its line at the field
		if line, ok := o.At(pathText(at.Child("properties").Key(name).Child("required"))); ok {
			o[pathText(at.Child("required").Index(i))] = line
		}
	}
	return plain
}

// collectRules adds the recorded lines of rules to o, and removes them from the rules.
func (o Origins) collectRules(s *spec.Schema, at *field.Path) {
	rules := target.RulesOf(s)
	if len(rules) == 0 {
		return
	}
	plain := slices.Clone(rules)
	for i, each := range plain {
		rule, _ := each.(map[string]any)
		if line, ok := rule[target.OriginKey].(userfile.Position); ok {
			o[pathText(at.Index(i))] = line
			rule = maps.Clone(rule)
			delete(rule, target.OriginKey)
			plain[i] = rule
		}
	}
	s.Extensions[openapi.XValidations] = plain
}

// pathText returns a path as text, and "" for the root.
func pathText(at *field.Path) string {
	if at == nil {
		return ""
	}
	return at.String()
}
