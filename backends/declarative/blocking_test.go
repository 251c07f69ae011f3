package declarative_test

import (
	"encoding/json"
	"testing"

	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/internal/walk"
)

// The error that reports rules that did not run is distinguished from errors of rules that ran, even if the
// message is the same.
func TestIsRulesNotChecked(t *testing.T) {
	sameText, err := json.Marshal(walk.RulesNotChecked().Detail)
	if err != nil {
		t.Fatal(err)
	}
	v := compile(t,
		`{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: "!has(self.a)", `+
			`message: `+string(sameText)+`}]}`,
		declarative.Options{
			Semantics: declarative.CustomResources,
		})
	for _, tt := range []struct {
		why           string
		a             any
		blocked, rule int
	}{
		{"a value of the wrong type keeps rules from running", "x", 1, 0},
		{"a false rule with the same message", int64(1), 0, 1},
	} {
		blocked, rule := 0, 0
		for _, err := range v.Validate(t.Context(), value.NewValueInterface(map[string]any{"a": tt.a}), nil) {
			switch {
			case walk.IsRulesNotChecked(err):
				blocked++
			case err.Detail == walk.RulesNotChecked().Detail:
				rule++
			}
		}
		if blocked != tt.blocked || rule != tt.rule {
			t.Errorf("%s: %d and %d errors, want %d and %d", tt.why, blocked, rule, tt.blocked, tt.rule)
		}
	}
}
