package declarative_test

import (
	"testing"

	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestEstimates compares the estimated costs of rules, which decide whether a rule is accepted, with those of
// the API server.
func TestEstimates(t *testing.T) {
	schema := `
type: object
required: [name, list]
properties:
  name: {type: string, maxLength: 10}
  free: {type: string}
  mode: {type: string, enum: [a, abc]}
  port: {x-kubernetes-int-or-string: true}
  data: {type: string, format: byte, maxLength: 7}
  when: {type: string, format: date-time}
  list: {type: array, items: {type: object, required: [a], properties: {a: {type: string}, b: {type: integer}}}}
  few: {type: array, maxItems: 3, items: {type: string, maxLength: 4}}
  labels: {type: object, additionalProperties: {type: string, maxLength: 5}}
  numbers: {type: object, maxProperties: 4, additionalProperties: {type: number}}
  namespace: {type: string, maxLength: 10}
x-kubernetes-validations: `
	all := []struct{ why, rule string }{
		{"a bounded string", "self.name.startsWith('a')"},
		{"one without a bound", "self.free.contains('abc')"},
		{"an enum", "self.mode.matches('^a+$')"},
		{"an int-or-string", "type(self.port) == string && self.port.matches('[0-9]+')"},
		{"bytes", "size(self.data) > 3 && self.data == b'abc'"},
		{"a time", "self.when > timestamp('2020-01-01T00:00:00Z')"},
		{"a list without a bound, whose items have a least size", "self.list.all(x, x.a != 'b' && x.b > 1)"},
		{"a list in a list", "self.few.all(x, self.few.exists(y, x == y))"},
		{"a map without a bound", "self.labels.all(k, k.startsWith('a') && self.labels[k] == 'b')"},
		{"a map with one", "self.numbers.exists(k, self.numbers[k] > 1.5)"},
		{"the size of all", "size(self.list) + size(self.few) < 5 && self.few.join(',').size() > 3"},
		{"an old value", "self.list == oldSelf.list && self.name == oldSelf.name"},
		{"the root", "self.metadata.name == self.name"},
		{"a field by a reserved word, whose size is not found then", "self.namespace == 'a' && self.namespace.contains('abc')"},
		{"the same field by its escaped name", "self.__namespace__ == 'a' && self.__namespace__.contains('abc')"},
	}
	var rules []map[string]string
	for _, tt := range all {
		rules = append(rules, map[string]string{"rule": tt.rule})
	}
	schema += asJSON(t, rules)
	reports, err := declarative.Rules(served.Schema(t, schema), declarative.Options{
		Root:              true,
		Semantics:         declarative.CustomResources,
		WithoutEstimation: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	wants := upstreamEstimates(t, served.Structural(t, served.Props(t, schema)), true)
	costs := map[string]uint64{}
	for _, report := range reports {
		costs[report.Rule] = report.Cost
	}
	for i, tt := range all {
		if got, want := costs[tt.rule], wants[i].MaxCost; wants[i].Error != nil || got != want || got == 0 {
			t.Errorf("%s: %s: cost %d, in the API server %d (%v)", tt.why, tt.rule, got, want, wants[i].Error)
		}
	}
}

// TestEstimatesOfItems: a rule on the items of an unbounded list can run as often as the smallest item fits
// into a request.
func TestEstimatesOfItems(t *testing.T) {
	for _, item := range []string{
		"type: string", "type: integer", "type: boolean", "type: string, format: byte", "type: string, format: date",
		"type: string, format: date-time", "type: string, format: duration",
		"x-kubernetes-int-or-string: true", "type: array, items: {type: string}", "type: object, additionalProperties: {type: string}",
		"type: object, required: [name, in], properties: {name: {type: string}, in: {type: object, required: [up], properties: " +
			"{up: {type: boolean}}}, not: {type: string}}",
	} {
		for _, bound := range []string{"", ", maxItems: 3"} {
			schema := `{type: object, properties: {list: {type: array` + bound + `, items: {` + item +
				`, x-kubernetes-validations: [{rule: self == self}]}}}}`
			reports, err := declarative.Rules(served.Schema(t, schema), declarative.Options{
				Semantics:         declarative.CustomResources,
				WithoutEstimation: true,
			})
			if err != nil {
				t.Fatal(err)
			}
			want := upstreamEstimates(t, served.Structural(t, served.Props(t, schema)).Properties["list"].Items, false)[0]
			if bound != "" {
				want.MaxCardinality = 3
			}
			if reports[0].Cost != want.MaxCost*want.MaxCardinality {
				t.Errorf("%s%s: cost %d, in the API server %d times %d", item, bound, reports[0].Cost, want.MaxCost, want.MaxCardinality)
			}
		}
	}
}

func upstreamEstimates(t *testing.T, s *structuralschema.Structural, root bool) []upstream.CompilationResult {
	t.Helper()
	results, err := upstream.Compile(s, model.SchemaDeclType(s, root), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), upstream.StoredExpressionsEnvLoader())
	if err != nil {
		t.Fatal(err)
	}
	return results
}
