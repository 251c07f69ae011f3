package infer

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// indexFamilies are about an index that must be below a number of the item with a name.
func indexFamilies() []family {
	const properties = "groups:\n  type: array\n  maxItems: 8\n  x-kubernetes-list-type: map\n  x-kubernetes-list-map-keys: " +
		"[name]\n  items:\n    type: object\n    required: [name]\n    properties:\n      name: {type: string, maxLength: " +
		"9}\n      replicas: {type: integer, minimum: 0, default: 1}\n      slots: {type: integer, minimum: 0}\nleader:\n  type: " +
		"object\n  required: [group, index]\n  properties:\n    group: {type: string, maxLength: 9}\n    index: {type: " +
		"integer, minimum: 0}\n"
	group := func(name string) map[string]any { return map[string]any{"name": name} }
	starts := []spec{
		{"groups": []any{group("a"), group("b")}},
		{"groups": []any{group("a")}, "leader": map[string]any{"group": "a", "index": int64(0)}},
	}
	refusing := func(refuses func(leader, group spec) bool) func(s, _ spec) field.ErrorList {
		return func(s, _ spec) field.ErrorList {
			leader, _ := s["leader"].(map[string]any)
			for _, group := range s.itemsOf("groups") {
				if leader != nil && group["name"] == leader["group"] && refuses(leader, group) {
					return field.ErrorList{pathless("the index of the leader is invalid for its group")}
				}
			}
			return nil
		}
	}
	return []family{
		{
			why: "an index below a number of the item with a name", properties: properties, required: []string{"groups"}, starts: starts,
			validate: refusing(func(leader, group spec) bool {
				return leader.number("index") >= group.number("replicas") && (group.has("replicas") || leader.number("index") >= 1)
			}),
			want: []string{"spec: !has(self.leader) || self.groups.all(y, y.name != self.leader.group || self.leader.index < y.replicas)"},
		},
		{
			why: "a number up to one of the item with a name", properties: properties, required: []string{"groups"}, starts: starts,
			validate: refusing(func(leader, group spec) bool {
				return leader.number("index") > group.number("replicas") && (group.has("replicas") || leader.number("index") > 1)
			}),
			want: []string{"spec: !has(self.leader) || self.groups.all(y, y.name != self.leader.group || self.leader.index <= y.replicas)"},
		},
		{
			why: "an index below a number that the item need not have", properties: properties, required: []string{"groups"},
			starts: append(starts, spec{
				"groups": []any{map[string]any{"name": "a", "slots": int64(1)}},
				"leader": map[string]any{"group": "a", "index": int64(0)},
			}),
			validate: refusing(func(leader, group spec) bool {
				return group.has("slots") && leader.number("index") >= group.number("slots")
			}),
			want: []string{
				"spec: !has(self.leader) || self.groups.all(y, y.name != self.leader.group || !has(y.slots) || " +
					"self.leader.index < y.slots)",
			},
		},
		{
			why: "an index that is zero if it is not set", properties: strings.Replace(properties, "[group, index]", "[group]", 1),
			required: []string{"groups"}, starts: starts,
			validate: refusing(func(leader, group spec) bool {
				return leader.number("index") >= group.number("replicas") && (group.has("replicas") || leader.number("index") >= 1)
			}),
			want: []string{"spec: !has(self.leader) || self.groups.all(y, y.name != self.leader.group || (has(self.leader.index) " +
				"? self.leader.index : 0) < y.replicas)"},
		},
	}
}
