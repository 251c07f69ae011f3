package harness

import (
	"context"
	"maps"
	"math/rand/v2"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
)

// ask asks a backend Options.Repeat times. Errors that it does not return every time go to
// Unstable, not Errors. The first fault ends the repeats.
func (h *Harness) ask(ctx context.Context, backend capableBackend, in *Input) Outcome {
	outcome := h.options.guard().ask(ctx, backend, in)
	answers := []field.ErrorList{outcome.Errors}
	for repeat := 1; repeat < h.options.Repeat && outcome.Fault == nil; repeat++ {
		again := h.options.guard().ask(ctx, backend, shuffledInput(in, uint64(repeat)))
		outcome.Fault = again.Fault
		outcome.addUnstableFields(again)
		answers = append(answers, again.Errors)
	}
	if outcome.Fault != nil {
		return Outcome{Fault: outcome.Fault, Asked: outcome.Asked, Elapsed: outcome.Elapsed}
	}
	outcome.Given = outcome.Errors
	outcome.inconsistent = slices.ContainsFunc(answers, func(answer field.ErrorList) bool {
		return (len(answer) == 0) != (len(answers[0]) == 0)
	})
	answer := equivalence.CombineAnswers(answers...)
	outcome.Errors, outcome.Unstable = answer.Errors, answer.Unstable
	outcome.unchecked, outcome.Fault = h.unchecked(ctx, backend, in, outcome.Errors)
	return outcome
}

// unchecked returns the errors of rules that a backend reports as not checked.
func (h *Harness) unchecked(ctx context.Context, backend capableBackend, in *Input, errs field.ErrorList) (
	field.ErrorList, *contract.Fault) {
	if backend.can.UncheckedRules == nil || !slices.ContainsFunc(errs, fielderror.IsRulesNotChecked) {
		return nil, nil
	}
	return guarded(ctx, h.options.guard(), "the rules of the "+backend.Name()+" backend were not evaluated",
		func(ctx context.Context) (field.ErrorList, error) {
			return backend.can.UncheckedRules(ctx, in)
		})
}

// withoutRatcheting returns the errors of an update including those at unchanged values.
func (h *Harness) withoutRatcheting(ctx context.Context, backend capableBackend, in *Input) (field.ErrorList, *contract.Fault) {
	if backend.can.WithoutRatcheting == nil || in.Operation != admissionv1.Update {
		return nil, nil
	}
	return guarded(ctx, h.options.guard(), "the "+backend.Name()+" backend did not answer without ratcheting",
		func(ctx context.Context) (field.ErrorList, error) {
			return backend.can.WithoutRatcheting(ctx, in)
		})
}

func (o *Outcome) addWithoutRatcheting(errs field.ErrorList, fault *contract.Fault) {
	o.withoutRatcheting = errs
	if o.Fault == nil {
		o.Fault = fault
	}
}

// shuffledInput returns the same input with every map rebuilt, in an order that depends on seed and on
// Go's map order. A Go value without DeepCopyObject stays.
func shuffledInput(in *Input, seed uint64) *Input {
	random := rand.New(rand.NewPCG(seed, 4153))
	again := &Input{
		Request:   in.Request,
		Case:      in.Case,
		Part:      in.Part,
		Cluster:   in.Cluster,
		Order:     seed,
		Requested: in.Requested,
		Stored:    in.Stored,
	}
	if in.Object != nil {
		again.Object = shuffledView(in.Object, random)
	}
	if in.Old != nil {
		again.Old = shuffledView(in.Old, random)
	}
	return again
}

func shuffledView(v *contract.View, random *rand.Rand) *contract.View {
	if typed, ok := v.Typed(); ok {
		return contract.NewView(typed.DeepCopyObject())
	}
	switch object := v.Go().(type) {
	case map[string]any, []any:
		return contract.NewView(shuffle(object, random))
	}
	return v
}

func shuffle(value any, random *rand.Rand) any {
	switch value := value.(type) {
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		built := make(map[string]any, len(keys))
		for _, key := range keys {
			built[key] = shuffle(value[key], random)
		}
		return built
	case []any:
		built := make([]any, len(value))
		for i := range value {
			built[i] = shuffle(value[i], random)
		}
		return built
	}
	return runtime.DeepCopyJSONValue(value)
}
