package world_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/onecase"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// gadgets is a definition of two versions with a status, a scale and defaults.
const gadgets = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: gadgets.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Gadget, plural: gadgets, singular: gadget, listKind: GadgetList}
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema:
      openAPIV3Schema: &schema
        type: object
        properties:
          spec:
            type: object
            properties:
              replicas: {type: integer, default: DEFAULT, maximum: 9}
              name: {type: string}
              extra: {type: object, properties: {lit: {type: boolean, default: true}}}
          status: {type: object, properties: {replicas: {type: integer}}}
        RULES
  - name: v1beta1
    served: true
    storage: false
    subresources: {status: {}, scale: {specReplicasPath: .spec.replicas, statusReplicasPath: .status.replicas}}
    schema: {openAPIV3Schema: *schema}
`

var gadgetV1 = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Gadget"}

// gadget makes a definition with a default for replicas and rules at the root.
func gadget(t *testing.T, replicas int, rules string) *apiresource.Definition {
	t.Helper()
	text := strings.NewReplacer("DEFAULT", fmt.Sprint(replicas), "RULES", rules).Replace(gadgets)
	made, err := apiresource.ReadDefinition([]byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// seen is a webhook that records the requests, and rejects those it is told to.
type seen struct {
	asked   []string
	refuses string
	patch   func(map[string]any)
}

func (*seen) Name() string { return "native" }

func (*seen) Capabilities() contract.Capabilities {
	return contract.Capabilities{ValidatesDeletes: true}
}

func (s *seen) note(in *harness.Input) map[string]any {
	var object map[string]any
	if in.Object != nil {
		var err error
		if object, err = in.Object.Unstructured(); err != nil {
			panic(err)
		}
	}
	old := "none"
	if in.Old != nil {
		before, err := in.Old.Unstructured()
		if err != nil {
			panic(err)
		}
		old = served.Text(before["spec"])
	}
	s.asked = append(s.asked, fmt.Sprintf("%s %s %s %s spec %s status %s old %s",
		in.Operation, in.Resource.Version+"/"+in.Resource.Resource, in.Subresource, object["apiVersion"],
		served.Text(object["spec"]), served.Text(object["status"]), old))
	return object
}

func (s *seen) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	s.note(in)
	if s.refuses != "" {
		return field.ErrorList{field.Forbidden(field.NewPath("spec"), s.refuses)}, nil
	}
	return nil, nil
}

func (s *seen) Mutate(_ context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	object := s.note(in)
	switch {
	case s.refuses != "":
		return nil, field.ErrorList{field.Forbidden(field.NewPath("spec"), s.refuses)}, nil
	case s.patch == nil:
		return nil, nil, nil
	}
	copied := runtime.DeepCopyJSON(object)
	s.patch(copied)
	return copied, nil, nil
}

// ask sends a case to one world, and returns its outcome.
func ask(t *testing.T, w world.World, c harness.Case) harness.Outcome {
	t.Helper()
	target, err := world.NewTarget(w, world.World{Definition: w.Definition}, "v1")
	if err != nil {
		t.Fatal(err)
	}
	results := onecase.Results(t, target, c)
	if results[0].Fault != nil {
		t.Fatal(results[0].Fault)
	}
	if results[0].Native.Fault != nil {
		t.Fatal(results[0].Native.Fault)
	}
	return results[0].Native
}

func texts(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Field+": "+err.Detail)
	}
	return all
}

// A stage sees the objects as earlier stages left them, and no object that an earlier stage rejected.
func TestStages(t *testing.T) {
	sent := `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b}, spec: {unknown: 1}, status: {replicas: 3}}`
	stored := `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b}, spec: {name: old, unknown: 1}, ` +
		`status: {replicas: 4}}`
	for _, tc := range []struct {
		why, object, old, subresource string
		deletes                       bool
		mutates, then                 seen
		wantMutate, wantThen, want    []string
	}{
		{
			why: "a create: defaults are set before the mutating webhook, the status is reset after it", object: sent,
			wantMutate: []string{`CREATE v1/gadgets  example.com/v1 spec {"replicas":1} status {"replicas":3} old none`},
			wantThen:   []string{`CREATE v1/gadgets  example.com/v1 spec {"replicas":1} status null old none`},
		},
		{
			why: "an update: the old object is read with defaults, and its status stays", object: sent, old: stored,
			wantMutate: []string{`UPDATE v1/gadgets  example.com/v1 spec {"replicas":1} status {"replicas":3} old {"name":"old",` +
				`"replicas":1}`},
			wantThen: []string{`UPDATE v1/gadgets  example.com/v1 spec {"replicas":1} status {"replicas":4} old {"name":"old",` +
				`"replicas":1}`},
		},
		{
			why: "a patched object is defaulted again; undeclared fields stay until the object is stored", object: sent,
			mutates: seen{patch: func(object map[string]any) {
				object["spec"] = map[string]any{"extra": map[string]any{}, "added": "by the webhook"}
			}},
			wantMutate: []string{`CREATE v1/gadgets  example.com/v1 spec {"replicas":1} status {"replicas":3} old none`},
			wantThen: []string{
				`CREATE v1/gadgets  example.com/v1 spec {"added":"by the webhook","extra":{"lit":true},"replicas":1} status null old none`,
			},
		},
		{
			why: "an object that the mutating webhook rejects is not validated", object: sent, mutates: seen{refuses: "no"},
			wantMutate: []string{`CREATE v1/gadgets  example.com/v1 spec {"replicas":1} status {"replicas":3} old none`},
			want:       []string{"spec: no"},
		},
		{
			why:        "an object that the definition rejects does not reach the webhook",
			object:     strings.Replace(sent, "unknown: 1", "replicas: 10", 1),
			wantMutate: []string{`CREATE v1/gadgets  example.com/v1 spec {"replicas":10} status {"replicas":3} old none`},
			want:       []string{"spec.replicas: spec.replicas in body should be less than or equal to 9"},
		},
		{
			why:    "metadata that cannot be read ends the request before everything else",
			object: strings.Replace(sent, "name: a", "name: [a]", 1),
			want:   []string{"metadata.name: must be text, not a list"},
		},
		{
			why: "a status", object: sent, old: stored, subresource: "status",
			wantMutate: []string{
				`UPDATE v1/gadgets status example.com/v1 spec {"replicas":1} status {"replicas":3} old {"name":"old","replicas":1}`,
			},
			wantThen: []string{
				`UPDATE v1/gadgets status example.com/v1 spec {"name":"old","replicas":1} status {"replicas":3} old {"name":"old",` +
					`"replicas":1}`,
			},
		},
		{
			why:    "a delete of a stored object, which the definition does not validate",
			object: strings.Replace(stored, "name: old", "replicas: 10", 1), deletes: true,
			wantMutate: []string{`DELETE v1/gadgets  %!s(<nil>) spec null status null old {"replicas":10}`},
			wantThen:   []string{`DELETE v1/gadgets  %!s(<nil>) spec null status null old {"replicas":10}`},
		},
		{
			why: "webhooks see the Scale that is sent to a scale", object: `{apiVersion: autoscaling/v1, kind: Scale, spec: {replicas: 5}}`,
			old: stored, subresource: "scale",
			wantMutate: []string{`UPDATE v1/gadgets scale autoscaling/v1 spec {"replicas":5} status {"replicas":0} old {"replicas":1}`},
			wantThen:   []string{`UPDATE v1/gadgets scale autoscaling/v1 spec {"replicas":5} status {"replicas":4} old {"replicas":1}`},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			c := harness.Case{Version: gadgetV1, Object: served.Object(t, tc.object), Deletes: tc.deletes, Subresource: tc.subresource}
			if tc.old != "" {
				c.Old = served.Object(t, tc.old)
			}
			got := ask(t, world.World{
				Definition: gadget(t, 1, ""), Mutate: world.Mutating{Mutator: &tc.mutates}, Then: []world.Validating{{Backend: &tc.then}},
			}, c)
			for _, diff := range []string{
				cmp.Diff(tc.wantMutate, tc.mutates.asked), cmp.Diff(tc.wantThen, tc.then.asked), cmp.Diff(tc.want, texts(got.Errors)),
			} {
				if diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

// A Scale with a resourceVersion other than that of the stored object is rejected, as in the API server, and
// reaches no webhook.
func TestStaleScale(t *testing.T) {
	stored := `{apiVersion: example.com/v1, kind: Gadget, metadata: {name: a, namespace: b, resourceVersion: "7"}, spec: {}}`
	for version, want := range map[string][]string{
		"7": nil, "": nil,
		"6": {"metadata.resourceVersion: conflict: the object has been modified; please apply your changes to the latest " +
			"version and try again"},
	} {
		then := &seen{}
		got := ask(t, world.World{Definition: gadget(t, 1, ""), Then: []world.Validating{{Backend: then}}}, harness.Case{
			Version: gadgetV1, Subresource: "scale", Old: served.Object(t, stored),
			Object: served.Object(t, fmt.Sprintf(`{apiVersion: autoscaling/v1, kind: Scale, metadata: {resourceVersion: %q}, spec: `+
				`{replicas: 5}}`, version)),
		})
		if diff := cmp.Diff(want, texts(got.Errors)); diff != "" {
			t.Errorf("%q: -want +got:\n%s", version, diff)
		}
		if len(then.asked) > 0 == (want != nil) {
			t.Errorf("%q: the webhook was asked %q", version, then.asked)
		}
	}
}

// The old object was stored by today's world, so it has today's defaults in both worlds; the new object gets
// those of each world.
func TestStoredToday(t *testing.T) {
	today, tomorrow := &seen{}, &seen{}
	target, err := world.NewTarget(
		world.World{Definition: gadget(t, 1, ""), Then: []world.Validating{{Backend: today}}},
		world.World{Definition: gadget(t, 2, ""), Then: []world.Validating{{Backend: tomorrow}}}, "v1",
	)
	if err != nil {
		t.Fatal(err)
	}
	object := served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, spec: {}}`)
	results := onecase.Results(t, target, harness.Case{Object: object, Old: object})
	if pairs := results[0].Pairs; len(pairs) != 1 || pairs[0].Class != difference.Result || pairs[0].Field() != "spec.replicas" {
		t.Errorf("the defaults of what is sent differ at %v, want spec.replicas", pairs)
	}
	want := []string{
		`UPDATE v1/gadgets  example.com/v1 spec {"replicas":1} status null old {"replicas":1}`,
		`UPDATE v1/gadgets  example.com/v1 spec {"replicas":2} status null old {"replicas":1}`,
	}
	if diff := cmp.Diff(want, append(today.asked, tomorrow.asked...)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

const gadgetPolicy = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: gadgets}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [gadgets]}
  validations:
  - {expression: "object.spec.replicas != 7", message: seven is not allowed}
  - {expression: "object.spec.replicas != 8", message: eight is not liked}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: gadgets}
spec: {policyName: gadgets, validationActions: [ACTION]}
`

// A policy may guard deletions.
func TestPolicyOfDelete(t *testing.T) {
	text := strings.NewReplacer("ACTION", "Deny", "[CREATE, UPDATE]", "[DELETE]", "object.spec", "oldObject.spec").Replace(gadgetPolicy)
	set, err := evaluation.Load([]evaluation.File{{Name: "policies.yaml", Data: []byte(text)}}, evaluation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	got := ask(t, world.World{Definition: gadget(t, 1, ""), Policies: set},
		harness.Case{Object: served.Object(t, `{apiVersion: example.com/v1, kind: Gadget, spec: {replicas: 7}}`), Deletes: true})
	if diff := cmp.Diff([]string{": seven is not allowed"}, texts(got.Errors)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// Policies run after the definition and before the webhook; their warnings reject nothing.
func TestPolicies(t *testing.T) {
	for _, tc := range []struct {
		why, action  string
		replicas     int
		want, warned []string
		asked        int
	}{
		{why: "a denial ends the request", action: "Deny", replicas: 7, want: []string{": seven is not allowed"}},
		{why: "an object that the definition rejects does not reach a policy", action: "Deny", replicas: 10,
			want: []string{"spec.replicas: spec.replicas in body should be less than or equal to 9"}},
		{why: "a warning does not", action: "Warn", replicas: 8, asked: 1,
			warned: []string{"Validation failed for ValidatingAdmissionPolicy 'gadgets' with binding 'gadgets': eight is not liked"}},
		{why: "nothing to report", action: "Deny", replicas: 6, asked: 1},
	} {
		t.Run(tc.why, func(t *testing.T) {
			set, err := evaluation.Load([]evaluation.File{
				{Name: "policies.yaml", Data: []byte(strings.Replace(gadgetPolicy, "ACTION", tc.action, 1))},
			}, evaluation.Options{})
			if err != nil {
				t.Fatal(err)
			}
			then := &seen{}
			got := ask(t, world.World{Definition: gadget(t, 1, ""), Policies: set, Then: []world.Validating{{Backend: then}}},
				harness.Case{Object: served.Object(t,
					fmt.Sprintf(`{apiVersion: example.com/v1, kind: Gadget, spec: {replicas: %d}}`, tc.replicas))})
			for _, diff := range []string{
				cmp.Diff(tc.want, texts(got.Errors)),
				cmp.Diff(tc.warned, got.Warnings),
				cmp.Diff(tc.asked, len(then.asked)),
			} {
				if diff != "" {
					t.Errorf("-want +got:\n%s", diff)
				}
			}
		})
	}
}

// The API server generates the name of an object after mutation and before validation.
func TestGenerateName(t *testing.T) {
	long := strings.Repeat("a", 70) + "-"
	for _, tc := range []struct{ why, metadata, mutate, then string }{
		{"a name consists of the prefix and five characters", "{generateName: web-}", "", "web-x7k2p"},
		{"58 characters of a long prefix are used", "{generateName: " + long + "}", "", long[:58] + "x7k2p"},
		{"an empty name counts as none", `{generateName: web-, name: ""}`, "", "web-x7k2p"},
		{"a name that is given stays", "{generateName: web-, name: given}", "given", "given"},
		{"without either, the name is that in the path of the request", "{}", "unnamed", "unnamed"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			mutate, then := &named{}, &named{}
			got := ask(t, world.World{
				Definition: gadget(t, 1, "x-kubernetes-validations: [{rule: 'self.metadata.name.size() > 0'}]"),
				Mutate:     world.Mutating{Mutator: mutate}, Then: []world.Validating{{Backend: then}},
			}, harness.Case{Version: gadgetV1,
				Object: served.Object(t, "{apiVersion: example.com/v1, kind: Gadget, metadata: "+tc.metadata+"}")})
			if len(got.Errors) > 0 || mutate.name != tc.mutate || then.name != tc.then {
				t.Errorf("the mutating webhook saw %q and the validating one %q, want %q and %q; errors %v", mutate.name, then.name,
					tc.mutate, tc.then, got.Errors)
			}
		})
	}
}

// named is a webhook that records the names in its requests.
type named struct{ name string }

func (*named) Name() string { return "native" }

func (n *named) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	n.name, _ = object["metadata"].(map[string]any)["name"].(string)
	return nil, err
}

func (n *named) Mutate(ctx context.Context, in *harness.Input) (map[string]any, field.ErrorList, error) {
	errs, err := n.Validate(ctx, in)
	return nil, errs, err
}

// An update is for the object that it names, so an old object without a name in a case gets the name of the
// new one: otherwise both worlds would reject the change of the name, and agree only on that.
func TestOldObjectWithoutName(t *testing.T) {
	for _, tc := range []struct{ why, metadata, old string }{
		{"the old object has no name", "{name: given, namespace: shop}", "{}"},
		{"the old object has only a generateName", "{name: web-5hhqz, namespace: shop}", "{generateName: web-}"},
		{"neither has a name", "{generateName: web-}", "{generateName: web-}"},
		{"the old object has one", "{}", "{name: given, namespace: shop}"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			then := &named{}
			got := ask(t, world.World{Definition: gadget(t, 1, ""), Then: []world.Validating{{Backend: then}}}, harness.Case{
				Version: gadgetV1, Object: served.Object(t, "{apiVersion: example.com/v1, kind: Gadget, metadata: "+tc.metadata+"}"),
				Old: served.Object(t, "{apiVersion: example.com/v1, kind: Gadget, metadata: "+tc.old+"}"),
			})
			if len(got.Errors) > 0 || then.name == "" {
				t.Errorf("errors %v, and the webhook saw the name %q", got.Errors, then.name)
			}
		})
	}
}
