package decision_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/cel-go/cel"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/celexpr/decision"
)

// TestShown: the sides that objects show, by hand.
func TestShown(t *testing.T) {
	for _, row := range []struct {
		why, condition, object, old string
		value                       string
		want                        []string
	}{
		{"both decide", "self.a && self.b", `{"a": true, "b": true}`, "", "true", []string{"self.a: true", "self.b: true"}},
		{"one decides", "self.a && self.b", `{"a": true, "b": false}`, "", "false", []string{"self.b: false"}},
		{"none decides alone", "self.a && self.b", `{"a": false, "b": false}`, "", "false", nil},
		{"a guard decides: what it guards has no value", "has(self.a) && self.a > 3", `{}`, "", "false", []string{"has(self.a): false"}},
		{"guards of guards are none of their own", "has(self.s) && has(self.s.a) && self.s.a > 3", `{}`, "", "false",
			[]string{"has(self.s.a): false"}},
		{"guards of guards, the opposite", "!has(self.s) || !has(self.s.a) || self.s.a > 3", `{"s": {"a": 3}}`, "", "false",
			[]string{"has(self.s.a): true", "self.s.a > 3: false"}},
		{"a negation", "!(self.a || self.b)", `{"a": false, "b": true}`, "", "false", []string{"self.b: true"}},
		{"an atom and its opposite are one", "self.a == 1 && self.b || self.a != 1 && self.c",
			`{"a": 1, "b": true, "c": false}`, "", "true", []string{"self.a == 1: true", "self.b: true"}},
		{"a choice", "self.a ? self.b : self.c", `{"a": true, "b": true, "c": false}`, "", "true",
			[]string{"self.a: true", "self.b: true"}},
		{"a choice between the same", "self.a ? self.b : self.c", `{"a": true, "b": true, "c": true}`, "", "true",
			[]string{"self.b: true"}},
		{"an item decides", "self.l.exists(x, x.a && x.b > 1)", `{"l": [{"a": true, "b": 0}, {"a": true, "b": 2}]}`, "", "true",
			[]string{"x.a: true", "x.b > 1: true"}},
		{"two items, and none decides alone", "self.l.exists(x, x > 1)", `{"l": [2, 3]}`, "", "true", nil},
		{"no item decides", "self.l.all(x, x > 1)", `{"l": []}`, "", "true", nil},
		{"an index and an item", "self.l.exists(i, x, x != oldSelf.l[i])", `{"l": [1, 2]}`, `{"l": [1, 3]}`, "true",
			[]string{"x != oldSelf.l[i]: true"}},
		{"entries of a map", "self.m.exists(k, v, k == 'a' && v == 'b')", `{"m": {"a": "c"}}`, "", "false", []string{"v == 'b': false"}},
		{"what is unread has no value", "self.a && unread0", `{"a": true}`, "", "", nil},
		{"what is unread does not decide", "self.a && unread0", `{"a": false}`, "", "false", []string{"self.a: false"}},
		{"no object before", "self.a != oldSelf.a", `{"a": 1}`, "", "", nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			d := decision.Of(celexpr.Parse(row.condition))
			e := d.On(object(t, row.object), object(t, row.old))
			value := ""
			if is, has := e.Value(); has {
				value = fmt.Sprint(is)
			}
			if got := shown(d, e); value != row.value || !slices.Equal(got, row.want) {
				t.Errorf("%s is %q and shows %q, want %q and %q", row.condition, value, got, row.value, row.want)
			}
		})
	}
}

func object(t *testing.T, text string) (made map[string]any) {
	t.Helper()
	if text == "" {
		return nil
	}
	if err := json.Unmarshal([]byte(text), &made); err != nil {
		t.Fatal(err)
	}
	return made
}

func shown(d *decision.Decision, e decision.Evaluation) (all []string) {
	e.Shown(func(side decision.Side) {
		text := fmt.Sprintf("%s: %v", celexpr.String(d.Atom(side.Atom)), side.Value)
		if !slices.Contains(all, text) {
			all = append(all, text)
		}
	})
	return all
}

// maker makes conditions whose atoms are fields, each once: a field is an atom that can be changed alone.
type maker struct {
	*rand.Rand
	fields []string
	ofItem int
}

func (m *maker) condition(depth int, in string) string {
	if depth == 0 || m.IntN(4) == 0 {
		name := fmt.Sprintf("f%d", len(m.fields))
		if in == "x" {
			name = fmt.Sprintf("p%d", m.ofItem)
			m.ofItem++
		} else {
			m.fields = append(m.fields, name)
		}
		return in + "." + name
	}
	part := func() string { return "(" + m.condition(depth-1, in) + ")" }
	switch n := m.IntN(9); {
	case n < 3:
		return part() + " && " + part()
	case n < 6:
		return part() + " || " + part()
	case n < 7:
		return "!" + part()
	case n < 8 || in == "x" || m.ofItem > 0:
		return part() + " ? " + part() + " : " + part()
	}
	return "self.items." + []string{"all", "exists"}[m.IntN(2)] + "(x, " + m.condition(depth-1, "x") + ")"
}

// TestAgainstEvaluation: an object shows a side if and only if CEL says something else about the object in which this field
// alone has the other value. An object that shows a side needs nothing, and one in which fields have what they need shows it.
func TestAgainstEvaluation(t *testing.T) {
	env, err := cel.NewEnv(cel.Variable("self", cel.DynType))
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 2))
	showed, needed := 0, 0
	for range 400 {
		m := &maker{Rand: random}
		text := m.condition(4, "self")
		checked, issues := env.Compile(text)
		if issues.Err() != nil {
			t.Fatalf("%s: %v", text, issues.Err())
		}
		program, err := env.Program(checked)
		if err != nil {
			t.Fatal(err)
		}
		value := func(object map[string]any) bool {
			out, _, err := program.Eval(map[string]any{"self": object})
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			return out.Value() == true
		}
		d := decision.Of(celexpr.Parse(text))
		for range 8 {
			object := m.object()
			before := value(object)
			e := d.On(object, nil)
			if is, has := e.Value(); !has || is != before {
				t.Fatalf("%s is %v, %v; CEL says %v", text, is, has, before)
			}
			want := map[decision.Side]bool{}
			for n := range d.Sides() {
				if n%2 == 0 {
					flips(object, d.Atom(n/2).AsSelect().FieldName(), func(was bool) {
						if value(object) != before {
							want[decision.Side{Atom: n / 2, Value: was}] = true
						}
					})
				}
			}
			got := map[decision.Side]bool{}
			e.Shown(func(side decision.Side) { got[side] = true })
			for _, side := range d.Sides() {
				needs := e.Needs(side)
				if got[side] != want[side] || got[side] != (len(needs) == 0) {
					t.Fatalf("%s: %v of %s is shown: %v, want %v; it needs %v\n%v", text, side.Value, celexpr.String(d.Atom(side.Atom)),
						got[side], want[side], needs, object)
				}
				if got[side] {
					showed++
				} else if m.ofItem == 0 {
					needed++
					changed := m.with(d, object, needs)
					if after := d.On(changed, nil).Needs(side); len(after) > 0 {
						t.Fatalf("%s: %v of %s needs %v, and then %v\n%v", text, side.Value, celexpr.String(d.Atom(side.Atom)), needs,
							after, object)
					}
				}
			}
		}
	}
	if showed < 1000 || needed < 1000 {
		t.Errorf("%d sides were shown and %d were not: too few", showed, needed)
	}
}

func (m *maker) object() map[string]any {
	made := map[string]any{}
	for _, field := range m.fields {
		made[field] = m.IntN(2) == 0
	}
	var items []any
	for range m.IntN(4) {
		item := map[string]any{}
		for n := range m.ofItem {
			item[fmt.Sprintf("p%d", n)] = m.IntN(2) == 0
		}
		items = append(items, item)
	}
	made["items"] = items
	return made
}

// with returns an object with the fields that are needed.
func (m *maker) with(d *decision.Decision, object map[string]any, needs []decision.Side) map[string]any {
	made := map[string]any{"items": object["items"]}
	for _, field := range m.fields {
		made[field] = object[field]
	}
	for _, need := range needs {
		made[d.Atom(need.Atom).AsSelect().FieldName()] = need.Value
	}
	return made
}

// flips changes a field of the object, or of each item in turn, and changes it back after the call.
func flips(object map[string]any, field string, call func(was bool)) {
	flip := func(in map[string]any) {
		was := in[field].(bool)
		in[field] = !was
		call(was)
		in[field] = was
	}
	if !strings.HasPrefix(field, "p") {
		flip(object)
		return
	}
	items, _ := object["items"].([]any)
	for _, item := range items {
		flip(item.(map[string]any))
	}
}
