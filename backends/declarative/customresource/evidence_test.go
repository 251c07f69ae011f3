package customresource_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// says is a hand-written validator that always returns the same answer.
type says field.ErrorList

func (says) Name() string { return "native" }

func (s says) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return field.ErrorList(s), nil
}

// probes is a definition whose spec has to be filled in.
const probes = `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: probes.example.dev}
spec:
  group: example.dev
  scope: Namespaced
  names: {plural: probes, singular: probe, kind: Probe, listKind: ProbeList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec: %s
`

// TestEvidence compares pairs of errors whose texts are similar but whose validators have different meanings,
// next to pairs with the same meaning: the schema decides.
func TestEvidence(t *testing.T) {
	spec := field.NewPath("spec")
	ports := `{type: object, properties: {ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ` +
		`[name], items: {type: object, required: [name], properties: {name: {type: string}, hostPort: {type: integer}}}}}}`
	twoPorts := map[string]any{
		"ports": []any{map[string]any{"name": "a", "hostPort": int64(80)}, map[string]any{"name": "a", "hostPort": int64(80)}},
	}
	pairs := `{type: object, properties: {ports: {type: array, x-kubernetes-list-type: map, x-kubernetes-list-map-keys: ` +
		`[port, protocol], items: {type: object, required: [port, protocol], properties: {port: {type: integer}, protocol: {type: ` +
		`string}}}}}}`
	twoPairs := map[string]any{
		"ports": []any{map[string]any{"port": int64(80), "protocol": "TCP"}, map[string]any{"port": int64(80), "protocol": "TCP"}},
	}
	sized := `{type: object, properties: {size: {type: integer}, mode: {type: string, enum: [down, up]}, other: {type: ` +
		`integer, x-kubernetes-validations: [{rule: "self > 0", reason: FieldValueForbidden}]}}}`
	ruled := `{type: object, properties: {size: {type: integer}, limit: {type: integer}, mode: {type: string, enum: [down, up]}},
          x-kubernetes-validations: [{rule: "!has(self.limit) || self.size <= self.limit", message: size must not be over ` +
		`limit}, {rule: "self.size > 0", message: should be greater than or equal to 1, fieldPath: .size}]}`
	needy := `{type: object, required: [limit], properties: {size: {type: integer}, limit: {type: integer}}, ` +
		`x-kubernetes-validations: [{rule: "self.size <= self.limit", message: size must not be over limit}]}`
	invalid := map[string]any{"size": int64(9), "other": int64(1), "mode": "none"}
	notSupported := field.NotSupported(spec.Child("mode"), "none", []string{"down", "up"})
	for _, test := range []struct {
		why, schema string
		spec        map[string]any
		native      field.ErrorList
		want        []string
	}{
		{"the name is the key of the list", ports, twoPorts,
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1).Child("name"), "a")},
			[]string{"duplicate-item"}},
		{"host ports that collide are no duplicate names", ports, twoPorts,
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1).Child("hostPort"), int32(80))},
			[]string{"path spec.ports[1].hostPort"}},
		{
			"reported at the item, a host port is no name either", ports, twoPorts,
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), int32(80))}, []string{"detail spec.ports[1]"},
		},
		{"and a name is one", ports, twoPorts, field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), "a")}, nil},
		{"as is the item", ports, twoPorts,
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), map[string]any{"name": "a", "hostPort": int64(80)})}, nil},
		{"nothing contradicts no value", ports, twoPorts, field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), nil)}, nil},
		{
			"a port number is not a port with a protocol", pairs, twoPairs,
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), int32(80))}, []string{"detail spec.ports[1]"},
		},
		{"both, written in one text, are", pairs, twoPairs, field.ErrorList{field.Duplicate(spec.Child("ports").Index(1), "TCP/80")}, nil},
		{
			"the third item has a different name than the first", ports,
			map[string]any{"ports": []any{map[string]any{"name": "a"}, map[string]any{"name": "a"}, map[string]any{"name": "b"}}},
			field.ErrorList{field.Duplicate(spec.Child("ports").Index(1).Child("name"), "b")}, []string{"path spec.ports[1].name"},
		},
		{
			"an address of the other family", `{type: object, properties: {address: {type: string, format: ipv6}}}`,
			map[string]any{"address": "x"},
			field.ErrorList{field.Invalid(spec.Child("address"), "x", "must be a valid IPv4 address")}, []string{"type spec.address"},
		},
		{
			"an integer above zero is at least one", `{type: object, properties: {size: {type: integer, minimum: 1}}}`,
			map[string]any{"size": int64(0)},
			field.ErrorList{field.Invalid(spec.Child("size"), 0, "must be greater than 0")}, []string{"minimum-one"},
		},
		{
			"a half is above zero and below one", `{type: object, properties: {size: {type: number, minimum: 1}}}`,
			map[string]any{"size": -1.5},
			field.ErrorList{field.Invalid(spec.Child("size"), -1.5, "must be greater than 0")}, []string{"detail spec.size"},
		},
		{
			"the number at hand is whole, its field is not", `{type: object, properties: {size: {type: number, minimum: 1}}}`,
			map[string]any{"size": int64(-1)},
			field.ErrorList{field.Invalid(spec.Child("size"), -1, "must be greater than 0")}, []string{"detail spec.size"},
		},
		{
			"the schema has the other bound of the range in an allOf", `{type: object, properties: {size: {type: integer, minimum: ` +
				`1, allOf: [{maximum: 5}]}}}`, map[string]any{"size": int64(0)},
			field.ErrorList{field.Invalid(spec.Child("size"), 0, "must be between 1 and 5, inclusive")}, []string{"range-low"},
		},
		{
			"the schema ends the range elsewhere", `{type: object, properties: {size: {type: integer, minimum: 1, maximum: 6}}}`,
			map[string]any{"size": int64(0)},
			field.ErrorList{field.Invalid(spec.Child("size"), 0, "must be between 1 and 5, inclusive")}, []string{"detail spec.size"},
		},
		{
			"no rule is declared for the size, so its maximum is missing", sized, invalid,
			field.ErrorList{notSupported, field.Invalid(spec.Child("size"), 9, "must be less than or equal to 5")},
			[]string{"unchecked", "too-loose spec.size"},
		},
		{
			"the unchecked rule holds for 1, so it would not have reported this", sized, invalid,
			field.ErrorList{notSupported, field.Forbidden(spec.Child("other"), "must be odd")},
			[]string{"unchecked", "too-loose spec.other"},
		},
		{
			"the rule that was not checked forbids and does not find invalid", sized,
			map[string]any{"size": int64(9), "other": int64(0), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec.Child("other"), 0, "failed rule: self > 0")},
			[]string{"unchecked", "too-loose spec.other"},
		},
		{
			"the unchecked rule reports exactly this", sized, map[string]any{"size": int64(9), "other": int64(0), "mode": "none"},
			field.ErrorList{notSupported, field.Forbidden(spec.Child("other"), "failed rule: self > 0")},
			[]string{"unchecked", "unchecked"},
		},
		{
			"a rule that holds for the whole spec excuses nothing in it", ruled,
			map[string]any{"size": int64(9), "limit": int64(9), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec.Child("size"), 9, "must be less than or equal to 5")},
			[]string{"unchecked", "too-loose spec.size"},
		},
		{
			"nor does a rule that fails for a different reason", ruled, map[string]any{"size": int64(9), "limit": int64(8), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec.Child("size"), 9, "must be less than or equal to 5")},
			[]string{"unchecked", "too-loose spec.size"},
		},
		{
			"the rule fails at its fieldPath, with a message that one of our rules explains", ruled,
			map[string]any{"size": int64(0), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec.Child("size"), 0, "must be greater than or equal to 1")},
			[]string{"unchecked", "unchecked"},
		},
		{
			"a rule that fails once excuses one error", ruled, map[string]any{"size": int64(9), "limit": int64(8), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec, nil, "size must not be over limit"),
				field.Invalid(spec, map[string]any{"a": 1}, "size must not be over limit")},
			[]string{"unchecked", "unchecked", "too-loose spec"},
		},
		{
			"a rule that cannot be evaluated might have failed", needy, map[string]any{"size": int64(9)},
			field.ErrorList{field.Required(spec.Child("limit"), ""), field.Invalid(spec, nil, "size must not be over limit")},
			[]string{"unchecked", "unchecked"},
		},
		{
			"but in its own words only", needy, map[string]any{"size": int64(9)},
			field.ErrorList{field.Required(spec.Child("limit"), ""), field.Invalid(spec.Child("size"), 9, "must be odd")},
			[]string{"unchecked", "too-loose spec.size"},
		},
		{
			"a transition rule does not run on a create", `{type: object, properties: {size: {type: integer, x-kubernetes-validations: ` +
				`[{rule: "self == oldSelf", message: field is immutable}]}, mode: {type: string, enum: [down, up]}}}`,
			map[string]any{"size": int64(9), "mode": "none"},
			field.ErrorList{notSupported, field.Invalid(spec.Child("size"), 9, "field is immutable")},
			[]string{"unchecked", "too-loose spec.size"},
		},
	} {
		t.Run(test.why, func(t *testing.T) {
			if diff := cmp.Diff(test.want, explained(t, fmt.Sprintf(probes, test.schema), test.spec, says(test.native))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// explained compares one object. For each pair that is not exact it returns the rule, or the class and the
// field.
func explained(t *testing.T, crd string, spec map[string]any, native harness.Backend) []string {
	t.Helper()
	target, err := customresource.NewTarget([]byte(crd), native)
	if err != nil {
		t.Fatal(err)
	}
	rules, err := equivalence.BuiltinRules()
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(target, harness.Options{Rules: rules})
	if err != nil {
		t.Fatal(err)
	}
	object := map[string]any{
		"apiVersion": "example.dev/v1",
		"kind":       "Probe",
		"metadata":   map[string]any{"name": "a", "namespace": "b"},
		"spec":       spec,
	}
	results, err := h.Check(t.Context(), harness.Case{Object: object})
	if err != nil || len(results) != 1 || results[0].Fault != nil {
		t.Fatalf("%v, %+v", err, results)
	}
	var texts []string
	for _, pair := range results[0].Pairs {
		switch {
		case pair.Rule != nil:
			texts = append(texts, pair.Rule.Name)
		case !pair.Exact():
			texts = append(texts, strings.TrimSpace(string(pair.Class)+" "+pair.Field()))
		}
	}
	return texts
}
