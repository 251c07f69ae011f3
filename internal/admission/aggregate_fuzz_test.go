package admission_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"pgregory.net/rapid"

	"github.com/diffrun/diffrun/internal/admission"
)

// Random errors that apimachinery printed are read back unchanged.
func TestAggregateRoundTrip(t *testing.T) { rapid.Check(t, aggregateRoundTrip) }

func FuzzAggregateRoundTrip(f *testing.F) { f.Fuzz(rapid.MakeFuzz(aggregateRoundTrip)) }

func aggregateRoundTrip(t *rapid.T) {
	errs := drawErrors(t)
	got, ok := admission.ParseAggregate(errs.ToAggregate().Error())
	if !ok {
		t.Fatalf("not parsed: %s", errs.ToAggregate())
	}
	if diff := cmp.Diff(errs, got); diff != "" {
		t.Fatalf("%s\n-want +got:\n%s", errs.ToAggregate(), diff)
	}
	// Causes are never ambiguous: details may contain anything.
	for _, err := range errs {
		if rapid.Bool().Draw(t, "boundary in a detail") {
			err.Detail += ", b: Required value\nc: Forbidden"
		}
	}
	status := apierrors.NewInvalid(schema.GroupKind{Kind: "Widget"}, "w", errs).ErrStatus
	if diff := cmp.Diff(errs, admission.StatusErrors(&status)); diff != "" {
		t.Fatalf("causes: -want +got:\n%s", diff)
	}
}

// Any text is read either as errors that all have a type, or as none.
func FuzzParseAggregate(f *testing.F) {
	f.Add(`[a.b: Invalid value: "x": text, c: Required value]`)
	f.Add(`[a[`)
	f.Add(`a: Invalid value: [{"`)
	f.Add(`a: Invalid value: A{"`)
	f.Add(`Widget "x" is invalid: [<nil>: Too many: 3: x, : Forbidden]`)
	f.Fuzz(func(t *testing.T, text string) {
		errs, ok := admission.ParseAggregate(text)
		if ok != (len(errs) > 0) {
			t.Fatalf("ok is %v with %d errors", ok, len(errs))
		}
		for _, err := range errs {
			if err.Type == "" || !strings.Contains(text, err.Field+": "+err.Type.String()) || !strings.Contains(text, err.Detail) {
				t.Errorf("%#v is not in the text", err)
			}
		}
	})
}

// drawErrors makes a list of errors that print differently: an aggregate drops errors that print the same.
func drawErrors(t *rapid.T) field.ErrorList {
	var errs field.ErrorList
	for _, err := range rapid.SliceOfN(rapid.Custom(drawError), 1, 5).Draw(t, "errors") {
		alike := false
		for _, other := range errs {
			alike = alike || other.Error() == err.Error()
		}
		if !alike {
			errs = append(errs, err)
		}
	}
	return errs
}

func drawError(t *rapid.T) *field.Error {
	path, value, detail := drawPath(t), drawValue(t), drawDetail(t)
	switch rapid.IntRange(0, 8).Draw(t, "type") {
	case 0:
		return field.Required(path, detail)
	case 1:
		return field.Forbidden(path, detail)
	case 2:
		return field.Duplicate(path, value)
	case 3:
		return field.NotFound(path, value)
	case 4:
		return field.NotSupported(path, value, rapid.SliceOfN(rapid.String(), 0, 3).Draw(t, "supported"))
	case 5:
		return field.TooLong(path, nil, rapid.IntRange(-1, 9).Draw(t, "length"))
	case 6:
		return field.TooMany(path, -1, 3)
	case 7:
		return &field.Error{Type: field.ErrorTypeInvalid, Field: path.String(), BadValue: field.OmitValueType{}, Detail: "must be " +
			detail}
	}
	return field.Invalid(path, value, detail)
}

func drawPath(t *rapid.T) *field.Path {
	name := rapid.StringMatching(`[a-zA-Z][a-zA-Z0-9_-]*`)
	path := field.NewPath(name.Draw(t, "name"))
	for range rapid.IntRange(0, 3).Draw(t, "steps") {
		switch rapid.IntRange(0, 2).Draw(t, "step") {
		case 0:
			path = path.Child(name.Draw(t, "name"))
		case 1:
			path = path.Index(rapid.IntRange(0, 99).Draw(t, "index"))
		default:
			key := rapid.StringOf(rapid.RuneFrom([]rune(`ab/.:,"' é`))).Draw(t, "key")
			path = path.Key(key)
		}
	}
	return path
}

// drawValue returns a value of a JSON type: values that are read back have no other type.
func drawValue(t *rapid.T) any {
	text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune(`ab[]{}:,"' \é`+"\n\x00"))),
		rapid.Just(`x, b: Required value]`))
	scalar := rapid.OneOf(
		rapid.Map(text, func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Int32(), func(n int32) any { return float64(n) + 0.5 }),
		rapid.Map(rapid.Bool(), func(b bool) any { return b }),
		rapid.Just[any](nil),
	)
	switch rapid.IntRange(0, 3).Draw(t, "kind") {
	case 0:
		return append([]any{}, rapid.SliceOfN(scalar, 0, 3).Draw(t, "list")...)
	case 1:
		return map[string]any{text.Draw(t, "key"): scalar.Draw(t, "value"), "list": []any{scalar.Draw(t, "item")}}
	}
	return scalar.Draw(t, "scalar")
}

// drawDetail returns a text of pieces that look like parts of other errors, but never a complete error, which
// no reader could recognize as a detail.
func drawDetail(t *rapid.T) string {
	piece := rapid.OneOf(
		rapid.SampledFrom([]string{
			", ",
			": ",
			"[",
			"]",
			"{",
			"}",
			"a.b",
			"Required value",
			"Invalid",
			"\n",
			"it's",
			"pods' ",
			"' ",
			"[a-z]{1,3}",
			"5\"",
		}),
		rapid.Map(rapid.StringOf(rapid.RuneFrom([]rune(`ab, :[]`))), func(s string) string { return " " + strconv.Quote(s) + " " }),
		rapid.StringMatching(`[a-zA-Z ]+`),
	)
	detail := strings.Join(rapid.SliceOfN(piece, 0, 6).Draw(t, "detail"), "")
	if strings.Contains(detail, ": Required value") || strings.Contains(detail, ": Invalid value") || strings.HasSuffix(detail, ":") {
		return "must be something else"
	}
	return detail
}
