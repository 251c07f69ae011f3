package declarative_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestRules checks the report on each rule, also for a schema with mistakes.
func TestRules(t *testing.T) {
	type told struct {
		At                string
		UsesOldSelf       bool
		Costs, MessageHas bool
		Mistakes          int
	}
	for _, tt := range []struct {
		why, schema string
		opts        declarative.Options
		want        []told
	}{{
		why: "a schema without rules has no reports", schema: `{type: object}`,
	}, {
		why:  "rules are ordered by their place, and costs are known without estimation",
		opts: declarative.Options{WithoutEstimation: true},
		schema: `{type: object, properties: {b: {type: string, x-kubernetes-validations: [{rule: "self == oldSelf"}]}, a: ` +
			`{type: string, maxLength: 3, x-kubernetes-validations: [{rule: "self != 'b'", messageExpression: "'not ' + self"}]}}}`,
		want: []told{
			{At: "properties[a].x-kubernetes-validations[0]", Costs: true, MessageHas: true},
			{At: "properties[b].x-kubernetes-validations[0]", UsesOldSelf: true, Costs: true},
		},
	}, {
		why: "an expression keeps its cost when its message is wrong, or its optionalOldSelf",
		schema: `{type: string, maxLength: 3, x-kubernetes-validations: [{rule: "self == oldSelf", messageExpression: "5"}, ` +
			`{rule: "self != ''", optionalOldSelf: true}]}`,
		want: []told{
			{At: "x-kubernetes-validations[0]", UsesOldSelf: true, Costs: true, Mistakes: 1},
			{At: "x-kubernetes-validations[1]", Costs: true, Mistakes: 1},
		},
	}, {
		why:    "a schema that does not compile has none, and other mistakes are not about rules",
		schema: `{type: string, pattern: "(", x-kubernetes-validations: [{rule: "self =="}, {rule: " "}, {rule: "true", reason: Odd}]}`,
		want: []told{
			{At: "x-kubernetes-validations[0]", Mistakes: 1},
			{At: "x-kubernetes-validations[1]", Mistakes: 1},
			{At: "x-kubernetes-validations[2]", Mistakes: 1},
		},
	}, {
		why:    "one over its limit",
		schema: `{type: array, items: {type: string}, x-kubernetes-validations: [{rule: "self.all(x, self.exists(y, y == x))"}]}`,
		want:   []told{{At: "x-kubernetes-validations[0]", Costs: true, Mistakes: 1}},
	}, {
		why: "rules in definitions",
		opts: declarative.Options{
			Definitions: map[string]*spec.Schema{"d": served.Schema(t, `{type: integer, x-kubernetes-validations: [{rule: "self > 1"}]}`)},
		},
		schema: `{type: object, properties: {a: {$ref: "#/definitions/d"}}}`,
		want:   []told{{At: "definitions[d].x-kubernetes-validations[0]", Costs: true}},
	}} {
		reports, err := declarative.Rules(served.Schema(t, tt.schema), tt.opts)
		var got []told
		mistakes := 0
		for _, r := range reports {
			got = append(got, told{
				At:          r.At,
				UsesOldSelf: r.UsesOldSelf,
				Costs:       r.Cost > 0,
				MessageHas:  r.MessageCost > 0,
				Mistakes:    len(r.Mistakes),
			})
			mistakes += len(r.Mistakes)
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s: want against got:\n%s", tt.why, diff)
		}
		_, compiled := declarative.Compile(served.Schema(t, tt.schema), tt.opts)
		if diff := cmp.Diff(text(compiled), text(err)); diff != "" {
			t.Errorf("%s: the mistakes of Compile are not those of Rules:\n%s", tt.why, diff)
		}
		var wrong *declarative.SchemaError
		if mistakes > 0 && !errors.As(err, &wrong) {
			t.Errorf("%s: the error is %v", tt.why, err)
		}
	}
	_, err := declarative.Compile(nil, declarative.Options{})
	if _, errOfRules := declarative.Rules(nil, declarative.Options{}); err == nil || errOfRules == nil {
		t.Error("no schema is no mistake")
	}
}

func text(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
