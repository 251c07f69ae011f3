package diff

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
)

// Validate returns what is wrong with an object; nothing if it is accepted. It does not change the
// object.
type Validate func(ctx context.Context, object map[string]any) []Rejection

// Rejection is one thing that is wrong with an object.
type Rejection struct {
	// Field is the path, as validation errors write it.
	Field string
	// Kind is the type of the error. It distinguishes rejections of one field.
	Kind string
	// Origin is the keyword that rejects it, as in field.Error.
	Origin string
	Text   string
}

// RunOptions are the options of Run.
type RunOptions struct {
	// Objects is the number of objects that the explorer makes, half of them for each schema.
	Objects int
	// Seed selects them.
	Seed uint64
	// Apart lists texts that distinguish rejections of the same field and kind, such as messages of
	// rules.
	Apart []string
	// Known are objects that one side probably accepts. Others are made from them.
	Known []map[string]any
}

// Outcome is the result of Run.
type Outcome struct {
	// Examples has one example of each disagreement: who rejects, at which field, with which type
	// of error.
	Examples []Example
	// AcceptedA and AcceptedB count the objects that each side accepted. If that is none or all,
	// the objects show little.
	AcceptedA, AcceptedB int
}

// Run has both sides validate objects that an explorer makes for each schema. The error reports a schema that no
// objects can be made for, or is that of the context.
func Run(ctx context.Context, a, b Side, opts RunOptions) (Outcome, error) {
	inA, errA := generate.Expand(a.Schema, a.Definitions)
	inB, errB := generate.Expand(b.Schema, b.Definitions)
	if err := errors.Join(named("A", errA), named("B", errB)); err != nil {
		return Outcome{}, err
	}
	r := &runner{ctx: ctx, a: a.Validate, b: b.Validate, apart: opts.Apart, found: map[string]bool{}}
	for i, schema := range []*apiextensionsv1.JSONSchemaProps{inA, inB} {
		if err := r.explore(schema, opts, (opts.Objects+1-i)/2); err != nil {
			return Outcome{}, err
		}
	}
	return r.outcome, nil
}

func named(side string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", side, err)
}

// runner has both sides validate objects.
type runner struct {
	ctx     context.Context
	a, b    Validate
	apart   []string
	found   map[string]bool // signatures of the examples
	outcome Outcome
}

// errEnough ends an exploration after the last object.
var errEnough = errors.New("all objects are made")

// explore makes objects for a schema.
func (r *runner) explore(schema *apiextensionsv1.JSONSchemaProps, opts RunOptions, objects int) error {
	if objects == 0 {
		return nil
	}
	options := explore.Options{Seed: opts.Seed, Parallel: 1, Schema: schema, Ask: r.ask, Found: r.record}
	for _, known := range opts.Known {
		options.Starts = append(options.Starts, explore.Input{Object: known})
	}
	options.Observe = func(_ explore.Input, answer explore.Answer) error {
		switch {
		case answer.Undecided:
			return nil
		case objects == 0:
			return errEnough
		}
		objects--
		for side, accepted := range []*int{&r.outcome.AcceptedA, &r.outcome.AcceptedB} {
			if answer.Accepted[side] {
				*accepted++
			}
		}
		return nil
	}
	explorer := explore.New(options)
	for !explorer.Done(maxWithoutNews) {
		if err := explorer.Step(r.ctx); errors.Is(err, errEnough) {
			break
		} else if err != nil {
			return err
		}
	}
	return errors.Join(r.ctx.Err(), explorer.Flush(r.ctx))
}

// maxWithoutNews is how many objects in a row may show nothing new before an exploration ends.
const maxWithoutNews = 4_000

// ask has both sides validate an object. They say nothing about updates.
func (r *runner) ask(ctx context.Context, in explore.Input) (explore.Answer, error) {
	if in.IsUpdate() {
		return explore.Answer{Undecided: true}, ctx.Err()
	}
	byA, byB := r.a(ctx, in.Object), r.b(ctx, in.Object)
	answer := explore.Answer{Accepted: [2]bool{len(byA) == 0, len(byB) == 0}}
	for side, rejections := range [][]Rejection{byA, byB} {
		for _, rejection := range rejections {
			answer.Errors = append(answer.Errors, explore.Error{
				Mistake:  generate.Mistake{Field: rejection.Field, Text: rejection.Text},
				Behavior: r.signature([]Effect{Wider, Narrower}[side], rejection),
			})
		}
	}
	effect, rejections := disagreement(byA, byB)
	for _, rejection := range rejections {
		sign := r.signature(effect, rejection)
		answer.Findings = append(answer.Findings, explore.Finding{Signature: sign, Cause: sign, Urgency: 1})
	}
	return answer, ctx.Err()
}

// record keeps the small object of a disagreement.
func (r *runner) record(found explore.Found) error {
	example, ok := r.example(found.Input.Object, found.Signature)
	if !ok || r.found[found.Signature] { // the context ended: rules that were cut short have other messages
		return nil
	}
	r.found[found.Signature] = true
	for _, name := range []string{"apiVersion", "kind"} { // the explorer keeps them
		smaller := maps.Clone(example.Object)
		delete(smaller, name)
		if shown, ok := r.example(smaller, found.Signature); ok {
			example = shown
		}
	}
	r.outcome.Examples = append(r.outcome.Examples, example)
	return nil
}

// example returns an object as an example, if it shows a disagreement.
func (r *runner) example(object map[string]any, signature string) (example Example, ok bool) {
	effect, why := disagreement(r.a(r.ctx, object), r.b(r.ctx, object))
	at := slices.IndexFunc(why, func(other Rejection) bool { return r.signature(effect, other) == signature })
	if at < 0 {
		return Example{}, false
	}
	return Example{Effect: effect, Object: object, Rejection: why[at]}, true
}

// disagreement returns why one side rejects an object that the other accepts. The effect is "" if
// they agree.
func disagreement(byA, byB []Rejection) (Effect, []Rejection) {
	switch {
	case len(byA) == 0 && len(byB) > 0:
		return Narrower, byB
	case len(byA) > 0 && len(byB) == 0:
		return Wider, byA
	}
	return "", nil
}

// signature identifies a way to disagree.
func (r *runner) signature(effect Effect, rejection Rejection) string {
	says := ""
	if at := slices.IndexFunc(r.apart, func(text string) bool { return strings.Contains(rejection.Text, text) }); at >= 0 {
		says = r.apart[at]
	}
	return strings.Join([]string{string(effect), general(rejection.Field), rejection.Kind, says}, "\x00")
}
