package harness_test

import (
	"context"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// sized is a validator of documents with one bound.
type sized struct {
	name string
	most int64
}

func (s sized) Name() string { return s.name }

func (s sized) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err // a fault: nothing was decided
	}
	if size, _ := document["size"].(int64); size > s.most {
		return field.ErrorList{field.Invalid(field.NewPath("size"), size, fmt.Sprintf("must be at most %d", s.most))}, nil
	}
	return nil, nil
}

// A harness validates a case with both validators of a kind, in each version, and pairs their errors. In a
// test, For(t, target).Test(t, case) reports differences as failures.
func ExampleHarness_Check() {
	both, err := harness.New(&harness.Target{
		Scheme: harness.Documents{},
		Versions: []harness.Version{{
			GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Box"},
			Native:           sized{"native", 5},
			Declarative:      sized{"declarative", 9},
		}},
	}, harness.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, size := range []int64{3, 7, 11} {
		results, err := both.Check(context.Background(), harness.Case{ID: "box", Object: map[string]any{
			"apiVersion": "example.dev/v1", "kind": "Box", "size": size,
		}})
		if err != nil {
			fmt.Println(err)
			return
		}
		for _, result := range results {
			fmt.Println(size, result.Verdict)
			for _, pair := range result.Differences() {
				fmt.Println(" ", pair.Class)
			}
		}
	}
	// Output:
	// 3 equal
	// 7 different
	//   too-loose
	// 11 different
	//   detail
}

// A case may say which errors the native validator returns, and who sends the request. What it does not return is
// in Unmet of the result.
func ExampleExpectedError() {
	target := &harness.Target{
		Scheme: harness.Documents{},
		Versions: []harness.Version{{
			GroupVersionKind: schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Box"},
			Native:           sized{contract.NativeName, 5},
			Declarative:      sized{contract.DeclarativeName, 5},
		}},
	}
	both, err := harness.New(target, harness.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	results, err := both.Check(context.Background(), harness.Case{
		ID:     "box",
		Object: map[string]any{"apiVersion": "example.dev/v1", "kind": "Box", "size": int64(7)},
		User:   &harness.User{Name: "jane", Groups: []string{"developers"}},
		Want: []harness.ExpectedError{
			{Type: field.ErrorTypeInvalid, Field: "size", Detail: "at most 5"},
			{Type: field.ErrorTypeRequired, Field: "color"},
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, unmet := range results[0].Unmet {
		fmt.Println(unmet)
	}
	// Output:
	// wanted FieldValueRequired at color, which the native validator did not report
}
