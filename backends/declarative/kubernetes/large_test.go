package kubernetes_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	corev1 "k8s.io/api/core/v1"
	policyv1 "k8s.io/api/policy/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
)

// TestLargePods: rules about all containers are cheap enough for Pods with many containers. A rule that
// visits all of them for each of them is not: it exceeds the budget, and the Pod is rejected.
func TestLargePods(t *testing.T) {
	for name, change := range map[string]func(*corev1.PodSpec){
		"host ports": func(spec *corev1.PodSpec) {
			for i := range spec.Containers {
				for k := range int32(4) {
					port := int32(10000+4*i) + k
					spec.Containers[i].Ports = append(spec.Containers[i].Ports, corev1.ContainerPort{
						ContainerPort: port,
						HostPort:      port,
						Protocol:      corev1.ProtocolTCP,
					})
				}
			}
		},
		"host processes": func(spec *corev1.PodSpec) {
			yes := true
			spec.HostNetwork, spec.OS = true, &corev1.PodOS{Name: corev1.Windows}
			spec.SecurityContext.WindowsOptions = &corev1.WindowsSecurityContextOptions{HostProcess: &yes}
			for i := range spec.Containers {
				windows := &corev1.WindowsSecurityContextOptions{HostProcess: &yes}
				spec.Containers[i].SecurityContext = &corev1.SecurityContext{WindowsOptions: windows}
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			pod := largePod(150)
			change(&pod.Spec)
			content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(pod)
			if err != nil {
				t.Fatal(err)
			}
			schema, definitions, err := kubernetes.NewLibrary().Schema(corev1.SchemeGroupVersion.WithKind("Pod"))
			if err != nil {
				t.Fatal(err)
			}
			v, err := declarative.Compile(schema, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
			if err != nil {
				t.Fatal(err)
			}
			if errs := v.Validate(t.Context(), value.NewValueInterface(content), nil); len(errs) > 0 {
				t.Error(errs.ToAggregate())
			}
		})
	}
}

// TestLongMessage: the message of a condition may have 32768 bytes, that is half as many characters of two
// bytes.
func TestLongMessage(t *testing.T) {
	for letters, fits := range map[int]bool{16384: true, 16385: false} {
		budget := &policyv1.PodDisruptionBudget{}
		budget.APIVersion, budget.Kind, budget.Name, budget.Namespace = "policy/v1", "PodDisruptionBudget", "web", "shop"
		budget.Status.Conditions = []metav1.Condition{{
			Type: "DisruptionAllowed", Status: metav1.ConditionTrue, Reason: "SufficientPods", Message: strings.Repeat("é", letters),
			LastTransitionTime: metav1.Unix(0, 0),
		}}
		content, err := runtime.DefaultUnstructuredConverter.ToUnstructured(budget)
		if err != nil {
			t.Fatal(err)
		}
		schema, definitions, err := kubernetes.NewLibrary().Schema(policyv1.SchemeGroupVersion.WithKind("PodDisruptionBudget"))
		if err != nil {
			t.Fatal(err)
		}
		v, err := declarative.Compile(schema, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
		if err != nil {
			t.Fatal(err)
		}
		errs := v.Validate(t.Context(), value.NewValueInterface(content), nil)
		tooLong := slices.ContainsFunc(errs, func(e *field.Error) bool {
			return e.Type == field.ErrorTypeTooLong && e.Field == "status.conditions[0].message"
		})
		if tooLong == fits {
			t.Errorf("%d letters: %v", letters, errs)
		}
	}
}

// largePod makes a Pod with this number of containers.
func largePod(containers int) *corev1.Pod {
	grace := int64(30)
	pod := &corev1.Pod{}
	pod.APIVersion, pod.Kind, pod.Name, pod.Namespace = "v1", "Pod", "large", "default"
	pod.Spec = corev1.PodSpec{
		RestartPolicy: corev1.RestartPolicyAlways, DNSPolicy: corev1.DNSClusterFirst, TerminationGracePeriodSeconds: &grace,
		SecurityContext: &corev1.PodSecurityContext{}, SchedulerName: corev1.DefaultSchedulerName,
	}
	for i := range containers {
		pod.Spec.Containers = append(pod.Spec.Containers, corev1.Container{
			Name: fmt.Sprintf("c%d", i), Image: "registry.example.com/c:1", ImagePullPolicy: corev1.PullIfNotPresent,
			TerminationMessagePath: "/dev/termination-log", TerminationMessagePolicy: corev1.TerminationMessageReadFile,
		})
	}
	return pod
}
