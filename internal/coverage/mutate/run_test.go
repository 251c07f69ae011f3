package mutate_test

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/coverage/mutate"
)

// documents is a scheme that leaves documents unchanged.
type documents struct{}

func (documents) Decode(object map[string]any, _ schema.GroupVersionKind) (any, error) {
	return object, nil
}

func (documents) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (documents) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// native returns the answers of the original schema.
type native struct{ declarative.Backend }

func (native) Name() string { return "native" }

// refusing is a native validator that rejects everything with the same text.
type refusing struct{}

func (refusing) Name() string { return "native" }

func (refusing) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return field.ErrorList{field.Forbidden(field.NewPath("a"), "no")}, nil
}

func parse(t *testing.T, text string) *spec.Schema {
	t.Helper()
	s := &spec.Schema{}
	if err := yaml.Unmarshal([]byte(text), s); err != nil {
		t.Fatal(err)
	}
	return s
}

func backend(t *testing.T, text string, definitions map[string]*spec.Schema) declarative.Backend {
	t.Helper()
	v, err := declarative.Compile(parse(t, text), declarative.Options{Definitions: definitions})
	if err != nil {
		t.Fatal(err)
	}
	return declarative.Backend{Validator: v}
}

// suite compares objects of kinds with one version; schemas are by kind.
func suite(t *testing.T, asks func(declarative.Backend) harness.Backend, kinds map[string]declarative.Backend,
	objects ...string) mutate.Suite {
	t.Helper()
	made := map[string]*harness.Harness{}
	var jobs []harness.Job
	for i, text := range objects {
		kind, text, _ := strings.Cut(text, " ")
		var object map[string]any
		if err := yaml.Unmarshal([]byte(text), &object); err != nil {
			t.Fatal(err)
		}
		version := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: kind}
		if made[kind] == nil {
			h, err := harness.New(&harness.Target{Suite: "s", Scheme: documents{}, Kind: version.GroupKind(), Versions: []harness.Version{
				{GroupVersionKind: version, Native: asks(kinds[kind]), Declarative: kinds[kind]},
			}}, harness.Options{})
			if err != nil {
				t.Fatal(err)
			}
			made[kind] = h
		}
		jobs = append(jobs, harness.Job{Harness: made[kind],
			Case: harness.Case{ID: fmt.Sprint("case ", i), Version: version, Object: object}})
	}
	return mutate.Suite{Name: "s", Jobs: each(jobs)}
}

func each(jobs []harness.Job) iter.Seq2[harness.Job, error] {
	return func(yield func(harness.Job, error) bool) {
		for _, job := range jobs {
			if !yield(job, nil) {
				return
			}
		}
	}
}

func honest(b declarative.Backend) harness.Backend { return native{b} }

func run(t *testing.T, opts mutate.Options, suites ...mutate.Suite) mutate.Report {
	t.Helper()
	report, err := mutate.Run(t.Context(), []mutate.Group{{Suites: suites}}, opts)
	if err != nil {
		t.Fatal(err)
	}
	return report
}

// lines returns the outcome of each mutant.
func lines(r mutate.Report) []string {
	var all []string
	for _, m := range r.Mutants {
		all = append(all, fmt.Sprintf("%s %s: %s, %d", m.Path, m.Change, m.Status, m.Violations))
	}
	return all
}

// TestEachKeyword: a mutant for each keyword, and whether the cases kill it.
func TestEachKeyword(t *testing.T) {
	const text = `
type: object
required: [a, b]
properties:
  a: {type: integer, minimum: 1, maximum: 5, multipleOf: 1}
  b: {type: string, minLength: 1, maxLength: 2, pattern: "^x", enum: [X, xy, xyz]}
  l: {type: array, minItems: 1, maxItems: 2, uniqueItems: true, items: {type: string, format: date}}
  m: {type: object, minProperties: 1, maxProperties: 1, additionalProperties: false, properties: {k: {type: string}}}
  never: {type: string, pattern: "^never"}
  j: {type: integer, anyOf: [{maximum: 1}, {minimum: 9}], not: {enum: [11]}}
x-kubernetes-validations:
- rule: "!has(self.a) || self.a != 4"
- {rule: "self.a > 0", message: "must be positive"}
`
	kinds := map[string]declarative.Backend{"A": backend(t, text, nil)}
	one := suite(t, honest, kinds,
		"A {a: 6, b: xy}", // one above the maximum
		"A {a: 4, b: xy}", "A {b: xy}", "A {a: 1, b: xyz}", "A {a: 1, b: yy}", "A {a: 1, b: xy, l: []}",
		"A {a: 1, b: xy, l: ['2026-01-01', '2026-01-01']}", "A {a: 1, b: xy, l: [tomorrow]}", "A {a: 1, b: xy, m: {z: q}}",
		"A {a: 1, b: xy, j: 5}", "A {a: 1, b: xy, j: 11}")
	report := run(t, mutate.Options{}, one)
	want := []string{
		"a maximum 5 → 6: killed, 1",
		"a minimum 1 → 0: not violated, 0",
		"a required without a: killed, 1",
		`b enum with "x" more: killed, 1`,
		"b maxLength 2 → 3: killed, 1",
		"b minLength 1 → 0: not violated, 0",
		"b pattern ^x dropped: killed, 1",
		"b required without b: not violated, 0",
		"j anyOf dropped: killed, 1",
		"j maximum 1 → 2: killed, 2",
		"j minimum 9 → 8: survived, 1",
		"j enum with 12 more: survived, 1",
		`j not dropped: killed, 1`,
		"l maxItems 2 → 3: not violated, 0",
		"l minItems 1 → 0: killed, 1",
		"l uniqueItems dropped: killed, 1",
		"l[*] format date dropped: killed, 1",
		"m additionalProperties false dropped: killed, 1",
		"m maxProperties 1 → 2: not violated, 0",
		"m minProperties 1 → 0: not violated, 0",
		"never pattern ^never dropped: not reached, 0",
		"rule !has(self.a) || self.a != 4 → true: killed, 1",
		"rule self.a > 0 → true: not violated, 0",
	}
	got := lines(report)
	for i := range got {
		got[i] = strings.TrimSpace(got[i])
	}
	slices.Sort(got)
	slices.Sort(want)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	every := []string{} // an input that does not violate a keyword has the same result without it
	for _, line := range lines(run(t, mutate.Options{}.EveryInput(), one)) {
		every = append(every, strings.TrimSpace(line))
	}
	slices.Sort(every)
	if diff := cmp.Diff(got, every); diff != "" {
		t.Errorf("compared with every input (-violating +every):\n%s", diff)
	}
	if report.Inputs != 11 || report.Of != len(report.Mutants) || report.Undecided != 0 {
		t.Errorf("%d inputs, %d of %d mutants, %d undecided", report.Inputs, len(report.Mutants), report.Of, report.Undecided)
	}
}

// TestSurvivor: a mutant made by hand survives if the cases do not notice it: the native validator rejects
// the object for a different reason in any case, and only verdicts are compared.
func TestSurvivor(t *testing.T) {
	kinds := map[string]declarative.Backend{"A": backend(t, `{type: object, properties: {a: {type: integer, maximum: 5}}}`, nil)}
	one := suite(t, func(declarative.Backend) harness.Backend { return refusing{} }, kinds, "A {a: 70}")
	one.Options.Compare = words.CompareVerdict
	if diff := cmp.Diff([]string{"a maximum 5 → 6: survived, 1"}, lines(run(t, mutate.Options{}, one))); diff != "" {
		t.Errorf("far above the maximum (-want +got):\n%s", diff)
	}
	near := suite(t, func(declarative.Backend) harness.Backend { return refusing{} }, kinds, "A {a: 70}", "A {a: 6}")
	near.Options.Compare = words.CompareVerdict
	report := run(t, mutate.Options{}, near)
	if diff := cmp.Diff([]string{"a maximum 5 → 6: killed, 2"}, lines(report)); diff != "" {
		t.Errorf("with a case just above the maximum (-want +got):\n%s", diff)
	}
	if by := report.Mutants[0].By; by != "s: example.com/v1 A: case 1" {
		t.Errorf("killed by %q", by)
	}
}

// TestSharedDefinition: a definition that two kinds use is weakened once; cases of either kind can kill the
// mutant.
func TestSharedDefinition(t *testing.T) {
	definitions := map[string]*spec.Schema{
		"N": parse(t, `{type: object, properties: {v: {type: integer, maximum: 5}, self: {$ref: "#/definitions/N"}}}`),
	}
	kinds := map[string]declarative.Backend{
		"A": backend(t, `{type: object, properties: {deep: {type: object, properties: {x: {$ref: "#/definitions/N"}}}}}`, definitions),
		"B": backend(t, `{type: object, properties: {x: {$ref: "#/definitions/N"}, y: {$ref: "#/definitions/N"}}}`, definitions),
	}
	report := run(t, mutate.Options{}, suite(t, honest, kinds, "A {deep: {x: {v: 1}}}", "B {y: {self: {v: 6}}}"))
	want := []mutate.Mutant{{
		Path: "x.v", Keyword: "maximum", Change: "maximum 5 → 6", Declared: "definitions[N].properties[v].maximum",
		Targets: []string{"s: example.com/v1 A", "s: example.com/v1 B"}, Status: mutate.Killed, Violations: 1,
		By: "s: example.com/v1 B: case 1",
	}}
	if diff := cmp.Diff(want, report.Mutants); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestInvalid: a mutant that does not compile proves nothing about the cases.
func TestInvalid(t *testing.T) {
	kinds := map[string]declarative.Backend{"A": backend(t, `
type: object
properties:
  d: {type: string, format: date-time}
x-kubernetes-validations: [{rule: "!has(self.d) || self.d.getFullYear() > 2000"}]
`, nil)}
	report := run(t, mutate.Options{}, suite(t, honest, kinds, "A {d: tomorrow}", "A {d: '1999-01-01T00:00:00Z'}"))
	if diff := cmp.Diff([]string{
		" rule !has(self.d) || self.d.getFullYear() > 2000 → true: killed, 1",
		"d format date-time dropped: invalid, 1",
	}, lines(report)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if why := report.Mutants[1].Why; !strings.Contains(why, "getFullYear") {
		t.Errorf("invalid because of %q", why)
	}
}

// TestSample: a seed selects the same mutants each time, regardless of parallelism.
func TestSample(t *testing.T) {
	var properties strings.Builder
	for i := range 40 {
		fmt.Fprintf(&properties, "  p%d: {type: integer, maximum: 5}\n", i)
	}
	kinds := map[string]declarative.Backend{"A": backend(t, "type: object\nproperties:\n"+properties.String(), nil)}
	begun, done := 0, 0
	sampled := func(seed uint64, parallel int) []string {
		report := run(t, mutate.Options{
			Sample:   10,
			Seed:     seed,
			Parallel: parallel,
			Begin:    func(n int) { begun = n },
			Done:     func() { done++ },
		}, suite(t, honest, kinds, "A {p1: 9, p2: 9, p3: 9}"))
		if len(report.Mutants) != 10 || report.Of != 40 {
			t.Errorf("%d of %d", len(report.Mutants), report.Of)
		}
		return lines(report)
	}
	first := sampled(7, 1)
	if again := sampled(7, 4); !slices.Equal(first, again) {
		t.Errorf("%q, then %q", first, again)
	}
	if other := sampled(8, 1); slices.Equal(first, other) {
		t.Errorf("another seed chooses the same: %q", other)
	}
	if done = 0; len(sampled(7, 1)) > 0 && begun != done {
		t.Errorf("begun with %d mutants, done with %d", begun, done)
	}
}

// TestInterrupted: a run that ends early reports the mutants whose outcome is known, as the whole run does, and counts the others.
func TestInterrupted(t *testing.T) {
	const text = `
type: object
required: [a]
properties:
  a: {type: integer, minimum: 1, maximum: 5}
  b: {type: string, minLength: 1, maxLength: 2}
`
	cases := []string{"A {a: 6}", "A {a: 0}", "A {b: x}", "A {a: 1, b: ''}", "A {a: 1, b: xyz}"}
	made := func() mutate.Suite {
		return suite(t, honest, map[string]declarative.Backend{"A": backend(t, text, nil)}, cases...)
	}
	whole := lines(run(t, mutate.Options{Parallel: 1}, made()))
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	compared := 0
	report, err := mutate.Run(ctx, []mutate.Group{{Suites: []mutate.Suite{made()}}},
		mutate.Options{Parallel: 1, Compared: func() { compared++ }, Done: stop})
	got := lines(report)
	if err == nil || compared != len(cases) || report.Unfinished == 0 || len(got) == 0 || len(got)+report.Unfinished != len(whole) {
		t.Errorf("%d of %d inputs, %d unfinished, %v: %v", compared, len(cases), report.Unfinished, err, got)
	}
	for _, line := range got {
		if !slices.Contains(whole, line) {
			t.Errorf("the whole run has no %q", line)
		}
	}
	var out strings.Builder
	err = report.Text(&out, mutate.TextOptions{})
	if text := out.String(); err != nil || !strings.Contains(text, "not run, because the run was interrupted") ||
		strings.Contains(text, "a sample") {
		t.Errorf("%v: %s", err, &out)
	}
}

// TestUndecided: an input without a verdict is counted, and kills nothing.
func TestUndecided(t *testing.T) {
	kinds := map[string]declarative.Backend{"A": backend(t, `{type: object, properties: {a: {type: integer, maximum: 5}}}`, nil)}
	report := run(t, mutate.Options{}, suite(t, func(declarative.Backend) harness.Backend { return panicking{} }, kinds, "A {a: 6}"))
	if report.Inputs != 0 || report.Undecided != 1 || report.Count(mutate.Killed) != 0 {
		t.Errorf("%+v", report)
	}
}

type panicking struct{}

func (panicking) Name() string { return "native" }

func (panicking) Validate(context.Context, *harness.Input) (field.ErrorList, error) { panic("oh no") }
