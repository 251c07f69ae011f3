package infer

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// TestLacked: a rule guards a required field if a case has an old object without it. The API server tolerates the lack as
// long as the value around the field stays, but evaluates rules further out.
func TestLacked(t *testing.T) {
	t.Parallel()
	const properties = "from: {type: object, required: [size], properties: {size: {type: integer}}}\nto: {type: object, " +
		"required: [size], properties: {size: {type: integer}}}\nnote: {type: string}"
	size := func(s spec, name string) int64 {
		of, _ := s[name].(map[string]any)
		return spec(of).number("size")
	}
	validate := func(s, _ spec) field.ErrorList {
		if size(s, "from") > size(s, "to") {
			return field.ErrorList{field.Invalid(at.Child("from", "size"), size(s, "from"), "must not be greater than to.size")}
		}
		return nil
	}
	sized := func(n int64) map[string]any { return map[string]any{"size": n} }
	start := spec{"from": sized(1), "to": sized(3)}
	target := func(t *testing.T) *evidence.Target {
		return targetOf(t, definition(properties, "from", "to"), validate, start, spec{"from": sized(2), "to": sized(2), "note": "a"})
	}
	rules := func(about *evidence.Target) string {
		report, err := Run(t.Context(), about, options())
		if err != nil {
			t.Fatal(err)
		}
		if report.Count(proposal.Proven) != 1 || len(report.Sites) != 1 {
			t.Errorf("it is not proven:\n%s", report.Text())
		}
		var all []string
		for _, rule := range report.Rules {
			all = append(all, rule.String())
		}
		return strings.Join(all, "\n")
	}
	if got, want := rules(target(t)), "spec: self.from.size <= self.to.size"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	about := target(t)
	object := func(note string) map[string]any {
		return map[string]any{
			"apiVersion": "example.com/v1", "kind": "Thing",
			"metadata": map[string]any{"name": "a", "namespace": "b", "resourceVersion": "1"},
			"spec":     map[string]any{"from": map[string]any{}, "to": sized(3), "note": note},
		}
	}
	about.Starts = append(about.Starts, explore.Input{Object: object("b"), Old: object("a")})
	if got, want := rules(about), "spec: !has(self.from.size) || self.from.size <= self.to.size"; got != want {
		t.Errorf("with an old object that lacks a field: got %s, want %s", got, want)
	}
	for rule, want := range map[string]words.Effect{
		"self.from.size <= self.to.size":                         words.Refuses,
		"!has(self.from.size) || self.from.size <= self.to.size": words.NoEffect,
	} {
		crd := strings.Replace(definition(properties, "from", "to"), "type: object\n            required",
			"type: object\n            x-kubernetes-validations: [{rule: \""+rule+"\"}]\n            required", 1)
		with := targetOf(t, crd, validate, start)
		results, err := with.Harness.Check(t.Context(), harness.Case{Version: with.Version, Object: object("b"), Old: object("a")})
		if err != nil || len(results) != 1 || results[0].Effect != want {
			t.Errorf("%s: got %+v, %v, want the effect %q", rule, results, err, want)
		}
	}
}
