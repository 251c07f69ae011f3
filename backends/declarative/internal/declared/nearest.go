package declared

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// anyEntry is the step of any item of a list or entry of a map.
const anyEntry = "[*]"

// General returns a path with "[*]" for each index and each key of a map, however the path spells it.
func (s Schema) General(path string) string {
	var text strings.Builder
	place := s.Top()
	for _, step := range fieldpath.Split(path) {
		if step.Bracket || place.isMap() && !place.Has(step.Text) {
			text.WriteString(anyEntry)
		} else {
			text.WriteString(dotted(text.String(), step.Text)[text.Len():])
		}
		place = place.below(step)
	}
	return text.String()
}

// MayBeKey reports whether what the schema does not declare of a path can be the end of a key of a map: a path has dots
// between names, and keys such as example.com/a have dots. Below entries that have fields, a name that looks like one is
// no end of a key.
func (s Schema) MayBeKey(path string) bool {
	place := s.Top()
	steps := fieldpath.Split(path)
	for i, step := range steps[:max(0, len(steps)-1)] {
		isKey := !step.Bracket && place.isMap() && !place.Has(step.Text)
		place = place.below(step)
		if isKey && (len(place.names()) == 0 || !fieldName.MatchString(steps[i+1].Text)) {
			return true
		}
	}
	return false
}

// fieldName is the form of names of fields.
var fieldName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_-]*$`)

// Nearest returns the field that a path which the schema does not declare most likely means: one of a similar
// name at the same place, or the only one of this name elsewhere. It is empty if none is near.
func (s Schema) Nearest(path string) string {
	steps := fieldpath.Split(path)
	if near := s.Top().nearest("", steps); near != "" {
		return near
	}
	for _, step := range slices.Backward(steps) {
		if !step.Bracket {
			return s.only(step.Text)
		}
	}
	return ""
}

// nearest returns the declared field nearest to the steps below a place at a path.
func (p Place) nearest(at string, steps []fieldpath.Step) string {
	if len(steps) == 0 {
		return at
	}
	step := steps[0]
	below, here := p.below(step), at+anyEntry
	if !step.Bracket && (p.Has(step.Text) || !p.isMap()) {
		here = dotted(at, step.Text)
	}
	if len(below.nodes) > 0 {
		return below.nearest(here, steps[1:])
	}
	if p.isList() && !step.Bracket { // the index is missing
		return p.Entry("0").nearest(at+anyEntry, steps)
	}
	name := alike(step.Text, p.names())
	if name == "" {
		return ""
	}
	here = dotted(at, name)
	if further := p.Field(name).nearest(here, steps[1:]); further != "" {
		return further
	}
	return here
}

// alike returns the name that a word most likely means: one with few other letters, or the longest that
// the word begins with or that begins with it.
func alike(word string, names []string) string {
	if near := oneof.Nearest(word, names); near != "" {
		return near
	}
	const least = 4 // letters that two names share
	longest := ""
	for _, name := range names {
		a, b := strings.ToLower(word), strings.ToLower(name)
		if min(len(a), len(b)) >= least && (strings.HasPrefix(a, b) || strings.HasPrefix(b, a)) && len(name) > len(longest) {
			longest = name
		}
	}
	return longest
}

// only returns the path of the only field of a name, whatever its capitals; empty: there is none, or several.
func (s Schema) only(name string) string {
	var found []string
	var look func(at string, schema *spec.Schema)
	look = func(at string, schema *spec.Schema) {
		for child := range openapi.Children(schema) {
			below := at
			switch child.Keyword {
			case "properties":
				below = dotted(at, child.Name)
				if strings.EqualFold(child.Name, name) && !slices.Contains(found, below) {
					found = append(found, below)
				}
			case "items", "additionalProperties":
				below += anyEntry
			}
			look(below, child.Schema)
		}
	}
	if look("", s.Root); len(found) == 1 {
		return found[0]
	}
	return ""
}

func dotted(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// names returns the names of the fields that the schemas of a place declare, sorted.
func (p Place) names() []string {
	names := map[string]bool{}
	for _, node := range p.nodes {
		for name := range node.Properties {
			names[name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// isMap reports whether the value of a place has entries of any name.
func (p Place) isMap() bool {
	return slices.ContainsFunc(p.nodes, func(node *spec.Schema) bool { return node.AdditionalProperties != nil })
}

func (p Place) isList() bool {
	return slices.ContainsFunc(p.nodes, func(node *spec.Schema) bool { return openapi.Items(node) != nil })
}
