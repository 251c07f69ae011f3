package e2e_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// TestConverted: releases return the objects that they would store in the other versions of their kinds. The golden file
// has these objects, as the oldest release converts them.
func TestConverted(t *testing.T) {
	text, err := os.ReadFile("testdata/releases/versions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	backend, err := release.New(t.Context(), release.Options{Version: oldestRelease, Converted: true, Parallel: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer backend.Close()
	var all strings.Builder
	for document := range bytes.SplitSeq(text, []byte("\n---\n")) {
		object := &unstructured.Unstructured{}
		if err := yaml.Unmarshal(document, &object.Object); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&all, "# %s %s %s\n", object.GetAPIVersion(), object.GetKind(), object.GetName())
		convert(t, backend, object, &all)
	}
	golden(t, "testdata/releases/converted.txt", all.String())
}

// convert writes what the other versions of a kind return for an object.
func convert(t *testing.T, backend *release.Backend, object *unstructured.Unstructured, to *strings.Builder) {
	t.Helper()
	if !backend.Serves(object.GroupVersionKind()) {
		to.WriteString("not served\n")
		return
	}
	ctx, notes := contract.CollectNotes(t.Context())
	errs, err := backend.Validate(ctx, &harness.Input{
		Request: harness.Request{Version: object.GroupVersionKind(), Operation: admissionv1.Create},
		Object:  contract.NewView(object.Object),
	})
	switch all := notes(); {
	case err != nil:
		t.Errorf("%s: %v", object.GetName(), err)
	case len(errs) > 0:
		fmt.Fprintf(to, "refused: %v\n", errs)
	case len(all.Converted) == 0:
		to.WriteString("no other version\n")
	default:
		for _, one := range all.Converted {
			text, err := yaml.Marshal(one.Object)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(to, "---\n%s%s", text, one.Why)
		}
	}
}
