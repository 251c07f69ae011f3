package evaluation_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/serving"
)

// mutation is a MutatingAdmissionPolicy with its binding.
func mutation(name, more string) string {
	return strings.NewReplacer("NAME", name, "MORE", more).Replace(`---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicy
metadata: {name: NAME}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [widgets]}
  MORE
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingAdmissionPolicyBinding
metadata: {name: NAME}
spec: {policyName: NAME}
`)
}

// withParameter is a mutation with a parameter named "owner", and a binding to a parameter with a different
// name.
func withParameter(name, notFound string) string {
	policy := mutation("resize", `reinvocationPolicy: Never
  paramKind: {apiVersion: v1, kind: ConfigMap}
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{spec: Object.spec{size: int(params.data.size)}}'}}]`)
	binding := "spec: {policyName: resize, paramRef: {name: " + name + ", namespace: default, parameterNotFoundAction: " + notFound + "}}"
	return strings.Replace(policy, "spec: {policyName: resize}", binding, 1) + `---
apiVersion: v1
kind: ConfigMap
metadata: {name: owner, namespace: default}
data: {size: "7"}
`
}

const widgetSchema = `
type: object
properties:
  spec:
    type: object
    properties:
      size: {type: integer}
      tags: {type: array, items: {type: string}}
      parts:
        type: array
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items: {type: object, required: [name], properties: {name: {type: string}, size: {type: integer}}}
`

func widgets(t *testing.T) evaluation.Resource {
	t.Helper()
	written := &spec.Schema{}
	text, err := yaml.YAMLToJSON([]byte(widgetSchema))
	if err == nil {
		err = json.Unmarshal(text, written)
	}
	if err != nil {
		t.Fatal(err)
	}
	version := serving.Version{
		GroupVersionKind: schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"},
		Plural:           "widgets",
	}
	return evaluation.Resource{
		Description: serving.Description{Kind: version.GroupKind(), Versions: []serving.Version{version}},
		Schema:      func(string) *spec.Schema { return written },
	}
}

// widget is a request for a widget of size 3.
func widget() evaluation.Request {
	request := create("example.com/v1", "Widget", "default", "{}")
	request.Object.Object["spec"] = map[string]any{"size": int64(3)}
	return request
}

func TestMutate(t *testing.T) {
	const never, needed = "reinvocationPolicy: Never\n  ", "reinvocationPolicy: IfNeeded\n  "
	const grow = `mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{spec: Object.spec{size: ` +
		`object.spec.size + 1}}'}}]`
	double := strings.Replace(grow, "+ 1", "* 2", 1)
	for _, tt := range []struct {
		why, policies string
		want          string // the spec
		refused       []string
		asked         string
	}{
		{why: "an apply configuration", policies: mutation("grow", never+grow), want: `{"size":4}`, asked: "grow: true mutations[0]"},
		{why: "a JSON patch",
			policies: mutation("tag", never+`mutations: [{patchType: JSONPatch, jsonPatch: {expression: '[JSONPatch{op: "add", `+
				`path: "/spec/tags", value: ["a"]}]'}}]`), want: `{"size":3,"tags":["a"]}`, asked: "tag: true mutations[0]"},
		{why: "a test that fails leaves the object as it is",
			policies: mutation("test", never+`mutations: [{patchType: JSONPatch, jsonPatch: {expression: '[JSONPatch{op: "test", `+
				`path: "/spec/size", value: 9}, JSONPatch{op: "remove", path: "/spec/size"}]'}}]`), want: `{"size":3}`,
			asked: "test: false"},
		{why: "items of a list are merged by their keys",
			policies: mutation("parts", never+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: `+
				`'Object{spec: Object.spec{parts: [Object.spec.parts{name: "a", size: 1}]}}'}}]`),
			want: `{"parts":[{"name":"a","size":1}],"size":3}`, asked: "parts: true mutations[0]"},
		{why: "an atomic list is not changed by an apply configuration",
			policies: mutation("atomic", never+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: `+
				`'Object{spec: Object.spec{tags: ["a"]}}'}}]`),
			refused: []string{"error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or " +
				"structs: .spec.tags"},
			asked: "atomic: true"},
		{why: "unless the failurePolicy is Ignore", policies: mutation("ignore", never+`failurePolicy: Ignore
  mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: 'Object{spec: Object.spec{tags: ["a"]}}'}}]`),
			want: `{"size":3}`, asked: "ignore: false"},
		{why: "a field that the schema does not have",
			policies: mutation("unknown", never+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: `+
				`'Object{spec: Object.spec{wrong: 1}}'}}]`),
			refused: []string{"error applying patch: failed to convert patch object to typed object: .spec.wrong: field not " +
				"declared in schema"},
			asked: "unknown: true"},
		{why: "a matchCondition excludes the request",
			policies: mutation("condition", never+"matchConditions: [{name: small, expression: 'object.spec.size < 3'}]\n  "+grow),
			want:     `{"size":3}`, asked: "condition: excluded matchConditions[0]"},
		{why: "policies are called in the order of their names, and see the object as earlier ones left it",
			policies: mutation("a", never+grow) + mutation("b", never+double), want: `{"size":8}`,
			asked: "a: true mutations[0], b: true mutations[0]"},
		{why: "an earlier policy is called again if a later one changed the object", policies: mutation("a", needed+grow) +
			mutation("b", never+double), want: `{"size":9}`, asked: "a: true mutations[0], b: true mutations[0], a: true mutations[0]"},
		{why: "a parameter", policies: withParameter("owner", "Deny"), want: `{"size":7}`, asked: "resize: true mutations[0]"},
		{why: "a parameter that is missing denies", policies: withParameter("other", "Deny"),
			refused: []string{"failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"},
			asked:   "resize: true"},
		{why: "unless it may be missing", policies: withParameter("other", "Allow"), want: `{"size":3}`},
		{why: "an expression that fails",
			policies: mutation("fails", never+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: {expression: `+
				`'Object{spec: Object.spec{size: object.spec.other}}'}}]`),
			refused: []string{"the expression failed: expression 'Object{spec: Object.spec{size: object.spec.other}}' resulted " +
				"in error: no such key: other"}, asked: "fails: true"},
	} {
		t.Run(tt.why, func(t *testing.T) {
			set, err := evaluation.LoadMutations([]evaluation.File{{Name: "a.yaml", Data: []byte(tt.policies)}},
				evaluation.Options{Resources: []evaluation.Resource{widgets(t)}})
			if err != nil {
				t.Fatal(err)
			}
			request := widget()
			sent := request.Object
			run := set.Start()
			var refused, asked []string
			for again := true; again; again = run.ReinvokesAfter(false) && refused == nil {
				mutated, err := run.Mutate(t.Context(), request)
				if err != nil {
					t.Fatal(err)
				}
				for _, err := range mutated.Errors {
					refused = append(refused, err.Detail)
				}
				for _, one := range mutated.Asked {
					name, _, _ := strings.Cut(strings.TrimPrefix(one.Guard, `MutatingAdmissionPolicy "`), `"`)
					said := map[bool]string{true: "true", false: "false"}[one.Acted]
					if one.Excluded {
						said = "excluded"
					}
					for _, part := range one.Parts {
						if part.Acted {
							said += " " + part.Guard
						}
					}
					asked = append(asked, name+": "+said)
				}
				if mutated.Object != nil {
					request.Object = mutated.Object
				}
			}
			got, err := json.Marshal(request.Object.Object["spec"])
			if err != nil {
				t.Fatal(err)
			}
			if tt.want == "" {
				tt.want = `{"size":3}` // a refused object
			}
			for _, diff := range []string{
				cmp.Diff(tt.want, string(got)),
				cmp.Diff(tt.refused, refused),
				cmp.Diff(tt.asked, strings.Join(asked, ", ")),
			} {
				if diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
			if !cmp.Equal(sent.Object["spec"], map[string]any{"size": int64(3)}) {
				t.Error("the object of the request has changed")
			}
		})
	}
}

// If an object cannot be defaulted, it is a fault that names the policy that made it, whatever its
// failurePolicy. Later policies are not called: they would deny an object that no API server shows them.
func TestMutationThatCannotBeDefaulted(t *testing.T) {
	resource := widgets(t)
	resource.Default = func(object *unstructured.Unstructured) error {
		if _, found, _ := unstructured.NestedFieldNoCopy(object.Object, "spec", "wrong"); found {
			return errors.New("no field spec.wrong")
		}
		return nil
	}
	text := mutation("a", "reinvocationPolicy: Never\n  failurePolicy: Ignore\n  "+
		`mutations: [{patchType: JSONPatch, jsonPatch: {expression: '[JSONPatch{op: "add", path: "/spec/wrong", value: 1}]'}}]`) +
		mutation("b", "reinvocationPolicy: Never\n  "+`mutations: [{patchType: ApplyConfiguration, applyConfiguration: `+
			`{expression: 'Object{spec: Object.spec{size: object.spec.other}}'}}]`)
	set, err := evaluation.LoadMutations([]evaluation.File{{Name: "a.yaml", Data: []byte(text)}},
		evaluation.Options{Resources: []evaluation.Resource{resource}})
	if err != nil {
		t.Fatal(err)
	}
	mutated, err := set.Start().Mutate(t.Context(), widget())
	want := `MutatingAdmissionPolicy "a" with binding "a": Internal error occurred: no field spec.wrong`
	if err == nil || err.Error() != want || mutated.Errors != nil {
		t.Errorf("got %v, the fault %v; want the fault %s", mutated.Errors, err, want)
	}
}
