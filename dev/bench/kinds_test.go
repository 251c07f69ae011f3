//go:build unix

package bench

import (
	"context"
	"fmt"
	"testing"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsinstall "k8s.io/kubernetes/pkg/apis/apps/install"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	coreinstall "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	kinded "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	natives "github.com/diffrun/diffrun/backends/native/kubernetes/registry"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/shadow"
)

// kind is a built-in kind with an object of a size, as a versioned Go type and as the internal type
// that hand-written code validates.
type kind struct {
	gvk      schema.GroupVersionKind
	scheme   *runtime.Scheme
	object   runtime.Object
	internal runtime.Object
	create   func(obj runtime.Object) field.ErrorList
	update   func(obj, old runtime.Object) field.ErrorList
}

// BenchmarkCreate validates new typed objects by their schemas with all rules.
func BenchmarkCreate(b *testing.B) {
	eachKind(b, func(b *testing.B, k *kind) {
		v := k.compile(b)
		compare(b, func() { must(v.Validate(context.Background(), reflected(k.object), nil)) },
			contender{"hand-written", func() { must(k.create(k.internal)) }})
	})
}

// BenchmarkUpdate validates updates of typed objects that change nothing, or one image.
func BenchmarkUpdate(b *testing.B) {
	eachKind(b, func(b *testing.B, k *kind) {
		v := k.compile(b)
		for _, change := range []struct {
			name string
			old  runtime.Object
		}{{"unchanged", k.object.DeepCopyObject()}, {"image", withOtherImage(k.object)}} {
			internal := k.hub(b, change.old)
			b.Run(change.name, func(b *testing.B) {
				compare(b, func() { must(v.Validate(context.Background(), reflected(k.object), reflected(change.old))) },
					contender{"hand-written", func() { must(k.update(k.internal, internal)) }})
			})
		}
	})
}

// BenchmarkShadow runs hand-written code in a server that compares it with the schema for 5 % of its
// time.
func BenchmarkShadow(b *testing.B) {
	eachKind(b, func(b *testing.B, k *kind) {
		compared, v := 0, k.compile(b)
		target, err := natives.NewTarget(k.gvk.GroupKind(), func(schema.GroupVersionKind) (harness.Backend, error) {
			return counting{declarative.Backend{Validator: v}, &compared}, nil
		})
		if err != nil {
			b.Fatal(err)
		}
		beside, err := shadow.New(target, shadow.Options{Overhead: 0.05})
		if err != nil {
			b.Fatal(err)
		}
		request := harness.Case{Object: k.internal, Version: k.gvk}
		native := func(context.Context) field.ErrorList { return k.create(k.internal) }
		do := func() { must(beside.Validate(context.Background(), request, native)) }
		for compared < 10 { // the first comparisons take long, and all later requests pay for them
			do()
		}
		compare(b, do, contender{"hand-written", func() { must(k.create(k.internal)) }})
	})
}

// counting counts the calls of a schema.
type counting struct {
	declarative.Backend
	asked *int
}

func (c counting) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	*c.asked++
	return c.Backend.Validate(ctx, in)
}

func eachKind(b *testing.B, run func(b *testing.B, k *kind)) {
	scheme := runtime.NewScheme()
	coreinstall.Install(scheme)
	appsinstall.Install(scheme)
	for _, size := range sizes {
		for _, k := range []kind{
			{
				gvk: corev1.SchemeGroupVersion.WithKind("Pod"), object: pod(size),
				create: func(obj runtime.Object) field.ErrorList {
					return corevalidation.ValidatePodCreate(obj.(*core.Pod), corevalidation.PodValidationOptions{})
				},
				update: func(obj, old runtime.Object) field.ErrorList {
					return corevalidation.ValidatePodUpdate(obj.(*core.Pod), old.(*core.Pod), corevalidation.PodValidationOptions{})
				},
			},
			{
				gvk: appsv1.SchemeGroupVersion.WithKind("Deployment"), object: deployment(size),
				create: func(obj runtime.Object) field.ErrorList {
					return appsvalidation.ValidateDeployment(obj.(*apps.Deployment), corevalidation.PodValidationOptions{})
				},
				update: func(obj, old runtime.Object) field.ErrorList {
					return appsvalidation.ValidateDeploymentUpdate(obj.(*apps.Deployment), old.(*apps.Deployment),
						corevalidation.PodValidationOptions{})
				},
			},
		} {
			k.scheme = scheme
			k.internal = k.hub(b, k.object)
			b.Run(nameOf(k.gvk.Kind, size), func(b *testing.B) { run(b, &k) })
		}
	}
}

// hub converts an object to the internal type.
func (k *kind) hub(b *testing.B, object runtime.Object) runtime.Object {
	internal, err := k.scheme.ConvertToVersion(object, runtime.InternalGroupVersioner)
	if err != nil {
		b.Fatal(err)
	}
	return internal
}

func (k *kind) compile(b *testing.B) *declarative.Validator {
	root, definitions, err := kinded.NewLibrary().Schema(k.gvk)
	if err != nil {
		b.Fatal(err)
	}
	v, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
	if err != nil {
		b.Fatal(err)
	}
	return v
}

// withOtherImage returns the old object of an update that changed the image of the last container.
func withOtherImage(object runtime.Object) runtime.Object {
	old := object.DeepCopyObject()
	var spec *corev1.PodSpec
	switch o := old.(type) {
	case *corev1.Pod:
		spec = &o.Spec
	case *appsv1.Deployment:
		spec = &o.Spec.Template.Spec
	}
	spec.Containers[len(spec.Containers)-1].Image += "4"
	return old
}

func reflected(object runtime.Object) value.Value {
	v, err := value.NewValueReflect(object)
	if err != nil {
		panic(err)
	}
	return v
}

// pod makes a Pod of about this size, with typical containers.
func pod(bytes int) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{
			Name:            "web-0",
			Namespace:       "default",
			ResourceVersion: "1",
			Labels:          labels(),
			Annotations:     map[string]string{"example.dev/owner": "web"},
		},
		Spec: podSpec(bytes),
	}
}

func deployment(bytes int) *appsv1.Deployment {
	replicas, history, deadline := int32(3), int32(10), int32(600)
	one := intstr.FromInt32(1)
	return &appsv1.Deployment{
		TypeMeta:   metav1.TypeMeta{APIVersion: "apps/v1", Kind: "Deployment"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: "default", ResourceVersion: "1", Labels: labels()},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas, RevisionHistoryLimit: &history, ProgressDeadlineSeconds: &deadline,
			Selector: &metav1.LabelSelector{MatchLabels: labels()},
			Strategy: appsv1.DeploymentStrategy{
				Type:          appsv1.RollingUpdateDeploymentStrategyType,
				RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &one, MaxUnavailable: &one},
			},
			Template: corev1.PodTemplateSpec{ObjectMeta: metav1.ObjectMeta{Labels: labels()}, Spec: podSpec(bytes - 300)},
		},
	}
}

func labels() map[string]string { return map[string]string{"app": "web", "tier": "front"} }

func podSpec(bytes int) corev1.PodSpec {
	grace := int64(30)
	spec := corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, TerminationGracePeriodSeconds: &grace,
		SecurityContext: &corev1.PodSecurityContext{}, SchedulerName: corev1.DefaultSchedulerName, ServiceAccountName: "web",
		Volumes: []corev1.Volume{{Name: "data", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
	}
	const perContainer, others = 850, 500
	for i := range max(1, (bytes-others)/perContainer) {
		spec.Containers = append(spec.Containers, container(i))
	}
	return spec
}

func container(i int) corev1.Container {
	user := int64(1000)
	quantities := corev1.ResourceList{corev1.ResourceCPU: apiresource.MustParse("100m"),
		corev1.ResourceMemory: apiresource.MustParse("64Mi")}
	return corev1.Container{
		Name: fmt.Sprintf("web-%d", i), Image: "registry.example.com/team/web:1.2.3",
		Args: []string{"--verbose", "--listen=:8080"}, ImagePullPolicy: corev1.PullIfNotPresent,
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		Env:   []corev1.EnvVar{{Name: "MODE", Value: "production"}, {Name: "REGION", Value: "west"}},
		Ports: []corev1.ContainerPort{{Name: fmt.Sprintf("http-%d", i), ContainerPort: int32(8000 + i), Protocol: corev1.ProtocolTCP}},
		LivenessProbe: &corev1.Probe{
			ProbeHandler: corev1.ProbeHandler{
				HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP},
			},
			TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
		},
		Resources:       corev1.ResourceRequirements{Limits: quantities, Requests: quantities},
		VolumeMounts:    []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
		SecurityContext: &corev1.SecurityContext{RunAsUser: &user},
	}
}
