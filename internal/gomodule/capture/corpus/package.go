package corpus

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Package is a package with recorded functions.
type Package struct {
	Path string
	// Recorded is the number of calls, and Distinct of their cases: Objects and Parts. Replayed is
	// the number of cases whose replay returns the same errors.
	Recorded, Distinct, Objects, Parts, Replayed int
}

// pkg returns the package of the function of a case.
func (c *Corpus) pkg(of *Case) *Package {
	slash := strings.LastIndex(of.Recorded.Function, "/") + 1
	name, _, _ := strings.Cut(of.Recorded.Function[slash:], ".")
	path := of.Recorded.Function[:slash] + name
	for _, p := range c.Packages {
		if p.Path == path {
			return p
		}
	}
	made := &Package{Path: path}
	c.Packages = append(c.Packages, made)
	return made
}

// count counts a distinct case.
func (c *Corpus) count(one *Case) {
	p := c.pkg(one)
	p.Distinct++
	if one.Version.Empty() {
		p.Parts++
	} else {
		p.Objects++
	}
	if one.replays {
		p.Replayed++
	}
	if one.Recorded.Replay != "" {
		cause, _, _ := strings.Cut(one.Recorded.Replay, ":")
		c.Differing[cause]++
	}
}

// Table returns a table of what was recorded in each package.
func (c *Corpus) Table() []string {
	var out strings.Builder
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', tabwriter.AlignRight)
	row := func(cells ...any) {
		fmt.Fprintf(table, strings.Repeat("%v\t", len(cells)-1)+"%v\n", append(cells[1:], "  "+fmt.Sprint(cells[0]))...)
	}
	row("package", "recorded", "distinct", "objects", "parts", "replay")
	var total Package
	for _, p := range c.Packages {
		row(p.Path, p.Recorded, p.Distinct, p.Objects, p.Parts, c.replayed(p))
		total.Recorded, total.Distinct, total.Objects = total.Recorded+p.Recorded, total.Distinct+p.Distinct, total.Objects+p.Objects
		total.Parts, total.Replayed = total.Parts+p.Parts, total.Replayed+p.Replayed
	}
	if len(c.Packages) > 1 {
		row("all", total.Recorded, total.Distinct, total.Objects, total.Parts, c.replayed(&total))
	}
	_ = table.Flush() // to memory
	return strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
}

// replayed returns the number of replayed cases, or a dash without a scheme.
func (c *Corpus) replayed(p *Package) string {
	if !c.replays {
		return "-"
	}
	return fmt.Sprint(p.Replayed)
}

// converted replaces the objects of a call by the documents of a scheme, and returns their version.
func converted(line *recorder.Line, answer converter.Answer, version schema.GroupVersionKind) schema.GroupVersionKind {
	line.Object, line.Old, line.Type, line.Untagged = answer.Object, answer.Old, answer.Type, false
	if answer.Kind == "" {
		return version
	}
	return schema.GroupVersionKind{Group: answer.Group, Version: answer.Version, Kind: answer.Kind}
}
