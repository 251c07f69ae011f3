package idl

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/userfile"
)

// Marked is a type, or a field of a struct type, with the markers that say something about its
// schema: those of the source, and those of overlays that add to them or replace them.
type Marked struct {
	userfile.Position
	Package string // import path
	Type    string
	Field   string // JSON name; "" for the type
	Markers []WrittenMarker
}

// WrittenMarker is a marker where it is written.
type WrittenMarker struct {
	userfile.Position
	// Text is the marker as it is written, and Overlay says that it stands in an overlay.
	Text    string
	Overlay bool
	// Name is the name without prefixes, and Meaning the whole marker: both are the same for the
	// dialects that say the same, as +minimum=1 and +kubebuilder:validation:Minimum=1.
	Name, Meaning string
}

// MarkersOf returns the types of packages, those that no root refers to too, and their fields, in
// the order of packages, types and sources. +optional is left out where omitempty says the same. Overlays are those of Config; a marker that cannot be
// read is left to Generate.
func MarkersOf(paths []string, config Config) ([]Marked, error) {
	for _, path := range paths {
		config.Roots = append(config.Roots, TypeName{Package: path})
	}
	b, err := newBuilder(config)
	if err != nil {
		return nil, err
	}
	var all []Marked
	for _, path := range slices.Sorted(slices.Values(paths)) {
		p, err := b.sources.root(path)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Sorted(maps.Keys(p.types)) {
			all = append(all, b.markedType(p.types[name])...)
		}
	}
	return all, nil
}

func (b *builder) markedType(t *goType) []Marked {
	entries := b.overlays.forType(t)
	name := t.spec.Name.Name
	all := []Marked{{
		Position: b.sources.position(t.spec.Pos()), Package: t.in.path, Type: name,
		Markers: writtenMarkers(b.effective(t.lines, typeLines(entries))),
	}}
	for _, f := range t.fields {
		markers := writtenMarkers(b.effective(f.lines, fieldLines(entries, f.name())))
		if f.omitEmpty { // then +optional says nothing
			markers = slices.DeleteFunc(markers, func(m WrittenMarker) bool { return m.Name == "optional" })
		}
		all = append(all, Marked{Position: f.at, Package: t.in.path, Type: name, Field: f.name(), Markers: markers})
	}
	return all
}

func writtenMarkers(all []aimed) []WrittenMarker {
	var written []WrittenMarker
	for _, each := range all {
		name := each.marker.Name
		presence := strings.HasSuffix(name, ":Optional") || strings.HasSuffix(name, ":Required")
		if strings.HasPrefix(name, kubebuilderPrefix) && !each.marker.Declares && !presence {
			continue // about the definition: columns, names, storage
		}
		own, meaning := meaningOf(each)
		written = append(written, WrittenMarker{Position: each.at, Text: each.text, Overlay: each.overlay, Name: own, Meaning: meaning})
	}
	return written
}

// meaningOf writes a marker without what differs between dialects: the prefix, the case of the
// name, quotes and spaces.
func meaningOf(each aimed) (name, meaning string) {
	name, _ = splitName(each.marker.Name) // that of a tag has its arguments
	for _, prefix := range []string{kubebuilderPrefix + "validation:", kubebuilderPrefix, "k8s:"} {
		name = strings.TrimPrefix(name, prefix)
	}
	items, own := "", name
	if rest, ok := strings.CutPrefix(own, "items:"); ok {
		items, own = "items:", rest
	}
	if own == "XValidation" {
		own = "validationRule"
	}
	own = items + strings.ToLower(own[:1]) + own[1:]
	_, argument := splitName("+" + strings.TrimPrefix(strings.TrimLeft(scannable(each.text), "+"), strings.Join(each.steps, ":")+":"))
	argument = strings.TrimLeft(argument, ":=")
	for _, step := range each.steps {
		own = step + ":" + own
	}
	return own, own + "=" + plainArgument(own, argument)
}

// plainArgument writes an argument without quotes, braces and spaces. The values of an enum are
// sorted: their order says nothing.
func plainArgument(name, argument string) string {
	if strings.HasSuffix(name, "validationRule") || strings.Contains(argument, "(") {
		return strings.Join(strings.Fields(argument), " ")
	}
	parts := strings.FieldsFunc(strings.Trim(argument, "{}"), func(r rune) bool { return r == ';' || r == ',' })
	if !strings.HasSuffix(name, "enum") {
		parts = []string{argument}
	}
	for i, part := range parts {
		part = strings.TrimSpace(part)
		if plain, err := strconv.Unquote(part); err == nil {
			part = plain
		}
		parts[i] = part
	}
	if strings.HasSuffix(name, "enum") {
		slices.Sort(parts)
	}
	return strings.Join(parts, ";")
}
