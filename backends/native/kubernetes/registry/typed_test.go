package registry_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/autoscaling"
	"k8s.io/kubernetes/pkg/apis/batch"
	"k8s.io/kubernetes/pkg/apis/core"
	"k8s.io/kubernetes/pkg/apis/networking"
	"k8s.io/kubernetes/pkg/apis/policy"
	"k8s.io/kubernetes/pkg/apis/policy/validation"
	"k8s.io/kubernetes/pkg/apis/rbac"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
)

// Upstream's unit tests validate objects of the internal type without defaults.
func podTemplate(change func(*core.PodTemplateSpec)) core.PodTemplateSpec {
	template := core.PodTemplateSpec{
		ObjectMeta: metav1.ObjectMeta{Labels: map[string]string{"app": "web"}},
		Spec:       core.PodSpec{Containers: []core.Container{{Name: "nginx", Image: "nginx"}}},
	}
	change(&template)
	return template
}

func TestConvertTyped(t *testing.T) {
	const job, set = "batch/v1 Job", "apps/v1 StatefulSet"
	for _, tc := range []struct {
		why, version string
		object       runtime.Object
		lost         string
	}{
		{
			why:     "conversion makes an empty security context if there is none, and the API server validates that one",
			version: job, object: &batch.Job{Spec: batch.JobSpec{Template: podTemplate(func(*core.PodTemplateSpec) {})}},
		},
		{
			why:     "an empty list is no list",
			version: job, object: &batch.Job{
				Spec: batch.JobSpec{Template: podTemplate(func(p *core.PodTemplateSpec) { p.Spec.Volumes = []core.Volume{} })},
			},
		},
		{
			why:     "an empty volume source is different from no source",
			version: job, object: &batch.Job{Spec: batch.JobSpec{Template: podTemplate(func(p *core.PodTemplateSpec) {
				p.Spec.Volumes = []core.Volume{{Name: "a", VolumeSource: core.VolumeSource{EmptyDir: &core.EmptyDirVolumeSource{}}}}
			})}},
		},
		{
			why:     "a number that conversion sets is no loss where the version cannot leave it unset",
			version: set, object: &apps.StatefulSet{Spec: apps.StatefulSetSpec{Replicas: 1,
				Template: podTemplate(func(*core.PodTemplateSpec) {})}},
		},
		{
			why:     "a quantity of zero is different from no quantity",
			version: "autoscaling/v2 HorizontalPodAutoscaler", lost: "Spec.Metrics.Object.Target.Value",
			object: &autoscaling.HorizontalPodAutoscaler{Spec: autoscaling.HorizontalPodAutoscalerSpec{Metrics: []autoscaling.MetricSpec{{
				Type: autoscaling.ObjectMetricSourceType, Object: &autoscaling.ObjectMetricSource{
					Metric: autoscaling.MetricIdentifier{Name: "a"},
					Target: autoscaling.MetricTarget{Type: autoscaling.ValueMetricType},
				},
			}}}},
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			results := check(t, harness.Case{Version: gvk(tc.version), Object: tc.object})
			result := results[len(results)-1] // the oldest version has the fewest fields
			if result.Fault != nil {
				t.Fatal(result.Fault)
			}
			if diff := cmp.Diff(tc.lost, strings.TrimPrefix(result.Inexpressible, "conversion there and back changes ")); diff != "" {
				t.Errorf("lost, -want +got:\n%s", diff)
			}
		})
	}
}

// A part of a kind is converted like the kind, and validated with its own definition.
func TestPartOfAKind(t *testing.T) {
	limit := intstr.FromInt32(-1)
	spec := policy.PodDisruptionBudgetSpec{MinAvailable: &limit}
	both := harness.For(t, target(t, policy.Kind("PodDisruptionBudget"), schemas.NewBackends().Backend))
	path := field.NewPath("foo")
	both.Compare(t, harness.Case{Object: &spec, Path: path}, validation.ValidatePodDisruptionBudgetSpec(spec,
		validation.PodDisruptionBudgetValidationOptions{}, path))

	told := &failures{TB: t}
	both.Compare(told, harness.Case{Object: spec, Path: path}, nil)
	if len(told.lines) != 1 || !strings.Contains(told.lines[0], "policy/v1 PodDisruptionBudget, policy/v1beta1 PodDisruptionBudget") ||
		!strings.Contains(told.lines[0], "foo.minAvailable") {
		t.Errorf("a schema that finds a mistake which the function did not find: told %q, want the field foo.minAvailable in "+
			"both versions", told.lines)
	}
	if spec.MinAvailable != &limit {
		t.Error("the caller's object has changed")
	}
}

// If a kind has several fields of a type, the path in the test decides which one is meant: the
// successThreshold of a liveness probe must be 1, that of a readiness probe need not.
func TestPartWhereThePathSays(t *testing.T) {
	both := harness.For(t, target(t, core.Kind("Pod"), schemas.NewBackends().Backend))
	probe := &core.Probe{
		ProbeHandler:     core.ProbeHandler{Exec: &core.ExecAction{Command: []string{"ready"}}},
		TimeoutSeconds:   1,
		PeriodSeconds:    1,
		SuccessThreshold: 2,
		FailureThreshold: 1,
	}
	container := field.NewPath("spec", "containers").Index(0)
	for _, tc := range []struct {
		why    string
		path   *field.Path
		wanted bool
	}{
		{"a path of the kind", container.Child("readinessProbe"), false},
		{"a different field of that type", container.Child("livenessProbe"), true},
		{"a path that the test has made up", field.NewPath("test").Key("a").Child("readinessProbe"), false},
		{"a place that is not the first of its type", field.NewPath("spec", "ephemeralContainers").Index(3).Child("startupProbe"), true},
		{"the first place, if the path does not decide", field.NewPath("field"), true},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var errs field.ErrorList
			if tc.wanted {
				errs = field.ErrorList{field.Invalid(tc.path.Child("successThreshold"), 2, "must be 1")}
			}
			both.Compare(t, harness.Case{Object: probe, Path: tc.path}, errs)
		})
	}
}

// The type of a strategy decides whether its rollingUpdate is used, so these rules are declared for the
// strategy, and also apply to a rollingUpdate alone.
func TestUsedPart(t *testing.T) {
	both := harness.For(t, target(t, apps.Kind("DaemonSet"), schemas.NewBackends().Backend))
	path := field.NewPath("spec", "updateStrategy", "rollingUpdate")
	for _, surge := range []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1), intstr.FromString("101%"),
		intstr.FromString("a")} {
		update := &apps.RollingUpdateDaemonSet{MaxSurge: surge}
		both.Compare(t, harness.Case{Object: update, Path: path}, appsvalidation.ValidateRollingUpdateDaemonSet(update, path))
	}
	deployments := harness.For(t, target(t, apps.Kind("Deployment"), schemas.NewBackends().Backend))
	for _, surge := range []intstr.IntOrString{intstr.FromInt32(0), intstr.FromInt32(1)} {
		update := &apps.RollingUpdateDeployment{MaxSurge: surge}
		deployments.Compare(t, harness.Case{Object: update, Path: path}, appsvalidation.ValidateRollingUpdateDeployment(update, path))
	}
	told := &failures{TB: t}
	both.Compare(told, harness.Case{Object: &apps.RollingUpdateDaemonSet{}, Path: path}, nil)
	if len(told.lines) != 1 || !strings.Contains(told.lines[0], "cannot be 0 when maxSurge is 0") {
		t.Errorf("a schema that finds a mistake which the function did not find: told %q", told.lines)
	}
}

// A struct that is inlined into another one is validated with the definition of the outer one, as far as it
// concerns its fields: the volume has no name here.
func TestPartAmongOtherFields(t *testing.T) {
	both := harness.For(t, target(t, core.Kind("Pod"), schemas.NewBackends().Backend))
	path := field.NewPath("source")
	source := &core.VolumeSource{HostPath: &core.HostPathVolumeSource{Path: "/a/../b"}}
	both.Compare(t, harness.Case{
		Object: source,
		Path:   path,
	}, field.ErrorList{field.Invalid(path.Child("hostPath", "path"), "/a/../b", "must not contain '..'")})

	validate := func(_ context.Context, source, _ *core.VolumeSource) field.ErrorList {
		return field.ErrorList{field.Invalid(field.NewPath("hostPath", "path"), source.HostPath.Path, "must not contain '..'")}
	}
	both = harness.For(t, target(t, core.Kind("Pod"), schemas.NewBackends().Backend, registry.WithNative(validate)))
	if errs := both.Test(t, harness.Case{Object: source}); len(errs) != 1 {
		t.Errorf("got %v, want the error of the function", errs)
	}
}

func TestKindOf(t *testing.T) {
	for _, tc := range []struct {
		why    string
		object any
		want   schema.GroupKind
	}{
		{"an object", &batch.Job{}, batch.Kind("Job")},
		{"a spec, which is nearer to the root of its own kind than to that of any other", batch.JobSpec{}, batch.Kind("Job")},
		{"a part somewhere inside", &apps.RollingUpdateDaemonSet{}, apps.Kind("DaemonSet")},
		{"a struct that is inlined into another", &networking.IngressRuleValue{}, networking.Kind("Ingress")},
		{"a value", "text", schema.GroupKind{}},
		{"an object of a kind without a validator", &apps.DeploymentList{}, schema.GroupKind{}},
	} {
		t.Run(tc.why, func(t *testing.T) {
			if got, err := registry.KindOf(tc.object); got != tc.want || (err != nil) != tc.want.Empty() {
				t.Errorf("got %s and the error %v, want %s", got, err, tc.want)
			}
		})
	}
}

// If a part has no schema, or no hand-written code of this package validates it alone, the fault lists the
// parts that exist.
func TestPartFaults(t *testing.T) {
	backend := schemas.NewBackends().Backend
	for _, tc := range []struct {
		why    string
		of     schema.GroupKind
		object any
		want   string
	}{
		{"a strategy validates whole objects", policy.Kind("PodDisruptionBudget"), &policy.PodDisruptionBudgetSpec{},
			"give the errors of your own call to Compare"},
		{"a type that the kind does not have", policy.Kind("PodDisruptionBudget"), &batch.JobSpec{},
			"PodDisruptionBudget.policy has no field of the type batch.JobSpec"},
		{"an object of a different kind", policy.Kind("PodDisruptionBudget"), &batch.Job{},
			"a *batch.Job is not a PodDisruptionBudget.policy; use an object of the kind"},
		{"a list of such objects", policy.Kind("PodDisruptionBudget"), &policy.PodDisruptionBudgetList{},
			"a *policy.PodDisruptionBudgetList is not a PodDisruptionBudget.policy"},
		{"a pointer to no object", policy.Kind("PodDisruptionBudget"), (*policy.PodDisruptionBudget)(nil), "the case has no object"},
		{"a value that is not part of an API", policy.Kind("PodDisruptionBudget"), "text",
			"a string is neither a Kubernetes object nor a part of one"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			told := &failures{TB: t}
			harness.For(t, target(t, tc.of, backend)).Test(told, harness.Case{Object: tc.object})
			if len(told.lines) == 0 || !strings.Contains(told.lines[0], tc.want) {
				t.Errorf("told %q, want %q", told.lines, tc.want)
			}
		})
	}
}

// Fields that the API server generates are also generated for typed objects: a test that leaves them out gets
// no error about them. Compare generates nothing.
func TestSystemFieldsOfTypedObjects(t *testing.T) {
	both := harness.For(t, target(t, rbac.Kind("Role"), schemas.NewBackends().Backend))
	object, old := &rbac.Role{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"}}, &rbac.Role{}
	if errs := both.Test(t, harness.Case{Object: object, Old: old}); len(errs) != 0 {
		t.Errorf("an update of what is stored without names gives %v", errs)
	}
	if diff := cmp.Diff([]*rbac.Role{{ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"}}, {}},
		[]*rbac.Role{object, old}); diff != "" {
		t.Errorf("the caller's objects have changed:\n%s", diff)
	}
	if errs := both.Test(t, harness.Case{
		Object: &rbac.Role{ObjectMeta: metav1.ObjectMeta{GenerateName: "a-", Namespace: "b"}},
	}); len(errs) != 0 {
		t.Errorf("a create with generateName gives %v", errs)
	}
}

// failures is a test that cannot fail, and records its messages.
type failures struct {
	testing.TB
	lines []string
}

func (f *failures) Errorf(format string, args ...any) {
	f.lines = append(f.lines, fmt.Sprintf(format, args...))
}

func target(
	t *testing.T, of schema.GroupKind, declaratives func(schema.GroupVersionKind) (harness.Backend, error),
	options ...registry.TargetOption,
) *harness.Target {
	t.Helper()
	made, err := registry.NewTarget(of, declaratives, options...)
	if err != nil {
		t.Fatal(err)
	}
	return made
}

// A test can bring its own function with its own options.
func TestOwnNativeFunction(t *testing.T) {
	validate := func(_ context.Context, object, old *policy.PodDisruptionBudget) field.ErrorList {
		return validation.ValidatePodDisruptionBudget(object, validation.PodDisruptionBudgetValidationOptions{})
	}
	both := harness.For(t, target(t, policy.Kind("PodDisruptionBudget"), schemas.NewBackends().Backend, registry.WithNative(validate)))
	limit := intstr.FromInt32(-1)
	object := &policy.PodDisruptionBudget{
		ObjectMeta: metav1.ObjectMeta{Name: "a", Namespace: "b"},
		Spec:       policy.PodDisruptionBudgetSpec{MinAvailable: &limit},
	}
	errs := both.Test(t, harness.Case{Object: object})
	if len(errs) != 1 || errs[0].Field != "spec.minAvailable" {
		t.Errorf("got %v, want one error of the function at spec.minAvailable", errs)
	}

	part := func(_ context.Context, spec, _ *policy.PodDisruptionBudgetSpec) field.ErrorList {
		return validation.ValidatePodDisruptionBudgetSpec(*spec, validation.PodDisruptionBudgetValidationOptions{}, field.NewPath("spec"))
	}
	both = harness.For(t, target(t, policy.Kind("PodDisruptionBudget"), schemas.NewBackends().Backend, registry.WithNative(part)))
	if errs := both.Test(t, harness.Case{Object: &object.Spec, Path: field.NewPath("spec")}); len(errs) != 1 {
		t.Errorf("got %v, want one error of the function of the part", errs)
	}
	told := &failures{TB: t}
	both.Test(told, harness.Case{Object: object})
	if len(told.lines) == 0 || !strings.Contains(told.lines[0], "the native function takes *policy.PodDisruptionBudgetSpec") {
		t.Errorf("an object that the function does not take: told %q", told.lines)
	}
}
