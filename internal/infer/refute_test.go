package infer

import (
	"slices"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
	"github.com/diffrun/diffrun/internal/openapi"
)

// TestBarred: a rule that refuses an object which the native validator accepts is taken out, and the rules beside it stay.
func TestBarred(t *testing.T) {
	const properties = `
size: {type: integer}
name: {type: string}
mode: {type: string, enum: [Auto, Manual]}`
	validate := func(s, _ spec) (errs field.ErrorList) {
		if s.number("size") > 10 {
			errs = append(errs, field.Invalid(at.Child("size"), s.number("size"), "must be at most 10"))
		}
		if s.text("mode") == "Auto" && s.has("name") {
			errs = append(errs, field.Forbidden(at.Child("name"), "may not be set when mode is Auto"))
		}
		return errs
	}
	maximum := func(n int64) *proposal.Rule {
		return &proposal.Rule{Place: "spec.size", Keywords: map[string]any{"maximum": n}}
	}
	rule := func(text string) *proposal.Rule {
		return &proposal.Rule{Place: "spec", Validation: &openapi.Rule{Rule: text}}
	}
	right, wrong := rule("!has(self.name) || !has(self.mode) || self.mode != 'Auto'"), rule("!has(self.name) || !has(self.mode)")
	for _, tt := range []struct {
		why          string
		rules        []*proposal.Rule
		stay, barred []string
	}{
		{"right rules stay", []*proposal.Rule{maximum(10), right}, []string{maximum(10).String(), right.String()}, nil},
		{"a bound that is one too strict", []*proposal.Rule{maximum(9), right}, []string{right.String()}, []string{maximum(9).String()}},
		{"a rule that forgets a condition", []*proposal.Rule{maximum(10), wrong}, []string{maximum(10).String()}, []string{wrong.String()}},
		{"of two rules about one object, only the guilty one goes", []*proposal.Rule{right, wrong}, []string{right.String()},
			[]string{wrong.String()}},
		{"a rule that cannot be evaluated refuses", []*proposal.Rule{maximum(10), rule("self.name != 'x'")},
			[]string{maximum(10).String()}, []string{rule("self.name != 'x'").String()}},
	} {
		target := targetOf(t, definition(properties), validate, spec{"size": int64(3), "name": "a", "mode": "Manual"},
			spec{"size": int64(10), "mode": "Auto"})
		stay, barred, refuses, forgiven := barredRules(t, target, options(), tt.rules...)
		if !slices.Equal(stay, tt.stay) || !slices.Equal(barred, tt.barred) {
			t.Errorf("%s: %q stay and %q are barred; want %q and %q", tt.why, stay, barred, tt.stay, tt.barred)
		}
		if refuses != 0 || (forgiven > 0) != (len(tt.barred) > 0) {
			t.Errorf("%s: what stays refuses %d accepted inputs, and %d were refused by the others", tt.why, refuses, forgiven)
		}
	}
}

// TestBarredByZero: a rule about updates that tells none from the zero value is taken out if the native validator does not.
func TestBarredByZero(t *testing.T) {
	for _, tt := range []struct{ why, of, rule string }{
		{"a number", "size: {type: integer}", "!has(oldSelf.size) || has(self.size)"},
		{"a text", "size: {type: string}", "has(self.size) == has(oldSelf.size)"},
		{"a boolean", "size: {type: boolean}", "!has(self.size) || has(oldSelf.size)"},
		{"a list", "size: {type: array, items: {type: string}}", "!has(oldSelf.size) || has(self.size)"},
		{"a map", "size: {type: object, additionalProperties: {type: string}}", "!has(self.size) || has(oldSelf.size)"},
	} {
		accepts := func(spec, spec) field.ErrorList { return nil }
		target, o := targetOf(t, definition(tt.of+"\nnote: {type: string}"), accepts, spec{"note": "a"}), options()
		i, err := proposal.NewProver(target, &o, func() error { return nil })
		if err != nil {
			t.Fatal(err)
		}
		if _, err := i.Evidence.Ask(t.Context(), target.Starts); err != nil {
			t.Fatal(err)
		}
		rule := &proposal.Rule{Place: "spec", At: evidence.Place{"spec"}, Validation: &openapi.Rule{Rule: tt.rule}}
		p := &proposal.Proposal{Rules: []*proposal.Rule{rule}}
		if err := p.Write(i); err != nil {
			t.Fatal(err)
		}
		found, err := i.Prove(t.Context(), p, 1, 0)
		if err == nil {
			err = i.Refute(p, found)
		}
		if err != nil || i.RefutedRule(rule) == nil {
			t.Errorf("%s: %s is not refuted, %v", tt.why, tt.rule, err)
		}
	}
}
