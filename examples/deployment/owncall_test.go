package deployment

import (
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	"k8s.io/kubernetes/pkg/apis/apps/validation"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/harness"
)

// The call in the test stays unchanged, including its options. Compare is wrapped around it.
func TestOwnCall(t *testing.T) {
	target, err := kubernetes.NewTarget(apps.Kind("Deployment"), schemas.NewBackends().Backend)
	if err != nil {
		t.Fatal(err)
	}
	both := harness.For(t, target)
	opts := corevalidation.PodValidationOptions{}

	d := validDeployment(func(d *apps.Deployment) { d.Spec.Replicas = -1 })
	errs := both.Compare(t, harness.Case{Object: d}, validation.ValidateDeployment(d, opts))
	if len(errs) != 1 {
		t.Errorf("got %v, want one error", errs)
	}

	// For a function that validates a part of the kind, Path is the path passed to the function.
	path := field.NewPath("spec")
	errs = both.Compare(t, harness.Case{Object: &d.Spec, Path: path}, validation.ValidateDeploymentSpec(&d.Spec, nil, path, opts))
	if len(errs) != 1 {
		t.Errorf("got %v, want one error", errs)
	}
}
