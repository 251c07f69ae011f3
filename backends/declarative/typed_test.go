package declarative_test

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/served"
)

// definitions are cut-down schemas of Kubernetes' types, with the validations of
// the hand-written code on top.
func definitions(t testing.TB) map[string]*spec.Schema {
	all := map[string]*spec.Schema{}
	for name, text := range map[string]string{
		"ObjectMeta": `
type: object
properties:
  name: {type: string, format: dns1123subdomain, x-kubernetes-strip-zero: true}
  generateName: {type: string, x-kubernetes-strip-zero: true}
  namespace: {type: string, x-kubernetes-strip-zero: true}
  creationTimestamp: {type: string, format: date-time}
  labels: {type: object, additionalProperties: {type: string, maxLength: 63}}`,
		"Container": `
type: object
required: [name]
properties:
  name: {type: string, format: dns1123label, x-kubernetes-strip-zero: true}
  image: {type: string, x-kubernetes-strip-zero: true}
  imagePullPolicy: {type: string, enum: [Always, IfNotPresent, Never], x-kubernetes-strip-zero: true}
  args: {type: array, items: {type: string}}
  ports:
    type: array
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [containerPort, protocol]
    items:
      type: object
      required: [containerPort]
      properties:
        name: {type: string, x-kubernetes-strip-zero: true}
        containerPort: {type: integer, format: int32, minimum: 1, maximum: 65535, x-kubernetes-strip-zero: true}
        hostPort: {type: integer, format: int32, minimum: 1, maximum: 65535, x-kubernetes-strip-zero: true}
        protocol: {type: string, x-kubernetes-strip-zero: true}
  resources:
    type: object
    properties:
      limits: {type: object, additionalProperties: {$ref: "#/definitions/Quantity"}}
      requests: {type: object, additionalProperties: {$ref: "#/definitions/Quantity"}}
  livenessProbe:
    type: object
    properties:
      httpGet: {type: object, required: [port], properties: {port: {$ref: "#/definitions/IntOrString"}, path: {type: string}}}
  stdin: {type: boolean, x-kubernetes-strip-zero: true}
x-kubernetes-validations:
- {rule: "!has(self.stdin) || has(self.image)", message: stdin needs an image, reason: Required, fieldPath: image}`,
		"Quantity":    `{type: string, pattern: '^[0-9.]+[a-zA-Z]*$'}`,
		"IntOrString": `{type: string, format: int-or-string, x-kubernetes-validations: [{rule: "type(self) != int || (self > 0 && self < 65536)", message: must be a port}]}`,
		"PodSpec": `
type: object
required: [containers]
properties:
  containers:
    type: array
    x-kubernetes-strip-zero: true
    x-kubernetes-list-type: map
    x-kubernetes-list-map-keys: [name]
    items: {$ref: "#/definitions/Container"}
  volumes:
    type: array
    items:
      type: object
      required: [name]
      properties:
        name: {type: string, x-kubernetes-strip-zero: true}
        emptyDir: {type: object}
        secret: {type: object, properties: {secretName: {type: string, x-kubernetes-strip-zero: true, minLength: 2}}}
      oneOf: [{required: [emptyDir]}, {required: [secret]}]
  hostNetwork: {type: boolean, x-kubernetes-strip-zero: true}
  activeDeadlineSeconds: {type: integer, format: int64, minimum: 1}
x-kubernetes-validations:
- {rule: "!has(self.hostNetwork) || self.containers.all(c, !has(c.ports) || c.ports.all(p, has(p.hostPort) && p.hostPort == p.containerPort))", message: host ports}`,
		"Pod": `
type: object
properties:
  apiVersion: {type: string}
  kind: {type: string}
  metadata: {allOf: [{$ref: "#/definitions/ObjectMeta"}], default: {}}
  spec: {allOf: [{$ref: "#/definitions/PodSpec"}], default: {}}
  status: {type: object}`,
		"Deployment": `
type: object
properties:
  metadata: {$ref: "#/definitions/ObjectMeta"}
  spec:
    type: object
    required: [selector]
    properties:
      replicas: {type: integer, format: int32, minimum: 0}
      selector: {$ref: "#/definitions/LabelSelector"}
      paused: {type: boolean, x-kubernetes-strip-zero: true}
      template:
        type: object
        properties:
          metadata: {$ref: "#/definitions/ObjectMeta"}
          spec: {$ref: "#/definitions/PodSpec"}
      strategy:
        type: object
        properties:
          type: {type: string, x-kubernetes-strip-zero: true}
          rollingUpdate: {type: object, properties: {maxSurge: {$ref: "#/definitions/IntOrString"}}}
        x-kubernetes-validations:
        - {rule: "!has(self.type) || self.type != 'Recreate' || !has(self.rollingUpdate)", message: may not be specified, reason: Forbidden, fieldPath: rollingUpdate}
    x-kubernetes-validations:
    - {rule: "!has(self.selector) || labelSelector(self.selector).matches(has(self.template.metadata.labels) ? self.template.metadata.labels : {})", message: does not match, fieldPath: template.metadata.labels}
    - {rule: "self.selector == oldSelf.selector", message: field is immutable, fieldPath: selector}
    - {rule: "has(self.paused)", message: paused, optionalOldSelf: false, fieldPath: paused}`,
		"LabelSelector": `
type: object
properties:
  matchLabels: {type: object, additionalProperties: {type: string}}
  matchExpressions: {type: array, items: {type: object, properties: {key: {type: string}, operator: {type: string}, values: {type: array, items: {type: string}}}}}`,
		"Secret": `
type: object
properties:
  type: {type: string, x-kubernetes-strip-zero: true}
  immutable: {type: boolean}
  data: {type: object, additionalProperties: {type: string, format: byte, x-kubernetes-validations: [{rule: size(self) < 4, message: too large}]}}`,
	} {
		all[name] = served.Schema(t, text)
	}
	return all
}

func native(t testing.TB, definition string) *declarative.Validator {
	all := definitions(t)
	v, err := declarative.Compile(all[definition], declarative.Options{
		Definitions: all, Root: true, Estimation: declarative.EstimationOff,
	})
	if err != nil {
		t.Fatalf("compile %s: %v", definition, err)
	}
	return v
}

// both validates an object, or an update, as a typed object and as unstructured
// data, and wants the same errors of both.
func both(t *testing.T, v *declarative.Validator, obj, old any, want []string) {
	t.Helper()
	typed := func(o any) value.Value {
		if o == nil {
			return nil
		}
		made, err := value.NewValueReflect(o)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	unstructured := func(o any) value.Value {
		if o == nil {
			return nil
		}
		data, err := runtime.DefaultUnstructuredConverter.ToUnstructured(o)
		if err != nil {
			t.Fatal(err)
		}
		return value.NewValueInterface(data)
	}
	ctx := context.Background()
	if d := cmp.Diff(want, lines(v.Validate(ctx, typed(obj), typed(old)))); d != "" {
		t.Errorf("typed (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, lines(v.Validate(ctx, unstructured(obj), unstructured(old)))); d != "" {
		t.Errorf("unstructured (-want +got):\n%s", d)
	}
}

func pod(change func(*corev1.Pod)) *corev1.Pod {
	port := intstr.FromInt32(80)
	p := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: map[string]string{"a": "b"}, CreationTimestamp: metav1.Now()},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "main", Image: "nginx", ImagePullPolicy: corev1.PullAlways, Stdin: true,
				Ports: []corev1.ContainerPort{{ContainerPort: 80}},
				Resources: corev1.ResourceRequirements{
					Limits: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("1Gi")},
				},
				LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: port}}},
			}},
			Volumes: []corev1.Volume{{Name: "tmp", VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
		},
	}
	change(p)
	return p
}

func TestPod(t *testing.T) {
	v := native(t, "Pod")
	negative := int64(-1)
	for _, tt := range []struct {
		name, why string
		change    func(*corev1.Pod)
		want      []string
	}{
		{"valid", "a Pod has quantities, ports, times, inline structs", nothing, nil},
		{"no containers", "a nil slice without omitempty counts as absent", func(p *corev1.Pod) { p.Spec.Containers = nil },
			[]string{`FieldValueRequired spec.containers "" `}},
		{"empty containers", "and so does an empty one, because the schema strips zeros", func(p *corev1.Pod) { p.Spec.Containers = []corev1.Container{} },
			[]string{`FieldValueRequired spec.containers "" `}},
		{"no name", "an empty name without omitempty is absent: required fires and the format does not", func(p *corev1.Pod) { p.Spec.Containers[0].Name = "" },
			[]string{`FieldValueRequired spec.containers[0].name "" `}},
		{"bad name", "a format is Invalid under KEP-4153", func(p *corev1.Pod) { p.Spec.Containers[0].Name = "A" },
			[]string{`FieldValueInvalid spec.containers[0].name "A" spec.containers[0].name in body must be of type dns1123label: "A": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`}},
		{"enum", "a named string type is a string", func(p *corev1.Pod) { p.Spec.Containers[0].ImagePullPolicy = "Often" },
			[]string{`FieldValueNotSupported spec.containers[0].imagePullPolicy "Often" supported values: "Always", "IfNotPresent", "Never"`}},
		{"port zero", "0 is stripped, so that it is missing and not too small", func(p *corev1.Pod) { p.Spec.Containers[0].Ports[0].ContainerPort = 0 },
			[]string{`FieldValueRequired spec.containers[0].ports[0].containerPort "" `}},
		{"port large", "an int32", func(p *corev1.Pod) { p.Spec.Containers[0].Ports[0].ContainerPort = 70000 },
			[]string{`FieldValueInvalid spec.containers[0].ports[0].containerPort 70000 spec.containers[0].ports[0].containerPort in body should be less than or equal to 65535`}},
		{"deadline", "a pointer to an int64", func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = &negative },
			[]string{`FieldValueInvalid spec.activeDeadlineSeconds -1 spec.activeDeadlineSeconds in body should be greater than or equal to 1`}},
		{"quantity", "a quantity is a string, and a key of a map is in brackets", func(p *corev1.Pod) {
			p.Spec.Containers[0].Resources.Limits["cpu"] = resource.MustParse("-1")
		}, []string{`FieldValueInvalid spec.containers[0].resources.limits[cpu] "-1" spec.containers[0].resources.limits.cpu in body should match '^[0-9.]+[a-zA-Z]*$'`}},
		{"probe port", "an IntOrString is an integer to rules", func(p *corev1.Pod) { p.Spec.Containers[0].LivenessProbe.HTTPGet.Port = intstr.FromInt32(0) },
			[]string{`FieldValueInvalid spec.containers[0].livenessProbe.httpGet.port 0 must be a port`}},
		{"probe port name", "or a string", func(p *corev1.Pod) { p.Spec.Containers[0].LivenessProbe.HTTPGet.Port = intstr.FromString("http") }, nil},
		{"two sources", "the sources of a volume are inline in its struct", func(p *corev1.Pod) {
			p.Spec.Volumes[0].Secret = &corev1.SecretVolumeSource{SecretName: "s1"}
		}, []string{`FieldValueInvalid spec.volumes[0] "" "spec.volumes[0]" must validate one and only one schema (oneOf). Found 2 valid alternatives`}},
		{"stripped in a struct", "an empty string is absent: its minimum length is not checked", func(p *corev1.Pod) {
			p.Spec.Volumes[0].VolumeSource = corev1.VolumeSource{Secret: &corev1.SecretVolumeSource{}}
		}, nil},
		{"duplicate names", "Duplicate at the second, with its key", func(p *corev1.Pod) {
			p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "main"})
		}, []string{`FieldValueDuplicate spec.containers[1] {"name":"main"} `}},
		{"duplicate ports", "two keys, one of them not set", func(p *corev1.Pod) {
			p.Spec.Containers[0].Ports = append(p.Spec.Containers[0].Ports, corev1.ContainerPort{ContainerPort: 80})
		}, []string{`FieldValueDuplicate spec.containers[0].ports[1] {"containerPort":80} `}},
		{"reason and field", "a rule gives both", func(p *corev1.Pod) { p.Spec.Containers[0].Image = "" },
			[]string{`FieldValueRequired spec.containers[0].image "" stdin needs an image`}},
		{"quantifiers", "the rule of KEP-4153's summary", func(p *corev1.Pod) { p.Spec.HostNetwork = true },
			[]string{`FieldValueInvalid spec {} host ports`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Log(tt.why)
			if tt.want == nil {
				tt.want = []string{}
			}
			both(t, v, pod(tt.change), nil, tt.want)
		})
	}
}

func deployment(change func(*appsv1.Deployment)) *appsv1.Deployment {
	replicas := int32(1)
	labels := map[string]string{"app": "web"}
	d := &appsv1.Deployment{
		ObjectMeta: metav1.ObjectMeta{Name: "web"},
		Spec: appsv1.DeploymentSpec{
			Replicas: &replicas,
			Paused:   true,
			Selector: &metav1.LabelSelector{MatchLabels: labels},
			Template: corev1.PodTemplateSpec{
				ObjectMeta: metav1.ObjectMeta{Labels: labels},
				Spec:       corev1.PodSpec{Containers: []corev1.Container{{Name: "main", Image: "nginx"}}},
			},
		},
	}
	change(d)
	return d
}

func TestDeployment(t *testing.T) {
	v := native(t, "Deployment")
	surge := intstr.FromString("25%")
	for _, tt := range []struct {
		name, why   string
		old, change func(*appsv1.Deployment)
		want        []string
	}{
		{"valid", "nothing is wrong", nil, func(*appsv1.Deployment) {}, nil},
		{"replicas", "a minimum", nil, func(d *appsv1.Deployment) { *d.Spec.Replicas = -1 },
			[]string{`FieldValueInvalid spec.replicas -1 spec.replicas in body should be greater than or equal to 0`}},
		{"empty selector", "an empty selector matches everything", nil, func(d *appsv1.Deployment) { d.Spec.Selector = &metav1.LabelSelector{} }, nil},
		{"selector", "a selector must match the labels of the template", nil, func(d *appsv1.Deployment) { d.Spec.Selector.MatchLabels = map[string]string{"app": "other"} },
			[]string{`FieldValueInvalid spec.template.metadata.labels {} does not match`}},
		{"expression", "with expressions too", nil, func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: metav1.LabelSelectorOpNotIn, Values: []string{"web"}}}
		}, []string{`FieldValueInvalid spec.template.metadata.labels {} does not match`}},
		{"bad expression", "a selector that is not valid ends the rule", nil, func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app", Operator: "Near"}}
		}, []string{`FieldValueInvalid spec "object" invalid label selector: "Near" is not a valid label selector operator evaluating rule: does not match`}},
		{"no labels", "a nil map", nil, func(d *appsv1.Deployment) { d.Spec.Template.Labels = nil },
			[]string{`FieldValueInvalid spec.template.metadata.labels {} does not match`}},
		{"strategy", "Forbidden at a field", nil, func(d *appsv1.Deployment) {
			d.Spec.Strategy = appsv1.DeploymentStrategy{Type: "Recreate", RollingUpdate: &appsv1.RollingUpdateDeployment{MaxSurge: &surge}}
		}, []string{`FieldValueForbidden spec.strategy.rollingUpdate "" may not be specified`}},
		{"paused", "has() is false for a zero value that is stripped", nil, func(d *appsv1.Deployment) { d.Spec.Paused = false },
			[]string{`FieldValueInvalid spec.paused {} paused`}},
		{"same", "an update without a change", func(*appsv1.Deployment) {}, func(*appsv1.Deployment) {}, nil},
		{"immutable", "oldSelf is the old object, typed as well", func(*appsv1.Deployment) {}, func(d *appsv1.Deployment) {
			d.Spec.Selector.MatchLabels = map[string]string{}
		}, []string{`FieldValueInvalid spec.selector {} field is immutable`}},
		{"ratcheting", "an error at an unchanged value is dropped, a new one is not", func(d *appsv1.Deployment) { *d.Spec.Replicas = -1 }, func(d *appsv1.Deployment) {
			*d.Spec.Replicas = -1
			d.Spec.Template.Spec.Containers[0].Name = "A-"
		}, []string{`FieldValueInvalid spec.template.spec.containers[0].name "A-" spec.template.spec.containers[0].name in body must be of type dns1123label: "A-": a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Log(tt.why)
			if tt.want == nil {
				tt.want = []string{}
			}
			var old any
			if tt.old != nil {
				old = deployment(tt.old)
			}
			both(t, v, deployment(tt.change), old, tt.want)
		})
	}
}

// TestNull shows where the two views differ: nil in a typed object is nothing,
// null in data is null.
func TestNull(t *testing.T) {
	v := compile(t, `{type: object, properties: {spec: {type: object, required: [selector], properties: {selector: {type: object}}}}}`, declarative.Options{})
	d := deployment(func(d *appsv1.Deployment) { d.Spec.Selector = nil })
	typed, err := value.NewValueReflect(d)
	if err != nil {
		t.Fatal(err)
	}
	got := lines(v.Validate(context.Background(), typed, nil))
	if diff := cmp.Diff([]string{`FieldValueRequired spec.selector "" `}, got); diff != "" {
		t.Errorf("a nil pointer is not set (-want +got):\n%s", diff)
	}
	data := value.NewValueInterface(object(t, `{spec: {selector: null}}`))
	got = lines(v.Validate(context.Background(), data, nil))
	if diff := cmp.Diff([]string{`FieldValueTypeInvalid spec.selector "null" spec.selector in body must be of type object: "null"`}, got); diff != "" {
		t.Errorf("a null is a value of the wrong type (-want +got):\n%s", diff)
	}
}

// TestBytes holds that []byte is a base64 string to keywords and bytes to rules.
func TestBytes(t *testing.T) {
	v := native(t, "Secret")
	both(t, v, &corev1.Secret{Data: map[string][]byte{"a": []byte("abc")}}, nil, []string{})
	both(t, v, &corev1.Secret{Data: map[string][]byte{"a": []byte("abcd")}}, nil,
		[]string{`FieldValueInvalid data[a] "YWJjZA==" too large`})
}

func nothing(*corev1.Pod) {}
