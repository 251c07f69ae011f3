package evaluation

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestWeakerExpressions(t *testing.T) {
	for _, tt := range []struct {
		why, text string
		want      []string
	}{
		{"a bound includes its value, and is gone", "object.spec.replicas < 5", []string{"object.spec.replicas <= 5", "true"}},
		{"a bound that includes its value has no weaker form", "object.spec.replicas <= 5", []string{"true"}},
		{"each part of a conjunction", "a < 1 && b", []string{"a < 1", "b", "a <= 1 && b", "true"}},
		{"any item is enough, and conditions of items", "object.spec.ports.all(p, p.a > 1 && p.b)",
			[]string{
				"object.spec.ports.exists(p, p.a > 1 && p.b)",
				"object.spec.ports.all(p, p.a > 1)",
				"object.spec.ports.all(p, p.b)",
				"object.spec.ports.all(p, p.a >= 1 && p.b)",
				"true",
			}},
		{"a negation inverts which change is weaker", "!(object.a || object.l.exists(x, x >= 3))",
			[]string{
				"!object.a",
				"!object.l.exists(x, x >= 3)",
				"!(object.a || object.l.all(x, x >= 3))",
				"!(object.a || object.l.exists(x, x > 3))",
				"true",
			}},
		{"a macro that replaces a conjunction", "object.l.all(x, x.m.exists(y, y)) && object.b",
			[]string{"object.l.all(x, x.m.exists(y, y))", "object.b", "object.l.exists(x, x.m.exists(y, y)) && object.b", "true"}},
		{"operands of a comparison are not conditions", "size(object.l.filter(x, x < 3 && x > 1)) == 0", []string{"true"}},
		{"both results of a choice", "has(object.a) ? object.a < 1 : object.b > 2",
			[]string{"has(object.a) ? (object.a <= 1) : (object.b > 2)", "has(object.a) ? (object.a < 1) : (object.b >= 2)", "true"}},
		{"no expression", "a &&", nil},
	} {
		var got []string
		for _, weaker := range weakerExpressions(tt.text) {
			got = append(got, weaker.text)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.why, diff)
		}
	}
}

func TestWeakerChange(t *testing.T) {
	want := []string{"l.all(p, …) → l.exists(p, …)", "without p.b", "without p.a > 1", "p.a > 1 → p.a >= 1",
		"l.all(p, p.a > 1 && p.b) → true"}
	var got []string
	for _, weaker := range weakerExpressions("l.all(p, p.a > 1 && p.b)") {
		got = append(got, weaker.change)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
