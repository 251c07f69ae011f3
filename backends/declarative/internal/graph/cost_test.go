package graph

import (
	"encoding/json"
	"testing"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/decl"
)

// TestEstimates holds the estimated cost of rules against that of the API server:
// it decides whether a rule is accepted.
func TestEstimates(t *testing.T) {
	const schema = `
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
	for _, tt := range []struct{ why, rule string }{
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
	} {
		rules, err := json.Marshal([]map[string]string{{"rule": tt.rule}})
		if err != nil {
			t.Fatal(err)
		}
		cost, cardinality := estimate(t, schema+string(rules))
		wantCost, wantCardinality := upstreamEstimate(t, schema+string(rules))
		if cost != wantCost || cardinality != wantCardinality {
			t.Errorf("%s: %s: cost %d and cardinality %d, in the API server %d and %d", tt.why, tt.rule, cost, cardinality, wantCost, wantCardinality)
		}
		if cost == 0 {
			t.Errorf("%s: %s costs nothing", tt.why, tt.rule)
		}
	}
}

// estimate is the worst case of the only rule of a schema, and how often the value
// can occur in an object that has no other bound.
func estimate(t *testing.T, text string) (cost, cardinality uint64) {
	t.Helper()
	data, err := yaml.YAMLToJSON([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	s := &spec.Schema{}
	if err := json.Unmarshal(data, s); err != nil {
		t.Fatal(err)
	}
	c := newCompiler(Options{Resource: true, PerCall: celconfig.PerCallLimit})
	root := c.node(s, place{}, branchPlace{})
	c.link(root)
	if len(c.mistakes) > 0 {
		t.Fatal(c.mistakes.ToAggregate())
	}
	typ := c.types[root]
	if typ.Kind != decl.Object {
		t.Fatalf("the root is of kind %v", typ.Kind)
	}
	return root.Rules[0].Program.MaxCost, typ.MaxCardinality()
}

func upstreamEstimate(t *testing.T, text string) (cost, cardinality uint64) {
	t.Helper()
	var v1 apiextensionsv1.JSONSchemaProps
	if err := yaml.UnmarshalStrict([]byte(text), &v1); err != nil {
		t.Fatal(err)
	}
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(&v1, &internal, nil); err != nil {
		t.Fatal(err)
	}
	structural, err := structuralschema.NewStructural(&internal)
	if err != nil {
		t.Fatal(err)
	}
	results, err := upstream.Compile(structural, model.SchemaDeclType(structural, true), celconfig.PerCallLimit,
		environment.MustBaseEnvSet(environment.DefaultCompatibilityVersion()), upstream.StoredExpressionsEnvLoader())
	if err != nil || results[0].Error != nil {
		t.Fatal(err, results)
	}
	return results[0].MaxCost, results[0].MaxCardinality
}
