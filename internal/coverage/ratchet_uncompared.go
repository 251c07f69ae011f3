package coverage

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Uncompared is an entry of a ratchet that the report has no figures for.
type Uncompared struct {
	// Line is its line in the file.
	Line int
	// Suite and Target are the names of a target, Package that of a package.
	Suite, Target, Package string
	// Covered is how many places, or calls of a package, the file lists.
	Covered int
	// SuiteRan is true if the suite ran, and no longer has the target.
	SuiteRan bool
	// Instead is a suite that has the target and is not in the file, or a target of the suite that is not; empty:
	// there is none, or there are several. The entry was probably renamed.
	Instead string
}

// uncompared adds a target of the file that the report does not have.
func (c *Comparison) uncompared(old *RatchetTarget, report *Report, known func(suite, target string) bool) {
	u := Uncompared{Line: old.Line, Suite: old.Suite, Target: old.Target}
	for _, section := range old.sectionsOf() {
		u.Covered += section.Covered
	}
	u.SuiteRan = slices.ContainsFunc(report.Targets, func(t Target) bool { return t.Suite == old.Suite })
	var renamed []string
	for _, t := range report.Targets {
		switch {
		case known(t.Suite, t.Name):
		case u.SuiteRan && t.Suite == old.Suite:
			renamed = append(renamed, t.Name)
		case !u.SuiteRan && t.Name == old.Target:
			renamed = append(renamed, t.Suite)
		}
	}
	if len(renamed) == 1 {
		u.Instead = renamed[0]
	}
	c.Uncompared = append(c.Uncompared, u)
}

// Keeps reports whether a run that updates the file keeps the entry without failing: one of a suite that did not
// run, or of a package that was not counted. A target that its suite no longer has is lost.
func (u Uncompared) Keeps() bool { return !u.SuiteRan }

// String returns what the entry is, why it was not compared, and what to do.
func (u Uncompared) String() string {
	if u.Package != "" {
		return fmt.Sprintf("package %s: %s, and it was not counted; name it with --native, or delete it here", u.Package,
			plaintext.Count(u.Covered, "covered call"))
	}
	text := fmt.Sprintf("suite %s, %s: %s, and nothing was compared, because ", u.Suite, u.Target,
		plaintext.Count(u.Covered, "covered place"))
	switch {
	case u.SuiteRan && u.Instead != "":
		return text + fmt.Sprintf("the suite has no such target; if %s is its new name, write it here; else delete the target here",
			u.Instead)
	case u.SuiteRan:
		return text + "the suite has no such target; add a case for it, or delete the target here"
	case u.Instead != "":
		return text + fmt.Sprintf("no suite of that name ran; if %s is its new name, write it here; else name the suite, "+
			"or delete the target here", u.Instead)
	}
	return text + "no suite of that name ran; name the suite, write its new name here, or delete the target here"
}

// compareUncompared orders entries as the file has them.
func compareUncompared(a, b Uncompared) int { return cmp.Compare(a.Line, b.Line) }
