package infer

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// TestTexts: errors whose texts differ by the values of objects are one site, and no message has such a value. Those that
// differ by a value of an enum are several.
func TestTexts(t *testing.T) {
	const properties = `
pools: {type: array, maxItems: 8, items: {type: string, maxLength: 20}}
pool: {type: string, maxLength: 20}
size: {type: integer}
mode: {type: string, enum: [Fast, Slow, Lazy, Eager, Never, Always, Often]}`
	validate := func(s, _ spec) (errs field.ErrorList) {
		if s.has("pool") && !slices.Contains(s.list("pools"), any(s.text("pool"))) {
			errs = append(errs, field.Invalid(at.Child("pool"), nil, fmt.Sprintf("pool %s does not exist", s.text("pool"))))
		}
		if s.number("size") > 10 {
			errs = append(errs, field.Invalid(at.Child("size"), s.number("size"), fmt.Sprintf("size %d is above 10", s.number("size"))))
		}
		if mode := s.text("mode"); mode != "" && s.number("size") < int64(len(mode)) {
			errs = append(errs, field.Invalid(at.Child("mode"), nil, "mode "+mode+" needs a larger size")) // another error for each mode
		}
		return errs
	}
	report := run(t, definition(properties), validate, spec{"pools": []any{"blue", "green"}, "pool": "blue", "size": int64(3)})
	if len(report.Sites) != 2+7 {
		t.Fatalf("there are not two sites and one for each mode:\n%s", report.Text())
	}
	for _, rule := range report.Rules {
		if rule.Validation != nil && rule.Validation.Message != "pool … does not exist" &&
			!strings.HasPrefix(rule.Validation.Message, "mode ") {
			t.Errorf("%s has the message %q", rule, rule.Validation.Message)
		}
	}
}

// TestEmptyWord: the text at the place of an error may be empty, and an enum elsewhere may have the empty text.
func TestEmptyWord(t *testing.T) {
	const properties = `
pool: {type: string, maxLength: 20}
mode: {type: string, enum: ["", Fast]}`
	validate := func(s, _ spec) (errs field.ErrorList) {
		if s.has("pool") && s.text("pool") == "" {
			errs = append(errs, field.Invalid(at.Child("pool"), "", "must not be empty"))
		}
		return errs
	}
	report := run(t, definition(properties), validate, spec{"pool": "blue"})
	if len(report.Sites) != 1 || len(report.Rules) != 1 {
		t.Fatalf("there is not one site with one rule:\n%s", report.Text())
	}
}
