package reports

import (
	"encoding/json"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/checksum"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// The types of this file are the JSON of a run, published in run.schema.json and
// lines.schema.json. Every key is always present, and lists are never null.

// headerObject is what is known before the first result.
type headerObject struct {
	Tool    string        `json:"tool"`
	Version string        `json:"version"`
	Shard   string        `json:"shard"`
	Options []string      `json:"options"`
	FailOn  []string      `json:"failOn"`
	Suites  []suiteObject `json:"suites"`
}

type suiteObject struct {
	Name   string `json:"name"`
	Source string `json:"source"`
	// Backends are the names of the two that were compared.
	Backends [2]string `json:"backends"`
}

// resultObject is one case in one version.
type resultObject struct {
	Case          string             `json:"case"`
	Number        int                `json:"number"`
	Suite         string             `json:"suite"`
	Target        string             `json:"target"`
	Operation     string             `json:"operation"`
	Subresource   string             `json:"subresource"`
	Source        string             `json:"source"`
	Why           string             `json:"why"`
	Verdict       string             `json:"verdict"`
	Effect        string             `json:"effect"`
	Fault         string             `json:"fault"`
	FaultReason   string             `json:"faultReason"`
	Inexpressible string             `json:"inexpressible"`
	Omitted       []omissionObject   `json:"omitted"`
	Unmet         []string           `json:"unmet"`
	Unguarded     bool               `json:"unguarded"`
	Native        outcomeObject      `json:"native"`
	Declarative   outcomeObject      `json:"declarative"`
	Differences   []differenceObject `json:"differences"`
	Seconds       float64            `json:"seconds"`
}

// omissionObject is a part of a case that a backend did not see.
type omissionObject struct {
	Field string `json:"field"`
	Why   string `json:"why"`
}

// outcomeObject is the answer of one backend, and its duration.
type outcomeObject struct {
	Errors   []*Error         `json:"errors"`
	Warnings []string         `json:"warnings"`
	Omitted  []omissionObject `json:"omitted"`
	Fault    string           `json:"fault"`
	// FaultReason is the kind of the fault.
	FaultReason string  `json:"faultReason"`
	Seconds     float64 `json:"seconds"`
	// Backend is the name of the backend.
	Backend string `json:"backend"`
}

// differenceObject is a pair of errors that differ.
type differenceObject struct {
	Class            string `json:"class"`
	Field            string `json:"field"`
	Native           *Error `json:"native"`
	Declarative      *Error `json:"declarative"`
	NativeCount      int    `json:"nativeCount"`
	DeclarativeCount int    `json:"declarativeCount"`
	Rule             string `json:"rule"`
	RuleKind         string `json:"ruleKind"`
	CountRule        string `json:"countRule"`
	Exception        string `json:"exception"`
	// Declared is empty if something explains the difference.
	Declared []declaredObject `json:"declared"`
}

// declaredObject is a keyword or rule of a schema, and the file and line of it, where known.
type declaredObject struct {
	Place string `json:"place"`
	Line  string `json:"line"`
}

// Error is a validation error in reports. BadValue is null if the error omits it, and text if JSON
// cannot represent it.
type Error struct {
	Type     string          `json:"type"`
	Field    string          `json:"field"`
	Detail   string          `json:"detail"`
	BadValue json.RawMessage `json:"badValue"`
	Origin   string          `json:"origin"`
}

// footerObject is what is known after the last result.
type footerObject struct {
	Summary    summaryObject `json:"summary"`
	Problems   []string      `json:"problems"`
	LeftOut    []leftOut     `json:"leftOut"`
	Incomplete bool          `json:"incomplete"`
	Narrowed   bool          `json:"narrowed"`
	Narrowings []Narrowing   `json:"narrowings"`
	Tally      *Tally        `json:"tally"`
	// Coverage is null unless the run measured it.
	Coverage *coverageObject `json:"coverage"`
	Seconds  float64         `json:"seconds"`
	// Checksum is that of all lines of the run.
	Checksum *checksum.Sum `json:"checksum"`
}

// leftOut counts the skipped cases of a kind without a target in its suite.
type leftOut struct {
	Suite  string `json:"suite"`
	Target string `json:"target"`
	Cases  int    `json:"cases"`
}

// summaryObject counts results by verdict and by effect, and by class the unexplained
// differences in them and what ratcheting explains.
type summaryObject struct {
	Cases         int                       `json:"cases"`
	Inputs        int                       `json:"inputs"`
	Equal         int                       `json:"equal"`
	Equivalent    int                       `json:"equivalent"`
	Ratcheting    int                       `json:"ratcheting"`
	Excepted      int                       `json:"excepted"`
	Different     int                       `json:"different"`
	Unstable      int                       `json:"unstable"`
	Fault         int                       `json:"fault"`
	Inexpressible int                       `json:"inexpressible"`
	Unmet         int                       `json:"unmet"`
	Unguarded     int                       `json:"unguarded"`
	Pruned        prunedObject              `json:"pruned"`
	Effects       map[harness.Effect]int    `json:"effects"`
	OpenEffects   map[harness.Effect]int    `json:"openEffects"`
	Classes       map[equivalence.Class]int `json:"classes"`
}

// prunedObject counts the fields that are in no schema.
type prunedObject struct {
	Fields int `json:"fields"`
	Cases  int `json:"cases"`
}

func newHeaderObject(header Header) headerObject {
	suites := make([]suiteObject, 0, len(header.Suites))
	for _, suite := range header.Suites {
		object := suiteObject{Name: suite.Name, Source: suite.Source}
		object.Backends[0], object.Backends[1] = suite.Compared.Names()
		suites = append(suites, object)
	}
	return headerObject{Tool: "diffrun", Version: header.Version, Shard: header.Shard, Options: append([]string{}, header.Options...), FailOn: append([]string{}, header.FailOn...), Suites: suites}
}

func newResultObject(r harness.Result) resultObject {
	first, second := r.Sides.Names()
	return resultObject{
		Case:          r.Case.ID,
		Number:        r.Case.Number,
		Suite:         r.Suite,
		Target:        targetName(r),
		Operation:     string(r.Case.Operation()),
		Subresource:   r.Case.Subresource,
		Source:        r.Case.Source,
		Why:           r.Case.Why,
		Verdict:       string(r.Verdict),
		Effect:        string(r.Effect),
		Fault:         faultText(r.Fault),
		FaultReason:   faultReason(r.Fault),
		Inexpressible: r.Inexpressible,
		Omitted:       newOmissionObjects(r.Omitted),
		Unmet:         append([]string{}, r.Unmet...),
		Unguarded:     r.Unguarded,
		Native:        newOutcomeObject(first, r.Native),
		Declarative:   newOutcomeObject(second, r.Declarative),
		Differences:   newDifferenceObjects(r.Differences()),
		Seconds:       r.Elapsed.Seconds(),
	}
}

func newOmissionObjects(omitted []harness.Omission) []omissionObject {
	objects := make([]omissionObject, 0, len(omitted))
	for _, omission := range omitted {
		objects = append(objects, omissionObject{omission.Field, string(omission.Why)})
	}
	return objects
}

// targetName returns the target of a result. It is empty if the suite does not have it.
func targetName(r harness.Result) string {
	if r.Version.Empty() {
		return ""
	}
	return apiname.Target(r.Version)
}

func faultText(fault *harness.Fault) string {
	if fault == nil {
		return ""
	}
	return fault.Error()
}

func faultReason(fault *harness.Fault) string {
	if fault == nil {
		return ""
	}
	return string(fault.Reason)
}

func newOutcomeObject(backend string, outcome harness.Outcome) outcomeObject {
	errs := make([]*Error, 0, len(outcome.Errors))
	for _, err := range outcome.Errors {
		errs = append(errs, NewError(err))
	}
	return outcomeObject{
		Backend: backend, Errors: errs, Warnings: append([]string{}, outcome.Warnings...), Omitted: newOmissionObjects(outcome.Omitted),
		Fault: faultText(outcome.Fault), FaultReason: faultReason(outcome.Fault), Seconds: outcome.Elapsed.Seconds(),
	}
}

func newDifferenceObjects(pairs []equivalence.Pair) []differenceObject {
	differences := make([]differenceObject, 0, len(pairs))
	for _, pair := range pairs {
		difference := differenceObject{
			Class:       string(pair.Class),
			Field:       pair.Field(),
			Native:      NewError(pair.Native),
			Declarative: NewError(pair.Declarative),
			Declared:    []declaredObject{},
		}
		for _, one := range pair.Declared {
			difference.Declared = append(difference.Declared, declaredObject{one.Place, one.Stands})
		}
		difference.NativeCount, difference.DeclarativeCount = pair.Counts()
		if pair.Rule != nil && (pair.Agrees() || pair.Class.Explained()) { // else it explains only a part
			difference.Rule, difference.RuleKind = pair.Rule.Name, string(pair.Rule.Kind)
		}
		if pair.Repeats != nil {
			difference.CountRule = pair.Repeats.Name
		}
		if pair.Exception != nil {
			difference.Exception = pair.Exception.ID
		}
		differences = append(differences, difference)
	}
	return differences
}

// NewError converts an error to its JSON form. It returns nil for nil.
func NewError(err *field.Error) *Error {
	if err == nil {
		return nil
	}
	return &Error{
		Type:     string(err.Type),
		Field:    err.Field,
		Detail:   err.Detail,
		BadValue: plaintext.BadValue(err.BadValue),
		Origin:   err.Origin,
	}
}

func newFooterObject(footer Footer) footerObject {
	left := make([]leftOut, 0, len(footer.LeftOut))
	for _, one := range footer.LeftOut {
		left = append(left, leftOut(one))
	}
	return footerObject{
		Summary:    newSummaryObject(footer.Summary),
		Problems:   append([]string{}, footer.Problems...),
		LeftOut:    left,
		Incomplete: footer.Incomplete,
		Narrowed:   footer.Narrowed(),
		Narrowings: append([]Narrowing{}, footer.Narrowings...),
		Tally:      footer.Tally,
		Coverage:   newCoverageObject(footer.Coverage),
		Seconds:    footer.Elapsed.Seconds(),
	}
}

func newSummaryObject(s harness.Summary) summaryObject {
	classes := map[equivalence.Class]int{}
	for _, class := range equivalence.Classes() {
		classes[class] = s.Classes[class]
	}
	return summaryObject{
		Cases:         s.Cases,
		Inputs:        s.Inputs,
		Equal:         s.Verdicts[harness.Equal],
		Equivalent:    s.Verdicts[harness.Equivalent],
		Ratcheting:    s.Verdicts[harness.Ratcheted],
		Excepted:      s.Verdicts[harness.Excepted],
		Different:     s.Verdicts[harness.Different],
		Unstable:      s.Verdicts[harness.Unstable],
		Fault:         s.Verdicts[harness.Faulted],
		Inexpressible: s.Verdicts[harness.Inexpressible],
		Unmet:         s.Unmet,
		Unguarded:     s.Unguarded,
		Pruned:        prunedObject(s.Pruned),
		Effects:       effectCounts(s.Effects),
		OpenEffects:   effectCounts(s.OpenEffects),
		Classes:       classes,
	}
}

func effectCounts(counted map[harness.Effect]int) map[harness.Effect]int {
	counts := map[harness.Effect]int{}
	for _, effect := range harness.Effects() {
		counts[effect] = counted[effect]
	}
	return counts
}
