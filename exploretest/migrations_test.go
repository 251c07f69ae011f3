package exploretest

import (
	"context"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	handwritten "github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/backends/policies/evaluation"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
)

// queueDefinition is a definition whose rules are at SPEC, and those of the class at CLASS.
const queueDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: queues.example.com}
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Queue, plural: queues, singular: queue, listKind: QueueList}
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        required: [spec]
        properties:
          spec:
            type: object
            required: [size]
            properties:
              size: {type: integer, SIZE}
              class: {type: string, maxLength: 20, CLASS}
              names: {type: array, maxItems: 4, items: {type: string, maxLength: 20}}
`

func definition(t *testing.T, size, class string) *apiresource.Definition {
	t.Helper()
	made, err := apiresource.ReadDefinition([]byte(strings.NewReplacer("SIZE", size, "CLASS", class).Replace(queueDefinition)))
	if err != nil {
		t.Fatal(err)
	}
	return made
}

const (
	sizeRule  = `x-kubernetes-validations: [{rule: "self >= 1", message: must be positive}]`
	classRule = `x-kubernetes-validations: [{rule: "self == oldSelf", message: field is immutable}]`
)

// queue is the type of a hand-written webhook.
type queue struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              struct {
		Size  int      `json:"size"`
		Class *string  `json:"class"`
		Names []string `json:"names"`
	} `json:"spec"`
}

func validateQueue(_ context.Context, q, old *queue) (errs field.ErrorList) {
	spec := field.NewPath("spec")
	if q.Spec.Size < 1 {
		errs = append(errs, field.Invalid(spec.Child("size"), q.Spec.Size, "must be positive"))
	}
	if old != nil && q.Spec.Class != nil && old.Spec.Class != nil && *q.Spec.Class != *old.Spec.Class {
		errs = append(errs, field.Invalid(spec.Child("class"), *q.Spec.Class, "field is immutable"))
	}
	return errs
}

const queuePolicies = `
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: queues}
spec:
  failurePolicy: Fail
  matchConstraints: {resourceRules: [{apiGroups: [example.com], apiVersions: [v1], operations: [CREATE, UPDATE], resources: [queues]}]}
  validations:
  - {expression: "object.spec.size >= 1", message: must be positive}
  - expression: oldObject == null || !has(oldObject.spec.class) || !has(object.spec.class) || oldObject.spec.class == object.spec.class
    message: field is immutable
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: queues}
spec: {policyName: queues, validationActions: [Deny]}
`

// TestMigrations: of a migration that changes no verdict nothing is found, and of one with a hole the hole is.
func TestMigrations(t *testing.T) {
	set, err := evaluation.Load([]evaluation.File{{Name: "policies.yaml", Data: []byte(queuePolicies)}}, evaluation.Options{})
	if err != nil {
		t.Fatal(err)
	}
	open := definition(t, "nullable: false", "nullable: false")
	whole := definition(t, sizeRule, classRule)
	for _, row := range []struct {
		from  string
		today world.World
		// hole is a next definition that is wrong, and shows what its finding has.
		hole  *apiresource.Definition
		shows string
	}{
		{"a webhook in Go", world.World{Definition: open, Then: []world.Validating{{Backend: handwritten.Func[*queue](validateQueue)}}},
			definition(t, sizeRule, "nullable: false"), "class: "},
		{"policies", world.World{Definition: open, Policies: set},
			definition(t, strings.Replace(sizeRule, ">= 1", ">= 0", 1), classRule), "size: 0"},
		{"keywords in place of rules", world.World{Definition: definition(t, "minimum: 1", classRule)},
			definition(t, strings.Replace(sizeRule, ">= 1", ">= 1 && self != 7", 1), classRule), "the native validator accepts it"},
	} {
		t.Run(row.from, func(t *testing.T) {
			for seed := range uint64(2) {
				if found := migrated(t, row.today, world.World{Definition: whole}, seed); len(found) > 0 {
					t.Errorf("seed %d: found %d differences: %s", seed, len(found), strings.Join(found, "\n"))
				}
			}
			if found := strings.Join(migrated(t, row.today, world.World{Definition: row.hole}, 1), "\n"); !strings.Contains(found,
				row.shows) {
				t.Errorf("the hole is not found: %s", found)
			}
		})
	}
}

// migrated explores with some hundred inputs, and returns the failures about changed verdicts.
func migrated(t *testing.T, from, to world.World, seed uint64) (found []string) {
	t.Helper()
	t.Chdir(t.TempDir())
	target, err := world.NewTarget(from, to, "v1")
	if err != nil {
		t.Fatal(err)
	}
	h, err := harness.New(target, harness.Options{Stored: true})
	if err != nil {
		t.Fatal(err)
	}
	k, err := newKind(h, target.Versions[0])
	if err != nil {
		t.Fatal(err)
	}
	r := &recorder{TB: t}
	start := map[string]any{
		"apiVersion": "example.com/v1", "kind": "Queue", "metadata": map[string]any{"name": "a", "namespace": "default"},
		"spec": map[string]any{"size": int64(7), "class": "fast", "names": []any{"x"}},
	}
	options := k.options([]explore.Input{{Object: start}})
	options.Seed = seed
	options.Found = func(one explore.Found) error {
		if one.Urgency > 0 {
			k.report(r, one)
		}
		return nil
	}
	explorer := explore.New(options)
	for explorer.Stats().Inputs < 600 && !explorer.Done(500) {
		if err := explorer.Step(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return r.errors
}
