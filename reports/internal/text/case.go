package text

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
	"github.com/diffrun/diffrun/reports/internal/summary"
)

// block collects the text about one case until the next case comes. Versions with the same text
// share a part.
type block struct {
	of    *harness.Case
	suite string
	mark  summary.Mark
	parts []part
}

// part is the text about versions with the same body and effect.
type part struct {
	targets []string
	effect  words.Effect
	body    string
}

func (b *block) add(r harness.Result, body string, mark summary.Mark) {
	b.suite = r.Suite
	b.mark = max(b.mark, mark)
	if body == "" {
		return
	}
	target := display.Name(display.Target(r))
	for i := range b.parts {
		if b.parts[i].body == body && b.parts[i].effect == r.Effect {
			b.parts[i].targets = append(b.parts[i].targets, target)
			return
		}
	}
	b.parts = append(b.parts, part{targets: []string{target}, effect: r.Effect, body: body})
}

// drawBlock returns the text of a block, or "" if there is nothing to report.
func (t *text) drawBlock(b *block) string {
	if len(b.parts) == 0 {
		return ""
	}
	sign, allows := t.paint.red("✗"), ""
	switch b.mark {
	case summary.Noted:
		sign = t.paint.dim("·")
	case summary.Allowed:
		sign, allows = t.paint.yellow("!"), "  "+t.paint.dim("allowed by "+summary.GateFlag(t.table.Gate))
	}
	var out strings.Builder
	out.WriteString(sign + " " + t.paint.bold(display.Name(b.of.ID)) + allows + "\n")
	if context := whereAndWhy(b.of); context != "" {
		out.WriteString(t.paragraph("  ", hanging, context))
	}
	for _, part := range b.parts {
		context := strings.Join(part.targets, ", ") + "  " + string(b.of.Operation())
		if b.of.Subresource != "" {
			context += "  /" + display.Name(b.of.Subresource)
		}
		if len(t.suites) > 1 {
			context += "  suite " + display.Name(b.suite)
		}
		if part.effect != "" {
			context += "  effect: " + string(part.effect)
		}
		out.WriteString(t.paragraph("  ", hanging, strings.TrimSpace(context)))
		out.WriteString(part.body)
	}
	return out.String()
}

// whereAndWhy returns the place and reason of a case. It omits the place if the id shows it.
func whereAndWhy(c *harness.Case) string {
	switch {
	case c.Why != "" && (c.Source == "" || c.Source == c.ID):
		return "why: " + c.Why
	case c.Source == c.ID:
		return ""
	case c.Why == "":
		return c.Source
	default:
		return c.Source + ": " + c.Why
	}
}

// drawBody returns the text about a result below its target.
func (t *text) drawBody(r harness.Result) string {
	var out strings.Builder
	for of, fault := range r.Faults() {
		if t.isNews(t.groups.ofText(r, "fault of "+r.Sides.Source(of), fault.Error())) {
			out.WriteString(t.drawFault(r.Sides.Source(of), fault))
		}
	}
	out.WriteString(t.drawPairs(r))
	if stored := r.OnStored(); stored != "" && out.Len() > 0 {
		out.WriteString(t.paragraph("    "+t.paint.dim("stored")+"  ", hanging, stored))
	}
	for _, message := range r.Unmet {
		if t.isNews(t.groups.ofText(r, "unmet", message)) {
			label := t.paint.red("unmet")
			if t.table.Gate.AllowsUnmet() {
				label = t.paint.yellow("unmet")
			}
			out.WriteString(t.paragraph("    "+label+"  ", hanging+3, message))
		}
	}
	if out.Len() > 0 || t.options.Verbose {
		out.WriteString(t.drawWarnings(r))
	}
	switch {
	case out.Len() > 0 || t.options.Verbose:
		out.WriteString(t.drawOmitted(r.Omitted, display.OmissionReasons()...))
		for name, outcome := range r.Outcomes() {
			out.WriteString(t.drawPrunedBy(name, outcome))
		}
	case t.options.Pruned:
		out.WriteString(t.drawOmitted(r.Omitted, words.Pruned))
	}
	if r.Inexpressible != "" && t.options.Verbose {
		out.WriteString(t.paragraph("    cannot express this case: ", hanging, r.Inexpressible))
	}
	return out.String()
}

// isNews reports whether to draw something, and counts what is omitted.
func (t *text) isNews(shown bool) bool {
	shown = shown || t.options.Verbose
	t.groups.fewer = t.groups.fewer || !shown
	return shown
}

// drawPairs returns the differences of a result. It shows only the first of similar differences,
// and none that earlier cases showed often enough.
func (t *text) drawPairs(r harness.Result) string {
	var out strings.Builder
	alike, drawn, left := map[causes.Cause]int{}, 0, 0
	for _, pair := range display.Differences(t.table.Gate, r.Pairs, t.options.Verbose) {
		likeness := display.Likeness(r, pair)
		alike[likeness]++
		if shown := t.groups.ofPair(r, pair, likeness); t.isNews(shown && alike[likeness] <= shownAlike) {
			if drawn++; drawn <= plaintext.MaxItems {
				out.WriteString(t.drawPair(r, pair))
			}
		} else {
			left++
		}
	}
	out.WriteString(rest(max(0, drawn-plaintext.MaxItems)))
	if out.Len() > 0 && left > 0 {
		out.WriteString("    " + t.paint.dim(fmt.Sprintf("and %d more like those above", left)) + "\n")
	}
	if n := display.CountPairs(r.Pairs, equivalence.Pair.Unchecked); n > 0 && (out.Len() > 0 || t.options.Verbose) {
		_, second := r.Sides.Titles()
		out.WriteString("    " + t.paint.dim("not compared: "+plaintext.Count(n, "native error")+"; "+second+
			" did not check its rules on this object") + "\n")
	}
	return out.String()
}

// drawWarnings lists the warnings of the validators.
func (t *text) drawWarnings(r harness.Result) string {
	var out strings.Builder
	for name, outcome := range r.Outcomes() {
		shown, more := plaintext.First(outcome.Warnings)
		for _, warning := range shown {
			out.WriteString(t.paragraph("    "+t.paint.dim("warning")+"  "+name+"  ", hanging, warning))
		}
		out.WriteString(rest(more))
	}
	return out.String()
}

// drawOmitted lists the parts of a case that neither validator saw. They may explain a missing
// error.
func (t *text) drawOmitted(all []contract.Omission, reasons ...words.OmissionReason) string {
	var out strings.Builder
	for _, reason := range reasons {
		if fields := display.Omitted(all, reason); len(fields) > 0 {
			out.WriteString(t.paragraph("    "+t.paint.dim(string(reason))+"  ", hanging, plaintext.List(fields)))
		}
	}
	return out.String()
}

func (t *text) drawFault(of string, fault *contract.Fault) string {
	// A process may indent its output on stderr with tabs. The report has its own indentation.
	said := strings.ReplaceAll(strings.ReplaceAll(fault.Error(), "\n\t", "\n"), "\t", "    ")
	drawn := t.paragraph("    "+t.paint.red("fault")+" of "+of+"  ", hanging, said)
	if !t.options.Verbose || fault.Stack == "" {
		return drawn
	}
	for _, line := range plaintext.Stack(fault.Stack) {
		drawn += "      " + t.paint.dim(line) + "\n"
	}
	return drawn
}
