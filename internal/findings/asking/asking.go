// Package asking lets the explorer ask a Harness.
package asking

import (
	"context"
	"sync"
	"sync/atomic"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// Of returns a function that compares inputs as like: a case of the harness without objects. The
// Detail of an answer has the results, a []harness.Result.
func Of(h *harness.Harness, like harness.Case) explore.Ask {
	a := &asker{harness: h, like: like}
	return a.ask
}

type asker struct {
	harness *harness.Harness
	like    harness.Case
	// texts has the general texts of messages that were seen.
	texts sync.Map
	known atomic.Int64
}

// Case returns the case of an input.
func Case(like harness.Case, in explore.Input) harness.Case {
	like.Object, like.Old = in.Object, nil
	if in.Old != nil {
		like.Old = in.Old
	}
	return like
}

func (a *asker) ask(ctx context.Context, in explore.Input) (explore.Answer, error) {
	results, err := a.harness.Check(ctx, Case(a.like, in))
	if err != nil {
		return explore.Answer{}, err
	}
	answer := explore.Answer{Accepted: [2]bool{true, true}, Undecided: true, Detail: results}
	for i := range results {
		a.add(&answer, &results[i])
	}
	return answer, nil
}

// add adds the result of a version. A side accepts an object if it does in every version that can
// express it.
func (a *asker) add(answer *explore.Answer, r *harness.Result) {
	if r.Fault != nil && r.Fault.Reason == harness.FaultInput {
		return // no API server would decode it
	}
	if r.Verdict != harness.Inexpressible {
		answer.Findings = append(answer.Findings, findings(r)...)
	}
	if r.Effect == "" || len(r.Stuck) > 0 { // a stored object is another input
		return
	}
	answer.Undecided = false
	side := -1
	for name, outcome := range r.Outcomes() {
		side++
		if len(outcome.Errors)+len(outcome.Unstable) > 0 {
			answer.Accepted[side] = false
		}
		for _, err := range outcome.Errors {
			answer.Errors = append(answer.Errors, explore.Error{
				Mistake:  generate.Mistake{Field: err.Field, Text: err.Detail},
				Behavior: name + ": " + a.general(err),
			})
		}
	}
}

// findings returns the unexplained differences and faults of a result.
func findings(r *harness.Result) []explore.Finding {
	var all []explore.Finding
	for _, finding := range causes.Findings(r) {
		found := explore.Finding{Signature: finding.Signature, Cause: finding.Signature}
		if found.Fault = finding.Cause == (causes.Cause{}); !found.Fault {
			found.Cause = finding.Cause.Signature()
		}
		if r.Effect.ChangesVerdict() {
			found.Urgency = 1
		}
		all = append(all, found)
	}
	return all
}

// maxTexts bounds how many messages are remembered.
const maxTexts = 100_000

// general returns an error without the parts that are specific to the object.
func (a *asker) general(err *field.Error) string {
	key := err.Field + "\x00" + err.Detail
	if known, ok := a.texts.Load(key); ok {
		return known.(string)
	}
	text := string(err.Type) + " " + causes.AnyIndex(err.Field) + " " + causes.GeneralText(err.Detail)
	if a.known.Add(1) < maxTexts {
		a.texts.Store(key, text)
	}
	return text
}
