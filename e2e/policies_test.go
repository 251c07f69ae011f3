package e2e_test

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/meta"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/discovery"
	"k8s.io/client-go/discovery/cached/memory"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/restmapper"
	"sigs.k8s.io/yaml"
)

// policiesNamespace is the namespace of testdata/policies, whose labels the bindings select.
const policiesNamespace = "e2e-policies"

// TestPolicies holds policies of files, evaluated without a cluster, against the API server that has the
// same policies: the verdict and the text of each denial, and the objects that mutating policies change. The
// golden file lists what differs.
func TestPolicies(t *testing.T) {
	here, err := filepath.Abs("testdata/policies")
	if err != nil {
		t.Fatal(err)
	}
	in := func(name string) string { return filepath.Join(here, name) }
	applyAll(t, in("cluster.yaml"))
	applyAll(t, in("policies.yaml"), in("mutations.yaml"), in("deliveries-policies.yaml"), in("deliveries-mutations.yaml"))
	untilApplied(t)
	dir := t.TempDir()
	suite := func(name, kinds, prefix, cases string) {
		write(t, filepath.Join(dir, name+".yaml"), fmt.Sprintf(`name: %s
native: {cluster: {kubeconfig: %q, namespace: %s}}
declarative:
  %s
  policies: [%q, %q]
  mutate: {policies: [%[5]q, %[7]q]}
compare: [all, native, declarative]
cases: [%[8]q]
`, name, plane.Kubeconfig, policiesNamespace, kinds, in("cluster.yaml"), in(prefix+"policies.yaml"),
			in(prefix+"mutations.yaml"), in(cases)))
	}
	suite("policies", "builtin: kubernetes", "", "cases/*.yaml")
	suite("deliveries", fmt.Sprintf("crd: %q", in("cluster.yaml")), "deliveries-", "deliveries-cases.yaml")
	out := diffrun(t, dir, "--parallel", "1", "policies.yaml", "deliveries.yaml")
	s := out.report.Summary
	t.Logf("%d inputs: %d equal, %d equivalent, %d different, %d not sent", s.Inputs, s.Equal, s.Equivalent, s.Different, s.Fault)
	if s.Inputs < 70 || strings.Contains(out.stdout, "unmet") {
		t.Errorf("%s%s", out.stdout, out.stderr)
	}
	golden(t, filepath.Join("testdata/policies", "differences.txt"), remarkable(out.report))
	if t.Failed() || testing.Verbose() {
		t.Log(out.stdout)
	}
}

// applyAll stores the objects of files, until the test ends.
func applyAll(t *testing.T, files ...string) {
	t.Helper()
	client, err := dynamic.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	known, err := discovery.NewDiscoveryClientForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	mapper := restmapper.NewDeferredDiscoveryRESTMapper(memory.NewMemCacheClient(known))
	for _, file := range files {
		for _, document := range documents(t, file) {
			object := &unstructured.Unstructured{}
			if err := yaml.Unmarshal(document, &object.Object); err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			kind := object.GroupVersionKind()
			mapping, err := mapper.RESTMapping(kind.GroupKind(), kind.Version)
			if err != nil {
				t.Fatal(err)
			}
			apply(t, client, mapping, object)
		}
	}
}

func apply(t *testing.T, client dynamic.Interface, mapping *meta.RESTMapping, object *unstructured.Unstructured) {
	t.Helper()
	var at dynamic.ResourceInterface = client.Resource(mapping.Resource)
	if mapping.Scope.Name() == meta.RESTScopeNameNamespace {
		at = client.Resource(mapping.Resource).Namespace(object.GetNamespace())
	}
	if _, err := at.Create(t.Context(), object, metav1.CreateOptions{}); err != nil {
		t.Fatalf("%s %s: %v", object.GetKind(), object.GetName(), err)
	}
	t.Cleanup(func() {
		if err := at.Delete(context.Background(), object.GetName(), metav1.DeleteOptions{}); err != nil && !apierrors.IsNotFound(err) {
			t.Error(err)
		}
	})
}

// untilApplied waits until the API server uses the policies that were stored last, and with them all.
func untilApplied(t *testing.T) {
	t.Helper()
	client, err := dynamic.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	delivery := func() (*unstructured.Unstructured, error) {
		object := &unstructured.Unstructured{
			Object: map[string]any{
				"apiVersion": "policies.example.com/v1",
				"kind":       "Delivery",
				"metadata":   map[string]any{"name": "probe"},
				"spec":       map[string]any{"weight": int64(3)},
			},
		}
		return client.Resource(schema.GroupVersionResource{Group: "policies.example.com", Version: "v1", Resource: "deliveries"}).Namespace(
			policiesNamespace).
			Create(t.Context(), object, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
	}
	var last error
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		created, err := delivery()
		if last = err; err != nil {
			return false, nil
		}
		stops, _, _ := unstructured.NestedSlice(created.Object, "spec", "stops")
		return len(stops) == 1, nil
	})
	if err != nil {
		t.Fatalf("the policies are not in use: %v; last answer: %v", err, last)
	}
	deployment := &unstructured.Unstructured{}
	if err := yaml.Unmarshal([]byte(probeJob), &deployment.Object); err != nil {
		t.Fatal(err)
	}
	jobs := client.Resource(schema.GroupVersionResource{Group: "batch", Version: "v1", Resource: "jobs"}).Namespace(policiesNamespace)
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(context.Context) (bool, error) {
		_, last = jobs.Create(t.Context(), deployment, metav1.CreateOptions{DryRun: []string{metav1.DryRunAll}})
		return last != nil && strings.Contains(last.Error(), "e2e-fail"), nil
	})
	if err != nil {
		t.Fatalf("the policies are not in use: %v; last answer: %v", err, last)
	}
}

const probeJob = `{apiVersion: batch/v1, kind: Job, metadata: {name: probe}, spec: {template: {spec: {restartPolicy: ` +
	`Never, containers: [{name: a, image: a}]}}}}`
