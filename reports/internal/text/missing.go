package text

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// missing counts the cases whose kind has no target in their suite. They all have the same fault,
// so one line for each kind is enough.
type missing struct {
	known map[missingKind]*missingCases
	order []missingKind
}

// missingKind is a suite and the text of the fault, which names the kind.
type missingKind struct{ suite, fault string }

type missingCases struct {
	count int
	first string // the id of the first case
}

// takes reports whether a result is about a missing target, and counts it.
func (m *missing) takes(r harness.Result) bool {
	if r.Fault == nil || r.Fault.Reason != words.FaultTarget {
		return false
	}
	kind := missingKind{r.Suite, r.Fault.Error()}
	if m.known == nil {
		m.known = map[missingKind]*missingCases{}
	}
	if m.known[kind] == nil {
		m.known[kind] = &missingCases{first: display.Name(r.Case.ID)}
		m.order = append(m.order, kind)
	}
	m.known[kind].count++
	return true
}

// drawMissing returns a line for each kind without a target.
func (t *text) drawMissing() string {
	if len(t.missing.order) == 0 {
		return ""
	}
	shown, more := plaintext.First(t.missing.order)
	var out strings.Builder
	for _, kind := range shown {
		cases := t.missing.known[kind]
		of := ""
		if len(t.suites) > 1 {
			of = " of suite " + display.Name(kind.suite)
		}
		out.WriteString(t.paragraph(t.paint.red("✗")+" ", hanging, fmt.Sprintf("%s%s: %s, first in %s",
			plaintext.Count(cases.count, "case"), of, kind.fault, cases.first)))
	}
	out.WriteString(rest(more))
	out.WriteString("  --ignore-missing-targets leaves such cases out\n")
	return out.String() + "\n"
}

// drawLeftOut returns a line for each kind whose cases were skipped.
func (t *text) drawLeftOut(all []summary.LeftOut) string {
	shown, more := plaintext.First(all)
	var out strings.Builder
	for _, left := range shown {
		out.WriteString(t.paragraph(t.paint.dim("·")+" ", hanging, fmt.Sprintf("%s left out: suite %s has no target %s",
			plaintext.Count(left.Cases, "case"), display.Name(left.Suite), display.Name(left.Target))))
	}
	return out.String() + rest(more)
}

// drawPrunedBy lists the fields of a case that only one side did not see, because its definition
// does not have them.
func (t *text) drawPrunedBy(name string, outcome harness.Outcome) string {
	pruned := display.Omitted(outcome.Omitted, words.Pruned)
	if len(pruned) == 0 {
		return ""
	}
	return t.paragraph("    "+t.paint.dim("pruned by "+name)+"  ", hanging, plaintext.List(pruned))
}
