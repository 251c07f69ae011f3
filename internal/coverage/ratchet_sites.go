package coverage

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// RatchetPackage is a hand-written package of the file. Each list has the digests of its sites.
type RatchetPackage struct {
	strictyaml.Position `yaml:"-"`

	Package  string   `yaml:"package"`
	Of       int      `yaml:"of"`
	Executed []string `yaml:"executed"`
	Seen     []string `yaml:"seen"`
	Matched  []string `yaml:"matched"`
}

// lists returns the lists in the order of siteFigures. The file has each site in the last list that it
// belongs to.
func (p *RatchetPackage) lists() []*[]string {
	return []*[]string{&p.Executed, &p.Seen, &p.Matched}
}

// with returns the sites that have a figure: those of its list and of the following lists.
func (p *RatchetPackage) with(figure int) []string {
	var names []string
	for _, list := range p.lists()[figure:] {
		names = append(names, *list...)
	}
	slices.Sort(names)
	return names
}

func (p *RatchetPackage) check(mistakes *strictyaml.Mistakes) {
	if p.Package == "" {
		mistakes.Addf(p.Position, "the package has no name; \"diffrun coverage --ratchet FILE --update\" writes the file")
	}
	checkDigests(p.Position, "package "+p.Package, p.with(0), mistakes)
	if n := len(p.with(0)); n > p.Of {
		mistakes.Addf(p.Position, "package %s has %d sites, and %d are listed; \"diffrun coverage --ratchet FILE --update\" "+
			"writes the file", p.Package, p.Of, n)
	}
}

// ratcheted returns a package in the form of the file.
func (p *SitePackage) ratcheted() RatchetPackage {
	made := RatchetPackage{Package: p.Path, Of: len(p.Sites)}
	figures := siteFigures()
	for _, site := range p.Sites {
		for at := len(figures) - 1; at >= 0; at-- {
			if figures[at].has(site) {
				list := made.lists()[at]
				*list = append(*list, digest(site.Name))
				break
			}
		}
	}
	for _, list := range made.lists() {
		slices.Sort(*list)
	}
	return made
}

// packages compares the hand-written packages.
func (c *Comparison) packages(before []RatchetPackage, now *Sites) {
	counted := map[string]bool{}
	if now != nil {
		for i := range now.Packages {
			p := &now.Packages[i]
			counted[p.Path] = true
			at := slices.IndexFunc(before, func(old RatchetPackage) bool { return old.Package == p.Path })
			if at < 0 {
				c.Higher = true
				c.Updated.Packages = append(c.Updated.Packages, p.ratcheted())
				continue
			}
			c.Updated.Packages = append(c.Updated.Packages, c.sitePackage(p, before[at]))
		}
	}
	for _, old := range before {
		if !counted[old.Package] {
			c.Uncompared = append(c.Uncompared, Uncompared{Line: old.Line, Package: old.Package, Covered: len(old.with(0))})
			c.Updated.Packages = append(c.Updated.Packages, old)
		}
	}
	slices.SortFunc(c.Updated.Packages, func(a, b RatchetPackage) int { return strings.Compare(a.Package, b.Package) })
}

// sitePackage compares a package with the file. A figure fell if more sites were lost than were added. Sites
// that the source no longer has are not lost.
func (c *Comparison) sitePackage(p *SitePackage, old RatchetPackage) RatchetPackage {
	now := p.ratcheted()
	there := map[string]string{} // names by digest
	for _, site := range p.Sites {
		there[digest(site.Name)] = site.Name
	}
	fell := false
	for at, figure := range siteFigures() {
		before, after := old.with(at), now.with(at)
		lost := slices.DeleteFunc(slices.Clone(before), func(name string) bool { return slices.Contains(after, name) || there[name] == "" })
		came := slices.DeleteFunc(slices.Clone(after), func(name string) bool { return slices.Contains(before, name) })
		if len(lost) > len(came) {
			c.Lower = append(c.Lower,
				Loss{Of: p.Path, Section: figure.name, Now: len(after), Before: len(before), Places: namesOf(lost, there)})
			fell = true
		}
		c.Higher = c.Higher || !fell && (now.Of != old.Of || !slices.Equal(before, after))
	}
	if fell {
		return old
	}
	return now
}

func writePackages(out *plaintext.Printer, packages []RatchetPackage) {
	if len(packages) > 0 {
		out.Printf("packages:\n")
	}
	for i := range packages {
		p := &packages[i]
		out.Printf("- package: %s\n  of: %d\n", quoted(p.Package), p.Of)
		for at, figure := range siteFigures() {
			writeDigests(out, "  ", figure.name, *p.lists()[at])
		}
	}
}
