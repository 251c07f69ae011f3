package main

import (
	"context"
	"encoding/json"
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	apiresource "k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/intstr"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/kubernetes/pkg/apis/apps"
	appsinstall "k8s.io/kubernetes/pkg/apis/apps/install"
	appsvalidation "k8s.io/kubernetes/pkg/apis/apps/validation"
	"k8s.io/kubernetes/pkg/apis/core"
	coreinstall "k8s.io/kubernetes/pkg/apis/core/install"
	corevalidation "k8s.io/kubernetes/pkg/apis/core/validation"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	kinded "github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

// native is the hand-written code of a kind.
type native struct {
	create func(hub runtime.Object) field.ErrorList
	update func(hub, old runtime.Object) field.ErrorList
}

// kinds makes the subjects of Kubernetes' own kinds: typed objects, validated by
// their schema with its rules, and by the hand-written code.
func kinds(f flags) ([]subject, error) {
	var subjects []subject
	for _, size := range []string{"1KB", "50KB"} {
		pod, deployment := pod(sizes()[size]), deployment(sizes()[size])
		for _, each := range []struct {
			name   string
			gvk    schema.GroupVersionKind
			object runtime.Object
			hub    runtime.Object
			native native
		}{
			{"Pod", corev1.SchemeGroupVersion.WithKind("Pod"), pod, &core.Pod{}, native{
				create: func(hub runtime.Object) field.ErrorList {
					return corevalidation.ValidatePodCreate(hub.(*core.Pod), corevalidation.PodValidationOptions{})
				},
				update: func(hub, old runtime.Object) field.ErrorList {
					return corevalidation.ValidatePodUpdate(hub.(*core.Pod), old.(*core.Pod), corevalidation.PodValidationOptions{})
				},
			}},
			{"Deployment", appsv1.SchemeGroupVersion.WithKind("Deployment"), deployment, &apps.Deployment{}, native{
				create: func(hub runtime.Object) field.ErrorList {
					return appsvalidation.ValidateDeployment(hub.(*apps.Deployment), corevalidation.PodValidationOptions{})
				},
				update: func(hub, old runtime.Object) field.ErrorList {
					return appsvalidation.ValidateDeploymentUpdate(hub.(*apps.Deployment), old.(*apps.Deployment), corevalidation.PodValidationOptions{})
				},
			}},
		} {
			s := subject{name: each.name + " " + size, verbose: f.verbose}
			if !f.only.MatchString(s.name) {
				continue
			}
			if err := s.kind(each.gvk, each.object, each.hub, each.native); err != nil {
				return nil, fmt.Errorf("%s: %w", s.name, err)
			}
			subjects = append(subjects, s)
		}
	}
	return subjects, nil
}

func (s *subject) kind(gvk schema.GroupVersionKind, object, hub runtime.Object, native native) error {
	scheme := runtime.NewScheme()
	coreinstall.Install(scheme)
	appsinstall.Install(scheme)
	if err := scheme.Convert(object, hub, nil); err != nil {
		return err
	}
	root, definitions, err := kinded.Schema(gvk)
	if err != nil {
		return err
	}
	v, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, Estimation: declarative.EstimationOff})
	if err != nil {
		return err
	}
	content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(object)
	if err != nil {
		return err
	}
	data, err := json.Marshal(content)
	if err != nil {
		return err
	}
	s.bytes = len(data)
	ctx, old := context.Background(), object.DeepCopyObject()
	s.add(typed, func() { must(v.Validate(ctx, reflected(object), nil)) })
	bare, err := withoutKindRules(gvk)
	if err != nil {
		return err
	}
	s.add(typedSchema, func() { must(bare.Validate(ctx, reflected(object), nil)) })
	s.add(typedSame, func() { must(v.Validate(ctx, reflected(object), reflected(old))) })
	before := withOtherImage(object)
	s.add(typedChanged, func() { must(v.Validate(ctx, reflected(object), reflected(before))) })
	s.kindWithout(gvk, root, definitions, object, before)
	s.add("declarative map-backed", func() { must(v.Validate(ctx, value.NewValueInterface(content), nil)) })
	oldHub, hubBefore := hub.DeepCopyObject(), hub.DeepCopyObject()
	if err := scheme.Convert(before, hubBefore, nil); err != nil {
		return err
	}
	s.add(handWritten, func() { must(native.create(hub)) })
	s.add(handSame, func() { must(native.update(hub, oldHub)) })
	s.add(handChanged, func() { must(native.update(hub, hubBefore)) })
	if err := s.shadowed(gvk, v, hub, native.create); err != nil {
		return err
	}
	s.add("typed DeepCopy", func() { object.DeepCopyObject() })
	s.add(deepCopy, func() { runtime.DeepCopyJSON(content) })
	s.add(decode, func() {
		var into map[string]any
		if err := utiljson.Unmarshal(data, &into); err != nil {
			panic(err)
		}
	})
	return nil
}

// kindWithout adds the validation of a typed object without each of the fast paths.
func (s *subject) kindWithout(gvk schema.GroupVersionKind, root *spec.Schema, definitions map[string]*spec.Schema, object, before runtime.Object) {
	ctx := context.Background()
	for goal, old := range map[string]runtime.Object{typed: nil, typedChanged: before} {
		s.addWithout(goal, func() func() {
			v, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, Estimation: declarative.EstimationOff})
			if err != nil {
				panic(err) // it compiled before
			}
			if old == nil {
				return func() { must(v.Validate(ctx, reflected(object), nil)) }
			}
			return func() { must(v.Validate(ctx, reflected(object), reflected(old))) }
		})
	}
	s.addWithout(typedSchema, func() func() {
		bare, err := withoutKindRules(gvk)
		if err != nil {
			panic(err) // it compiled before
		}
		return func() { must(bare.Validate(ctx, reflected(object), nil)) }
	})
}

// withOtherImage gives the old object of an update that changed the image of the last
// container.
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

// withoutKindRules is the schema of a kind alone.
func withoutKindRules(gvk schema.GroupVersionKind) (*declarative.Validator, error) {
	root, definitions, err := kinded.NewLibrary().Schema(gvk)
	if err != nil {
		return nil, err
	}
	for _, definition := range definitions {
		stripRules(definition)
	}
	stripRules(root)
	return declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true})
}

// stripRules removes the rules of a schema, in place.
func stripRules(s *spec.Schema) {
	if s == nil {
		return
	}
	delete(s.Extensions, "x-kubernetes-validations")
	for name, p := range s.Properties {
		stripRules(&p)
		s.Properties[name] = p
	}
	if s.Items != nil {
		stripRules(s.Items.Schema)
	}
	if s.AdditionalProperties != nil {
		stripRules(s.AdditionalProperties.Schema)
	}
	stripRules(s.Not)
	for _, branches := range [][]spec.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for i := range branches {
			stripRules(&branches[i])
		}
	}
}

func reflected(object runtime.Object) value.Value {
	v, err := value.NewValueReflect(object)
	if err != nil {
		panic(err)
	}
	return v
}

// pod makes a Pod of about a size, with containers as they are in use.
func pod(bytes int) *corev1.Pod {
	return &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web-0", Namespace: "default", ResourceVersion: "1", Labels: labels(), Annotations: map[string]string{"example.dev/owner": "web"}},
		Spec:       podSpec(bytes),
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
				Type: appsv1.RollingUpdateDeploymentStrategyType, RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &one, MaxUnavailable: &one},
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
	quantities := corev1.ResourceList{corev1.ResourceCPU: apiresource.MustParse("100m"), corev1.ResourceMemory: apiresource.MustParse("64Mi")}
	return corev1.Container{
		Name: fmt.Sprintf("web-%d", i), Image: "registry.example.com/team/web:1.2.3",
		Args: []string{"--verbose", "--listen=:8080"}, ImagePullPolicy: corev1.PullIfNotPresent,
		TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		Env:   []corev1.EnvVar{{Name: "MODE", Value: "production"}, {Name: "REGION", Value: "west"}},
		Ports: []corev1.ContainerPort{{Name: fmt.Sprintf("http-%d", i), ContainerPort: int32(8000 + i), Protocol: corev1.ProtocolTCP}},
		LivenessProbe: &corev1.Probe{
			ProbeHandler:   corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Path: "/healthz", Port: intstr.FromInt32(8080), Scheme: corev1.URISchemeHTTP}},
			TimeoutSeconds: 1, PeriodSeconds: 10, SuccessThreshold: 1, FailureThreshold: 3,
		},
		Resources:       corev1.ResourceRequirements{Limits: quantities, Requests: quantities},
		VolumeMounts:    []corev1.VolumeMount{{Name: "data", MountPath: "/data"}},
		SecurityContext: &corev1.SecurityContext{RunAsUser: &user},
	}
}
