package infer

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// workers are named groups, one of which the leader is in.
const workers = `
groups:
  type: array
  maxItems: 8
  x-kubernetes-list-type: map
  x-kubernetes-list-map-keys: [name]
  items:
    type: object
    required: [name]
    properties:
      name: {type: string, maxLength: 9}
      replicas: {type: integer, minimum: 0, default: 1}
      slots: {type: integer, minimum: 0, default: 1}
leader:
  type: object
  properties:
    group: {type: string, maxLength: 9}
    index: {type: integer}
`

// leaderIndex refuses a leader whose index is not below what its group allows.
func leaderIndex(below func(group spec) int64) func(s, old spec) field.ErrorList {
	return func(s, _ spec) field.ErrorList {
		leader, _ := s["leader"].(map[string]any)
		for _, group := range s.itemsOf("groups") {
			if n := spec(leader).number("index"); leader != nil && group["name"] == leader["group"] && (n < 0 || n >= below(group)) {
				return field.ErrorList{pathless("the index %d is invalid for this leader", n)}
			}
		}
		return nil
	}
}

// TestOtherFields: a rule that only fits because no object had other values of other fields is not proven.
func TestOtherFields(t *testing.T) {
	t.Parallel()
	one := func(name string) map[string]any { return map[string]any{"name": name} }
	starts := []spec{
		{"groups": []any{one("a"), one("b")}},
		{"groups": []any{one("a")}, "leader": map[string]any{"group": "a", "index": int64(0)}},
	}
	or1 := func(group spec, name string) int64 {
		if !group.has(name) {
			return 1
		}
		return group.number(name)
	}
	for _, tt := range []struct {
		why   string
		below func(group spec) int64
	}{
		{"a function of a number elsewhere", func(group spec) int64 { return 2*or1(group, "replicas") - 1 }},
		{"the product of two numbers elsewhere", func(group spec) int64 { return or1(group, "replicas") * or1(group, "slots") }},
		{"two numbers elsewhere", func(group spec) int64 { return min(or1(group, "replicas"), or1(group, "slots")) }},
	} {
		if tt.why == "two numbers elsewhere" && !slowtest.Enabled() {
			continue
		}
		report := runShort(t, definition(workers, "groups"), leaderIndex(tt.below), starts...)
		if report.Count(proposal.Proven) > 0 {
			t.Errorf("%s: proven:\n%s", tt.why, report.Text())
		}
	}
}

// TestWeakProof: what is not enough for a proof.
func TestWeakProof(t *testing.T) {
	for _, tt := range []struct {
		why                                  string
		conditions, refused, offered, varied int
		isThin, isUnvaried                   bool
	}{
		{"many objects", 2, 20, 30, 40, false, false},
		{"one object for one condition", 1, 1, 0, 0, true, false},
		{"two objects for one condition", 1, 2, 0, 0, false, false},
		{"four conditions that one object was learnt by heart with", 4, 1, 0, 0, true, false},
		{"one object in which others were varied", 4, 1, 30, 40, false, false},
		{"the search ended before fields were varied", 1, 20, 30, -1, false, true},
		{"no object with other values could be asked about", 1, 20, 30, 0, false, true},
		{"there is no other field", 1, 20, 0, 0, false, false},
	} {
		isThin, isUnvaried := weakProof(tt.conditions, tt.refused, tt.offered, tt.varied)
		if isThin != tt.isThin || isUnvaried != tt.isUnvaried {
			t.Errorf("%s: thin %v, unvaried %v", tt.why, isThin, isUnvaried)
		}
	}
}

// TestByHeart: constants that may hold only for the objects that were seen.
func TestByHeart(t *testing.T) {
	object := func(n, other int64) map[string]any {
		return map[string]any{
			"metadata": map[string]any{"generation": other},
			"spec":     map[string]any{"n": n, "items": []any{map[string]any{"other": other}}},
		}
	}
	same, others := []map[string]any{object(9, 8), object(12, 8)}, []map[string]any{object(9, 8), object(9, 30)}
	const learnt, tied = "neither the text of the error nor the schema names ", "a bound may be the value of spec.items[*].other, " +
		"which is 8 in all objects that could be asked about"
	for _, tt := range []struct {
		why, condition, text, word string
		objects                    []map[string]any
		varied                     string
		want                       string
	}{
		{"a text that is refused", "has(self.a) && self.a == '4-4'", "invalid range", "", nil, "", learnt + "'4-4'"},
		{"one in a list", "self.a in ['all', '4-4']", "invalid range", "", nil, "", learnt + "'4-4'"},
		{"one of an optional value", "!(self.a != '4-4')", "invalid range", "", nil, "", learnt + "'4-4'"},
		{"a text that is accepted: others are refused", "self.a != '4-4'", "invalid range", "", nil, "", ""},
		{"the same in a list", "!(self.a in ['4-4'])", "invalid range", "", nil, "", ""},
		{"a text that the error names", "self.a == '4-4'", "must not be 4-4", "", nil, "", ""},
		{"a value of an enum", "self.a == '4-4'", "invalid range", "4-4", nil, "", ""},
		{"a word, as people write them", "self.a == 'None'", "invalid mode", "", nil, "", ""},
		{"a number", "self.spec.n == 7", "invalid", "", nil, "", learnt + "7"},
		{"a number that the error names", "self.spec.n == 7", "must not be 7", "", nil, "", ""},
		{"zero and one mean something", "self.spec.n == 0 || self.spec.n == 1", "invalid", "", nil, "", ""},
		{"a bound that is the value of a field", "self.spec.n > 8", "too many", "", same, "", tied},
		{"a bound beside it", "self.spec.n >= 9", "too many", "", same, "", tied},
		{"a bound that the error names", "self.spec.n > 8", "at most 8", "", same, "", ""},
		{"a bound beyond it", "self.spec.n > 10", "too many", "", same, "", ""},
		{"the field has another value in one object", "self.spec.n > 8", "too many", "", others, "", ""},
		{"the field was varied", "self.spec.n > 8", "too many", "", same, "spec.items[*].other", ""},
	} {
		var varied []string
		if tt.varied != "" {
			varied = []string{tt.varied}
		}
		if got := reasonOfOverfit(tt.condition, tt.text, tt.word, tt.objects, varied...); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.why, got, tt.want)
		}
	}
}
