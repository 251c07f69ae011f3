package declarative_test

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/structural/openapi"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/generate"
)

var (
	pairs    = flag.Int("pairs", 4000, "how many generated objects the declarative backend is held against the reference on")
	crdPairs = flag.Int("crd-pairs", 300, "how many of them for each version of each real CustomResourceDefinition")
	failing  = flag.Int("failing", 5, "after how many schemas with a difference to stop")
	seed     = flag.Uint64("seed", 1, "what the generated schemas and objects are made from")
)

// thing is the kind of everything that is generated.
var thing = schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"}

// documents is a Scheme of objects without apiVersion and kind too, which a schema
// that is not of a resource's root has.
type documents struct{ harness.Documents }

func (documents) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return runtime.DeepCopyJSON(document), nil
}

func (documents) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// against makes a harness that compares the declarative backend with the reference,
// without rules: a type, a field or a detail that is not the same is a difference.
func against(ref *upstream.Validator, decl harness.Backend) (*harness.Harness, error) {
	return harness.New(&harness.Target{
		Suite:  "differential",
		Kind:   thing.GroupKind(),
		Scheme: documents{},
		Versions: []harness.Version{{
			GroupVersionKind: thing,
			Native:           upstream.NewBackend(ref),
			Declarative:      decl,
		}},
	}, harness.Options{})
}

// bothBackends compiles a schema for both backends.
func bothBackends(props *apiextensionsv1.JSONSchemaProps, root bool) (*harness.Harness, error) {
	ref, err := upstream.CompileProps(props, upstream.Options{Root: root})
	if err != nil {
		return nil, fmt.Errorf("reference: %w", err)
	}
	s, err := openapi.FromProps(props)
	if err != nil {
		return nil, err
	}
	decl, err := declarative.Compile(s, declarative.Options{
		Root: root, Semantics: declarative.CustomResources, Estimation: declarative.EstimationOff,
	})
	if err != nil {
		return nil, fmt.Errorf("declarative: %w", err)
	}
	return against(ref, declarative.Backend{Validator: decl})
}

// repeats is how often the reference is asked again before a difference counts. It
// visits the properties of an object in the order of Go's maps, and a rule that
// compares data of the wrong type fails on whichever it meets first.
const repeats = 64

// compared runs a pair through both backends and says what is different, if
// anything is, and whether the reference finds it valid.
//
// Where the reference has several outcomes, they are compared as a set: the
// declarative backend agrees when the types and fields of its errors are those of
// one of them, and each error is in some of them. Only rules have several: what the
// reference says each time is to be said here, and nothing else but of rules.
func compared(ctx context.Context, h *harness.Harness, p pair) (difference string, valid bool) {
	c := harness.Case{ID: "generated", Version: thing, Object: p.obj, ExactNumbers: true}
	if p.old != nil {
		c.Old = p.old
	}
	var seen outcomes
	for range repeats {
		results, err := h.Check(ctx, c)
		if err != nil {
			return err.Error(), false
		}
		told := differences(&results[0])
		if told == "" {
			return "", len(results[0].Native.Errors) == 0
		}
		if difference == "" {
			difference = told
		}
		if seen.add(&results[0]); seen.allow(&results[0]) {
			return "", false
		}
	}
	return difference, false
}

// outcomes are what the reference said about one pair, time after time.
type outcomes struct {
	runs   int
	whole  map[string]bool // all errors of one outcome
	places map[string]bool // types and fields of one outcome
	errors map[string]int  // in how many runs
}

func (o *outcomes) add(r *harness.Result) {
	if o.whole == nil {
		o.whole, o.places, o.errors = map[string]bool{}, map[string]bool{}, map[string]int{}
	}
	all := lines(r.Native.Errors)
	o.runs++
	o.whole[strings.Join(all, "\n")] = true
	o.places[placesOf(r.Native.Errors)] = true
	for _, line := range slices.Compact(all) {
		o.errors[line]++
	}
}

func (o *outcomes) allow(r *harness.Result) bool {
	if r.Verdict == harness.Faulted || len(o.whole) < 2 || !o.places[placesOf(r.Declarative.Errors)] {
		return false
	}
	own := map[string]bool{}
	for _, err := range r.Declarative.Errors {
		line := lines(field.ErrorList{err})[0]
		own[line] = true
		if runs := o.errors[line]; runs == 0 || runs < o.runs && err.Origin != "x-kubernetes-validations" {
			return false
		}
	}
	for line, runs := range o.errors {
		if runs == o.runs && !own[line] {
			return false
		}
	}
	return true
}

// placesOf writes the multiset of types and fields of errors.
func placesOf(errs field.ErrorList) string {
	var all []string
	for _, err := range errs {
		all = append(all, string(err.Type)+" "+err.Field)
	}
	slices.Sort(all)
	return strings.Join(all, "\n")
}

// differences writes a result that is not equal, for people.
func differences(r *harness.Result) string {
	if r.Verdict != harness.Faulted {
		// The verdict leaves out what errors show of the object, and never pairs
		// errors that say nothing but where they are.
		exact := cmp.Diff(lines(r.Native.Errors), lines(r.Declarative.Errors))
		if exact == "" || r.Verdict == harness.Equal {
			return exact
		}
	}
	lines := []string{"verdict " + string(r.Verdict)}
	for _, fault := range []*harness.Fault{r.Fault, r.Native.Fault, r.Declarative.Fault} {
		if fault != nil {
			lines = append(lines, "fault: "+fault.Error()+"\n"+fault.Stack)
		}
	}
	for _, pair := range r.Differences() {
		lines = append(lines, fmt.Sprintf("%s\n  reference:   %s\n  declarative: %s", pair.Class, told(pair.Native), told(pair.Declarative)))
	}
	return strings.Join(lines, "\n")
}

func told(err *field.Error) string {
	if err == nil {
		return "-"
	}
	return fmt.Sprintf("%s %s: %s (value %#v)", string(err.Type), err.Field, err.Detail, err.BadValue)
}

// TestGeneratedAgainstReference holds the declarative backend against the reference
// on random schemas, each with objects on its bounds and updates of them.
func TestGeneratedAgainstReference(t *testing.T) {
	const perSchema = 12
	t.Logf("seed %d, %d pairs (-seed, -pairs)", *seed, *pairs)
	failures, invalid, schemas := 0, 0, 0
	for done := 0; done < *pairs && failures < *failing; done += perSchema {
		schemas++
		src := rand.New(rand.NewPCG(*seed, uint64(schemas)))
		props := generate.Schema(src, generate.SchemaOptions{Unadmitted: schemas%2 == 1})
		h, err := bothBackends(props, true)
		if err != nil {
			t.Errorf("-seed %d, schema %d: %v\nschema: %s", *seed, schemas, err, asJSON(t, props))
			failures++
			continue
		}
		for _, pair := range generatedPairs(src, props, perSchema) {
			difference, valid := compared(t.Context(), h, pair)
			if difference != "" {
				t.Errorf("-seed %d, schema %d: %s\n%s", *seed, schemas, difference, shown(t, props, pair))
				failures++
				break
			}
			if !valid {
				invalid++
			}
		}
	}
	t.Logf("%d of %d pairs are invalid", invalid, *pairs)
	if failures == 0 && (invalid < *pairs/10 || invalid > *pairs*95/100) {
		t.Errorf("%d of %d objects are invalid: the generator does not sit on the bounds", invalid, *pairs)
	}
}

// pair is an object, or the update of old to it.
type pair struct{ obj, old map[string]any }

// generatedPairs makes objects with no, few and many faults, an update of every
// second one, and an update that changes nothing.
func generatedPairs(src generate.Source, props *apiextensionsv1.JSONSchemaProps, count int) []pair {
	var all []pair
	for i := 0; len(all) < count; i++ {
		opts := generate.ObjectOptions{Faults: []int{0, 12, 4, 30}[i%4]}
		obj := generate.Object(src, props, opts)
		all = append(all, pair{obj: obj})
		if i%2 == 1 {
			continue
		}
		opts.Faults = 6
		all = append(all, pair{obj: generate.Update(src, props, obj, opts), old: obj})
		if i%8 == 2 {
			all = append(all, pair{obj: obj, old: obj})
		}
	}
	return slices.Clip(all)
}

// shown writes a schema and a pair for a repeat by hand.
func shown(t testing.TB, props *apiextensionsv1.JSONSchemaProps, p pair) string {
	return fmt.Sprintf("schema: %s\nobject: %s\nold:    %s", asJSON(t, props), asJSON(t, p.obj), asJSON(t, p.old))
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
