package registry_test

import (
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/internal/apiname"
)

// TestGenerated: a version has a generated validator if and only if validation-gen made one.
func TestGenerated(t *testing.T) {
	for target, want := range map[string]bool{
		"networking.k8s.io/v1 NetworkPolicy":      true,
		"extensions/v1beta1 NetworkPolicy":        false, // the group is not served
		"batch/v1 CronJob":                        true,
		"batch/v1beta1 CronJob":                   true,
		"batch/v1 Job":                            true,
		"autoscaling/v1 HorizontalPodAutoscaler":  true,
		"rbac.authorization.k8s.io/v1alpha1 Role": true,
	} {
		version, err := apiname.ParseTarget(target)
		if err != nil {
			t.Fatal(err)
		}
		backend, err := registry.Generated(version, nil)
		if (err == nil) != want {
			t.Errorf("%s: %v, want a backend: %t", target, err, want)
		}
		if err == nil && backend.Name() != registry.GeneratedName {
			t.Errorf("%s: the backend is called %s", target, backend.Name())
		}
		if err != nil && !strings.Contains(err.Error(), target) {
			t.Errorf("%s: the mistake does not say which kind it is about: %v", target, err)
		}
	}
	if _, err := registry.Generated(schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deploymnt"}, nil); err == nil {
		t.Error("a kind that does not exist has a generated validator")
	}
}

// TestGeneratedSubresources: the generated code declares its subresources, and a case about a different one
// does not count as accepted.
func TestGeneratedSubresources(t *testing.T) {
	backend, err := registry.Generated(schema.GroupVersionKind{Group: "autoscaling", Version: "v1", Kind: "Scale"}, nil)
	if err != nil {
		t.Fatal(err)
	}
	offers := backend.(interface{ Offers(string) error })
	if err := offers.Offers("scale"); err != nil {
		t.Errorf("its only subresource: %v", err)
	}
	if err := offers.Offers(""); err == nil {
		t.Error("the generated code has something for a Scale outside the subresource")
	}
}
