package upgrading

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports"
)

// section is a group of findings that have the same consequence for the user.
type section int

const (
	stuck section = iota
	refused
	gone
	accepted
	stored
	reworded
	undecided
	sections
)

// report collects the results of a run and writes them at the end. It implements reports.Reporter.
type report struct {
	out      io.Writer
	flags    *Flags
	markdown bool
	verbose  bool // also list what both releases refuse
	objects  int
	refused  int      // requests that both releases refuse
	off      []string // why versions are off by default, each once
	causes   [sections]map[string]*finding
	order    [sections][]*finding
}

// finding is a cause, with the objects that show it.
type finding struct {
	kind, at, text string
	count          int
	first          string // file and line, and the name
	function       string // that refuses it; empty: unknown
	subject        *subject
}

type pair = equivalence.Pair

// newReport returns the report for two releases, as text or as markdown.
func newReport(out io.Writer, flags *Flags, markdown, verbose bool) *report {
	r := &report{out: out, flags: flags, markdown: markdown, verbose: verbose}
	for i := range r.causes {
		r.causes[i] = map[string]*finding{}
	}
	return r
}

// Begin does nothing: what there is to say is known at the end.
func (*report) Begin(reports.Header) error { return nil }

// Result adds the findings of an input.
func (r *report) Result(result harness.Result) error {
	if result.Stored == "" {
		r.objects++
	}
	if len(result.Native.Errors) > 0 && len(result.Declarative.Errors) > 0 {
		r.refused++
	}
	for _, outcome := range result.Outcomes() {
		for _, warning := range outcome.Warnings {
			if strings.Contains(warning, release.EnablingFlag) && !slices.Contains(r.off, warning) {
				r.off = append(r.off, warning)
			}
		}
	}
	for of, fault := range result.Faults() {
		r.add(undecided, &result, pair{}, r.side(of)+firstLine(fault.Err.Error()))
	}
	for _, pair := range result.Differences() {
		if in, ok := sectionOf(&result, pair); ok {
			r.add(in, &result, pair, r.text(in, pair))
		}
	}
	return nil
}

// firstLine returns a fault without the stack of a panic.
func firstLine(fault string) string {
	line, _, _ := strings.Cut(fault, "\n")
	return line
}

// side returns the release that a fault is of, for the beginning of a line. Other faults are of the object itself.
func (r *report) side(of string) string {
	switch {
	case strings.HasPrefix(of, contract.NativeName):
		return r.flags.fromName() + ": "
	case strings.HasPrefix(of, contract.DeclarativeName):
		return r.flags.toName() + ": "
	}
	return ""
}

// sectionOf returns what a difference means for the user; false: another difference of the input says it.
func sectionOf(result *harness.Result, pair equivalence.Pair) (section, bool) {
	switch {
	case result.Effect == words.Stuck:
		return stuck, pair.Native == nil
	case result.Effect == words.Refuses && pair.Field() == "apiVersion" && pair.Declarative != nil:
		return gone, true
	case result.Effect == words.Refuses:
		return refused, pair.Native == nil
	case result.Effect == words.Admits:
		return accepted, pair.Declarative == nil
	case pair.Class == difference.Result:
		return stored, true
	}
	return reworded, true
}

func (r *report) text(in section, pair equivalence.Pair) string {
	native, declarative := causes.Errors(pair)
	switch {
	case in == stored:
		text := fmt.Sprintf("%s → %s", valueOf(native), valueOf(declarative))
		if version := convertedTo(pair); version != "" {
			text += ", read in " + version
		}
		return text
	case native == nil:
		return declarative.String()
	case declarative == nil:
		return native.String()
	}
	return native.String() + " → " + declarative.String()
}

// valueOf returns a value of a stored object, or that there is none.
func valueOf(side *causes.Error) string {
	if side == nil {
		return "absent"
	}
	value, _ := fieldvalue.Text(side.Detail)
	return value
}

// convertedTo returns the other version of its kind in which the value of a stored object is read; empty: it is that of
// the request.
func convertedTo(of pair) string {
	if of.Class != difference.Result || of.Native == nil {
		return ""
	}
	_, version := fieldvalue.Text(of.Native.Detail)
	return plaintext.Line(version)
}

// add adds an object to a cause.
func (r *report) add(in section, result *harness.Result, of pair, text string) {
	kind, at := apiname.Target(result.Version), ""
	if in != undecided {
		at = of.Field()
	}
	key := strings.Join([]string{kind, result.Case.Subresource, causes.AnyIndex(at), causes.SharedText(text)}, "\n")
	if in == stored {
		key = strings.Join([]string{kind, causes.AnyIndex(at), convertedTo(of)}, "\n")
	}
	known := r.causes[in][key]
	if known == nil {
		known = &finding{kind: kind, at: at, text: text, first: placeOf(result.Case), function: functionOf(of)}
		if in != undecided {
			known.subject = r.flags.inquiry.subject(fmt.Sprintf("%d\n%s", in, key), in, result, of)
		}
		r.causes[in][key] = known
		r.order[in] = append(r.order[in], known)
	}
	known.count++
}

// placeOf returns the file and line of a case, and the name of its object, because lines of "kubectl get -o json" tell
// a person little.
func placeOf(c *harness.Case) string {
	place := cmp.Or(c.Source, c.ID)
	object, _ := c.Object.(map[string]any)
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	if namespace, _ := metadata["namespace"].(string); namespace != "" {
		name = namespace + "/" + name
	}
	if name != "" {
		place += " (" + name + ")"
	}
	return place
}

// functionOf returns the file, line and function of Kubernetes that made the error of a difference; empty: it is not
// known, or both sides have an error.
func functionOf(of pair) string {
	if (of.Native == nil) == (of.Declarative == nil) || len(of.Declared) == 0 {
		return ""
	}
	at := of.Declared[0]
	if _, inRelease, ok := strings.Cut(at.Position, "/pkg/"); ok && strings.HasPrefix(at.Position, "k8s.io/kubernetes@") {
		at.Position = "pkg/" + inRelease
	}
	return at.Position + " " + at.Place
}

// End writes the report.
func (r *report) End(footer reports.Footer) error {
	var text strings.Builder
	r.heading(&text, fmt.Sprintf("Kubernetes %s → %s: %s", r.flags.fromName(), r.flags.toName(), plural(r.objects, "request")), 2)
	for in := range sections {
		if len(r.order[in]) == 0 {
			continue
		}
		r.heading(&text, titles(r.flags.fromName(), r.flags.toName())[in], 3)
		if in == reworded && !r.verbose {
			r.note(&text, fmt.Sprintf("%s; -v lists them", plural(len(r.order[in]), "cause")))
			continue
		}
		slices.SortStableFunc(r.order[in], func(a, b *finding) int { return cmp.Compare(b.count, a.count) })
		for _, one := range r.order[in] {
			r.line(&text, one)
		}
	}
	for _, left := range footer.LeftOut {
		fmt.Fprintf(&text, "\nnot compared: %s of %s: %s\n", plural(left.Cases, "object"), left.Target, whyLeftOut(left.Target))
	}
	for _, why := range r.flags.notRead {
		fmt.Fprintf(&text, "\nnot read from the cluster: %s\n", why)
	}
	for _, why := range r.off {
		fmt.Fprintf(&text, "\noff by default: %s; compared as if it did\n", why)
	}
	if r.quiet() {
		fmt.Fprintf(&text, "\n%s treats all of them as %s does.\n", r.flags.toName(), r.flags.fromName())
	}
	if r.refused > 0 {
		fmt.Fprintf(&text, "\n%s refused by both releases\n", plural(r.refused, "request"))
	}
	if names := r.flags.inquiry.names(); len(names) > 0 {
		fmt.Fprintf(&text, "\nasked in between: %s, the last patches\n", strings.Join(names, ", "))
	}
	if footer.Incomplete {
		text.WriteString("\nThe run ended early: the rest was not compared.\n")
	}
	for _, problem := range footer.Problems {
		fmt.Fprintf(&text, "\nproblem of this run: %s\n", problem)
	}
	_, err := io.WriteString(r.out, text.String())
	return err
}

// whyLeftOut says why objects of a kind are not compared, and what to do with them.
func whyLeftOut(target string) string {
	switch group, _, _ := strings.Cut(target, "/"); group {
	case "apiextensions.k8s.io":
		return "the API server for definitions is no part of this comparison; compare two releases of a definition with " +
			"\"diffrun schema compare\", and check one with \"diffrun schema check\""
	case "apiregistration.k8s.io":
		return "the API server for aggregation is no part of this comparison"
	}
	return "neither release has the kind; a custom resource is validated by its definition: compare two releases of that " +
		"with \"diffrun schema compare\", or objects with \"diffrun run\""
}

// quiet reports whether nothing was found.
func (r *report) quiet() bool {
	for in := range sections {
		if len(r.order[in]) > 0 {
			return false
		}
	}
	return r.objects > 0
}

func (r *report) heading(text *strings.Builder, title string, level int) {
	if r.markdown {
		fmt.Fprintf(text, "%s %s\n\n", strings.Repeat("#", level), title)
		return
	}
	if text.Len() > 0 {
		text.WriteString("\n")
	}
	text.WriteString(title + "\n")
}

func (r *report) line(text *strings.Builder, of *finding) {
	at := of.at
	if at != "" {
		at += ": "
	}
	var more []string
	var small string
	if of.subject != nil {
		if of.subject.since != "" {
			more = append(more, "since "+of.subject.since)
		}
		if of.subject.small != nil && r.verbose {
			small, _ = of.subject.small.text() // it was read from JSON
		}
	}
	if of.function != "" {
		more = append(more, of.function)
	}
	if r.markdown {
		more = append(more, of.first)
		fmt.Fprintf(text, "* %s `%s` %s%s (%s)\n", times(of.count), of.kind, at, of.text, strings.Join(more, "; "))
		indent(text, small, "  ", "```yaml", "```")
		return
	}
	fmt.Fprintf(text, "  %5s  %s  %s%s\n", times(of.count), of.kind, at, of.text)
	if len(more) > 0 {
		fmt.Fprintf(text, "         %s\n", strings.Join(more, ": "))
	}
	fmt.Fprintf(text, "         first: %s\n", of.first)
	indent(text, small, "             ", "", "")
}

// indent writes the lines of a text between two others, with blanks before each.
func indent(to *strings.Builder, text, blanks, before, after string) {
	if text == "" {
		return
	}
	for _, line := range slices.Concat([]string{before}, strings.Split(strings.TrimSuffix(text, "\n"), "\n"), []string{after}) {
		if line != "" {
			to.WriteString(blanks + line + "\n")
		}
	}
}

func (r *report) note(text *strings.Builder, note string) {
	if r.markdown {
		text.WriteString(note + "\n\n")
		return
	}
	text.WriteString("  " + note + "\n")
}

func times(n int) string { return fmt.Sprintf("%d×", n) }

func plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// titles are the headings of the sections.
func titles(from, to string) [sections]string {
	return [sections]string{
		stuck:     fmt.Sprintf("stuck: %s refuses to update these stored objects, even without a change", to),
		refused:   fmt.Sprintf("refused: %s refuses what %s accepts", to, from),
		gone:      fmt.Sprintf("gone: %s does not serve the API version", to),
		accepted:  fmt.Sprintf("accepted: %s accepts what %s refuses; after a rollback it is refused", to, from),
		stored:    fmt.Sprintf("stored otherwise: the defaults, kept fields or conversions to other versions differ (%s → %s)", from, to),
		reworded:  "refused by both, with other errors",
		undecided: "no verdict: these requests were not compared",
	}
}
