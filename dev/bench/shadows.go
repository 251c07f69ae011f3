package main

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/shadow"
)

// shadowed adds hand-written code as a server calls it that holds the schema beside it: the
// object is of the internal type, and what comparisons take is spread over all requests.
func (s *subject) shadowed(gvk schema.GroupVersionKind, v *declarative.Validator, hub runtime.Object, check func(runtime.Object) field.ErrorList) error {
	compared := 0
	target, err := natives.NewTarget(gvk.GroupKind(), func(schema.GroupVersionKind) (harness.Backend, error) {
		return counting{declarative.Backend{Validator: v}, &compared}, nil
	})
	if err != nil {
		return err
	}
	beside, err := shadow.New(target, shadow.Options{Overhead: 0.05})
	if err != nil {
		return err
	}
	ctx, request := context.Background(), harness.Case{Object: hub, Version: gvk}
	native := func(context.Context) field.ErrorList { return check(hub) }
	do := func() { must(beside.Validate(ctx, request, native)) }
	for compared < warm {
		do() // the first comparison takes long, and all requests after it earn its time
	}
	s.add(withShadow, do)
	return nil
}

// warm is how many comparisons are done before requests are measured.
const warm = 10

// counting counts how often a schema is asked.
type counting struct {
	declarative.Backend
	asked *int
}

func (c counting) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	*c.asked++
	return c.Backend.Validate(ctx, in)
}
