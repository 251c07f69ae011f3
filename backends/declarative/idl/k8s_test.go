package idl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/k8s"
)

// TestK8sTags validates objects and updates with the schema made of upstream's tags. The messages are those
// of k8s.io/apimachinery/pkg/api/validate if it has them.
func TestK8sTags(t *testing.T) {
	validators := map[string]*declarative.Validator{}
	for name, reading := range map[string]idl.Reading{
		"":        {Stage: idl.StageAlpha},
		"beta":    {},
		"stable":  {Stage: idl.StageStable},
		"enabled": {Stage: idl.StageAlpha, Options: []string{"Feature"}},
	} {
		root := roots(testdata+"k8s", "Root")
		result, err := idl.Generate(idl.Config{Roots: root, Reading: reading})
		if err != nil {
			t.Fatal(err)
		}
		validators[name] = compiled(t, result, root[0])
		if len(result.Unexpressed) != 1 || result.Unexpressed[0].Text != "+k8s:customUnique" {
			t.Errorf("unexpressed: %v, want +k8s:customUnique alone", result.Unexpressed)
		}
	}
	for _, row := range []struct {
		why, reading, object, old string
		want                      []string
	}{
		{"required", "", `{}`, "", []string{"FieldValueRequired name "}},
		{"nothing wrong", "", `{name: a, text: abc, number: 4, color: Red, set: [a, b], labels: {a.b/c: d}}`, "", nil},
		{"maxLength", "", `{name: abcd}`, "", []string{"FieldValueTooLong name may not be more than 3 bytes"}},
		{"minLength", "", `{name: a, text: a}`, "", []string{"FieldValueTooShort text "}},
		{"maxBytes", "", `{name: a, text: äöü}`, "", []string{"FieldValueTooLong text may not be more than 4 bytes"}},
		{"minimum", "", `{name: a, number: 0}`, "", []string{"FieldValueInvalid number "}},
		{"maximum", "", `{name: a, number: 6}`, "", []string{"FieldValueInvalid number "}},
		{"neq", "", `{name: a, number: 3}`, "", []string{"FieldValueInvalid number must not be equal to 3"}},
		{"forbidden", "", `{name: a, gone: x}`, "", []string{"FieldValueForbidden gone may not be set"}},
		{"forbidden, and already set, while a different field changes", "", `{name: b, gone: x}`, `{name: a, gone: x}`, nil},
		{"forbidden, and set to something else", "", `{name: a, gone: x}`, `{name: a, gone: z}`,
			[]string{"FieldValueForbidden gone may not be set"}},
		{"required, and missing before: a schema asks again, and validation-gen does not", "", `{number: 1}`, `{number: 2}`,
			[]string{"FieldValueRequired name "}},
		{"union without its member before, as a neighbour changes", "", `{name: a, number: 2, union: {type: Bee}}`,
			`{name: a, number: 1, union: {type: Bee}}`, nil},
		{"members: required and missing before", "", `{name: a, number: 2, group: {kind: Queue}}`,
			`{name: a, number: 1, group: {kind: Queue}}`, nil},
		{"enum", "", `{name: a, color: White}`, "", []string{`FieldValueNotSupported color supported values: "Green", "Red"`}},
		{"a constant without the option", "", `{name: a, color: Blue}`, "",
			[]string{`FieldValueNotSupported color supported values: "Green", "Red"`}},
		{"a constant with the option", "enabled", `{name: a, color: Blue}`, "", nil},
		{"immutable", "", `{name: a, fixed: x}`, `{name: a}`, []string{"FieldValueInvalid fixed field is immutable"}},
		{"update=NoModify", "", `{name: a, once: x}`, `{name: a, once: z}`,
			[]string{"FieldValueInvalid once field cannot be modified once set"}},
		{"update=NoUnset", "", `{name: a}`, `{name: a, once: z}`, []string{"FieldValueInvalid once field cannot be cleared once set"}},
		{"setting it is fine", "", `{name: a, once: x}`, `{name: a}`, nil},
		{"update=NoSet", "", `{name: a, early: x}`, `{name: a}`, []string{"FieldValueInvalid early field cannot be set once created"}},
		{"unique=set beside an atomic list", "", `{name: a, set: [a, a]}`, "", []string{"FieldValueDuplicate set "}},
		{"maxItems", "", `{name: a, set: [a, b, c, d]}`, "", []string{"FieldValueTooMany set must have at most 3 items"}},
		{"eachVal of a list", "", `{name: a, set: [A]}`, "", []string{"FieldValueInvalid set[0] "}},
		{"unique=map beside an atomic list", "", `{name: a, atomic: [{type: A}, {type: A}]}`, "", []string{"FieldValueDuplicate atomic "}},
		{"item with subfield", "", `{name: a, atomic: [{type: Ready}]}`, "", []string{"FieldValueRequired atomic reason is required"}},
		{"a different item", "", `{name: a, atomic: [{type: Other}]}`, "", nil},
		{"zeroOrOneOf of items", "", `{name: a, atomic: [{type: Approved}, {type: Denied}]}`, "",
			[]string{"FieldValueInvalid atomic must specify at most one of: `atomic[{\"type\": \"Approved\"}]`, " +
				"`atomic[{\"type\": \"Denied\"}]`"}},
		{"listType=map", "", `{name: a, conditions: [{type: A}, {type: A}]}`, "", []string{"FieldValueDuplicate conditions[1] "}},
		{"eachKey", "", `{name: a, labels: {"a/b/c": d}}`, "", []string{"FieldValueInvalid labels must be of format k8s-label-key"}},
		{"eachVal of a map", "", `{name: a, labels: {a: abc}}`, "", []string{"FieldValueTooLong labels[a] "}},
		{"subfield of a shared type", "", `{name: a, condition: {type: A.b}}`, "", []string{"FieldValueRequired condition.reason "}},
		{"a format below", "", `{name: a, condition: {type: A_b, reason: r}}`, "",
			[]string{"FieldValueInvalid condition.type must be of format k8s-long-name-caseless"}},
		{"ifDisabled", "", `{name: a, gated: x}`, "", []string{"FieldValueForbidden gated may not be set"}},
		{"ifEnabled", "enabled", `{name: a, gated: x}`, "", nil},
		{"alpha: both stages", "", `{name: a, staged: 11}`, "", []string{"FieldValueInvalid staged "}},
		{"beta leaves alpha out", "beta", `{name: a, staged: 11}`, "", nil},
		{"beta has beta", "beta", `{name: a, staged: 0}`, "", []string{"FieldValueInvalid staged "}},
		{"stable leaves both out", "stable", `{name: a, staged: 0}`, "", nil},
		{"union: a different member", "", `{name: a, union: {type: A, a: x, b: z}}`, "",
			[]string{"FieldValueInvalid union.b may only be specified when `type` is \"Bee\""}},
		{"union: the member is missing", "", `{name: a, union: {type: Bee}}`, "",
			[]string{"FieldValueInvalid union.b must be specified when `type` is \"Bee\""}},
		{"union: an unknown value is not its business", "", `{name: a, union: {type: C}}`, "", nil},
		{"undiscriminated: none", "", `{name: a, one: {}}`, "", []string{"FieldValueInvalid one must specify one of: `a`, `b`"}},
		{"undiscriminated: two", "", `{name: a, one: {a: x, b: x}}`, "",
			[]string{"FieldValueInvalid one must specify exactly one of: `a`, `b`"}},
		{"zeroOrOneOf: two", "", `{name: a, some: {a: x, b: x}}`, "", []string{"FieldValueInvalid some must specify at most " +
			"one of: `a`, `b`"}},
		{"opaqueType: one of these two is one too many elsewhere", "", `{name: a, opaque: {a: x, b: x}}`, "", nil},
		{"opaqueType: the validations of the field itself", "", `{name: a, opaque: {a: x}, opaques: [{a: x, b: x}, {}]}`,
			"", []string{"FieldValueTooMany opaques must have at most 1 item"}},
		{"opaqueType: values look as before", "", `{name: a, opaque: {a: 1}}`, "", []string{"FieldValueTypeInvalid opaque.a "}},
		{"zeroOrOneOf: none", "", `{name: a, some: {}}`, "", nil},
		{"member: required", "", `{name: a, group: {kind: Queue}}`, "", []string{"FieldValueRequired group.queue is required"}},
		{"member: a value without an entry forbids", "", `{name: a, group: {kind: Other, text: x}}`, "",
			[]string{"FieldValueForbidden group.text may not be set"}},
		{"member: a bound", "", `{name: a, group: {kind: Reject, text: abc}}`, "",
			[]string{"FieldValueTooLong group.text may not be more than 2 characters"}},
		{"ifMode: required", "", `{name: a, mode: {kind: Queue}}`, "", []string{"FieldValueRequired mode.queue is required"}},
		{"ifMode: a value without an entry forbids", "", `{name: a, mode: {kind: Other, queue: x}}`, "",
			[]string{"FieldValueForbidden mode.queue may not be set"}},
		{"ifMode: optional", "", `{name: a, mode: {kind: Reject}}`, "", nil},
		{"monotonic", "", `{name: a, counter: 3}`, `{name: a, counter: 4}`,
			[]string{"FieldValueInvalid counter may not be decreased from 4"}},
		{"monotonic: the same", "", `{name: a, counter: 4}`, `{name: a, counter: 4}`, nil},
		{"dependentRequired", "", `{name: a, trigger: x}`, "", []string{"FieldValueRequired needed must be set when trigger is set"}},
		{"dependentRequired: unset before, as a neighbour changes", "", `{name: b, trigger: x}`, `{name: a, trigger: z}`, nil},
		{"dependentRequired: cleared", "", `{name: a, trigger: x}`, `{name: a, trigger: x, needed: z}`,
			[]string{"FieldValueRequired needed must be set when trigger is set"}},
		{"dependentForbidden", "", `{name: a, trigger: x, needed: z, excluded: b}`, "",
			[]string{"FieldValueForbidden excluded may not be set when trigger is set"}},
		{"update=NoAddItem", "", `{name: a, kept: [{type: A}, {type: B}]}`, `{name: a, kept: [{type: A}]}`,
			[]string{"FieldValueForbidden kept item 1: item may not be added"}},
		{"update=NoRemoveItem", "", `{name: a}`, `{name: a, kept: [{type: A}]}`,
			[]string{"FieldValueForbidden kept item may not be removed"}},
		{"uuid", "", `{name: a, uuid: 01234567-89AB-cdef-0123-456789abcdef}`, "",
			[]string{"FieldValueInvalid uuid must be of format k8s-uuid"}},
		{"pool", "", `{name: a, pool: a//b}`, "", []string{"FieldValueInvalid pool must be of format k8s-resource-pool-name"}},
		{"qualified", "", `{name: a, qualified: abc}`, "",
			[]string{"FieldValueInvalid qualified must be of format k8s-resource-fully-qualified-name"}},
		{"extended", "", `{name: a, extended: kubernetes.io/a}`, "",
			[]string{"FieldValueInvalid extended must be of format k8s-extended-resource-name"}},
		{"segment", "", `{name: a, segment: "a%b"}`, "", []string{"FieldValueInvalid segment must be of format k8s-path-segment-name"}},
		{"all formats fit", "", `{name: a, uuid: 01234567-89ab-cdef-0123-456789abcdef, pool: a.b/c, qualified: a.b/C_1, ` +
			`extended: a.b/c, segment: a}`, "", nil},
	} {
		t.Run(row.why, func(t *testing.T) {
			got := validate(t, validators[row.reading], row.object, row.old)
			for i := range min(len(got), len(row.want)) {
				if want := row.want[i]; want[len(want)-1] == ' ' && len(got[i]) > len(want) { // the detail is the keyword's
					got[i] = got[i][:len(want)]
				}
			}
			if diff := cmp.Diff(row.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestK8sMistakes(t *testing.T) {
	checkRows(t, []markerRow{
		{"a tag that does not exist", "+k8s:maxItem=3", "[]string", "unknown marker +k8s:maxItem; did you mean +k8s:maxItems?"},
		{"one far from all", "+k8s:frobnicate", "string", "unknown marker +k8s:frobnicate; accepted: " + k8sNames(t)},
		{"a payload that does not exist", `+k8s:alpha(since: "1.36")=+k8s:minimun=3`, "int32",
			"unknown marker +k8s:minimun; did you mean +k8s:minimum?"},
		{"upper case", "+k8s:MaxItems=3", "[]string", "unknown marker +k8s:MaxItems; did you mean +k8s:maxItems?"},
		{"no payload", "+k8s:eachVal", "[]string", "+k8s:eachVal needs a tag after it: +k8s:eachVal(…)=+k8s:…"},
		{"no value", "+k8s:maxItems", "[]string", "+k8s:maxItems needs a value: +k8s:maxItems=…"},
		{"a value too many", "+k8s:required=true", "string", `+k8s:required takes no value, got "true"`},
		{"a field of the wrong kind", "+k8s:maxItems=3", "string", "+k8s:maxItems is for lists; this is text"},
		{"the wrong kind below", "+k8s:eachVal=+k8s:minimum=3", "[]string", "+k8s:minimum is for numbers and int-or-strings; this is text"},
		{"no number", "+k8s:maxLength=many", "string", `+k8s:maxLength: expected integer, got "many"`},
		{"an unknown format", "+k8s:format=dns", "string",
			`+k8s:format: unknown format "dns"; accepted: k8s-extended-resource-name, k8s-label-key, k8s-label-value, k8s-long-name, ` +
				`k8s-long-name-caseless, k8s-path-segment-name, k8s-prefixed-label-key, k8s-resource-fully-qualified-name, ` +
				`k8s-resource-pool-name, k8s-short-name, k8s-uuid`},
		{"an unknown constraint", "+k8s:update=NoTouch", "*string", "+k8s:update=NoTouch: accepted: NoSet, NoUnset, NoModify, " +
			"NoAddItem, NoRemoveItem"},
		{"a field that is not there", "+k8s:subfield(c)=+k8s:required", "*Inner", `".c": no such field here; accepted: a, b`},
		{"a key that is not there", `+k8s:item(c: "x")=+k8s:zeroOrOneOfMember`, "[]Inner", `+k8s:item: no field "c" here; accepted: a, b`},
		{"keys of a map's items", "+k8s:unique=map", "[]Inner", "+k8s:unique=map needs at least one +k8s:listMapKey"},
		{"a version", `+k8s:alpha(since: "v1")=+k8s:required`, "string", "+k8s:alpha: since is a version as 1.36, got \"v1\""},
		{"a member without its discriminator", `+k8s:member("A")=+k8s:required`, "*string",
			"+k8s:ifMode is in a struct without +k8s:modeDiscriminator"},
		{"prose after a tag is a comment", "+k8s:maxLength=3 # of the old API", "string", ""},
	}, idl.Config{Reading: idl.Reading{Stage: idl.StageAlpha}})
}

func k8sNames(t *testing.T) string {
	t.Helper()
	dialect, err := k8s.New(k8s.Options{Beta: true})
	if err != nil {
		t.Fatal(err)
	}
	names := ""
	for i, name := range dialect.Names() {
		if i > 0 {
			names += ", "
		}
		names += name
	}
	return names
}
