package lintreport

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/skipped"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// FewFindings is how many findings of one lint in one definition the text shows.
const FewFindings = 5

// Text writes the report for people: a line for each finding, the most severe first, and then why
// each lint matters. It shows a few findings of a lint in each definition, unless all are
// requested.
func (r *Report) Text(w io.Writer) error {
	out := plaintext.NewPrinter(w)
	found, hidden := map[string]int{}, map[string]int{}
	type place struct{ file, of, lint string }
	here := map[place]int{}
	for _, severity := range schemalint.Severities() {
		for _, f := range r.Findings {
			if f.Severity != severity {
				continue
			}
			found[f.Lint]++
			at := place{f.Position.File, f.Of, f.Lint}
			if here[at]++; here[at] > FewFindings && !r.all {
				hidden[f.Lint]++
				continue
			}
			out.Printf("%s: %s: %s: %s: %s%s\n", f.Position, f.Severity, wholeSchema(f.At), f.Lint, f.What, plaintext.Text(f.alsoIn()))
		}
	}
	for _, l := range schemalint.All() {
		if found[l.Name] > 0 {
			l.Name = fmt.Sprintf("%s (%s)", l.Name, counted(found[l.Name], hidden[l.Name]))
			writeLint(out, l)
		}
	}
	for _, need := range r.Needs {
		out.Printf("%s: %s needs Kubernetes %s or later: %s: %s\n", need.Position, need.Of, need.Release, need.At, need.What)
	}
	r.summary(out, hidden)
	return out.Flush()
}

func (r *Report) summary(out *plaintext.Printer, hidden map[string]int) {
	notShown := 0
	for _, n := range hidden {
		notShown += n
	}
	var parts []string
	for _, severity := range schemalint.Severities() {
		if n := r.count(severity); n > 0 || severity != schemalint.Info {
			parts = append(parts, plaintext.Count(n, string(severity)))
		}
	}
	text := strings.Join(parts, ", ")
	if notShown > 0 {
		text += fmt.Sprintf("; %d of these are not shown (--all shows them)", notShown)
	}
	if r.Hidden > 0 {
		text += "; " + plaintext.Count(r.Hidden, "info") + " not shown (--all shows them)"
	}
	if r.Accepted > 0 {
		text += "; " + plaintext.Count(r.Accepted, "finding") + " accepted by the baseline"
	}
	if r.Excepted > 0 {
		text += "; " + plaintext.Count(r.Excepted, "finding") + " accepted by exceptions"
	}
	if r.Foreign > 0 {
		text += "; " + plaintext.Count(r.Foreign, "finding") + " in types of other modules left out"
	}
	if len(r.Skipped) > 0 {
		text += "; " + plaintext.Count(len(r.Skipped), "file") + " skipped"
	}
	for _, line := range skipped.List(r.Skipped) {
		out.Printf("%s\n", plaintext.Text(line))
	}
	linted := plaintext.Count(r.Schemas, "schema")
	if r.Policies > 0 {
		linted = plaintext.Count(r.Policies, "file") + " of policies, " + linted
	}
	out.Printf("%s: %s\n", linted, text)
}

// Lints writes lints with the reason and the advice of each.
func Lints(w io.Writer, lints []schemalint.Lint) error {
	out := plaintext.NewPrinter(w)
	for _, l := range lints {
		l.Name += " (" + string(l.Severity) + ")"
		writeLint(out, l)
	}
	return out.Flush()
}

func writeLint(out *plaintext.Printer, l schemalint.Lint) {
	out.Printf("%s\n  why: %s\n  do:  %s\n", l.Name, l.Why, l.Do)
}

func counted(found, hidden int) string {
	if hidden == 0 {
		return fmt.Sprint(found)
	}
	return fmt.Sprintf("%d, %d shown", found, found-hidden)
}

// alsoIn names the other versions that have the finding.
func (f Finding) alsoIn() string {
	if len(f.Versions) < 2 || f.Lint == schemalint.TagsDiffer {
		return ""
	}
	return " (also in " + plaintext.List(slices.Clone(f.Versions[1:])) + ")"
}

// wholeSchema is the name of the place without a path.
func wholeSchema(at string) string {
	if at == "" {
		return "the schema"
	}
	return at
}
