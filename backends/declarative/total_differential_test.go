package declarative_test

import (
	"math/rand/v2"
	"testing"

	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	builtin "github.com/diffrun/diffrun/backends/declarative/idl/kubernetes"
	"github.com/diffrun/diffrun/internal/generate"
	"github.com/diffrun/diffrun/internal/served"
)

// totals holds that no rule which is said to be total breaks on an object that its schema
// fits, and that none costs more than it is said to.
func totals(t *testing.T, v *declarative.Validator, obj value.Value, held *declarative.Held, shown func() string) {
	t.Helper()
	if wrong := v.HoldTotals(obj, held); wrong != "" {
		t.Fatalf("%s\n%s", wrong, shown())
	}
}

// judge fails when too little was looked at.
func judge(t *testing.T, held declarative.Held, objects int) {
	t.Helper()
	t.Logf("%d objects fit; of %d rules on their values %d are total, %d were run", held.Objects, held.Rules, held.Total, held.Ran)
	if held.Objects < objects || held.Ran < objects {
		t.Error("too few for the test to show anything")
	}
}

// TestTotalsOfGenerated: generated schemas and objects.
func TestTotalsOfGenerated(t *testing.T) {
	const perSchema = 12
	var held declarative.Held
	for i := range uint64(*pairs) / perSchema {
		src := rand.New(rand.NewPCG(*seed, 3000+i))
		props := generate.Schema(src, generate.SchemaOptions{})
		s := converted(t, props)
		v, err := declarative.Compile(s, declarative.Options{Root: true, Estimation: declarative.EstimationOff, Semantics: declarative.CustomResources})
		if err != nil {
			continue // what is no schema for us is another test's
		}
		for range perSchema {
			obj := generate.Object(src, props, generate.ObjectOptions{Values: 60, Generous: i%3 == 0, Defaulted: i%2 == 0})
			totals(t, v, value.NewValueInterface(obj), &held, func() string { return "schema: " + asJSON(t, s) + "\nobject: " + asJSON(t, obj) })
		}
	}
	judge(t, held, 200)
}

// TestTotalsOfCRDs: real schemas, and generated objects.
func TestTotalsOfCRDs(t *testing.T) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		for i := range crd.Spec.Versions {
			version := &crd.Spec.Versions[i]
			t.Run(crd.Name+" "+version.Name, func(t *testing.T) {
				var held declarative.Held
				v, err := declarative.Compile(converted(t, version.Schema.OpenAPIV3Schema), declarative.Options{Root: true, Semantics: declarative.CustomResources})
				if err != nil {
					t.Fatal(err)
				}
				for _, p := range resourcePairs(crd, version, *crdPairs) {
					obj := runtime.DeepCopyJSON(p.obj)
					totals(t, v, value.NewValueInterface(obj), &held, func() string { return "object: " + asJSON(t, obj) })
				}
				if held.Rules > 0 {
					judge(t, held, *crdPairs/10)
				}
			})
		}
	}
}

// TestTotalsOfKinds: the rules of Kubernetes' kinds, and the objects of the bundled cases.
// There are few: hardly anything has a bound in those schemas, and so no cost.
func TestTotalsOfKinds(t *testing.T) {
	var held declarative.Held
	validators := map[schema.GroupVersionKind]*declarative.Validator{}
	for _, content := range bundledObjects(t) {
		gvk := schema.FromAPIVersionAndKind(content["apiVersion"].(string), content["kind"].(string))
		if builtin.GoPackage(gvk) == "" {
			continue
		}
		if validators[gvk] == nil {
			validators[gvk] = compileKind(t, gvk)
		}
		totals(t, validators[gvk], value.NewValueInterface(content), &held, func() string { return asJSON(t, content) })
	}
	judge(t, held, 5)
}
