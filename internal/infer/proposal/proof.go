package proposal

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/object"
)

// Proof is what a proposal and the native validator say about the same inputs.
type Proof struct {
	// Complete is true if the time was enough for a fresh exploration: for all its inputs, or for a part of them that counts.
	Complete bool
	// Dropped is how many rules were refuted, and taken out of the proposal, after it was compared.
	Dropped int
	// RefusedByDropped counts the inputs that these rules alone refused. They are not in refuses.
	RefusedByDropped int
	// Inputs counts those that were compared, and known those of them that the proposal was made from.
	Inputs, Known int
	// before and after count the effects of the inputs without and with the proposal. Before counts
	// only those that were known.
	Admits, Refuses int
	// refusals are the inputs that the schema refuses with the proposal.
	refusals []refusal
	Missing  map[evidence.SiteKey]*Missing
	Strict   *evidence.StrictErrors
	// Counterexamples are inputs that the proposal does not explain, or that it must not refuse.
	Counterexamples []explore.Input
	OtherWords      map[evidence.SiteKey]int
	// shared are the messages of rules that also are those of another site, by site.
	shared map[evidence.SiteKey][]string
	// Covering are those of rules that report once what a site reports several times, or further out.
	Covering map[evidence.SiteKey][]string
}

// Missing is an error that the proposal still lacks.
type Missing struct {
	count    int
	Smallest explore.Input
	size     int // of smallest
}

// refusal is an input that the schema refuses: alone, or beside the native validator, whose errors it lacks without the rules.
type refusal struct {
	explore.Input
	alone, admittedBefore bool
}

// changeable is implemented by declarative backends whose schema can be replaced.
type changeable interface {
	Changed(version schema.GroupVersionKind, change func(tally.Document) tally.Document) (harness.Backend, error)
}

// mostCounterexamples bounds how many a turn takes.
const mostCounterexamples = 200

// A proof that the time cuts needs a part of its fresh inputs, and not less than a number of them.
const partOfProof, leastOfProof = 5, 1_000

// Prove compares the proposal with the native validator on all samples, on updates between the zero value and none, and on a fresh
// exploration of some inputs.
func (pr *Prover) Prove(ctx context.Context, p *Proposal, seed uint64, inputs int) (*Proof, error) {
	document, err := pr.DocumentOf(p)
	if err != nil {
		return nil, err
	}
	props, err := generate.Expand(document.Root, document.Definitions)
	if err != nil {
		return nil, err
	}
	h, err := pr.HarnessOf(document)
	if err != nil {
		return nil, err
	}
	out := &Proof{
		Missing:    map[evidence.SiteKey]*Missing{},
		Strict:     evidence.NewStrictErrors(),
		OtherWords: map[evidence.SiteKey]int{},
		shared:     p.shared(),
		Covering:   p.covering(),
	}
	var samples []explore.Input
	for _, s := range pr.Evidence.Samples {
		samples = append(samples, s.Input)
	}
	observe := func(in explore.Input, results []harness.Result) { out.Compare(pr.Evidence, in, results) }
	if err := pr.Evidence.Again(ctx, h, samples, observe); err != nil {
		return out, err
	}
	out.Known = out.Inputs
	if err := pr.Evidence.Again(ctx, h, pr.zeroUpdates(p.Rules), observe); err != nil {
		return out, err
	}
	if err := errors.Join(pr.compareCases(ctx, h, p, out), pr.askSenders(ctx, p)); err != nil {
		return out, err
	}
	e, err := pr.Explorer(h, props, seed, nil, nil, observe)
	if err != nil {
		return out, err
	}
	err = pr.Explore(ctx, e, inputs)
	isEnough := e.Stats().Inputs >= max(inputs/partOfProof, leastOfProof)
	out.Complete = err == nil || isEnough && errors.Is(err, context.DeadlineExceeded)
	return out, err
}

// DocumentOf returns the schema with the rules of a proposal.
func (pr *Prover) DocumentOf(p *Proposal) (tally.Document, error) {
	if pr.Evidence.Target.GoPackage != "" {
		return pr.withRules(p.Rules)
	}
	return tally.Document{Root: p.Version.Schema}, nil
}

// HarnessOf returns a harness with another schema.
func (pr *Prover) HarnessOf(document tally.Document) (*harness.Harness, error) {
	target := *pr.Evidence.Target.Harness.Target()
	target.Versions = slices.Clone(target.Versions)
	for n, version := range target.Versions {
		if version.GroupVersionKind != pr.Evidence.Target.Version {
			continue
		}
		backend, is := version.Declarative.(changeable)
		if !is {
			return nil, fmt.Errorf("the schema of %s cannot be replaced", pr.Evidence.Target.Version)
		}
		changed, err := backend.Changed(pr.Evidence.Target.Version, func(tally.Document) tally.Document { return document })
		if err != nil {
			return nil, err
		}
		target.Versions[n].Declarative, target.Versions[n].Position = changed, nil
	}
	return harness.New(&target, pr.Evidence.Target.HarnessOptions)
}

// Compare takes the results of an input.
func (p *Proof) Compare(e *evidence.Evidence, in explore.Input, results []harness.Result) {
	for n := range results {
		r := &results[n]
		if r.Version == e.Target.Version {
			e.NoteFault(in, r)
		}
		if r.Version != e.Target.Version || r.Effect == "" || r.Fault != nil || !e.CanBeStored(in) {
			continue
		}
		p.compareResult(e, in, r, refusesOnly(r) && e.CreatedToday(in.Old) && !e.RefusedToday(in))
	}
}

// compareResult takes the result of an input, and whether the proposal refuses it without a reason.
func (p *Proof) compareResult(e *evidence.Evidence, in explore.Input, r *harness.Result, refuses bool) {
	p.Inputs++
	differs, admitted, panicked := false, false, false
	parts := e.PartsOf(r)
	for _, pair := range r.Pairs {
		if pair.Native == nil || pair.Class.OfValues() || pair.Explained() || e.OfMachinery(pair.Native.Field) ||
			e.OfDecoder(in, pair.Native) {
			continue
		}
		if e.NotePanic(in, &pair) {
			panicked = true
			continue
		}
		of := parts[pair.Native]
		if of == nil {
			of = []evidence.Part{{Err: pair.Native}}
		}
		for _, part := range of {
			key := e.SiteOf(e.Placed(part.Err), in, part)
			tolerated := evidence.Unchanged(in, part.Err.Field) || !e.CreatedToday(in.Old)
			admitted = admitted || !tolerated
			switch {
			case pair.Class != difference.TooLoose:
				p.OtherWords[key]++
			case hidden(r) || repeated(r, part.Err) || said(r, p.shared[key]) || covered(r, p.Covering[key], part.Err) || tolerated:
			default:
				differs = true
				p.miss(key, in)
			}
		}
	}
	if (differs || panicked) && r.Effect == words.Admits {
		p.Admits++
	}
	if len(r.Declarative.Errors) > 0 && (refuses || admitted) {
		p.refusals = append(p.refusals, refusal{in, refuses, admitted})
	}
	if refuses {
		p.Refuses++
		p.Strict.See(e.Target, in, []harness.Result{*r})
	}
	if differs = differs || refuses; differs && len(p.Counterexamples) < mostCounterexamples {
		p.Counterexamples = append(p.Counterexamples, in)
	}
}

// miss counts an error that the proposal lacks.
func (p *Proof) miss(key evidence.SiteKey, in explore.Input) {
	size := evidence.SizeOf(in)
	one := p.Missing[key]
	if one == nil {
		one = &Missing{Smallest: in, size: size}
		p.Missing[key] = one
	}
	if one.count++; size < one.size {
		one.Smallest, one.size = in, size
	}
}

// OfNewSites returns the smallest inputs with an error of sites that no sample has.
func (p *Proof) OfNewSites(e *evidence.Evidence) (inputs []explore.Input) {
	for key, one := range p.Missing {
		if !slices.ContainsFunc(e.Sites, func(of *evidence.Site) bool { return of.Key == key }) {
			inputs = append(inputs, one.Smallest)
		}
	}
	slices.SortFunc(inputs, func(a, b explore.Input) int { return strings.Compare(evidence.KeyOf(a), evidence.KeyOf(b)) })
	return inputs
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
	return len(messages) > 0 && slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool {
		return slices.Contains(messages, err.Detail)
	})
}

// covered reports whether the schema reports one of some messages around the place of a native error, or below it. Indices
// that both paths have must be equal.
func covered(r *harness.Result, messages []string, native *field.Error) bool {
	return len(messages) > 0 && slices.ContainsFunc(r.Declarative.Errors, func(err *field.Error) bool {
		if !slices.Contains(messages, err.Detail) {
			return false
		}
		mine, theirs := object.Parse(err.Field), object.Parse(native.Field)
		for n := range min(len(mine), len(theirs)) {
			if !mine[n : n+1].AtOrBelow(theirs[n : n+1]) {
				return mine[n].Kind != object.Item
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
		return around && err.Type == native.Type &&
			(err.Type == field.ErrorTypeDuplicate || native.Detail != "" && err.Detail == native.Detail)
	})
}
