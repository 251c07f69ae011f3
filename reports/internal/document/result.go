package document

import (
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/text/errorjson"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// The types of this file are the JSON of results, published in run.schema.json and
// lines.schema.json. Every key is always present, and lists are never null.

// Result is one case in one version.
type Result struct {
	Case          string       `json:"case"`
	Digest        string       `json:"digest"`
	Number        int          `json:"number"`
	Suite         string       `json:"suite"`
	Target        string       `json:"target"`
	Operation     string       `json:"operation"`
	Subresource   string       `json:"subresource"`
	Source        string       `json:"source"`
	Why           string       `json:"why"`
	Verdict       string       `json:"verdict"`
	Effect        string       `json:"effect"`
	Fault         string       `json:"fault"`
	FaultReason   string       `json:"faultReason"`
	Inexpressible string       `json:"inexpressible"`
	Omitted       []Omission   `json:"omitted"`
	Unmet         []string     `json:"unmet"`
	ObjectTexts   []string     `json:"objectTexts"`
	Unguarded     bool         `json:"unguarded"`
	Stored        string       `json:"stored"`
	Stuck         []string     `json:"stuck"`
	Ratcheted     bool         `json:"ratcheted"`
	Native        Outcome      `json:"native"`
	Declarative   Outcome      `json:"declarative"`
	Differences   []Difference `json:"differences"`
	Seconds       float64      `json:"seconds"`
}

// Omission is a part of a case that a backend did not see.
type Omission struct {
	Field string `json:"field"`
	Why   string `json:"why"`
}

// Outcome is the answer of one backend, and its duration.
type Outcome struct {
	Errors   []*errorjson.Error `json:"errors"`
	Warnings []string           `json:"warnings"`
	Omitted  []Omission         `json:"omitted"`
	Fault    string             `json:"fault"`
	// FaultReason is the kind of the fault.
	FaultReason string  `json:"faultReason"`
	Seconds     float64 `json:"seconds"`
	// Backend is the name of the backend.
	Backend string `json:"backend"`
}

// Difference is a pair of errors that differ.
type Difference struct {
	Class            string           `json:"class"`
	Field            string           `json:"field"`
	Native           *errorjson.Error `json:"native"`
	Declarative      *errorjson.Error `json:"declarative"`
	NativeCount      int              `json:"nativeCount"`
	DeclarativeCount int              `json:"declarativeCount"`
	Rule             string           `json:"rule"`
	RuleKind         string           `json:"ruleKind"`
	CountRule        string           `json:"countRule"`
	Exception        string           `json:"exception"`
	// Declared is empty if something explains the difference.
	Declared []Declared `json:"declared"`
}

// Declared is a keyword or rule of a schema, and the file and line of it, where known.
type Declared struct {
	Place string `json:"place"`
	Line  string `json:"line"`
}

// Summary counts results by verdict and by effect, and by class the unexplained
// differences in them and what ratcheting explains.
type Summary struct {
	Cases         int                      `json:"cases"`
	Inputs        int                      `json:"inputs"`
	Equal         int                      `json:"equal"`
	Equivalent    int                      `json:"equivalent"`
	Ratcheting    int                      `json:"ratcheting"`
	Excepted      int                      `json:"excepted"`
	Different     int                      `json:"different"`
	Unstable      int                      `json:"unstable"`
	Fault         int                      `json:"fault"`
	Inexpressible int                      `json:"inexpressible"`
	Unmet         int                      `json:"unmet"`
	Unguarded     int                      `json:"unguarded"`
	Pruned        Pruned                   `json:"pruned"`
	Effects       map[words.Effect]int     `json:"effects"`
	OpenEffects   map[words.Effect]int     `json:"openEffects"`
	Classes       map[difference.Class]int `json:"classes"`
}

// Pruned counts the fields that are in no schema.
type Pruned struct {
	Fields int `json:"fields"`
	Cases  int `json:"cases"`
}

// caseDigest returns the digest of the case of a result, which a recorded one has from its run.
func caseDigest(r *harness.Result) string {
	if r.CaseDigest != "" {
		return r.CaseDigest
	}
	return r.Case.Digest()
}

// New converts a result.
func New(r harness.Result) Result {
	first, second := r.Sides.Names()
	return Result{
		Case:          r.Case.ID,
		Digest:        caseDigest(&r),
		Number:        r.Case.Number,
		Suite:         r.Suite,
		Target:        display.Target(r),
		Operation:     string(r.Case.Operation()),
		Subresource:   r.Case.Subresource,
		Source:        r.Case.Source,
		Why:           r.Case.Why,
		Verdict:       string(r.Verdict),
		Effect:        string(r.Effect),
		Fault:         faultText(r.Fault),
		FaultReason:   faultReason(r.Fault),
		Inexpressible: r.Inexpressible,
		Omitted:       newOmissions(r.Omitted),
		Unmet:         append([]string{}, r.Unmet...),
		ObjectTexts:   append([]string{}, causes.ObjectTexts(&r)...),
		Unguarded:     r.Unguarded,
		Stored:        string(r.Stored),
		Stuck:         storedRequests(r.Stuck),
		Ratcheted:     r.Ratcheted,
		Native:        newOutcome(first, r.Native),
		Declarative:   newOutcome(second, r.Declarative),
		Differences:   newDifferences(r.Differences()),
		Seconds:       r.Elapsed.Seconds(),
	}
}

func storedRequests(requests []words.StoredRequest) []string {
	names := make([]string, 0, len(requests))
	for _, request := range requests {
		names = append(names, string(request))
	}
	return names
}

func newOmissions(omitted []contract.Omission) []Omission {
	objects := make([]Omission, 0, len(omitted))
	for _, omission := range omitted {
		objects = append(objects, Omission{omission.Field, string(omission.Why)})
	}
	return objects
}

func faultText(fault *contract.Fault) string {
	if fault == nil {
		return ""
	}
	return fault.Error()
}

func faultReason(fault *contract.Fault) string {
	if fault == nil {
		return ""
	}
	return string(fault.Reason)
}

func newOutcome(backend string, outcome harness.Outcome) Outcome {
	errs := make([]*errorjson.Error, 0, len(outcome.Errors))
	for _, err := range outcome.Errors {
		errs = append(errs, errorjson.New(err))
	}
	return Outcome{
		Backend: backend, Errors: errs, Warnings: append([]string{}, outcome.Warnings...), Omitted: newOmissions(outcome.Omitted),
		Fault: faultText(outcome.Fault), FaultReason: faultReason(outcome.Fault), Seconds: outcome.Elapsed.Seconds(),
	}
}

func newDifferences(pairs []equivalence.Pair) []Difference {
	differences := make([]Difference, 0, len(pairs))
	for _, pair := range pairs {
		difference := Difference{
			Class:       string(pair.Class),
			Field:       pair.Field(),
			Native:      errorjson.New(pair.Native),
			Declarative: errorjson.New(pair.Declarative),
			Declared:    []Declared{},
		}
		for _, one := range pair.Declared {
			difference.Declared = append(difference.Declared, Declared{one.Place, one.Position})
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

// NewSummary converts a summary.
func NewSummary(s harness.Summary) Summary {
	classes := map[difference.Class]int{}
	for _, class := range difference.Classes() {
		classes[class] = s.Classes[class]
	}
	return Summary{
		Cases:         s.Cases,
		Inputs:        s.Inputs,
		Equal:         s.Verdicts[words.Equal],
		Equivalent:    s.Verdicts[words.Equivalent],
		Ratcheting:    s.Verdicts[words.Ratcheting],
		Excepted:      s.Verdicts[words.Excepted],
		Different:     s.Verdicts[words.Different],
		Unstable:      s.Verdicts[words.Unstable],
		Fault:         s.Verdicts[words.Faulted],
		Inexpressible: s.Verdicts[words.Inexpressible],
		Unmet:         s.Unmet,
		Unguarded:     s.Unguarded,
		Pruned:        Pruned{s.PrunedFields, s.PrunedCases},
		Effects:       effectCounts(s.Effects),
		OpenEffects:   effectCounts(s.OpenEffects),
		Classes:       classes,
	}
}

func effectCounts(counted map[words.Effect]int) map[words.Effect]int {
	counts := map[words.Effect]int{}
	for _, effect := range words.Effects() {
		counts[effect] = counted[effect]
	}
	return counts
}
