package e2e_test

import (
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextensions "k8s.io/apiextensions-apiserver/pkg/client/clientset/clientset"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/client-go/kubernetes"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/e2e/controlplane"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/largeobject"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestDefinitions compares the schema side with the API server on real definitions: each error of generated
// objects, in creates, updates and requests to status.
func TestDefinitions(t *testing.T) {
	for _, file := range served.Definitions(t) {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".yaml"), func(t *testing.T) {
			crd := served.Definition(t, file)
			define(t, crd)
			dir := t.TempDir()
			write(t, filepath.Join(dir, "cases.jsonl"), corpus(t, crd))
			write(t, filepath.Join(dir, "suite.yaml"), suite(t, file, namespace(t), stored(crd).Name))
			out := diffrun(t, dir, "--no-rules", "suite.yaml")
			s := out.report.Summary
			t.Logf("seed %d: %d inputs, %d equal, %d of them refused", *seed, s.Inputs, s.Equal, refused(out.report))
			if out.status != 0 || s.Equal != s.Inputs {
				t.Errorf("exit status %d, %d of %d inputs are equal\n%s%s", out.status, s.Equal, s.Inputs, out.stdout, out.stderr)
			}
		})
	}
}

func refused(r report) (n int) {
	for _, result := range r.Results {
		if len(result.Native.Errors) > 0 {
			n++
		}
	}
	return n
}

// suite returns a suite with the API server beside a definition.
func suite(t *testing.T, definition, namespace, version string) string {
	t.Helper()
	return fmt.Sprintf(`name: definitions
native: {cluster: {kubeconfig: %q, namespace: %q}}
declarative: {crd: %q, version: %q}
cases: [cases.jsonl]
`, plane.Kubeconfig, namespace, definition, version)
}

// define stores a definition and waits until it is served. It is removed at the end of the test.
func define(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) {
	t.Helper()
	clients, err := apiextensions.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	definitions := clients.ApiextensionsV1().CustomResourceDefinitions()
	if _, err := definitions.Create(t.Context(), crd, metav1.CreateOptions{}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := definitions.Delete(context.Background(), crd.Name, metav1.DeleteOptions{}); err != nil {
			t.Error(err)
		}
	})
	err = wait.PollUntilContextTimeout(t.Context(), 50*time.Millisecond, time.Minute, true, func(ctx context.Context) (bool, error) {
		is, err := definitions.Get(ctx, crd.Name, metav1.GetOptions{})
		if err != nil {
			return false, err
		}
		for _, condition := range is.Status.Conditions {
			if condition.Type == apiextensionsv1.Established && condition.Status == apiextensionsv1.ConditionTrue {
				return true, nil
			}
		}
		return false, nil
	})
	if err != nil {
		t.Fatalf("%s is not served: %v", crd.Name, err)
	}
}

// namespace makes a namespace for the objects of a test.
func namespace(t *testing.T) string {
	t.Helper()
	return namespaceIn(t, plane)
}

func namespaceIn(t *testing.T, plane *controlplane.ControlPlane) string {
	t.Helper()
	client, err := kubernetes.NewForConfig(plane.Config)
	if err != nil {
		t.Fatal(err)
	}
	created, err := client.CoreV1().Namespaces().Create(t.Context(),
		&corev1.Namespace{ObjectMeta: metav1.ObjectMeta{GenerateName: "e2e-"}}, metav1.CreateOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return created.Name
}

func stored(crd *apiextensionsv1.CustomResourceDefinition) *apiextensionsv1.CustomResourceDefinitionVersion {
	for i := range crd.Spec.Versions {
		if crd.Spec.Versions[i].Storage {
			return &crd.Spec.Versions[i]
		}
	}
	return nil
}

// line is a case as a JSON line.
type line struct {
	ID          string         `json:"id"`
	Object      map[string]any `json:"object"`
	OldObject   map[string]any `json:"oldObject,omitempty"`
	Subresource string         `json:"subresource,omitempty"`
}

// corpus generates creates and updates for a definition, and requests to its status.
func corpus(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition) string {
	t.Helper()
	version := stored(crd)
	schema := version.Schema.OpenAPIV3Schema
	source := generate.Seeded(*seed)
	options := generate.ObjectOptions{
		APIVersion: crd.Spec.Group + "/" + version.Name,
		Kind:       crd.Spec.Names.Kind,
		Name:       "generated",
		Namespace:  "default",
		Defaulted:  true,
	}
	var text strings.Builder
	add := func(l line) {
		data, err := json.Marshal(l)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(data)
		text.WriteByte('\n')
	}
	for i := range *objects {
		options.Faults = faults[i%len(faults)]
		add(line{ID: fmt.Sprintf("create %d", i), Object: generate.Object(source, schema, options)})
	}
	olds := valid(t, crd, 8)
	for i := range *objects {
		options.Faults = faults[i%len(faults)]
		old := olds[i%len(olds)]
		add(line{ID: fmt.Sprintf("update %d", i), Object: generate.Vary(source, schema, old, options), OldObject: old})
		if version.Subresources != nil && version.Subresources.Status != nil {
			add(line{ID: fmt.Sprintf("status %d", i), Object: generate.Vary(source, schema, old, options), OldObject: old,
				Subresource: "status"})
		}
		if version.Subresources != nil && version.Subresources.Scale != nil {
			add(line{ID: fmt.Sprintf("scale %d", i), Object: scale(source.IntN(6) - 2), OldObject: old, Subresource: "scale"})
		}
	}
	return text.String()
}

// scale is a request for replicas of the resource whose objects are all named "generated".
func scale(replicas int) map[string]any {
	return map[string]any{
		"apiVersion": "autoscaling/v1", "kind": "Scale",
		"metadata": map[string]any{"name": "generated", "namespace": "default"},
		"spec":     map[string]any{"replicas": replicas},
	}
}

// faults are the numbers of valid values for each invalid one: for valid objects, and for objects with few
// and with many errors.
var faults = []int{0, 40, 8}

// valid returns objects that the API server stores.
func valid(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, n int) (all []map[string]any) {
	t.Helper()
	version := stored(crd)
	validator := compiled(t, crd, version.Name)
	for i := range n {
		obj, err := largeobject.Grow(generate.Seeded(*seed+uint64(i)), version.Schema.OpenAPIV3Schema, largeobject.Growth{
			Bytes: 1 << 10,
			Valid: func(obj map[string]any) bool { return len(validator.Validate(t.Context(), obj, nil)) == 0 },
			Object: generate.ObjectOptions{
				APIVersion: crd.Spec.Group + "/" + version.Name,
				Kind:       crd.Spec.Names.Kind,
				Name:       "generated",
				Namespace:  "default",
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, obj)
	}
	return all
}

// compiled returns our validator of a version.
func compiled(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, version string) *apiresource.Validator {
	t.Helper()
	data, err := yaml.Marshal(crd)
	if err != nil {
		t.Fatal(err)
	}
	definition, err := apiresource.ReadDefinition(data)
	if err != nil {
		t.Fatal(err)
	}
	resource := definition.Resource()
	for _, v := range resource.Versions {
		if v.Name == version {
			validator, err := apiresource.Compile(v.Schema, resource.Options(v))
			if err != nil {
				t.Fatal(err)
			}
			return validator
		}
	}
	t.Fatalf("%s has no version %s", crd.Name, version)
	return nil
}
