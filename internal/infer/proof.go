package infer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/parallel"
)

// proof is what a proposal and the native validator say about the same inputs.
type proof struct {
	// complete is true if the time was enough for a fresh exploration.
	complete bool
	// dropped is how many rules were refuted, and taken out of the proposal, after it was compared.
	dropped int
	// refusedByDropped counts the inputs that these rules alone refused. They are not in refuses.
	refusedByDropped int
	// inputs counts those that were compared, and known those of them that the proposal was made from.
	inputs, known int
	// before and after count the effects of the inputs without and with the proposal. Before counts
	// only those that were known.
	admits, refuses int
	// refusals are the inputs that the schema refuses with the proposal.
	refusals []refusal
	missing  map[evidence.SiteKey]*missing
	strict   *evidence.StrictErrors
	// counterexamples are inputs that the proposal does not explain, or that it must not refuse.
	counterexamples []explore.Input
	otherWords      map[evidence.SiteKey]int
	// shared are the messages of rules that also are those of another site, by site.
	shared map[evidence.SiteKey][]string
	// covering are those of rules that report once what a site reports several times, or further out.
	covering map[evidence.SiteKey][]string
}

// missing is an error that the proposal still lacks.
type missing struct {
	count    int
	smallest explore.Input
	size     int // of smallest
}

// refusal is an input that the schema refuses: alone, or beside the native validator, whose errors it lacks without the rules.
type refusal struct {
	explore.Input
	alone, admittedBefore bool
}

// changeable is implemented by declarative backends whose schema can be replaced.
type changeable interface {
	Changed(version schema.GroupVersionKind, change func(declarative.Document) declarative.Document) (harness.Backend, error)
}

// mostCounterexamples bounds how many a turn takes.
const mostCounterexamples = 200

// prove compares the proposal with the native validator on all samples and on a fresh exploration.
func (i *inference) prove(ctx context.Context, p *proposal, seed uint64) (*proof, error) {
	document, err := i.documentOf(p)
	if err != nil {
		return nil, err
	}
	props, err := generate.Expand(document.Root, document.Definitions)
	if err != nil {
		return nil, err
	}
	h, err := i.harnessOf(document)
	if err != nil {
		return nil, err
	}
	out := &proof{missing: map[evidence.SiteKey]*missing{}, strict: evidence.NewStrictErrors(), otherWords: map[evidence.SiteKey]int{}, shared: p.shared(), covering: p.covering()}
	var samples []explore.Input
	for _, s := range i.evidence.Samples {
		samples = append(samples, s.Input)
	}
	observe := func(in explore.Input, results []harness.Result) { i.compare(out, in, results) }
	if err := i.again(ctx, h, samples, observe); err != nil {
		return out, err
	}
	out.known = out.inputs
	if err := errors.Join(i.compareCases(ctx, h, p, out), i.askSenders(ctx, p)); err != nil {
		return out, err
	}
	e, err := i.explorer(h, props, seed, nil, nil, observe)
	if err != nil {
		return out, err
	}
	err = i.explore(ctx, e, i.evidence.Options.Inputs/2)
	out.complete = err == nil
	return out, err
}

// documentOf returns the schema with the rules of a proposal.
func (i *inference) documentOf(p *proposal) (declarative.Document, error) {
	if i.evidence.Target.GoPackage != "" {
		return i.withRules(p.rules)
	}
	return declarative.Document{Root: p.version.Schema}, nil
}

// harnessOf returns a harness with another schema.
func (i *inference) harnessOf(document declarative.Document) (*harness.Harness, error) {
	target := *i.evidence.Target.Harness.Target()
	target.Versions = slices.Clone(target.Versions)
	for n, version := range target.Versions {
		if version.GroupVersionKind != i.evidence.Target.Version {
			continue
		}
		backend, is := version.Declarative.(changeable)
		if !is {
			return nil, fmt.Errorf("the schema of %s cannot be replaced", i.evidence.Target.Version)
		}
		changed, err := backend.Changed(i.evidence.Target.Version, func(declarative.Document) declarative.Document { return document })
		if err != nil {
			return nil, err
		}
		target.Versions[n].Declarative, target.Versions[n].Position = changed, nil
	}
	return harness.New(&target, i.evidence.Target.HarnessOptions)
}

// again compares inputs in their order.
func (i *inference) again(ctx context.Context, h *harness.Harness, inputs []explore.Input, observe func(explore.Input, []harness.Result)) error {
	type answer struct {
		in      explore.Input
		results []harness.Result
	}
	queue := parallel.Queue[explore.Input, answer]{
		Parallel: i.evidence.Options.Parallel,
		Do: func(ctx context.Context, in explore.Input) (answer, error) {
			results, err := h.Check(ctx, i.evidence.CaseOf(in))
			return answer{in, results}, err
		},
		Take: func(a answer) error { observe(a.in, a.results); return nil },
	}
	return queue.Run(ctx, func(yield func(explore.Input, error) bool) {
		for _, in := range inputs {
			if !yield(in, nil) {
				return
			}
		}
	})
}

// compare takes the results of an input.
func (i *inference) compare(out *proof, in explore.Input, results []harness.Result) {
	for n := range results {
		r := &results[n]
		if r.Version == i.evidence.Target.Version {
			i.evidence.NoteFault(in, r)
		}
		if r.Version != i.evidence.Target.Version || r.Effect == "" || r.Fault != nil || !i.evidence.CanBeStored(in) {
			continue
		}
		i.compareResult(out, in, r, refusesOnly(r) && i.evidence.CreatedToday(in.Old) && !i.evidence.RefusedToday(in))
	}
}

// compareResult takes the result of an input, and whether the proposal refuses it without a reason.
func (i *inference) compareResult(out *proof, in explore.Input, r *harness.Result, refuses bool) {
	out.inputs++
	differs, admitted, panicked := false, false, false
	parts := i.evidence.PartsOf(r)
	for _, pair := range r.Pairs {
		if pair.Native == nil || pair.Class.OfValues() || pair.Explained() || i.evidence.OfMachinery(pair.Native.Field) || i.evidence.OfDecoder(in, pair.Native) {
			continue
		}
		if i.evidence.NotePanic(in, &pair) {
			panicked = true
			continue
		}
		of := parts[pair.Native]
		if of == nil {
			of = []evidence.Part{{Err: pair.Native}}
		}
		for _, part := range of {
			key := i.evidence.SiteOf(i.evidence.Placed(part.Err), in, part)
			tolerated := evidence.Unchanged(in, part.Err.Field) || !i.evidence.CreatedToday(in.Old)
			admitted = admitted || !tolerated
			switch {
			case pair.Class != equivalence.TooLoose:
				out.otherWords[key]++
			case hidden(r) || repeated(r, part.Err) || said(r, out.shared[key]) || covered(r, out.covering[key], part.Err) || tolerated:
			default:
				differs = true
				out.miss(key, in)
			}
		}
	}
	if (differs || panicked) && r.Effect == harness.Admits {
		out.admits++
	}
	if len(r.Declarative.Errors) > 0 && (refuses || admitted) {
		out.refusals = append(out.refusals, refusal{in, refuses, admitted})
	}
	if refuses {
		out.refuses++
		out.strict.See(i.evidence.Target, in, []harness.Result{*r})
	}
	if differs = differs || refuses; differs && len(out.counterexamples) < mostCounterexamples {
		out.counterexamples = append(out.counterexamples, in)
	}
}

// miss counts an error that the proposal lacks.
func (p *proof) miss(key evidence.SiteKey, in explore.Input) {
	size := evidence.SizeOf(in)
	one := p.missing[key]
	if one == nil {
		one = &missing{smallest: in, size: size}
		p.missing[key] = one
	}
	if one.count++; size < one.size {
		one.smallest, one.size = in, size
	}
}

// hidden reports whether the API server does not run rules, because the object has other errors.
func hidden(r *harness.Result) bool {
	for _, err := range r.Declarative.Errors {
		switch err.Type {
		case "FieldValueTypeInvalid", "FieldValueRequired", "FieldValueNotSupported", "FieldValueTooLong", "FieldValueTooMany":
			return true
		}
	}
	return false
}

// said reports whether the schema reports one of some messages: those of a rule that several errors of the native validator
// have in common.
func said(r *harness.Result, messages []string) bool {
	return len(messages) > 0 && slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool { return slices.Contains(messages, err.Detail) })
}

// covered reports whether the schema reports one of some messages around the place of a native error, or below it. Indices
// that both paths have must be equal.
func covered(r *harness.Result, messages []string, native *field.Error) bool {
	return len(messages) > 0 && slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool {
		if !slices.Contains(messages, err.Detail) {
			return false
		}
		mine, theirs := evidence.StepsOf(err.Field), evidence.StepsOf(native.Field)
		for n := range min(len(mine), len(theirs)) {
			if mine[n] != theirs[n] {
				_, isIndex := mine[n].(int)
				return !isIndex
			}
		}
		return true
	})
}

// repeated reports whether the schema says the same once, at a list or a map: one of several equal items
// is a duplicate, and a rule of a map has one error for all its keys.
func repeated(r *harness.Result, native *field.Error) bool {
	return slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool {
		around := strings.HasPrefix(causes.AnyIndex(native.Field), causes.AnyIndex(err.Field))
		return around && err.Type == native.Type && (err.Type == field.ErrorTypeDuplicate || native.Detail != "" && err.Detail == native.Detail)
	})
}
