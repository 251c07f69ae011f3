// Package inputs are gadgets with the errors that a schema declares for them, for a count by
// hand.
package inputs

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/coverage"
	"github.com/diffrun/diffrun/internal/coverage/nativecoverage"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites"
	"github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/gadgets"
	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

// input is a gadget and what its schema says.
type input struct {
	gadgets.Gadget
	declared field.ErrorList
}

func inputs() []input {
	spec := field.NewPath("spec")
	part := func(i int, name string) *field.Path { return spec.Child("parts").Index(i).Child(name) }
	return []input{
		{Gadget: gadgets.Gadget{Name: "a", Size: 1, Shape: "flat"}},
		{ // both are matched
			gadgets.Gadget{Size: -1, Shape: "flat"},
			field.ErrorList{field.Required(spec.Child("name"), ""), field.Invalid(spec.Child("size"), -1, "must not be negative")},
		},
		{Gadget: gadgets.Gadget{Size: 1, Shape: "flat"}}, // the name is not declared: too loose
		{ // another detail: a difference
			gadgets.Gadget{Name: "a", Size: 11, Shape: "flat"},
			field.ErrorList{field.Invalid(spec.Child("size"), 11, "must be small")},
		},
		{ // two parts: twice badPort at one line, once at the other; a name twice
			gadgets.Gadget{Name: "a", Shape: "flat", Parts: []gadgets.Part{{Name: "p"}, {Name: "p"}, {Name: "q", Port: 70000}}},
			field.ErrorList{
				field.TooMany(spec.Child("parts"), 3, 1),
				field.Duplicate(part(1, "name"), "p"),
				field.Invalid(part(0, "port"), 0, "port must be set"), field.Invalid(part(1, "port"), 0, "port must be set"),
			},
		},
	}
}

var gadget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"}

// scheme keeps objects as they are.
type scheme struct{}

func (scheme) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return document, nil
}

func (scheme) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (scheme) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// backend is a function of the input.
type backend struct {
	name     string
	validate func(input) field.ErrorList
}

func (b backend) Name() string { return b.name }

func (b backend) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	return b.validate(inputs()[object["index"].(int64)]), nil
}

// Run compares all inputs and gives what was covered.
func Run(ctx context.Context, sites []errorsites.Site, live *gocoverage.Live, profiles ...*gocoverage.Profile) (coverage.Report, error) {
	natives := nativecoverage.NewRecorder(sites, live)
	recorder := coverage.Recorder{Handwritten: natives}
	for _, profile := range profiles {
		natives.Profile(profile)
	}
	native := backend{"native", func(i input) field.ErrorList { return gadgets.Validate(&i.Gadget) }}
	h, err := harness.New(&harness.Target{Kind: gadget.GroupKind(), Scheme: scheme{}, Versions: []harness.Version{{
		GroupVersionKind: gadget, Native: natives.Watch(native),
		Declarative: backend{"declarative", func(i input) field.ErrorList { return i.declared }},
	}}}, harness.Options{Repeat: 2})
	if err != nil {
		return coverage.Report{}, err
	}
	jobs := func(yield func(harness.Job, error) bool) {
		for i := range inputs() {
			if !yield(harness.Job{Harness: h, Case: harness.Case{Version: gadget, Object: map[string]any{"index": int64(i)}}}, nil) {
				return
			}
		}
	}
	err = harness.Run(ctx, jobs, harness.RunOptions{Parallel: 4}, func(r harness.Result) error {
		recorder.Add("gadgets", &r)
		return nil
	})
	return recorder.Report(), err
}
