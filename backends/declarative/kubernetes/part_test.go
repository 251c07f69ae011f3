package kubernetes_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	apps "k8s.io/api/apps/v1"
	core "k8s.io/api/core/v1"
	extensions "k8s.io/api/extensions/v1beta1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

const rollingUpdate = "spec.updateStrategy.rollingUpdate"

// A part that applies only for some values of its siblings is validated as one that applies.
func TestUsedPart(t *testing.T) {
	daemonSet := apps.SchemeGroupVersion.WithKind("DaemonSet")
	zero := intstr.FromInt32(0)
	for _, tc := range []struct {
		why   string
		gvk   schema.GroupVersionKind
		field string
		part  any
		want  []string
	}{
		{"a rule of the struct around it", daemonSet, rollingUpdate, &apps.RollingUpdateDaemonSet{MaxUnavailable: &zero},
			[]string{"Required value at maxUnavailable"}},
		{"a mistake in a value", daemonSet, rollingUpdate, &apps.RollingUpdateDaemonSet{MaxSurge: new(intstr.FromString("110%"))},
			[]string{"Invalid value at maxSurge"}},
		{"nothing is wrong", daemonSet, rollingUpdate, &apps.RollingUpdateDaemonSet{MaxSurge: new(intstr.FromInt32(1))}, nil},
		{"this version uses it, though not by default", extensions.SchemeGroupVersion.WithKind("DaemonSet"), rollingUpdate,
			&extensions.RollingUpdateDaemonSet{MaxUnavailable: &zero}, []string{"Required value at maxUnavailable"}},
		{"a different kind", apps.SchemeGroupVersion.WithKind("Deployment"), "spec.strategy.rollingUpdate",
			&apps.RollingUpdateDeployment{MaxSurge: &zero}, []string{"Invalid value at maxUnavailable"}},
		{"an error of its own definition is reported once", apps.SchemeGroupVersion.WithKind("Deployment"),
			"spec.strategy.rollingUpdate", &apps.RollingUpdateDeployment{MaxUnavailable: new(intstr.FromString("110%"))},
			[]string{"Invalid value at maxUnavailable"}},
		{"a kind's requirements for the field are not part of it", daemonSet, "spec.template", podOnce(), nil},
	} {
		t.Run(tc.why, func(t *testing.T) {
			errs, err := partOf(t, tc.gvk, tc.field).Validate(t.Context(), &harness.Input{Object: contract.NewView(tc.part)})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tc.want, said(errs)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// podOnce is a Pod that no DaemonSet may have, because its restartPolicy is not Always.
func podOnce() *core.PodTemplateSpec {
	return &core.PodTemplateSpec{Spec: core.PodSpec{
		RestartPolicy: core.RestartPolicyNever, DNSPolicy: core.DNSClusterFirst, TerminationGracePeriodSeconds: new(int64(1)),
		Containers: []core.Container{
			{Name: "a", Image: "b", ImagePullPolicy: core.PullAlways, TerminationMessagePolicy: core.TerminationMessageReadFile},
		},
	}}
}

// An update ratchets these rules as in the whole object, and their errors name the line of the rule.
func TestUpdateOfAUsedPart(t *testing.T) {
	part := partOf(t, apps.SchemeGroupVersion.WithKind("DaemonSet"), rollingUpdate)
	can := contract.CapabilitiesOf(part)
	wrong := &apps.RollingUpdateDaemonSet{MaxSurge: new(intstr.FromInt32(0))}
	same := &harness.Input{Object: contract.NewView(wrong), Old: contract.NewView(wrong.DeepCopy())}
	if errs, err := part.Validate(t.Context(), same); len(errs) != 0 || err != nil {
		t.Errorf("nothing changed, and it gives %v, %v", errs, err)
	}
	want := []string{"Required value at maxUnavailable"}
	if errs, err := can.WithoutRatcheting(t.Context(), same); !slices.Equal(said(errs), want) || err != nil {
		t.Errorf("without ratcheting it gives %v, %v, want %q", errs, err, want)
	}
	if errs, err := can.UncheckedRules(t.Context(), same); len(errs) != 0 || err != nil {
		t.Errorf("all rules were checked, and it gives %v, %v", errs, err)
	}
	right := &apps.RollingUpdateDaemonSet{MaxSurge: new(intstr.FromInt32(1))}
	changed := &harness.Input{Object: contract.NewView(wrong), Old: contract.NewView(right)}
	located, err := can.Locate(t.Context(), changed)
	if err != nil || len(located) != 1 || len(located[0].Declared) != 1 {
		t.Fatalf("located %v, %v, want one error with one place", located, err)
	}
	if got := said(field.ErrorList{located[0].Error}); !slices.Equal(got, want) {
		t.Errorf("located %q, want %q", got, want)
	}
	at := kubernetes.Declared(apps.SchemeGroupVersion.WithKind("DaemonSet"), located[0].Declared[0])
	if !strings.HasPrefix(at.File, "overlays/apps-sets.yaml") {
		t.Errorf("%s stands at %s, want a line of overlays/apps-sets.yaml", located[0].Declared[0], at)
	}
}

func partOf(t *testing.T, gvk schema.GroupVersionKind, at string) harness.Backend {
	t.Helper()
	backend, err := kubernetes.NewBackends().Backend(gvk)
	if err != nil {
		t.Fatal(err)
	}
	part, err := contract.CapabilitiesOf(backend).Part(at)
	if err != nil {
		t.Fatal(err)
	}
	return part
}

func said(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, err.Type.String()+" at "+err.Field)
	}
	return all
}
