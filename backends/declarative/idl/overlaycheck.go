package idl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/overlay"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// usage records which lines of overlays had an effect. A line without effect is a mistake, and
// validations are counted.
type usage struct {
	lines map[place]*entry
}

// place is the position of a line, and for a line of a set also where the set is used.
type place struct{ at, used strictyaml.Position }

func placeOfLine(each marker.Line) place { return place{each.At, each.Used} }

type entry struct {
	text     string
	declares bool
	packages map[string]bool
}

func newUsage() *usage { return &usage{lines: map[place]*entry{}} }

func (u *usage) applied(each aimed, packagePath string) {
	if !each.Overlay {
		return
	}
	at := placeOfLine(each.Line)
	if u.lines[at] == nil {
		u.lines[at] = &entry{text: each.Text, declares: each.marker.Declares, packages: map[string]bool{}}
	}
	u.lines[at].packages[packagePath] = true
}

func (u *usage) removed(each marker.Line) {
	u.lines[placeOfLine(each)] = &entry{text: each.Text}
}

func (u *usage) used(each marker.Line) bool { return u.lines[placeOfLine(each)] != nil }

func (u *usage) declared() []Declaration {
	var all []Declaration
	for at, each := range u.lines {
		if each.declares {
			all = append(all, Declaration{Position: at.at, Used: at.used, Text: each.text,
				Packages: slices.Sorted(maps.Keys(each.packages))})
		}
	}
	slices.SortFunc(all, func(a, b Declaration) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			strings.Compare(a.Used.File, b.Used.File), cmp.Compare(a.Used.Line, b.Used.Line), cmp.Compare(a.Used.Column, b.Used.Column))
	})
	return all
}

// checkOverlayLines parses every line once, including those of types that no root refers to, so
// all mistakes are reported together.
func (b *builder) checkOverlayLines() {
	reported := map[string]bool{} // a mistake in a set that is used twice is reported once
	b.overlays.EachLine(func(each marker.Line) {
		if each.Removes() {
			return
		}
		if _, err := b.read(each); err != nil {
			if message := each.At.String() + err.Error(); !reported[message] {
				reported[message] = true
				b.addLinef(each, "%v", err)
			}
			b.usage.removed(each) // it is reported here, not as unused
		}
	})
}

// checkOverlaysUsed reports lines without effect.
func (b *builder) checkOverlaysUsed() {
	for _, o := range b.overlays {
		for _, t := range o.Types {
			if !o.Bundled {
				b.checkTypeUsed(o, t)
			}
		}
	}
}

func (b *builder) checkTypeUsed(o *overlay.File, t *overlay.Type) {
	candidates := b.packagesOf(o, t)
	var found []*gotypes.Type
	var versions []string
	for _, p := range candidates {
		versions = append(versions, p.Path)
		if declared, ok := p.Types[t.Name]; ok {
			found = append(found, declared)
		}
	}
	switch {
	case len(candidates) == 0:
		b.addf(t.At, "type %s: no root type reaches a package %s%s", t.Name, strings.Join(o.Packages, " or "), narrowed(t))
		return
	case len(found) == 0:
		b.addf(t.At, "there is no type %s in %s", t.Name, strings.Join(versions, ", "))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.Fields)) {
		if names := declaredNames(found); !slices.Contains(names, name) {
			b.addf(t.Fields[name].At, "type %s has no field %s; it has %s", t.Name, name, strings.Join(names, ", "))
			continue
		}
		b.checkLinesUsed(t.Name+"."+name, t.Fields[name].Lines)
	}
	b.checkLinesUsed(t.Name, t.Lines)
}

func (b *builder) checkLinesUsed(what string, lines []marker.Line) {
	for _, each := range lines {
		switch {
		case b.usage.used(each):
		case each.Removes():
			b.addLinef(each, "the source has no +%s at %s to remove; a marker that comes from the type is removed there",
				strings.TrimPrefix(each.Text, "-"), what)
		default:
			b.addLinef(each, "no root type reaches %s: the marker has no effect", what)
		}
	}
}

// packagesOf returns the visited packages that an overlay entry applies to, sorted by path.
func (b *builder) packagesOf(o *overlay.File, t *overlay.Type) []*gotypes.Package {
	var found []*gotypes.Package
	for _, p := range b.sources.Parsed {
		if o.AppliesTo(p.Path) && t.AppliesTo(p.Path) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *gotypes.Package) int { return strings.Compare(a.Path, b.Path) })
	return found
}

func narrowed(t *overlay.Type) string {
	if len(t.Versions) == 0 {
		return ""
	}
	return " in the versions " + strings.Join(t.Versions, ", ")
}

func declaredNames(types []*gotypes.Type) []string {
	var names []string
	for _, t := range types {
		for _, f := range t.Fields {
			names = append(names, f.Name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
