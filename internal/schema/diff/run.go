package diff

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

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
	// Objects is the number of generated objects, half of them for each schema.
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

// Run has both sides validate generated objects. The error reports a schema that no objects can be
// made for, or is that of the context.
func Run(ctx context.Context, a, b Side, opts RunOptions) (Outcome, error) {
	r := &runner{ctx: ctx, a: a.Validate, b: b.Validate, apart: opts.Apart, found: map[signature]bool{}}
	inA, errA := generate.Expand(a.Schema, a.Definitions)
	inB, errB := generate.Expand(b.Schema, b.Definitions)
	if err := errors.Join(named("A", errA), named("B", errB)); err != nil {
		return Outcome{}, err
	}
	src := generate.Seeded(opts.Seed)
	sides := [2]*side{{schema: inA, validate: a.Validate}, {schema: inB, validate: b.Validate}}
	if opts.Objects > 0 {
		for _, one := range sides {
			one.findValid(ctx, src, opts.Known)
		}
	}
	for i := range opts.Objects {
		if err := ctx.Err(); err != nil {
			return Outcome{}, err
		}
		r.try(sides[i%2].object(src, i/2))
	}
	return r.outcome, nil
}

func named(side string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", side, err)
}

type runner struct {
	ctx     context.Context
	a, b    Validate
	apart   []string
	found   map[signature]bool
	outcome Outcome
}

// signature identifies a way to disagree.
type signature struct {
	effect            Effect
	field, kind, says string
}

// try checks whether an object shows a new disagreement, and shrinks it.
func (r *runner) try(object map[string]any) {
	byA, byB := r.a(r.ctx, object), r.b(r.ctx, object)
	if len(byA) == 0 {
		r.outcome.AcceptedA++
	}
	if len(byB) == 0 {
		r.outcome.AcceptedB++
	}
	effect, rejections := disagreement(byA, byB)
	for _, rejection := range rejections {
		sign := r.signature(effect, rejection)
		if r.found[sign] {
			continue
		}
		r.found[sign] = true
		smallest, _ := generate.Shrink(object, func(smaller any) bool {
			fields, isObject := smaller.(map[string]any)
			return isObject && r.shows(fields, sign)
		}).(map[string]any)
		_, why := disagreement(r.a(r.ctx, smallest), r.b(r.ctx, smallest))
		at := slices.IndexFunc(why, func(other Rejection) bool { return r.signature(effect, other) == sign })
		if at < 0 { // the context ended: rules that were cut short have other messages
			return
		}
		r.outcome.Examples = append(r.outcome.Examples, Example{Effect: effect, Object: smallest, Rejection: why[at]})
	}
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

func (r *runner) shows(object map[string]any, sign signature) bool {
	effect, rejections := disagreement(r.a(r.ctx, object), r.b(r.ctx, object))
	return slices.ContainsFunc(rejections, func(rejection Rejection) bool { return r.signature(effect, rejection) == sign })
}

func (r *runner) signature(effect Effect, rejection Rejection) signature {
	sign := signature{effect: effect, field: general(rejection.Field), kind: rejection.Kind}
	if at := slices.IndexFunc(r.apart, func(text string) bool { return strings.Contains(rejection.Text, text) }); at >= 0 {
		sign.says = r.apart[at]
	}
	return sign
}
