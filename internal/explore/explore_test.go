package explore_test

import (
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
)

const queueSchema = `
type: object
properties:
  metadata: {type: object}
  spec:
    type: object
    required: [mode]
    properties:
      mode: {type: string}
      limit: {type: integer, minimum: 1, maximum: 100}
      name: {type: string, maxLength: 63}
      class: {type: string}
      tags: {type: array, items: {type: string}}
      steps: {type: array, maxItems: 4, items: {type: object, required: [name], properties: {name: {type: string}, ` +
	`weight: {type: integer}}}}
    x-kubernetes-validations:
    - rule: "self.mode != 'Progressing' || has(self.limit)"
`

// queue validates the queues of the test correctly.
func queue(object, old map[string]any) (errs []string) {
	spec, _ := object["spec"].(map[string]any)
	fail := func(wrong bool, text string) {
		if wrong {
			errs = append(errs, text)
		}
	}
	mode, isText := spec["mode"].(string)
	fail(!isText || mode == "", "spec.mode: required")
	limit, limited := spec["limit"].(int64)
	fail(limited && (limit < 1 || limit > 100), "spec.limit: must be 1 to 100")
	fail(mode == "Progressing" && !limited, "spec.limit: required if the mode is Progressing")
	name, _ := spec["name"].(string)
	fail(utf8.RuneCountInString(name) > 63, "spec.name: too long")
	tags, _ := spec["tags"].([]any)
	seen := map[any]bool{}
	for i, tag := range tags {
		text, isText := tag.(string)
		fail(!isText, fmt.Sprintf("spec.tags[%d]: no text", i))
		fail(isText && seen[text], fmt.Sprintf("spec.tags[%d]: duplicate", i))
		seen[text] = true
	}
	steps, _ := spec["steps"].([]any)
	fail(len(steps) > 4, "spec.steps: too many")
	for i, step := range steps {
		fields, _ := step.(map[string]any)
		text, isText := fields["name"].(string)
		fail(!isText || text == "", fmt.Sprintf("spec.steps[%d].name: required", i))
	}
	if before, _ := old["spec"].(map[string]any); old != nil {
		fail(!reflect.DeepEqual(before["class"], spec["class"]), "spec.class: immutable")
	}
	return errs
}

// without returns queue without the errors that contain a text.
func without(text string) func(object, old map[string]any) []string {
	return func(object, old map[string]any) (errs []string) {
		for _, err := range queue(object, old) {
			if !strings.Contains(err, text) {
				errs = append(errs, err)
			}
		}
		return errs
	}
}

// and adds an error that an incorrect validator would report.
func and(wrong func(spec map[string]any) bool) func(object, old map[string]any) []string {
	return func(object, old map[string]any) []string {
		errs := queue(object, old)
		if spec, _ := object["spec"].(map[string]any); wrong(spec) {
			errs = append(errs, "spec: wrongly refused")
		}
		return errs
	}
}

// asking compares queue with another validator.
func asking(other func(object, old map[string]any) []string) explore.Ask {
	return func(_ context.Context, in explore.Input) (explore.Answer, error) {
		sides := [2][]string{queue(in.Object, in.Old), other(in.Object, in.Old)}
		answer := explore.Answer{Accepted: [2]bool{len(sides[0]) == 0, len(sides[1]) == 0}}
		for i, errs := range sides {
			for _, err := range errs {
				at, text, _ := strings.Cut(err, ": ")
				answer.Errors = append(answer.Errors, explore.Error{
					Mistake: generate.Mistake{Field: at, Text: text}, Behavior: fmt.Sprint(i, strings.Map(letters, at), text),
				})
			}
		}
		if !reflect.DeepEqual(sides[0], sides[1]) {
			found := explore.Finding{Signature: "none", Cause: "it"}
			if answer.Accepted[0] != answer.Accepted[1] {
				found.Signature, found.Urgency = fmt.Sprint("changed ", answer.Accepted[0]), 1
			}
			answer.Findings = append(answer.Findings, found)
		}
		return answer, nil
	}
}

func letters(r rune) rune {
	if r >= '0' && r <= '9' {
		return -1
	}
	return r
}

// explored returns the reduced inputs of the findings for planted mistakes, and all inputs as text.
func explored(t *testing.T, other func(object, old map[string]any) []string, parallel int) (found []explore.Found, inputs string) {
	t.Helper()
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.Unmarshal([]byte(queueSchema), schema); err != nil {
		t.Fatal(err)
	}
	var all strings.Builder
	e := explore.New(explore.Options{
		Seed: 1, Parallel: parallel, Schema: schema, Ask: asking(other),
		Object:  generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Queue"},
		Observe: func(in explore.Input, _ explore.Answer) error { fmt.Fprintln(&all, asJSON(t, in)); return nil },
		Found:   func(one explore.Found) error { found = append(found, one); return nil },
	})
	for steps := 0; steps < 300 && !e.Done(500); steps++ {
		if err := e.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return found, all.String()
}

func asJSON(t *testing.T, value any) string {
	t.Helper()
	data, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestPlantedMistakes(t *testing.T) {
	const base = `"apiVersion":"example.com/v1","kind":"Queue"`
	for _, row := range []struct {
		why  string
		with func(object, old map[string]any) []string
		// most has the fields of the smallest input for the changed verdict.
		most int
	}{
		{"a limit that is too high by one", func(object, old map[string]any) []string {
			if spec, _ := object["spec"].(map[string]any); spec["limit"] == int64(101) {
				return without("must be 1 to 100")(object, old)
			}
			return queue(object, old)
		}, 3},
		{"no limit at all", without("must be 1 to 100"), 3},
		{"a required field is not checked", without("spec.mode: required"), 1},
		{"a field that is required in one mode", without("if the mode is Progressing"), 2},
		{"duplicates", without("duplicate"), 5},
		{"a length", without("too long"), 3},
		{"one item too many", without("too many"), 13},
		{"a field that must not change", without("immutable"), 6},
		{"a value is wrongly refused", and(func(spec map[string]any) bool { return spec["limit"] == int64(100) }), 3},
		{"two fields are wrongly refused together",
			and(func(spec map[string]any) bool { return spec["class"] != nil && spec["limit"] != nil }),
			4},
	} {
		found, _ := explored(t, row.with, 0)
		small := -1
		for _, one := range found {
			if fields := strings.Count(asJSON(t, one.Input), `":`) - strings.Count(asJSON(t, one.Input), base)*2; one.Urgency > 0 &&
				(small < 0 || fields < small) {
				small = fields
			}
		}
		if small < 0 || small > row.most+4 { // the input itself has two fields, and each object has a spec
			t.Errorf("%s: want a changed verdict in an input of at most %d fields, found %d: %s", row.why, row.most+4, small,
				asJSON(t, found))
		}
	}
}

func TestDeterminism(t *testing.T) {
	for _, mistake := range []string{"immutable", "too many", "too long"} {
		found, one := explored(t, without(mistake), 1)
		same, four := explored(t, without(mistake), 4)
		if one != four {
			t.Errorf("%s: the number of cores changes the inputs", mistake)
		}
		if asJSON(t, found) != asJSON(t, same) {
			t.Errorf("%s: the number of cores changes what is found, or how small it is", mistake)
		}
	}
}

// TestFindingsAtTheEnd: the time may run out while findings are reduced.
func TestFindingsAtTheEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	ask := asking(without("too many"))
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.Unmarshal([]byte(queueSchema), schema); err != nil {
		t.Fatal(err)
	}
	var found []explore.Found
	e := explore.New(explore.Options{
		Seed: 1, Schema: schema, Object: generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Queue"},
		Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			if err := ctx.Err(); err != nil {
				return explore.Answer{}, err
			}
			return ask(ctx, in)
		},
		Observe: func(_ explore.Input, answer explore.Answer) error {
			if len(answer.Findings) > 0 {
				cancel()
			}
			return nil
		},
		Found: func(one explore.Found) error { found = append(found, one); return nil },
	})
	for ctx.Err() == nil {
		if err := e.Step(ctx); err != nil && ctx.Err() == nil {
			t.Fatal(err)
		}
	}
	if len(found) == 0 {
		t.Error("what was found last was lost")
	}
}

// TestFaults: a fault is a finding only if the old object can exist.
func TestFaults(t *testing.T) {
	ask := asking(queue)
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.Unmarshal([]byte(queueSchema), schema); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	e := explore.New(explore.Options{
		Seed: 1, Schema: schema, Object: generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Queue"},
		Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
			spec, _ := in.Object["spec"].(map[string]any)
			before, _ := in.Old["spec"].(map[string]any)
			switch {
			case in.IsUpdate() && before["mode"] == nil: // queue refuses it
				return fault("of an object that cannot be stored"), nil
			case in.IsUpdate() && before["class"] == nil && spec["class"] != nil:
				return fault("of an object that is stored"), nil
			}
			return ask(ctx, in)
		},
		Observe: func(explore.Input, explore.Answer) error { return nil },
		Found:   func(one explore.Found) error { found[one.Signature]++; return nil },
	})
	for range 100 {
		if err := e.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	if want := map[string]int{"of an object that is stored": 1}; !reflect.DeepEqual(found, want) {
		t.Errorf("found %v; want %v", found, want)
	}
}

func fault(signature string) explore.Answer {
	return explore.Answer{Undecided: true, Findings: []explore.Finding{{Signature: signature, Cause: signature, Fault: true}}}
}

func TestEqualValidators(t *testing.T) {
	found, inputs := explored(t, queue, 0)
	if len(found) > 0 {
		t.Errorf("found %s", asJSON(t, found))
	}
	if n := strings.Count(inputs, "\n"); n < 500 {
		t.Errorf("only %d inputs were tried", n)
	}
}

// TestExecutedCode: the first input that executes code is kept, although both sides accept it without an error.
func TestExecutedCode(t *testing.T) {
	schema := &apiextensionsv1.JSONSchemaProps{}
	if err := yaml.Unmarshal([]byte(queueSchema), schema); err != nil {
		t.Fatal(err)
	}
	ask := asking(queue)
	branches := func(in explore.Input) (executed []int) {
		spec, _ := in.Object["spec"].(map[string]any)
		if limit, _ := spec["limit"].(int64); limit == 100 {
			executed = append(executed, 1)
		}
		if tags, _ := spec["tags"].([]any); len(tags) > 1 && len(queue(in.Object, in.Old)) == 0 {
			executed = append(executed, 2)
		}
		return executed
	}
	kept := func(counted bool) map[int]bool {
		e := explore.New(explore.Options{
			Seed: 1, Schema: schema, Object: generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Queue"},
			Ask: func(ctx context.Context, in explore.Input) (explore.Answer, error) {
				answer, err := ask(ctx, in)
				if counted {
					answer.Executed = branches(in)
				}
				return answer, err
			},
			Observe: func(explore.Input, explore.Answer) error { return nil },
			Found:   func(explore.Found) error { return nil },
		})
		for steps := 0; steps < 300 && !e.Done(500); steps++ {
			if err := e.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		found := map[int]bool{}
		for _, in := range e.Kept() {
			for _, place := range branches(in) {
				found[place] = true
			}
		}
		return found
	}
	if with, without := kept(true), kept(false); len(with) != 2 || without[2] {
		t.Errorf("kept are inputs that execute %v; without counters %v", with, without)
	}
}

func TestParseRule(t *testing.T) {
	for _, row := range []struct {
		why, rule string
		variables map[string]string
		paths     string
		literals  string
	}{
		{"fields of self", "self.a > 3 && self.b.c == 'x'", nil, `[["a"],["b","c"]]`, `[3,"x"]`},
		{"items of a list in a macro", "self.list.all(i, i.name != 'a')", nil, `[["list"],["list","[*]","name"]]`, `["a"]`},
		{"optional fields", "self.?a.orValue('x') == 'y'", nil, `[["a"]]`, `["x","y"]`},
		{"an object of a policy, through a variable", "variables.c.all(c, c.image.startsWith('x'))",
			map[string]string{"c": "object.spec.containers"},
			`[["spec","containers"],["spec","containers","[*]","image"]]`, `["x"]`},
		{"items of a filtered and mapped list", "variables.p.all(l, l.all(x, x.n > 1))",
			map[string]string{"p": "variables.c.filter(c, has(c.ports)).map(c, c.ports)",
				"c": "object.a + (has(object.b) ? object.b : [])"},
			`[["a"],["b"],["a","[*]","ports"],["b","[*]","ports"],["a","[*]","ports","[*]","n"],["b","[*]","ports","[*]","n"]]`, `[1]`},
		{"a choice of objects, and of a list or none", "variables.all.exists(c, c.image == 'x')", map[string]string{
			"any": "request.operation == 'DELETE' ? oldObject : object", "all": "!has(variables.any.spec.containers) ? [] : " +
				"variables.any.spec.containers",
		}, `[["spec","containers"],["spec","containers","[*]","image"]]`, `["x"]`},
		{"a list of objects", "[object, oldObject].exists(o, o != null && has(o.metadata.name))", nil, `[["metadata","name"]]`, `null`},
		{"an escaped name", "self.__namespace__ == 'a'", nil, `[["namespace"]]`, `["a"]`},
	} {
		rule, ok := explore.ParseRule(row.rule, row.variables)
		if paths, literals := asJSON(t, rule.Paths), asJSON(t, rule.Literals); !ok || paths != row.paths || literals != row.literals {
			t.Errorf("%s: paths %s, literals %s; want %s, %s", row.why, paths, literals, row.paths, row.literals)
		}
	}
	if _, ok := explore.ParseRule("self.", nil); ok {
		t.Error("a text that is not CEL is a rule")
	}
}

// TestWithParameters: a rule that reads parameters has their values as literals, and no other rule does.
func TestWithParameters(t *testing.T) {
	parameters := []map[string]any{{
		"apiVersion": "example.com/v1", "kind": "Limits", "metadata": map[string]any{"name": "limits"},
		"spec": map[string]any{"paths": []any{map[string]any{"prefix": "/foo"}}, "most": int64(3), "strict": true},
	}}
	for _, row := range []struct{ why, rule, literals string }{
		{"through a variable", "object.spec.path.startsWith(variables.paths[0].prefix)", `[0,3,"/foo"]`},
		{"of the object alone", "object.spec.path == '/bar'", `["/bar"]`},
	} {
		rule, _ := explore.ParseRule(row.rule, map[string]string{"paths": "params.spec.paths"})
		if got := asJSON(t, rule.WithParameters(parameters).Literals); got != row.literals {
			t.Errorf("%s: %s, want %s", row.why, got, row.literals)
		}
	}
}

// TestOldObjects: a finding of an update counts only if the first side would store the old object, or if the user says
// that it is stored, or with AnyOld, where it says so.
func TestOldObjects(t *testing.T) {
	stale := func(object, old map[string]any) []string { // the second side refuses what the first one never created
		before, _ := old["spec"].(map[string]any)
		if limit, _ := before["limit"].(int64); limit > 100 {
			return append(queue(object, old), "spec.limit: was too high")
		}
		return queue(object, old)
	}
	start := func(limit int64) map[string]any {
		return map[string]any{
			"apiVersion": "example.com/v1",
			"kind":       "Queue",
			"metadata":   map[string]any{"name": "a"},
			"spec":       map[string]any{"mode": "x", "limit": limit},
		}
	}
	for _, row := range []struct {
		why    string
		starts []explore.Input
		known  []explore.Input
		anyOld bool
		want   map[bool]bool // by Found.OldUnstorable: whether a changed verdict was found
	}{
		{"no side creates the old object", []explore.Input{{Object: start(1)}}, nil, false, map[bool]bool{}},
		{"nor is it stored because an exploration made it", []explore.Input{{Object: start(1)}},
			[]explore.Input{{Object: start(1), Old: start(101)}}, false, map[bool]bool{}},
		{"an older definition may have stored it", []explore.Input{{Object: start(1)}}, nil, true, map[bool]bool{true: true}},
		{"the user says that it is stored", []explore.Input{{Object: start(1), Old: start(101)}}, nil, false, map[bool]bool{false: true}},
	} {
		schema := &apiextensionsv1.JSONSchemaProps{}
		if err := yaml.Unmarshal([]byte(queueSchema), schema); err != nil {
			t.Fatal(err)
		}
		found := map[bool]bool{}
		e := explore.New(explore.Options{
			Seed: 1, Schema: schema, Ask: asking(stale), Starts: row.starts, Known: row.known, AnyOld: row.anyOld,
			Object:  generate.ObjectOptions{APIVersion: "example.com/v1", Kind: "Queue"},
			Observe: func(explore.Input, explore.Answer) error { return nil },
			Found: func(one explore.Found) error {
				if one.Urgency > 0 {
					found[one.OldUnstorable] = true
				}
				return nil
			},
		})
		for range 60 {
			if err := e.Step(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		if !reflect.DeepEqual(found, row.want) {
			t.Errorf("%s: found %v; want %v", row.why, found, row.want)
		}
	}
}

// TestOneDifference: a small input has no error and no difference that the input of its finding lacks.
func TestOneDifference(t *testing.T) {
	both := func(_ context.Context, in explore.Input) (explore.Answer, error) {
		spec, _ := in.Object["spec"].(map[string]any)
		answer := explore.Answer{Accepted: [2]bool{true, true}}
		refused := func(at, text string) {
			answer.Accepted[0] = false
			answer.Errors = append(answer.Errors, explore.Error{Mistake: generate.Mistake{Field: at, Text: text}, Behavior: text})
			answer.Findings = append(answer.Findings, explore.Finding{Signature: text, Cause: text, Urgency: 1})
		}
		if size, _ := spec["size"].(int64); size == 0 {
			refused("spec.size", "size not configured")
		}
		if name, _ := spec["name"].(string); len(name) > 3 {
			refused("spec.name", "name too long")
		}
		return answer, nil
	}
	object := map[string]any{"spec": map[string]any{"size": int64(7), "name": "too long", "other": "x"}}
	answer, err := both(t.Context(), explore.Input{Object: object})
	if err != nil {
		t.Fatal(err)
	}
	small, err := explore.Shrink(t.Context(), both, explore.Input{Object: object}, answer.Findings[0])
	if want := map[string]any{"spec": map[string]any{"size": int64(1), "name": "too "}}; err != nil ||
		!reflect.DeepEqual(small.Input.Object, want) {
		t.Errorf("%s, %v; want %s", asJSON(t, small.Input), err, asJSON(t, want))
	}
}
