package registry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/testing/onecase"
)

// mute accepts everything: these tests are about the native side.
type mute struct{}

func (mute) Name() string { return "declarative" }
func (mute) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return nil, nil
}

func check(t *testing.T, c harness.Case) []harness.Result {
	t.Helper()
	target, err := registry.NewTarget(c.Version.GroupKind(), func(schema.GroupVersionKind) (harness.Backend, error) { return mute{}, nil })
	if err != nil {
		t.Fatal(err)
	}
	return onecase.Results(t, target, c)
}

func document(t *testing.T, text string) map[string]any {
	t.Helper()
	var doc struct {
		Object map[string]any `yaml:"object"`
	}
	if err := strictyaml.Decode("case.yaml", []byte("object:\n  "+strings.ReplaceAll(text, "\n", "\n  ")), &doc); err != nil {
		t.Fatal(err)
	}
	return doc.Object
}

func gvk(name string) schema.GroupVersionKind {
	version, err := apiname.ParseTarget(name)
	if err != nil {
		panic(err)
	}
	return version
}

// lines returns what a test compares: a line for each version.
func lines(results []harness.Result) []string {
	var all []string
	for _, r := range results {
		line := apiname.Target(r.Version) + ": "
		switch {
		case r.Fault != nil:
			line += "fault: " + r.Fault.Error()
		case r.Native.Fault != nil:
			line += "native fault: " + r.Native.Fault.Error()
		case r.Inexpressible != "":
			line += "inexpressible: " + r.Inexpressible
		default:
			for _, err := range r.Native.Errors {
				line += fmt.Sprintf("%s %s; ", string(err.Type), err.Field)
			}
		}
		all = append(all, strings.TrimSpace(line))
	}
	return all
}

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: nginx, image: nginx}]}`

const statefulSet = `apiVersion: apps/v1beta1
kind: StatefulSet
metadata: {name: db, namespace: shop}
spec:
  serviceName: db
  selector: {matchLabels: {app: db}}
  template:
    metadata: {labels: {app: db}}
    spec: {containers: [{name: postgres, image: postgres}]}`

const autoscaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec:
  maxReplicas: 5
  scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}`

func TestValidate(t *testing.T) {
	for _, tc := range []struct {
		why, version, object, old string
		want                      []string
	}{
		{
			why: "a valid Deployment is valid in every version, defaults filled in", version: "apps/v1 Deployment", object: deployment,
			want: []string{"apps/v1 Deployment:", "apps/v1beta2 Deployment:", "apps/v1beta1 Deployment:", "extensions/v1beta1 Deployment:"},
		},
		{
			why:     "a case written in an old version of a different group is compared in all versions",
			version: "extensions/v1beta1 Deployment",
			object: strings.Replace(strings.Replace(deployment, "apps/v1", "extensions/v1beta1", 1), "spec:\n", "spec:\n  replicas: -1\n",
				1),
			want: []string{
				"apps/v1 Deployment: FieldValueInvalid spec.replicas;", "apps/v1beta2 Deployment: FieldValueInvalid spec.replicas;",
				"apps/v1beta1 Deployment: FieldValueInvalid spec.replicas;",
				"extensions/v1beta1 Deployment: FieldValueInvalid spec.replicas;",
			},
		},
		{
			why: "a misspelt field is a fault, not a case that passes", version: "apps/v1 Deployment",
			object: strings.Replace(deployment, "selector:", "selectr:", 1),
			want: repeat("fault: object: strict decoding error: unknown field \"spec.selectr\"", "apps/v1 Deployment",
				"apps/v1beta2 Deployment", "apps/v1beta1 Deployment", "extensions/v1beta1 Deployment"),
		},
		{
			why: "fields that a request may not set are reset before validation: status", version: "apps/v1 Deployment",
			object: deployment + "\nstatus: {replicas: -5}",
			want: []string{"apps/v1 Deployment:", "apps/v1beta2 Deployment:", "apps/v1beta1 Deployment:",
				"extensions/v1beta1 Deployment:"},
		},
		{
			why: "an update needs no resourceVersion where the API server fills it in", version: "apps/v1 Deployment",
			object: deployment, old: deployment,
			want: []string{"apps/v1 Deployment:", "apps/v1beta2 Deployment:", "apps/v1beta1 Deployment:", "extensions/v1beta1 Deployment:"},
		},
		{
			why:     "a selector is immutable in every version, also in those that let it be changed when they were served",
			version: "apps/v1 Deployment",
			object:  strings.ReplaceAll(deployment, "app: web", "app: shop"), old: deployment,
			want: []string{
				"apps/v1 Deployment: FieldValueInvalid spec.selector;", "apps/v1beta2 Deployment: FieldValueInvalid spec.selector;",
				"apps/v1beta1 Deployment: FieldValueInvalid spec.selector;",
				"extensions/v1beta1 Deployment: FieldValueInvalid spec.selector;",
			},
		},
		{
			why:     "a version that changes an object on the way there and back cannot express it",
			version: "autoscaling/v2 HorizontalPodAutoscaler",
			object: autoscaler + "\n  metrics:\n  - {type: Resource, resource: {name: cpu, target: {type: Utilization, " +
				"averageUtilization: 50}}}\n  - {type: Resource, resource: {name: cpu, target: {type: Utilization, " +
				"averageUtilization: 60}}}",
			want: []string{
				"autoscaling/v2 HorizontalPodAutoscaler:",
				"autoscaling/v1 HorizontalPodAutoscaler: inexpressible: conversion there and back changes Spec.Metrics",
			},
		},
		{
			why: "a status that a version cannot leave unset is not a loss of the case", version: "apps/v1beta1 StatefulSet",
			object: statefulSet,
			want:   []string{"apps/v1 StatefulSet:", "apps/v1beta2 StatefulSet:", "apps/v1beta1 StatefulSet:"},
		},
		{
			why: "metrics that v1 keeps in an annotation survive the conversion", version: "autoscaling/v2 HorizontalPodAutoscaler",
			object: autoscaler + "\n  metrics: [{type: Pods, pods: {metric: {name: qps}, target: {type: AverageValue, " +
				"averageValue: '0'}}}]",
			want: []string{
				"autoscaling/v2 HorizontalPodAutoscaler: FieldValueInvalid spec.metrics[0].pods.target.averageValue;",
				"autoscaling/v1 HorizontalPodAutoscaler: FieldValueInvalid spec.metrics[0].pods.target.averageValue;",
			},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			c := harness.Case{Version: gvk(tc.version), Object: document(t, tc.object)}
			if tc.old != "" {
				c.Old = document(t, tc.old)
			}
			if diff := cmp.Diff(tc.want, lines(check(t, c))); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestPrepared(t *testing.T) {
	named := "apiVersion: v1\nkind: Pod\nmetadata: {generateName: web-, namespace: shop}\nspec: {containers: [{name: nginx, " +
		"image: nginx}]}\n"
	for _, tc := range []struct {
		why, object string
		errors      int
		omitted     []contract.Omission
	}{
		{why: "the API server makes up the name that generateName asks for before it validates", object: named},
		{
			why:    "fields that a request may not set are reported: neither side sees them",
			object: named + "status: {phase: Running, nominatedNodeName: a}",
			omitted: []contract.Omission{{Field: "status.nominatedNodeName", Why: words.Ignored},
				{Field: "status.phase", Why: words.Ignored}},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			result := check(t, harness.Case{Version: gvk("v1 Pod"), Object: document(t, tc.object)})[0]
			if result.Fault != nil || len(result.Native.Errors) != 0 {
				t.Errorf("fault %v, errors %v", result.Fault, result.Native.Errors)
			}
			if diff := cmp.Diff(tc.omitted, result.Omitted); diff != "" {
				t.Errorf("omitted, -want +got:\n%s", diff)
			}
		})
	}
}

func repeat(text string, versions ...string) []string {
	var all []string
	for _, version := range versions {
		all = append(all, version+": "+text)
	}
	return all
}

// TestEveryKindHasVersions: each kind of the table has versions, in the order of preference, those of other
// groups last. The page of built-in kinds lists them all.
func TestEveryKindHasVersions(t *testing.T) {
	want := map[string][]string{
		"Pod":                     {"v1"},
		"Deployment":              {"apps/v1", "apps/v1beta2", "apps/v1beta1", "extensions/v1beta1"},
		"HorizontalPodAutoscaler": {"autoscaling/v2", "autoscaling/v1"},
		"NetworkPolicy":           {"networking.k8s.io/v1", "extensions/v1beta1"},
		"ResourceClaim":           {"resource.k8s.io/v1", "resource.k8s.io/v1beta2", "resource.k8s.io/v1beta1"},
	}
	got := map[string][]string{}
	for _, kind := range registry.Kinds() {
		target, err := registry.NewTarget(kind, noSchemas)
		if err != nil {
			t.Fatal(err)
		}
		if len(target.Versions) == 0 {
			t.Errorf("%s has no version", kind)
		}
		for _, version := range target.Versions {
			if want[kind.Kind] != nil {
				got[kind.Kind] = append(got[kind.Kind], version.GroupVersion().String())
			}
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// noSchemas is for tests of the native side alone.
func noSchemas(schema.GroupVersionKind) (harness.Backend, error) { return nil, nil }

func TestUnknownKindNamesThoseThereAre(t *testing.T) {
	_, err := registry.NewTarget(schema.GroupKind{Group: "apps", Kind: "Deploymnt"}, noSchemas)
	if err == nil || !strings.Contains(err.Error(), "no native validator for Deploymnt.apps; there are ConfigMap, Endpoints, ") {
		t.Errorf("got %v", err)
	}
}
