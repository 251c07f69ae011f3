// Package asking lets the explorer ask a Harness.
package asking

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/findings/causes"
)

// Counter counts what the validators of this program execute while it calls ask. It returns the numbers of the places,
// which are below zero.
type Counter interface {
	Count(ask func()) (executed []int, err error)
}

// Of returns a function that compares inputs as like: a case of the harness without objects. The
// Detail of an answer has the results, a []harness.Result. Without a counter, what this program executes is unknown.
func Of(h *harness.Harness, like harness.Case, counter Counter) (explore.Ask, error) {
	a := &asker{harness: h, like: like, counter: counter}
	var err, errStored error
	a.quick, err = h.With(func(o *harness.Options) { o.InPlace, o.Stored, a.timeout = true, false, o.Timeout })
	a.stored, errStored = h.With(func(o *harness.Options) { o.InPlace = true })
	return a.ask, errors.Join(err, errStored)
}

type asker struct {
	harness *harness.Harness
	like    harness.Case
	// quick and stored answer in one goroutine. Only stored asks about stored objects, if the harness does.
	quick, stored *harness.Harness
	timeout       time.Duration
	// texts has the general texts of messages that were seen.
	texts   sync.Map
	known   atomic.Int64
	counter Counter // or nil
}

// check compares a case. Stored objects are asked about if that is wanted, or if only the schema refuses
// an object. If the validators take too long, the harness itself finds out which of them hangs.
func (a *asker) check(ctx context.Context, c harness.Case, stored bool) ([]harness.Result, error) {
	type checked struct {
		results []harness.Result
		err     error
	}
	done := make(chan checked, 1)
	go func() {
		var of checked
		if !stored {
			of.results, of.err = a.quick.Check(ctx, c)
			stored = slices.ContainsFunc(of.results, func(r harness.Result) bool { return r.Effect == words.Refuses })
		}
		if stored && of.err == nil {
			of.results, of.err = a.stored.Check(ctx, c)
		}
		done <- of
	}()
	late := time.NewTimer(a.timeout + time.Second)
	defer late.Stop()
	select {
	case of := <-done:
		return of.results, of.err
	case <-late.C:
		return a.harness.Check(ctx, c)
	}
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
	var results []harness.Result
	var err error
	var executed []int
	var errCount error
	check := func() { results, err = a.check(ctx, Case(a.like, in), in.Stored) }
	if a.counter == nil {
		check()
	} else {
		executed, errCount = a.counter.Count(check)
	}
	if err := errors.Join(err, errCount); err != nil {
		return explore.Answer{}, err
	}
	answer := explore.Answer{Accepted: [2]bool{true, true}, Undecided: true, Detail: results, Executed: executed}
	for i := range results {
		a.add(&answer, &results[i])
	}
	return answer, nil
}

// add adds the result of a version. A side accepts an object if it does in every version that can
// express it.
func (a *asker) add(answer *explore.Answer, r *harness.Result) {
	if Undecodable(r) {
		return
	}
	if r.Verdict != words.Inexpressible {
		answer.Findings = append(answer.Findings, findings(r)...)
	}
	if r.Effect == "" || len(r.Stuck) > 0 { // a stored object is another input
		return
	}
	answer.Undecided = false
	side := -1
	for name, outcome := range r.Outcomes() {
		side++
		answer.Executed = slices.AppendSeq(answer.Executed, maps.Keys(outcome.Executed))
		if len(outcome.Errors)+len(outcome.Unstable) > 0 {
			answer.Accepted[side] = false
		}
		for _, err := range outcome.Errors {
			answer.Errors = append(answer.Errors, explore.Error{
				Mistake:  generate.Mistake{Field: err.Field, Text: err.Detail},
				Behavior: name + ": " + a.general(err),
				Alone:    len(outcome.Errors) == 1,
			})
		}
	}
}

// Undecodable reports whether the object that was made cannot be decoded in a version. No API server would
// decode it, so this is not a fault of a validator.
func Undecodable(r *harness.Result) bool {
	return r.Fault != nil && r.Fault.Reason == words.FaultInput
}

// findings returns the unexplained differences and faults of a result.
func findings(r *harness.Result) []explore.Finding {
	var all []explore.Finding
	seen := map[string]bool{}
	for _, finding := range causes.Findings(r) {
		if seen[finding.Signature] {
			continue
		}
		seen[finding.Signature] = true
		found := explore.Finding{Signature: finding.Signature, Cause: finding.Signature, Stored: len(r.Stuck) > 0}
		if found.Fault = finding.Cause == (causes.Cause{}); !found.Fault {
			found.Cause = finding.Cause.Signature()
		}
		switch {
		case r.Effect == words.Stuck:
			found.Urgency = 2
		case r.OpenEffect().ChangesVerdict():
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
	text := string(err.Type) + " " + causes.AnyIndex(err.Field) + " " + causes.SharedText(err.Detail)
	if a.known.Add(1) < maxTexts {
		a.texts.Store(key, text)
	}
	return text
}
