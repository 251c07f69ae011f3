package idl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// ledger records which lines of overlays had an effect. A line without effect is a mistake, and
// validations are counted.
type ledger struct {
	lines map[place]*entry
}

// place is where a line stands, and for a line of a set where the set is used.
type place struct{ at, used strictyaml.Position }

func (each line) place() place { return place{each.at, each.used} }

type entry struct {
	text     string
	declares bool
	packages map[string]bool
}

func newLedger() *ledger { return &ledger{lines: map[place]*entry{}} }

func (l *ledger) applied(each aimed, packagePath string) {
	if !each.overlay {
		return
	}
	if l.lines[each.place()] == nil {
		l.lines[each.place()] = &entry{text: each.text, declares: each.marker.Declares, packages: map[string]bool{}}
	}
	l.lines[each.place()].packages[packagePath] = true
}

func (l *ledger) removed(each line) {
	l.lines[each.place()] = &entry{text: each.text}
}

func (l *ledger) used(each line) bool { return l.lines[each.place()] != nil }

func (l *ledger) declared() []Declaration {
	var all []Declaration
	for at, each := range l.lines {
		if each.declares {
			all = append(all, Declaration{Position: at.at, Used: at.used, Text: each.text, Packages: slices.Sorted(maps.Keys(each.packages))})
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
	reported := map[string]bool{} // a line of a set that is used twice is wrong once
	b.eachOverlayLine(func(each line) {
		if isRemoval(each) {
			return
		}
		if _, err := b.read(each); err != nil {
			if message := each.at.String() + err.Error(); !reported[message] {
				reported[message] = true
				b.addLinef(each, "%v", err)
			}
			b.ledger.removed(each) // it is accounted for
		}
	})
}

// checkOverlaysUsed reports lines without effect.
func (b *builder) checkOverlaysUsed() {
	for _, o := range b.overlays {
		for _, t := range o.types {
			if !o.Bundled {
				b.checkTypeUsed(o, t)
			}
		}
	}
}

func (b *builder) checkTypeUsed(o *Overlay, t *overlayType) {
	candidates := b.packagesOf(o, t)
	var found []*goType
	var versions []string
	for _, p := range candidates {
		versions = append(versions, p.path)
		if declared, ok := p.types[t.name]; ok {
			found = append(found, declared)
		}
	}
	switch {
	case len(candidates) == 0:
		b.addf(t.at, "type %s: no root type reaches a package %s%s", t.name, strings.Join(o.Packages, " or "), narrowed(t))
		return
	case len(found) == 0:
		b.addf(t.at, "there is no type %s in %s", t.name, strings.Join(versions, ", "))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(t.fields)) {
		if names := declaredNames(found); !slices.Contains(names, name) {
			b.addf(t.fields[name].at, "type %s has no field %s; it has %s", t.name, name, strings.Join(names, ", "))
			continue
		}
		b.checkLinesUsed(t.name+"."+name, t.fields[name].lines)
	}
	b.checkLinesUsed(t.name, t.lines)
}

func (b *builder) checkLinesUsed(what string, lines []line) {
	for _, each := range lines {
		switch {
		case b.ledger.used(each):
		case isRemoval(each):
			b.addLinef(each, "the source has no +%s at %s to remove; one that the field has from its type is removed at the type", strings.TrimPrefix(each.text, "-"), what)
		default:
			b.addLinef(each, "no root type reaches %s: the marker has no effect", what)
		}
	}
}

// packagesOf returns the visited packages that an overlay entry applies to, sorted by path.
func (b *builder) packagesOf(o *Overlay, t *overlayType) []*goPackage {
	var found []*goPackage
	for _, p := range b.sources.parsed {
		if o.concerns(p.path) && t.concerns(p.path) {
			found = append(found, p)
		}
	}
	slices.SortFunc(found, func(a, b *goPackage) int { return strings.Compare(a.path, b.path) })
	return found
}

func narrowed(t *overlayType) string {
	if len(t.versions) == 0 {
		return ""
	}
	return " in the versions " + strings.Join(t.versions, ", ")
}

func declaredNames(types []*goType) []string {
	var names []string
	for _, t := range types {
		for _, f := range t.fields {
			names = append(names, f.name())
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

func (b *builder) eachOverlayLine(visit func(line)) {
	for _, o := range b.overlays {
		if o.Bundled {
			continue
		}
		for _, t := range o.types {
			for _, each := range slices.Concat(t.lines, t.off) {
				visit(each)
			}
			for _, name := range slices.Sorted(maps.Keys(t.fields)) {
				for _, each := range slices.Concat(t.fields[name].lines, t.fields[name].off) {
					visit(each)
				}
			}
		}
	}
}
