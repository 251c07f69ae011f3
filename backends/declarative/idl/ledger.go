package idl

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

// ledger records which lines of overlays had an effect. A line without effect is a mistake, and
// validations are counted.
type ledger struct {
	lines map[strictyaml.Position]*entry
}

type entry struct {
	text     string
	declares bool
	packages map[string]bool
}

func newLedger() *ledger { return &ledger{lines: map[strictyaml.Position]*entry{}} }

func (l *ledger) applied(each aimed, packagePath string) {
	if !each.overlay {
		return
	}
	if l.lines[each.at] == nil {
		l.lines[each.at] = &entry{text: each.text, declares: each.marker.Declares, packages: map[string]bool{}}
	}
	l.lines[each.at].packages[packagePath] = true
}

func (l *ledger) removed(each line) {
	l.lines[each.at] = &entry{text: each.text}
}

func (l *ledger) used(each line) bool { return l.lines[each.at] != nil }

func (l *ledger) declared() []Declaration {
	var all []Declaration
	for at, each := range l.lines {
		if each.declares {
			all = append(all, Declaration{Position: at, Text: each.text, Packages: slices.Sorted(maps.Keys(each.packages))})
		}
	}
	slices.SortFunc(all, func(a, b Declaration) int {
		return cmp.Or(strings.Compare(a.File, b.File), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return all
}

// checkOverlayLines parses every line once, including those of types that no root refers to, so
// all mistakes are reported together.
func (b *builder) checkOverlayLines() {
	b.eachOverlayLine(func(each line) {
		if isRemoval(each) {
			return
		}
		if _, err := b.read(each); err != nil {
			b.addf(each.at, "%v", err)
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
		b.addf(t.at, "type %s: no root type reaches a package %s%s", t.name, o.Package, narrowed(t))
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
			b.addf(each.at, "the source has no +%s at %s to remove; one that the field has from its type is removed at the type", strings.TrimPrefix(each.text, "-"), what)
		default:
			b.addf(each.at, "no root type reaches %s: the marker has no effect", what)
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
			for _, each := range t.lines {
				visit(each)
			}
			for _, name := range slices.Sorted(maps.Keys(t.fields)) {
				for _, each := range t.fields[name].lines {
					visit(each)
				}
			}
		}
	}
}
