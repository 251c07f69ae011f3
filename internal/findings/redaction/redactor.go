package redaction

import (
	"errors"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
)

// Redactor redacts the results of cases. All results of a case have the same redacted case, if they come one
// after the other. The zero value is ready to use. It is not safe for concurrent use.
type Redactor struct {
	last *harness.Case
	// shape is the redacted case. It gets its objects with the first result that has a finding.
	shape *harness.Case
	texts *texts
}

// Result returns a result without texts of objects. It omits what does not explain errors, such as warnings.
func (r *Redactor) Result(result harness.Result) harness.Result {
	if result.Case != r.last || r.last == nil {
		r.last, r.shape, r.texts = result.Case, outline(&result), nil
	}
	shown := harness.Result{
		Suite: result.Suite, Case: r.shape, Version: result.Version, Verdict: result.Verdict, Effect: result.Effect,
		Sides: result.Sides, Declared: result.Declared, Elapsed: result.Elapsed, OutsidePath: result.OutsidePath,
		Native:      harness.Outcome{Elapsed: result.Native.Elapsed},
		Declarative: harness.Outcome{Elapsed: result.Declarative.Elapsed},
	}
	if !shows(&result) {
		return shown
	}
	if r.texts == nil {
		known := vocabularyOf(&result)
		r.texts = newTexts(&result, known)
		r.shape.Object, r.shape.Old = shapes(&result, known)
	}
	in := caseWords{r.texts, vocabularyOf(&result)}
	shown.Fault = in.fault(result.Fault, allOf)
	shown.Native.Fault, shown.Declarative.Fault = in.fault(result.Native.Fault, ofThisCase), in.fault(result.Declarative.Fault, ofThisCase)
	shown.Native.Errors, shown.Declarative.Errors = in.errors(result.Native.Errors), in.errors(result.Declarative.Errors)
	for _, pair := range result.Pairs {
		pair.Native, pair.Declarative = in.error(pair.Native), in.error(pair.Declarative)
		shown.Pairs = append(shown.Pairs, pair)
	}
	return shown
}

// shows reports whether a result has findings.
func shows(r *harness.Result) bool {
	return r.Fault != nil || r.Native.Fault != nil || r.Declarative.Fault != nil ||
		slices.ContainsFunc(r.Pairs, func(pair equivalence.Pair) bool { return !pair.Explained() })
}

// outline returns a case without texts, and with empty objects. It is named by its place in a stream or a
// file, because its id is a text of the client.
func outline(r *harness.Result) *harness.Case {
	c := r.Case
	shape := &harness.Case{
		ID:           c.Source,
		Source:       c.Source,
		Number:       c.Number,
		Deletes:      c.Deletes,
		Connects:     c.Connects,
		ExactNumbers: c.ExactNumbers,
		Subresource:  c.Subresource,
	}
	if !r.Version.Empty() { // otherwise the version is a text of the object
		shape.Version = c.Version
	}
	if c.Operation() == admissionv1.Update {
		shape.Old = map[string]any{}
	}
	if c.Object != nil {
		shape.Object = map[string]any{}
	}
	if c.Subresource != "" && !slices.Contains(apiname.Subresources(), c.Subresource) {
		shape.Subresource = apiname.OtherSubresource
	}
	return shape
}

// caseWords redacts the texts about a case.
type caseWords struct {
	texts *texts
	vocabulary
}

// allOf keeps the whole text of a fault.
func allOf(text string) string { return text }

// ofThisCase keeps the part of a fault of a backend that is about the case. The rest may be output of a
// process about other cases, or the name of another case.
func ofThisCase(text string) string {
	if end := strings.IndexAny(text, "\n;"); end >= 0 {
		text = text[:end]
	}
	return text
}

// subject keeps the first part of a fault of a case that could not be read. Its keys and values follow the
// colon.
func subject(text string) string {
	text, _, _ = strings.Cut(text, ": ")
	return text
}

func (w caseWords) fault(fault *contract.Fault, keep func(string) string) *contract.Fault {
	if fault == nil {
		return nil
	}
	text := keep(fault.Err.Error())
	switch {
	case !w.texts.absent:
	case fault.Reason == words.FaultPanic:
		text = "the text of the panic is left out"
	default:
		text = subject(text)
	}
	return &contract.Fault{Reason: fault.Reason, Err: errors.New(w.texts.without(text)), Stack: fault.Stack}
}

func (w caseWords) errors(errs field.ErrorList) field.ErrorList {
	var shown field.ErrorList
	for _, err := range errs {
		shown = append(shown, w.error(err))
	}
	return shown
}

func (w caseWords) error(err *field.Error) *field.Error {
	if err == nil {
		return nil
	}
	shown := *err
	shown.Field, shown.Detail, shown.BadValue, shown.Origin = w.path(err.Field), w.texts.without(err.Detail), field.OmitValueType{}, ""
	if strings.HasPrefix(err.Type.String(), "<unknown error") {
		shown.Type = field.ErrorType(w.texts.without(string(err.Type))) // Go validators may use any text
	}
	return &shown
}
