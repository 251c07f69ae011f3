package idl

import (
	"cmp"
	"go/ast"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kubebuilder"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/userfile"
)

// Marked is a type, or a field of a struct type, with the markers that affect its schema: those of
// the source, and those of overlays that add to them or replace them.
type Marked struct {
	userfile.Position
	Package string // import path
	Type    string
	Field   string // JSON name; "" for the type
	Markers []WrittenMarker
}

// WrittenMarker is a marker as it is written.
type WrittenMarker struct {
	userfile.Position
	// Text is the marker as it is written. Overlay means that it is written in an overlay.
	Text    string
	Overlay bool
	// Name is the name without prefixes, and Meaning the whole marker in a form that dialects share:
	// it is the same for +minimum=1 and +kubebuilder:validation:Minimum=1.
	Name, Meaning string
}

// MarkersOf returns the types that the roots of a configuration reach in the packages of the roots,
// and their fields, in the order of packages, types and sources. The marker "presence" of a field also
// respects its JSON tag. Generate reports markers that cannot be read.
func MarkersOf(config Config) ([]Marked, error) {
	b, err := newBuilder(config)
	if err != nil {
		return nil, err
	}
	reached := map[*gotypes.Type]bool{}
	for _, root := range config.Roots {
		p, err := b.sources.Root(root.Package)
		if err != nil {
			return nil, err
		}
		b.reach(p.Types[root.Name], reached)
	}
	var all []Marked
	for _, t := range slices.SortedFunc(maps.Keys(reached), func(a, b *gotypes.Type) int {
		return cmp.Or(strings.Compare(a.Package.Path, b.Package.Path), strings.Compare(a.Spec.Name.Name, b.Spec.Name.Name))
	}) {
		all = append(all, b.markedType(t)...)
	}
	return all, nil
}

// reach adds a type and those that it refers to in the packages of the roots.
func (b *builder) reach(t *gotypes.Type, reached map[*gotypes.Type]bool) {
	if t != nil && !reached[t] {
		reached[t] = true
		b.reachIn(t, t.Spec.Type, reached)
	}
}

// reachIn adds the types that an expression in the declaration of a type refers to.
func (b *builder) reachIn(t *gotypes.Type, expr ast.Expr, reached map[*gotypes.Type]bool) {
	written := gotypes.ReadType(expr)
	if written.Package == "" {
		b.reach(t.Package.Types[written.Name], reached)
	}
	for path := range b.sources.Roots {
		if written.Package != "" && t.Package.Imports(t.File, written.Package, path) {
			if p, err := b.sources.Root(path); err == nil {
				b.reach(p.Types[written.Name], reached)
			}
		}
	}
	if written.Key != nil {
		b.reachIn(t, written.Key, reached)
	}
	if written.Element != nil {
		b.reachIn(t, written.Element, reached)
	}
	if written.Struct != nil {
		for _, field := range written.Struct.Fields.List {
			b.reachIn(t, field.Type, reached)
		}
	}
}

func (b *builder) markedType(t *gotypes.Type) []Marked {
	if _, other := t.Spec.Type.(*ast.SelectorExpr); other || t.Spec.Assign.IsValid() {
		return nil // an alias: the type has the markers
	}
	entries := b.entries(t)
	name := t.Spec.Name.Name
	all := []Marked{{
		Position: b.sources.Position(t.Spec.Pos()), Package: t.Package.Path, Type: name,
		Markers: writtenMarkers(b.effective(t.Lines, entries.Lines())),
	}}
	for _, f := range t.Fields {
		markers := withPresence(t.Package, f, writtenMarkers(b.effective(f.Lines, entries.FieldLines(f.Name()))))
		all = append(all, Marked{Position: f.At, Package: t.Package.Path, Type: name, Field: f.Name(), Markers: markers})
	}
	return all
}

// withPresence replaces +required and +optional by one marker that also respects the JSON tag. Without
// a marker, omitempty means optional, and for controller-gen its absence means required. For KEP-4153
// the meaning of its absence depends on the type, so then there is no marker.
func withPresence(p *gotypes.Package, f *gotypes.Field, markers []WrittenMarker) []WrittenMarker {
	is := func(m WrittenMarker) bool { return m.Name == "optional" || m.Name == "required" }
	presence := WrittenMarker{Position: f.At, Name: "presence"}
	at := slices.IndexFunc(markers, is)
	switch {
	case at >= 0:
		presence.Position, presence.Text, presence.Overlay = markers[at].Position, markers[at].Text, markers[at].Overlay
		presence.Meaning = markers[at].Name
	case f.OmitEmpty || p.Optional:
		presence.Text, presence.Meaning = "omitempty", "optional"
	case p.UsesKubebuilder():
		presence.Text, presence.Meaning = "no omitempty", "required"
	default:
		return markers
	}
	return append(slices.DeleteFunc(markers, is), presence)
}

func writtenMarkers(all []aimed) []WrittenMarker {
	var written []WrittenMarker
	for _, each := range all {
		name := each.marker.Name
		presence := strings.HasSuffix(name, ":Optional") || strings.HasSuffix(name, ":Required")
		if strings.HasPrefix(name, kubebuilder.Prefix) && !each.marker.Declares && !presence {
			continue // about the definition: columns, names, storage
		}
		own, meaning := meaningOf(each)
		written = append(written, WrittenMarker{Position: each.At, Text: each.Text, Overlay: each.Overlay, Name: own, Meaning: meaning})
	}
	return written
}

// meaningOf returns the name and the meaning of a marker. They leave out what differs between dialects:
// the prefix, the case of the name, quotes and spaces.
func meaningOf(each aimed) (name, meaning string) {
	name, _ = marker.SplitName(each.marker.Name) // that of a tag has its arguments
	for _, prefix := range []string{kubebuilder.Prefix + "validation:", kubebuilder.Prefix, "k8s:"} {
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
	_, argument := marker.SplitName("+" + strings.TrimPrefix(strings.TrimLeft(marker.Scannable(each.Text), "+"),
		strings.Join(each.steps, ":")+":"))
	argument = strings.TrimLeft(argument, ":=")
	for _, step := range each.steps {
		own = step + ":" + own
	}
	return own, own + "=" + plainArgument(own, argument)
}

// plainArgument returns an argument without quotes, braces and spaces. The values of an enum are
// sorted, because their order has no meaning.
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
