package upgrading

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/findings/causes"
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
	from, to string
	markdown bool
	verbose  bool // also list what both releases refuse
	objects  int
	refused  int // requests that both releases refuse
	causes   [sections]map[string]*finding
	order    [sections][]*finding
}

// finding is a cause, with the objects that show it.
type finding struct {
	kind, at, text string
	count          int
	first          string // file and line
}

// newReport returns the report for two releases, as text or as markdown.
func newReport(out io.Writer, from, to string, markdown, verbose bool) *report {
	r := &report{out: out, from: from, to: to, markdown: markdown, verbose: verbose}
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
	for of, fault := range result.Faults() {
		r.add(undecided, &result, "", r.side(of)+firstLine(fault.Err.Error()))
	}
	for _, pair := range result.Differences() {
		if in, ok := sectionOf(&result, pair); ok {
			r.add(in, &result, pair.Field(), r.text(in, pair))
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
	case strings.HasPrefix(of, harness.NativeName):
		return r.from + ": "
	case strings.HasPrefix(of, harness.DeclarativeName):
		return r.to + ": "
	}
	return ""
}

// sectionOf returns what a difference means for the user; false: another difference of the input says it.
func sectionOf(result *harness.Result, pair equivalence.Pair) (section, bool) {
	switch {
	case result.Effect == harness.Stuck:
		return stuck, pair.Native == nil
	case result.Effect == harness.Refuses && pair.Field() == "apiVersion" && pair.Declarative != nil:
		return gone, true
	case result.Effect == harness.Refuses:
		return refused, pair.Native == nil
	case result.Effect == harness.Admits:
		return accepted, pair.Declarative == nil
	case pair.Class == equivalence.Result:
		return stored, true
	}
	return reworded, true
}

func (r *report) text(in section, pair equivalence.Pair) string {
	native, declarative := causes.Errors(pair)
	switch {
	case in == stored:
		return fmt.Sprintf("%s → %s", valueOf(native), valueOf(declarative))
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
	value, _, _ := strings.Cut(side.Detail, " after mutation")
	return value
}

// add adds an object to a cause.
func (r *report) add(in section, result *harness.Result, at, text string) {
	kind := apiname.Target(result.Version)
	key := strings.Join([]string{kind, result.Case.Subresource, causes.AnyIndex(at), causes.SharedText(text)}, "\n")
	if in == stored {
		key = strings.Join([]string{kind, causes.AnyIndex(at)}, "\n")
	}
	known := r.causes[in][key]
	if known == nil {
		known = &finding{kind: kind, at: at, text: text, first: cmp.Or(result.Case.Source, result.Case.ID)}
		r.causes[in][key] = known
		r.order[in] = append(r.order[in], known)
	}
	known.count++
}

// End writes the report.
func (r *report) End(footer reports.Footer) error {
	var text strings.Builder
	r.heading(&text, fmt.Sprintf("Kubernetes %s → %s: %s", r.from, r.to, plural(r.objects, "request")), 2)
	for in := range sections {
		if len(r.order[in]) == 0 {
			continue
		}
		r.heading(&text, titles(r.from, r.to)[in], 3)
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
		fmt.Fprintf(&text, "\nnot compared: %s of %s, which no release has\n", plural(left.Cases, "object"), left.Target)
	}
	if r.quiet() {
		fmt.Fprintf(&text, "\n%s treats all of them as %s does.\n", r.to, r.from)
	}
	if r.refused > 0 {
		fmt.Fprintf(&text, "\n%s refused by both releases\n", plural(r.refused, "request"))
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
	if r.markdown {
		fmt.Fprintf(text, "* %s `%s` %s%s (%s)\n", times(of.count), of.kind, at, of.text, of.first)
		return
	}
	fmt.Fprintf(text, "  %5s  %s  %s%s\n         first: %s\n", times(of.count), of.kind, at, of.text, of.first)
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
		stored:    fmt.Sprintf("stored otherwise: the defaults, or fields that are kept, differ (%s → %s)", from, to),
		reworded:  "refused by both, with other errors",
		undecided: "no verdict: these requests were not compared",
	}
}
