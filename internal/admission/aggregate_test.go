package admission_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/admission"
)

func TestParseAggregate(t *testing.T) {
	spec := field.NewPath("spec")
	invalid := func(path *field.Path, value any, detail string) *field.Error {
		return field.Invalid(path, value, detail)
	}
	for _, tc := range []struct {
		why  string
		text string
		want field.ErrorList
	}{
		{"one error has no brackets", `spec.replicas: Invalid value: -1: must be positive`,
			field.ErrorList{invalid(spec.Child("replicas"), int64(-1), "must be positive")}},
		{
			"the two errors of the documentation", `[a.b: Invalid value: "x": text, c: Required value]`,
			field.ErrorList{invalid(field.NewPath("a", "b"), "x", "text"), field.Required(field.NewPath("c"), "")},
		},
		{
			"a value may look like the end of its error", `[a: Invalid value: "x: y, b: Required value]": text, b: Required value]`,
			field.ErrorList{invalid(field.NewPath("a"), "x: y, b: Required value]", "text"), field.Required(field.NewPath("b"), "")},
		},
		{
			"nested JSON, with everything that separates", `[a: Invalid value: {"k":["x, b: Forbidden",{"l":null}],"n":1.5}: text: ` +
				`more, b: Duplicate value: ["[", 1]]`,
			field.ErrorList{
				invalid(field.NewPath("a"), map[string]any{"k": []any{"x, b: Forbidden", map[string]any{"l": nil}}, "n": 1.5},
					"text: more"),
				field.Duplicate(field.NewPath("b"), []any{"[", int64(1)}),
			},
		},
		{
			"a value of several lines is quoted, a detail is not", "[a: Invalid value: \"x\\ny\": first\nsecond, b: Forbidden: no]",
			field.ErrorList{invalid(field.NewPath("a"), "x\ny", "first\nsecond"), field.Forbidden(field.NewPath("b"), "no")},
		},
		{
			"quotations in a detail belong to it",
			`[a: Unsupported value: "z": supported values: "x", "y, b: Required value", b: Required value]`,
			field.ErrorList{
				{Type: field.ErrorTypeNotSupported, Field: "a", BadValue: "z", Detail: `supported values: "x", "y, b: Required value"`},
				field.Required(field.NewPath("b"), ""),
			},
		},
		{
			"a lone quote does not pair up with one of the next error", `[a: Invalid value: 6: not over 5", b: Invalid value: "x": y]`,
			field.ErrorList{invalid(field.NewPath("a"), int64(6), `not over 5"`), invalid(field.NewPath("b"), "x", "y")},
		},
		{
			"a detail may hold errors of its own",
			`[a: Invalid value: "t": template: [x: Required value, y[0]: Forbidden], b: Required value]`,
			field.ErrorList{invalid(field.NewPath("a"), "t", "template: [x: Required value, y[0]: Forbidden]"),
				field.Required(field.NewPath("b"), "")},
		},
		{
			"regular expressions are full of brackets and commas", `[a: Invalid value: "-": must match '[a-z, 0-9]([-a-z]*[' {1,3}, ` +
				`b: Required value]`,
			field.ErrorList{invalid(field.NewPath("a"), "-", `must match '[a-z, 0-9]([-a-z]*[' {1,3}`),
				field.Required(field.NewPath("b"), "")},
		},
		{
			"keys may contain anything", `metadata.labels[a, b: Required value.[0]/x]: Required value: text`,
			field.ErrorList{{Type: field.ErrorTypeRequired, Field: "metadata.labels[a, b: Required value.[0]/x]", BadValue: "",
				Detail: "text"}},
		},
		{
			"the root has no name, or is nil", `[<nil>: Required value, : Forbidden: x, [0]: Required value]`,
			field.ErrorList{
				field.Required(nil, ""),
				{Type: field.ErrorTypeForbidden, BadValue: "", Detail: "x"},
				{Type: field.ErrorTypeRequired, Field: "[0]", BadValue: ""},
			},
		},
		{
			"a single error whose path and text are in brackets is no list", `[0].a: Invalid value: [1]`,
			field.ErrorList{{Type: field.ErrorTypeInvalid, Field: "[0].a", BadValue: []any{int64(1)}}},
		},
		{
			"types that print no value keep the text of their constructors", `[a: Too long: may not be more than 3 bytes, b: ` +
				`Too many: 4: must have at most 3 items, c: Too many: has too many items, d: Too few: 0, e: Too short: x, f: ` +
				`Not found: "n", g: Internal error: boom]`,
			field.ErrorList{
				field.TooLong(field.NewPath("a"), "", 3),
				{Type: field.ErrorTypeTooMany, Field: "b", BadValue: int64(4), Detail: "must have at most 3 items"},
				field.TooMany(field.NewPath("c"), -1, -1),
				{Type: field.ErrorTypeTooFew, Field: "d", BadValue: int64(0)},
				{Type: field.ErrorTypeTooShort, Field: "e", BadValue: field.OmitValueType{}, Detail: "x"},
				field.NotFound(field.NewPath("f"), "n"),
				{Type: field.ErrorTypeInternal, Field: "g", Detail: "boom"},
			},
		},
		{
			"a text after the type that is not a value is a detail", `[a: Invalid value: "x" is wrong, b: Invalid value: ` +
				`5 is too big: 4, c: Invalid value: must be 1, d: Invalid value]`,
			field.ErrorList{
				invalid(field.NewPath("a"), field.OmitValueType{}, `"x" is wrong`),
				invalid(field.NewPath("b"), field.OmitValueType{}, "5 is too big: 4"),
				invalid(field.NewPath("c"), field.OmitValueType{}, "must be 1"),
				invalid(field.NewPath("d"), field.OmitValueType{}, ""),
			},
		},
		{
			"values that do not marshal are printed in Go's syntax", `[a: Invalid value: core.PodSpec{Name:"x: y}", Ports:[]int{1, ` +
				`2}}: text, b: Invalid value: &v1.A{B:(*int)(nil)}, c: Invalid value: v1.A{B:(*int)(0xc00019a8f0)}]`,
			field.ErrorList{
				invalid(field.NewPath("a"), `core.PodSpec{Name:"x: y}", Ports:[]int{1, 2}}`, "text"),
				invalid(field.NewPath("b"), `&v1.A{B:(*int)(nil)}`, ""),
				invalid(field.NewPath("c"), `v1.A{B:(*int)(…)}`, ""),
			},
		},
		{
			"a text in single quotes, in backquotes or in parentheses is one piece",
			"[a: Invalid value: 1: not 'x, b: Required value', c: Invalid value: 2: not `x, b: Required value`, d: Invalid value: " +
				"3: must be set (or else, b: Required value), e: Required value]",
			field.ErrorList{
				invalid(field.NewPath("a"), int64(1), "not 'x, b: Required value'"),
				invalid(field.NewPath("c"), int64(2), "not `x, b: Required value`"),
				invalid(field.NewPath("d"), int64(3), "must be set (or else, b: Required value)"),
				field.Required(field.NewPath("e"), ""),
			},
		},
		{
			"an apostrophe begins no quotation, nor does one that the next error would have to end",
			`[a: Invalid value: 1: the pods' limits and 'x, b: Invalid value: 2: not 'y', c: Forbidden: (one, d: Forbidden: two)]`,
			field.ErrorList{
				invalid(field.NewPath("a"), int64(1), "the pods' limits and 'x"), invalid(field.NewPath("b"), int64(2), "not 'y'"),
				field.Forbidden(field.NewPath("c"), "(one, d: Forbidden: two)"),
			},
		},
		{
			"values with a String method print without quotes before apimachinery v0.34",
			`[a: Invalid value: 27h0m0s: too long, b: Invalid value: -1.5ms, c: Invalid value: 2026-11-21 20:32:18 +0000 UTC: ` +
				`in the past, d: Duplicate value: 10.0.0.0/8, e: Invalid value: fd00::1: no, f: Invalid value: ns/name: no, g: ` +
				`Invalid value: apps/v1, Kind=Deployment: no]`,
			field.ErrorList{
				invalid(field.NewPath("a"), "27h0m0s", "too long"), invalid(field.NewPath("b"), "-1.5ms", ""),
				invalid(field.NewPath("c"), "2026-11-21 20:32:18 +0000 UTC", "in the past"),
				field.Duplicate(field.NewPath("d"), "10.0.0.0/8"),
				invalid(field.NewPath("e"), "fd00::1", "no"), invalid(field.NewPath("f"), "ns/name", "no"),
				invalid(field.NewPath("g"), "apps/v1, Kind=Deployment", "no"),
			},
		},
		{
			"a detail that only begins like such a value",
			`[a: Invalid value: 10s is too long: wait, b: Invalid value: either/or is no choice]`,
			field.ErrorList{
				invalid(field.NewPath("a"), field.OmitValueType{}, "10s is too long: wait"),
				invalid(field.NewPath("b"), field.OmitValueType{}, "either/or is no choice"),
			},
		},
		{
			"structs that stand for a scalar, and unsigned numbers, in Go's syntax",
			`[a: Invalid value: intstr.IntOrString{Type:0, IntVal:5, StrVal:""}: x, b: Invalid value: intstr.IntOrString{Type:1, ` +
				`IntVal:0, StrVal:"5\"%"}, c: Invalid value: resource.Quantity{i:resource.int64Amount{value:1500, scale:-3}, ` +
				`d:resource.infDecAmount{Dec:(*inf.Dec)(nil)}, s:"", Format:"DecimalSI"}: y, d: Invalid value: 0x10: z]`,
			field.ErrorList{
				invalid(field.NewPath("a"), int64(5), "x"), invalid(field.NewPath("b"), `5"%`, ""),
				invalid(field.NewPath("c"), "1500m", "y"), invalid(field.NewPath("d"), int64(16), "z"),
			},
		},
		{"the prefix of NewInvalid", `Widget.example.com "a\"b" is invalid: size: Required value`,
			field.ErrorList{field.Required(field.NewPath("size"), "")}},
		{"the prefix of the API server", `admission webhook "v.example.com" denied the request: [a: Required value, b: Required value]`,
			field.ErrorList{field.Required(field.NewPath("a"), ""), field.Required(field.NewPath("b"), "")}},
		{"errors.Join", "a: Required value\nb: Forbidden: first\nsecond",
			field.ErrorList{field.Required(field.NewPath("a"), ""), field.Forbidden(field.NewPath("b"), "first\nsecond")}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			got, ok := admission.ParseAggregate(tc.text)
			if !ok {
				t.Fatal("not parsed")
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// A text without a known form stays one error: nothing is guessed.
func TestParseAggregateRefuses(t *testing.T) {
	for _, tc := range []struct{ why, text string }{
		{"no text", ""},
		{"a text for people", "size must be positive"},
		{"a colon is not enough for an error", "spec.size: must be positive"},
		{"a type must be a complete word", "spec.size: Forbiddenly large"},
		{"a name of several words is not a path", "the field a: Required value"},
		{"a different format that lists fields", "missing field(s): spec.a, spec.b"},
		{"a list with something else in it, first", "[plain text, a: Required value]"},
		{"a list with something else in it, after an error without a detail", "[a: Required value, plain text]"},
		{"a bracket too many", "[a: Required value, b: Required value]]"},
		{"a key without an end", "a[b: Required value"},
		{"more than can be searched", "a: Required value: " + strings.Repeat("x", 1<<20)},
	} {
		t.Run(tc.why, func(t *testing.T) {
			if got, ok := admission.ParseAggregate(tc.text); ok {
				t.Errorf("parsed as %v", got)
			}
			want := field.ErrorList{{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: tc.text,
				Origin: admission.OriginText}}
			if diff := cmp.Diff(want, admission.MessageErrors(tc.text)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// Plain errors in a joined error do not hide those that name a field.
func TestMessageErrorsOfJoinedErrors(t *testing.T) {
	text := func(said string) *field.Error {
		return &field.Error{Type: field.ErrorTypeInvalid, BadValue: field.OmitValueType{}, Detail: said, Origin: admission.OriginText}
	}
	for _, tc := range []struct {
		why  string
		err  error
		want field.ErrorList
	}{
		{
			"plain ones first", errors.Join(errors.New("no such job"), errors.New("nor this: one"),
				field.Required(field.NewPath("a"), ""), field.Forbidden(field.NewPath("b"), "no")),
			field.ErrorList{text("no such job\nnor this: one"), field.Required(field.NewPath("a"), ""),
				field.Forbidden(field.NewPath("b"), "no")},
		},
		{
			"a plain error after a detail may be a line of it", errors.Join(field.Forbidden(field.NewPath("b"), "no"), errors.New("plain")),
			field.ErrorList{field.Forbidden(field.NewPath("b"), "no\nplain")},
		},
		{
			"a plain error after an error without a detail is none of its lines, so the whole text stays",
			errors.Join(errors.New("plain"), field.Required(field.NewPath("a"), ""), errors.New("plain")),
			field.ErrorList{text("plain\na: Required value\nplain")},
		},
		{"only plain ones", errors.Join(errors.New("one"), errors.New("two")), field.ErrorList{text("one\ntwo")}},
	} {
		if diff := cmp.Diff(tc.want, admission.MessageErrors(tc.err.Error())); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tc.why, diff)
		}
	}
}

// Errors printed by apimachinery, in each of the forms in which webhooks return them, are read back
// unchanged.
func TestReadsWhatApimachineryPrints(t *testing.T) {
	errs := field.ErrorList{
		field.Invalid(field.NewPath("spec", "a"), "x, y: z]", "must not hold [, or \n"+`"quotes", 'or' such`),
		field.NotSupported(field.NewPath("spec", "b").Index(2), "q", []string{"a, b", `c"`}),
		field.Duplicate(field.NewPath("spec", "c").Key("k: v"), map[string]any{"x": []any{"y", int64(2)}}),
		field.TooLong(field.NewPath("spec", "d"), "", 63),
		field.Forbidden(field.NewPath("spec"), "no"),
		field.Required(nil, ""),
	}
	invalid := apierrors.NewInvalid(schema.GroupKind{Group: "example.com", Kind: "Widget"}, `na"me`, errs)
	joined := make([]error, len(errs))
	for i := range errs {
		joined[i] = errs[i]
	}
	for form, text := range map[string]string{
		"an aggregate":            errs.ToAggregate().Error(),
		"the text of NewInvalid":  invalid.Error(),
		"errors.Join":             errors.Join(joined...).Error(),
		"denied by an API server": fmt.Sprintf("admission webhook %q denied the request: %v", "w.example.com", errs.ToAggregate()),
	} {
		if diff := cmp.Diff(errs, admission.MessageErrors(text)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", form, diff)
		}
	}
	if diff := cmp.Diff(errs, admission.StatusErrors(&invalid.ErrStatus)); diff != "" {
		t.Errorf("causes: -want +got:\n%s", diff)
	}
}
