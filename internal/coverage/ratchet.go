package coverage

import (
	"bytes"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Ratchet is the file that records earlier coverage. It is committed.
type Ratchet struct {
	Targets  []RatchetTarget  `yaml:"targets"`
	Packages []RatchetPackage `yaml:"packages"`
}

// RatchetTarget is a target of the file.
type RatchetTarget struct {
	strictyaml.Position `yaml:"-"`

	Suite    string         `yaml:"suite"`
	Target   string         `yaml:"target"`
	Keywords RatchetSection `yaml:"keywords"`
	Fields   RatchetSection `yaml:"fields"`
	Values   RatchetSection `yaml:"values"`
	// Guards is for the webhooks and policies of a suite.
	Guards RatchetSection `yaml:"guards"`
}

// RatchetSection has the figures, and the digests of the covered places.
type RatchetSection struct {
	Covered int      `yaml:"covered"`
	Of      int      `yaml:"of"`
	Places  []string `yaml:"places"`
}

// sectionsOf returns the sections in the order of sections.
func (t *RatchetTarget) sectionsOf() []*RatchetSection {
	return []*RatchetSection{&t.Keywords, &t.Fields, &t.Values, &t.Guards}
}

// figures returns the sections that the head of the file shows. The guards of a suite are in the column of keywords.
func (t *RatchetTarget) figures() []*RatchetSection {
	if t.Guards.Of > 0 {
		return []*RatchetSection{&t.Guards, &t.Fields, &t.Values}
	}
	return []*RatchetSection{&t.Keywords, &t.Fields, &t.Values}
}

// ReadRatchet reads the file. The error is fs.ErrNotExist or strictyaml.Mistakes.
func ReadRatchet(file string) (Ratchet, error) {
	var read Ratchet
	data, err := infile.ReadFile(file)
	if errors.Is(err, fs.ErrNotExist) {
		return read, err
	}
	if err != nil {
		return read, documents.Unreadable(file, err)
	}
	if err := strictyaml.Decode(file, data, &read); err != nil {
		return read, err
	}
	var mistakes strictyaml.Mistakes
	first := map[[2]string]strictyaml.Position{}
	for _, t := range read.Targets {
		name := [2]string{t.Suite, t.Target}
		if before, twice := first[name]; twice {
			mistakes.Addf(t.Position, "%s of suite %s is listed twice; first in line %d", t.Target, t.Suite, before.Line)
			continue
		}
		first[name] = t.Position
		if t.Suite == "" || t.Target == "" {
			mistakes.Addf(t.Position, "the target has no suite or no target; \"diffrun coverage --ratchet FILE --update\" writes the file")
		}
		for i, s := range t.sectionsOf() {
			if s.Covered != len(s.Places) || s.Of < s.Covered {
				mistakes.Addf(t.Position, "%s of %s %s: covered is %d of %d, and %d places are listed; \"diffrun coverage --ratchet "+
					"FILE --update\" writes the file", sections()[i].name, t.Suite, t.Target, s.Covered, s.Of, len(s.Places))
			}
			checkDigests(t.Position, t.Suite+" "+t.Target, s.Places, &mistakes)
		}
	}
	for i := range read.Packages {
		p := &read.Packages[i]
		before := slices.IndexFunc(read.Packages[:i], func(other RatchetPackage) bool { return other.Package == p.Package })
		if before >= 0 {
			mistakes.Addf(p.Position, "package %s is listed twice; first in line %d", p.Package, read.Packages[before].Line)
			continue
		}
		p.check(&mistakes)
	}
	return read, mistakes.Err()
}

// Write writes the file.
func (r Ratchet) Write(file string) error {
	var text bytes.Buffer
	out := plaintext.NewPrinter(&text)
	r.writeHead(out)
	for i := range r.Targets {
		t := &r.Targets[i]
		out.Printf("- suite: %s\n  target: %s\n", quoted(t.Suite), quoted(t.Target))
		for at, s := range t.sectionsOf() {
			if sections()[at].name == "guards" && s.Of == 0 {
				continue
			}
			out.Printf("  %s:\n    covered: %d\n    of: %d\n", sections()[at].name, s.Covered, s.Of)
			writeDigests(out, "    ", "places", s.Places)
		}
	}
	writePackages(out, r.Packages)
	if err := out.Flush(); err != nil {
		return err
	}
	return outfile.Write(file, likeBefore(file, text.Bytes()))
}

// likeBefore uses the line ends of the existing file, which may be those of Windows.
func likeBefore(file string, text []byte) []byte {
	before, err := infile.ReadFile(file)
	if first, _, several := bytes.Cut(before, []byte("\n")); err == nil && several && bytes.HasSuffix(first, []byte("\r")) {
		return bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n"))
	}
	return text
}

// writeHead writes the figures for people.
func (r Ratchet) writeHead(out *plaintext.Printer) {
	out.Printf("# What the cases cover; \"diffrun coverage --ratchet FILE --update\" writes it. A run that covers\n" +
		"# less fails, and names what was lost. To accept less, delete the target or package here and\n" +
		"# update. A place is seven letters of a hash of its name, because names are long.\n#\n")
	out.Printf("#    keywords       fields      values   suite and target\n")
	for i := range r.Targets {
		t := &r.Targets[i]
		out.Printf("# ")
		for _, s := range t.figures() {
			out.Printf(" %5d/%-5d", s.Covered, s.Of)
		}
		out.Printf(" %s: %s\n", t.Suite, t.Target)
	}
	if len(r.Packages) > 0 {
		out.Printf("#\n#  executed    seen matched      of   package\n")
	}
	for i := range r.Packages {
		p := &r.Packages[i]
		out.Printf("#  %8d %7d %7d %7d   %s\n", len(p.with(0)), len(p.with(1)), len(p.with(2)), p.Of, p.Package)
	}
	out.Printf("targets:\n")
}

// Loss is a figure that is lower than before.
type Loss struct {
	// Of is the suite and the target, or the package.
	Of, Section string
	Now, Before int
	// Places are the names of places that were covered, are still in the schema, and are not
	// covered now. It is nil if no case of the target is left, so that all were lost.
	Places []string
}

// Comparison is a report compared with a ratchet.
type Comparison struct {
	// Lower are the figures that fell.
	Lower []Loss
	// Higher is true if a figure rose, or a target, place or total differs from the file.
	Higher bool
	// Uncompared are the entries of the file that the report has no figures for, in the order of the file.
	Uncompared []Uncompared
	// Updated is the new content of the file: what the report covers, or what the file had for figures that
	// fell.
	Updated Ratchet
}

// Compare compares a report with the recorded coverage.
func (r Ratchet) Compare(report Report) Comparison {
	var c Comparison
	index := func(suite, target string) int {
		return slices.IndexFunc(r.Targets, func(old RatchetTarget) bool { return old.Suite == suite && old.Target == target })
	}
	known := func(suite, target string) bool { return index(suite, target) >= 0 }
	for i := range report.Targets {
		t := &report.Targets[i]
		old := &RatchetTarget{Suite: t.Suite, Target: t.Name}
		if at := index(t.Suite, t.Name); at >= 0 {
			old = &r.Targets[at]
		} else {
			c.Higher = true
		}
		c.Updated.Targets = append(c.Updated.Targets, c.target(t, old))
	}
	for i := range r.Targets {
		old := &r.Targets[i]
		if !slices.ContainsFunc(report.Targets, func(t Target) bool { return t.Suite == old.Suite && t.Name == old.Target }) {
			c.uncompared(old, &report, known)
			c.Updated.Targets = append(c.Updated.Targets, *old)
		}
	}
	slices.SortStableFunc(c.Updated.Targets, func(a, b RatchetTarget) int {
		return strings.Compare(a.Suite+"\x00"+a.Target, b.Suite+"\x00"+b.Target)
	})
	c.packages(r.Packages, report.Sites)
	slices.SortStableFunc(c.Uncompared, compareUncompared)
	return c
}
