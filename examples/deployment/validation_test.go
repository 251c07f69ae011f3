// Package deployment shows diffrun in a table test like those of Kubernetes: the table and the assertions
// stay unchanged, and one line in the loop compares the hand-written validation with the schemas of all four
// API versions.
package deployment

import (
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kubernetes/pkg/apis/apps"
	api "k8s.io/kubernetes/pkg/apis/core"

	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/native/kubernetes"
	"github.com/diffrun/diffrun/harness"
)

func validDeployment(tweaks ...func(*apps.Deployment)) *apps.Deployment {
	labels := map[string]string{"app": "web"}
	grace, replicas := int64(30), int32(1)
	d := &apps.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web", Namespace: metav1.NamespaceDefault},
		Spec: apps.DeploymentSpec{
			Replicas: replicas,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Strategy: apps.DeploymentStrategy{Type: apps.RecreateDeploymentStrategyType},
			Template: api.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec: api.PodSpec{
					RestartPolicy:                 api.RestartPolicyAlways,
					DNSPolicy:                     api.DNSClusterFirst,
					TerminationGracePeriodSeconds: &grace,
					SecurityContext:               &api.PodSecurityContext{},
					Containers: []api.Container{{
						Name: "nginx", Image: "nginx", ImagePullPolicy: api.PullAlways,
						TerminationMessagePolicy: api.TerminationMessageReadFile,
					}},
				},
			},
		},
	}
	for _, tweak := range tweaks {
		tweak(d)
	}
	return d
}

func TestValidateDeployment(t *testing.T) {
	target, err := kubernetes.NewTarget(apps.Kind("Deployment"), schemas.NewBackends().Backend)
	if err != nil {
		t.Fatal(err)
	}
	both := harness.For(t, target)

	for name, tc := range map[string]struct {
		deployment *apps.Deployment
		want       field.ErrorList
	}{
		"valid": {deployment: validDeployment()},
		"negative replicas": {
			deployment: validDeployment(func(d *apps.Deployment) { d.Spec.Replicas = -1 }),
			want:       field.ErrorList{field.Invalid(field.NewPath("spec.replicas"), nil, "")},
		},
		"selector does not match the template": {
			deployment: validDeployment(func(d *apps.Deployment) { d.Spec.Template.Labels = map[string]string{"app": "shop"} }),
			want:       field.ErrorList{field.Invalid(field.NewPath("spec.template.metadata.labels"), nil, "")},
		},
		"pods that never restart": {
			deployment: validDeployment(func(d *apps.Deployment) { d.Spec.Template.Spec.RestartPolicy = api.RestartPolicyNever }),
			want:       field.ErrorList{field.NotSupported[string](field.NewPath("spec.template.spec.restartPolicy"), nil, nil)},
		},
	} {
		t.Run(name, func(t *testing.T) {
			errs := both.Test(t, harness.Case{Object: tc.deployment}) // was: ValidateDeployment(tc.deployment, opts)
			field.ErrorMatcher{}.ByType().ByField().Test(t, tc.want, errs)
		})
	}
}
