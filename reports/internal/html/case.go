package html

import (
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/internal/sidebyside"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// The types of this file are the JSON that the page's scripts read. All texts are plain and of
// bounded length. Empty keys are omitted.

// caseData is a case with its results. Data that the results share is written once.
type caseData struct {
	ID          string       `json:"id"`
	Source      string       `json:"source,omitempty"`
	Why         string       `json:"why,omitempty"`
	Operation   string       `json:"operation"`
	Subresource string       `json:"subresource,omitempty"`
	Object      []chunk      `json:"object,omitempty"`
	Old         []chunk      `json:"old,omitempty"`
	Diff        []hunk       `json:"diff,omitempty"`      // of an update
	Unchanged   bool         `json:"unchanged,omitempty"` // by an update
	NoObject    string       `json:"noObject,omitempty"`
	Results     []resultData `json:"results"`
}

// resultData is a case in one version. Row is its row in the table of targets; the seconds are the
// times of the two validators.
type resultData struct {
	Row         int        `json:"row"`
	Verdict     string     `json:"verdict"`
	Effect      string     `json:"effect,omitempty"`
	Native      float64    `json:"native,omitempty"`
	Declarative float64    `json:"declarative,omitempty"`
	Notes       []note     `json:"notes,omitempty"`
	Pairs       []pairData `json:"pairs,omitempty"`
	More        int        `json:"more,omitempty"` // pairs that are left out
	Unguarded   bool       `json:"unguarded,omitempty"`
	Stored      string     `json:"stored,omitempty"` // OnStored of the result
}

// pairData is one line of the comparison. Is is the class of a difference, "equal" or
// "equivalent". An equal pair has its error on the native side only. Lines are the lines of the
// object that the errors concern.
type pairData struct {
	Is          string     `json:"is"`
	By          string     `json:"by,omitempty"`
	Often       string     `json:"often,omitempty"`
	Native      *errorData `json:"native,omitempty"`
	Declarative *errorData `json:"declarative,omitempty"`
	Declared    []string   `json:"declared,omitempty"`
	Lines       []int      `json:"lines,omitempty"`
	Cause       int        `json:"cause,omitempty"`
}

// errorData is an error. Its texts are split into parts; every second part differs from the other
// side.
type errorData struct {
	Field  string   `json:"field"`
	Type   []string `json:"type"`
	Value  []string `json:"value,omitempty"`
	Detail []string `json:"detail,omitempty"`
}

// newCase converts the results of one case. isNew is true if one of them is the first with its
// cause.
func (h *report) newCase(results []harness.Result) (written caseData, isNew bool) {
	of := results[0].Case
	written = caseData{
		ID:          display.Name(of.ID),
		Source:      display.Name(of.Source),
		Why:         plaintext.Line(of.Why),
		Operation:   string(of.Operation()),
		Subresource: display.Name(of.Subresource),
	}
	var causes []*causesOfResult
	known := len(h.causes.first)
	for i, r := range results {
		causes = append(causes, h.causes.add(r, h.results+i))
	}
	shown := h.objects.of(of, reasonsToShow(results, causes))
	for i, r := range results {
		written.Results = append(written.Results, h.newResult(r, causes[i], shown.object))
	}
	written.Object, written.Old, written.NoObject = shown.object.excerpt(marked(written.Results)), shown.old.excerpt(nil), shown.why
	if changes := diff(shown.old, shown.object); changes != nil {
		written.Diff, written.Unchanged = changes, len(changes) == 0
	}
	return written, len(h.causes.first) > known
}

func (h *report) newResult(r harness.Result, causes *causesOfResult, object objectLines) resultData {
	result := resultData{
		Row:         h.table.Row(r).Number,
		Verdict:     string(r.Verdict),
		Effect:      string(r.Effect),
		Native:      asked(r.Native).Seconds(),
		Declarative: asked(r.Declarative).Seconds(),
		Unguarded:   r.Unguarded,
		Stored:      r.OnStored(),
	}
	result.Notes = faultNotes(r, causes)
	for _, one := range byUrgency(h.table.Gate, r.Pairs, causes) {
		if len(result.Pairs) == plaintext.MaxItems {
			result.More = len(r.Pairs) - plaintext.MaxItems
			break
		}
		drawn := newPair(r.Sides, one.Pair)
		drawn.Lines, drawn.Cause = object.linesOf(one.Pair), one.cause
		result.Pairs = append(result.Pairs, drawn)
	}
	result.Notes = slices.Concat(result.Notes, unmetNotes(r, causes), otherNotes(r))
	return result
}

// asked returns the time of a validator that decided.
func asked(outcome harness.Outcome) time.Duration {
	if outcome.Fault != nil {
		return 0
	}
	return outcome.Elapsed
}

// causedPair is a pair with the number of its cause.
type causedPair struct {
	equivalence.Pair
	cause int
}

// byUrgency sorts pairs: unexplained ones first, equal ones last.
func byUrgency(gate gate.Gate, pairs []equivalence.Pair, causes *causesOfResult) []causedPair {
	var sorted []causedPair
	for _, pair := range pairs {
		one := causedPair{Pair: pair}
		if gate.Differs(pair) {
			one.cause = causes.next()
		}
		sorted = append(sorted, one)
	}
	urgency := func(pair causedPair) int {
		switch {
		case gate.Differs(pair.Pair):
			return 0
		case pair.Exact():
			return 2
		}
		return 1
	}
	slices.SortStableFunc(sorted, func(a, b causedPair) int { return urgency(a) - urgency(b) })
	return sorted
}

func newPair(sides harness.Sides, pair equivalence.Pair) pairData {
	drawn := pairData{Is: string(pair.Class), Often: pair.FrequencyOf(sides.Labels())}
	switch {
	case pair.Exact():
		drawn.Is = string(words.Equal)
	case pair.Agrees():
		drawn.Is = string(words.Equivalent)
	}
	var by []string
	if pair.Rule != nil && (pair.Agrees() || pair.Class.Explained()) {
		by = append(by, "rule "+display.Name(pair.Rule.Name))
	}
	if pair.Repeats != nil {
		by = append(by, "rule "+display.Name(pair.Repeats.Name))
	}
	if pair.Exception != nil {
		by = append(by, "exception "+display.Name(pair.Exception.ID))
	}
	drawn.By = strings.Join(by, ", ")
	for _, one := range pair.Declared {
		drawn.Declared = append(drawn.Declared, display.Declared(one))
	}
	native, declarative := sidebyside.Columns(pair)
	nativeCells, declarativeCells := sidebyside.Compare(native, declarative)
	drawn.Native = newError(pair.Native, nativeCells)
	if !pair.Exact() || pair.Native == nil {
		drawn.Declarative = newError(pair.Declarative, declarativeCells)
	}
	return drawn
}

func newError(err *field.Error, columns []sidebyside.Cell) *errorData {
	if err == nil {
		return nil
	}
	return &errorData{
		Field:  sidebyside.ErrorPlace(err),
		Type:   parts(columns[0]),
		Value:  parts(columns[1]),
		Detail: parts(columns[2]),
	}
}

// parts splits the text of a cell. Every second part differs from the other side. It returns nil
// for an empty text.
func parts(c sidebyside.Cell) []string {
	if c.Text == "" {
		return nil
	}
	runes := []rune(c.Text)
	var split []string
	at := 0
	for _, differs := range c.Differs {
		if differs.Start < differs.End {
			split = append(split, string(runes[at:differs.Start]), string(runes[differs.Start:differs.End]))
			at = differs.End
		}
	}
	return append(split, string(runes[at:]))
}
