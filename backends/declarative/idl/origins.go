package idl

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/fieldpath"
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

// collect moves the recorded lines from a schema and everything below it into o. place is the place of
// the schema.
func (o Origins) collect(s *spec.Schema, place string) {
	kept := spec.Extensions{}
	for name, value := range s.Extensions {
		keyword, isOrigin := strings.CutPrefix(name, target.OriginKey)
		at, ok := value.(userfile.Position)
		switch {
		case !isOrigin || !ok:
			kept[name] = value
		case keyword == "":
			o[place] = at
		default:
			o[inPlace(place, keyword)] = at
		}
	}
	o.collectRules(kept, place)
	if s.Extensions != nil {
		s.Extensions = kept
	}
	for name, property := range s.Properties {
		o.collect(&property, inPlace(place, "properties["+name+"]"))
		s.Properties[name] = property
	}
	for i, name := range s.Required { // presence has its line at the field
		if at, ok := o.At(inPlace(place, "properties["+name+"].required")); ok {
			o[inPlace(place, fmt.Sprintf("required[%d]", i))] = at
		}
	}
	for i := range s.AllOf {
		o.collect(&s.AllOf[i], inPlace(place, fmt.Sprintf("allOf[%d]", i)))
	}
	if s.Items != nil && s.Items.Schema != nil {
		o.collect(s.Items.Schema, inPlace(place, "items"))
	}
	if s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil {
		o.collect(s.AdditionalProperties.Schema, inPlace(place, "additionalProperties"))
	}
}

// collectRules moves the recorded lines of rules into o.
func (o Origins) collectRules(extensions spec.Extensions, place string) {
	rules, ok := extensions[target.ExtValidations].([]any)
	if !ok {
		return
	}
	plain := slices.Clone(rules)
	for i, each := range plain {
		rule, _ := each.(map[string]any)
		if at, ok := rule[target.OriginKey].(userfile.Position); ok {
			o[inPlace(place, fmt.Sprintf("%s[%d]", target.ExtValidations, i))] = at
			rule = maps.Clone(rule)
			delete(rule, target.OriginKey)
			plain[i] = rule
		}
	}
	extensions[target.ExtValidations] = plain
}

func inPlace(place, step string) string {
	if place == "" {
		return step
	}
	return place + "." + step
}
