package infer_test

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer"
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
	starts := []spec{{"groups": []any{one("a"), one("b")}}, {"groups": []any{one("a")}, "leader": map[string]any{"group": "a", "index": int64(0)}}}
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
		report := run(t, definition(workers, "groups"), leaderIndex(tt.below), starts...)
		if report.Count(infer.Proven) > 0 {
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
		isThin, isUnvaried := infer.WeakProof(tt.conditions, tt.refused, tt.offered, tt.varied)
		if isThin != tt.isThin || isUnvaried != tt.isUnvaried {
			t.Errorf("%s: thin %v, unvaried %v", tt.why, isThin, isUnvaried)
		}
	}
}
