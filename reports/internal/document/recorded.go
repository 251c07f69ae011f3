package document

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// The functions of this file are the reverse of those of result.go.

// check rejects values that no run records, so reporters need not handle them.
func (r Result) check() error {
	if !slices.Contains(words.Verdicts(), words.Verdict(r.Verdict)) {
		return fmt.Errorf("case %s: there is no verdict %q", r.Case, r.Verdict)
	}
	if r.Effect != "" && !slices.Contains(words.Effects(), words.Effect(r.Effect)) {
		return fmt.Errorf("case %s: there is no effect %q", r.Case, r.Effect)
	}
	for _, request := range append(r.Stuck, r.Stored) {
		if request != "" && !slices.Contains(words.StoredRequests(), words.StoredRequest(request)) {
			return fmt.Errorf("case %s: there is no request %q on stored objects", r.Case, request)
		}
	}
	for _, d := range r.Differences {
		if d.Class != "" {
			if _, err := difference.ParseClass(d.Class); err != nil {
				return fmt.Errorf("case %s: %w", r.Case, err)
			}
		}
		one := slices.Contains([]difference.Class{
			"",
			difference.TooLoose,
			difference.TooStrict,
			difference.Unstable,
			difference.Ratcheting,
		}, difference.Class(d.Class))
		if more := d.Class == string(difference.Count) && d.Native != nil; d.Native == nil && d.Declarative == nil || !one &&
			!more && (d.Native == nil || d.Declarative == nil) {
			return fmt.Errorf("case %s: a difference of class %q lacks an error", r.Case, d.Class)
		}
	}
	return nil
}

// Decode converts a result back. It gets a new case.
func (r Result) Decode() (harness.Result, error) {
	if err := r.check(); err != nil {
		return harness.Result{}, err
	}
	result := harness.Result{
		Suite:   r.Suite,
		Case:    &harness.Case{ID: r.Case, Number: r.Number, Source: r.Source, Why: r.Why, Subresource: r.Subresource},
		Verdict: words.Verdict(r.Verdict), Effect: words.Effect(r.Effect),
		Sides: SidesOf(r.Native.Backend, r.Declarative.Backend), Native: r.Native.outcome(), Declarative: r.Declarative.outcome(),
		Omitted: omissions(r.Omitted), Unmet: r.Unmet, ObjectTexts: r.ObjectTexts, CaseDigest: r.Digest, Unguarded: r.Unguarded,
		Stored: words.StoredRequest(r.Stored), Ratcheted: r.Ratcheted, Fault: recordedFault(r.Fault, r.FaultReason),
		Inexpressible: r.Inexpressible, Elapsed: Seconds(r.Seconds),
	}
	if r.Operation == string(admissionv1.Update) {
		result.Case.Old = map[string]any{} // which object it was is not recorded
	}
	for _, request := range r.Stuck {
		result.Stuck = append(result.Stuck, words.StoredRequest(request))
	}
	if r.Target != "" {
		version, err := apiname.ParseTarget(r.Target)
		if err != nil {
			return harness.Result{}, fmt.Errorf("case %s: %w", r.Case, err)
		}
		result.Version = version
	}
	for _, difference := range r.Differences {
		result.Pairs = append(result.Pairs, difference.pair())
	}
	result.Pairs = append(result.Pairs, agreed(result)...)
	return result, nil
}

// agreed returns the pairs of errors that both sides report with the same text. A report lists
// these errors on both sides and in no difference.
func agreed(r harness.Result) []equivalence.Pair {
	type words struct {
		errorType     field.ErrorType
		field, detail string
	}
	wordsOf := func(err *field.Error) words { return words{err.Type, err.Field, err.Detail} }
	declarative, taken := map[words]*field.Error{}, map[words]bool{}
	for _, err := range r.Declarative.Errors {
		declarative[wordsOf(err)] = err
	}
	for _, pair := range r.Pairs {
		for _, err := range []*field.Error{pair.Native, pair.Declarative} {
			if err != nil {
				taken[wordsOf(err)] = true
			}
		}
	}
	var pairs []equivalence.Pair
	for _, err := range r.Native.Errors {
		if other := declarative[wordsOf(err)]; other != nil && !taken[wordsOf(err)] {
			taken[wordsOf(err)] = true
			pairs = append(pairs, equivalence.Pair{Native: err, Declarative: other})
		}
	}
	return pairs
}

func (o Outcome) outcome() harness.Outcome {
	outcome := harness.Outcome{
		Warnings: o.Warnings,
		Omitted:  omissions(o.Omitted),
		Fault:    recordedFault(o.Fault, o.FaultReason),
		Elapsed:  Seconds(o.Seconds),
	}
	for _, err := range o.Errors {
		outcome.Errors = append(outcome.Errors, err.FieldError())
	}
	return outcome
}

func omissions(objects []Omission) []contract.Omission {
	var all []contract.Omission
	for _, omission := range objects {
		all = append(all, contract.Omission{Field: omission.Field, Why: words.OmissionReason(omission.Why)})
	}
	return all
}

func (d Difference) pair() equivalence.Pair {
	pair := equivalence.Pair{
		Native: d.Native.FieldError(), Declarative: d.Declarative.FieldError(), Class: difference.Class(d.Class),
		NativeCount: d.NativeCount, DeclarativeCount: d.DeclarativeCount,
	}
	if d.Rule != "" {
		pair.Rule = &equivalence.Rule{Name: d.Rule, Kind: d.RuleKind}
	}
	if d.CountRule != "" {
		pair.Repeats = &equivalence.Rule{Name: d.CountRule}
	}
	for _, one := range d.Declared {
		pair.Declared = append(pair.Declared, difference.Declared{Place: one.Place, Position: one.Line})
	}
	if d.Exception != "" {
		pair.Exception = &equivalence.Exception{ID: d.Exception}
	}
	return pair
}

// recordedFault returns a fault with the recorded text.
func recordedFault(text, reason string) *contract.Fault {
	if text == "" {
		return nil
	}
	fault := &contract.Fault{Reason: words.FaultReason(reason)}
	if fault.Reason == words.FaultPanic || fault.Reason == words.FaultTimeout {
		text = strings.TrimPrefix(text, reason+": ") // which Fault.Error adds
	}
	fault.Err = errors.New(text)
	return fault
}

// Decode converts a summary back.
func (s Summary) Decode() harness.Summary {
	return harness.Summary{
		Cases: s.Cases, Inputs: s.Inputs,
		Verdicts: map[words.Verdict]int{
			words.Equal: s.Equal, words.Equivalent: s.Equivalent, words.Ratcheting: s.Ratcheting, words.Excepted: s.Excepted,
			words.Different: s.Different,
			words.Unstable:  s.Unstable, words.Faulted: s.Fault, words.Inexpressible: s.Inexpressible,
		},
		Classes: s.Classes, Effects: s.Effects, OpenEffects: s.OpenEffects,
		Unmet: s.Unmet, Unguarded: s.Unguarded, PrunedFields: s.Pruned.Fields, PrunedCases: s.Pruned.Cases,
	}
}

// Seconds returns a recorded duration.
func Seconds(n float64) time.Duration { return time.Duration(math.Round(n * float64(time.Second))) }

// SidesOf is the reverse of harness.Sides.Names. Reports of earlier versions have no names.
func SidesOf(first, second string) harness.Sides {
	return harness.Sides{First: first, Second: second}.Usual()
}
