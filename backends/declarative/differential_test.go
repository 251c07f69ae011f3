package declarative_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sort"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	yamlv3 "go.yaml.in/yaml/v3"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	upstream "github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// thing is the kind of all generated objects.
var thing = schema.GroupVersionKind{Group: "example.dev", Version: "v1", Kind: "Thing"}

// documents is a Scheme that also takes objects without apiVersion and kind, for schemas that are not those
// of a resource's root.
type documents struct{ harness.Documents }

func (documents) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return runtime.DeepCopyJSON(document), nil
}

func (documents) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// against makes a harness that compares the declarative backend with the reference, without rules: every
// deviation in type, field or detail is a difference.
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
		Root: root, Semantics: declarative.CustomResources, WithoutEstimation: true,
	})
	if err != nil {
		return nil, fmt.Errorf("declarative: %w", err)
	}
	return against(ref, declarative.Backend{Validator: decl})
}

// repeats is how often the reference is asked again before a difference counts. It visits the properties of
// an object in the order of Go's maps, and a rule that compares data of the wrong type fails on the first one
// that it meets.
const repeats = 64

// compared runs a pair through both backends. It returns the differences, and whether the reference accepts
// the object. If the reference has several outcomes, they are compared as a set: the declarative backend
// agrees if the types and fields of its errors are those of one outcome, and each error occurs in some
// outcome. Only rules have several outcomes: every other error must be the same each time.
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

// outcomes are the results of the reference for one pair in several runs.
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
	if r.Verdict == words.Faulted || len(o.whole) < 2 || !o.places[placesOf(r.Declarative.Errors)] {
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

// differences prints a result that is not equal, for people.
func differences(r *harness.Result) string {
	if r.Verdict != words.Faulted {
		// The verdict ignores the parts of errors that show the object, and never pairs errors that have only
		// a place.
		exact := cmp.Diff(lines(r.Native.Errors), lines(r.Declarative.Errors))
		if exact == "" || r.Verdict == words.Equal {
			return exact
		}
	}
	lines := []string{"verdict " + string(r.Verdict)}
	for _, fault := range []*contract.Fault{r.Fault, r.Native.Fault, r.Declarative.Fault} {
		if fault != nil {
			lines = append(lines, "fault: "+fault.Error()+"\n"+fault.Stack)
		}
	}
	for _, pair := range r.Differences() {
		lines = append(lines, fmt.Sprintf("%s\n  reference:   %s\n  declarative: %s", pair.Class, describe(pair.Native),
			describe(pair.Declarative)))
	}
	return strings.Join(lines, "\n")
}

func describe(err *field.Error) string {
	if err == nil {
		return "-"
	}
	return fmt.Sprintf("%s %s: %s (value %#v)", string(err.Type), err.Field, err.Detail, err.BadValue)
}

// pair is an object, or the update of old to it.
type pair struct{ obj, old map[string]any }

// differentialCase is a schema, and an object or an update of old to it.
type differentialCase struct {
	name, why           string
	schema, object, old string
	root                bool // the schema is of a resource
	valid               bool // in the reference
}

// differentialCases are all hand-written cases.
func differentialCases() []differentialCase {
	return slices.Concat(createCases(), updateCases(), correlationCases(), unknownFieldCases(), ruleCases(),
		knownBehaviours(), generatorFindings(), listFindings())
}

// TestAgainstReference compares the package with apiextensions-apiserver: with CustomResources, every error
// is the same in type, field, bad value and detail.
func TestAgainstReference(t *testing.T) {
	for _, tt := range differentialCases() {
		t.Run(tt.name, func(t *testing.T) { tt.check(t) })
	}
}

func (c differentialCase) check(t *testing.T) {
	t.Helper()
	difference, valid := compared(t.Context(), c.harnessOf(t), c.pair(t))
	if difference != "" {
		t.Errorf("%s: %s", c.why, difference)
	} else if valid != c.valid {
		t.Errorf("%s: valid is %t in the reference", c.why, valid)
	}
}

// harnessOf compiles the schema of a case for both backends.
func (c differentialCase) harnessOf(t testing.TB) *harness.Harness {
	t.Helper()
	h, err := bothBackends(served.Props(t, c.schema), c.root)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func (c differentialCase) pair(t testing.TB) pair {
	return pair{obj: object(t, c.object), old: object(t, c.old)}
}

// object parses an object as the API server parses JSON: 3.0 is a float and 3 is an int64. An empty text is
// no object.
func object(t testing.TB, text string) map[string]any {
	t.Helper()
	if text == "" {
		return nil
	}
	var read map[string]any
	if err := yamlv3.Unmarshal([]byte(text), &read); err != nil {
		t.Fatal(err)
	}
	object, _ := jsonValue(read).(map[string]any)
	return object
}

func jsonValue(value any) any {
	switch value := value.(type) {
	case int:
		return int64(value)
	case map[string]any:
		for key := range value {
			value[key] = jsonValue(value[key])
		}
	case []any:
		for i := range value {
			value[i] = jsonValue(value[i])
		}
	}
	return value
}

// declared validates an object, or an update, with the package under test.
func declared(t *testing.T, schemaYAML string, opts declarative.Options, obj, old map[string]any) field.ErrorList {
	t.Helper()
	v := compile(t, schemaYAML, opts)
	var before value.Value
	if old != nil {
		before = value.NewValueInterface(old)
	}
	return v.Validate(context.Background(), value.NewValueInterface(obj), before)
}

func compile(t testing.TB, schemaYAML string, opts declarative.Options) *declarative.Validator {
	t.Helper()
	v, err := declarative.Compile(served.Schema(t, schemaYAML), opts)
	if err != nil {
		t.Fatalf("compile: %v", err)
	}
	return v
}

// lines prints errors one per line, sorted: type, field, bad value and detail.
func lines(errs field.ErrorList) []string {
	all := []string{}
	for _, e := range errs {
		var bad strings.Builder
		enc := json.NewEncoder(&bad)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(e.BadValue); err != nil {
			bad.WriteString(err.Error())
		}
		all = append(all, string(e.Type)+" "+e.Field+" "+strings.TrimSpace(bad.String())+" "+e.Detail)
	}
	sort.Strings(all)
	return all
}

func asJSON(t testing.TB, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}
