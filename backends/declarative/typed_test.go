package declarative_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
)

// podSchema has some of a Pod's fields, of all kinds of Go types.
const podSchema = `
type: object
properties:
  metadata: {type: object, properties: {name: {type: string, format: dns1123subdomain, x-kubernetes-strip-zero: true}, ` +
	`creationTimestamp: {type: string, format: date-time}, labels: {type: object, additionalProperties: {type: string}}}}
  spec:
    type: object
    required: [containers]
    properties:
      activeDeadlineSeconds: {type: integer, format: int64, minimum: 1, x-kubernetes-validations: [{rule: self == oldSelf, ` +
	`message: field is immutable}]}
      containers:
        type: array
        x-kubernetes-strip-zero: true
        x-kubernetes-list-type: map
        x-kubernetes-list-map-keys: [name]
        items:
          type: object
          required: [name]
          properties:
            name: {type: string, minLength: 2, x-kubernetes-strip-zero: true}
            image: {type: string, x-kubernetes-strip-zero: true}
            imagePullPolicy: {type: string, enum: [Always, IfNotPresent, Never], x-kubernetes-strip-zero: true}
            stdin: {type: boolean, x-kubernetes-strip-zero: true}
            ports:
              type: array
              x-kubernetes-list-type: map
              x-kubernetes-list-map-keys: [containerPort, protocol]
              items: {type: object, required: [containerPort], properties: {containerPort: {type: integer, format: int32, ` +
	`minimum: 1, x-kubernetes-strip-zero: true}, protocol: {type: string, x-kubernetes-strip-zero: true}}}
            resources: {type: object, properties: {limits: {type: object, additionalProperties: {type: string, pattern: ` +
	`'^[0-9.]+[a-zA-Z]*$'}}}}
            livenessProbe:
              type: object
              properties: {httpGet: {type: object, properties: {port: {type: string, format: int-or-string, ` +
	`x-kubernetes-validations: [{rule: "type(self) != int || self > 0", message: must be a port}]}}}}
          x-kubernetes-validations: [{rule: "!has(self.stdin) || has(self.image)", message: stdin needs an image, reason: ` +
	`Required, fieldPath: image}]
      volumes:
        type: array
        items: {type: object, properties: {emptyDir: {type: object}, secret: {type: object, properties: {secretName: ` +
	`{type: string, x-kubernetes-strip-zero: true, minLength: 2}}}}, oneOf: [{required: [emptyDir]}, {required: [secret]}]}
      topologySpreadConstraints: {type: array, items: {type: object, properties: {labelSelector: {type: object, properties: {
        matchLabels: {type: object, additionalProperties: {type: string}}, matchExpressions: {type: array, items: {type: ` +
	`object, properties: {key: {type: string}, operator: {type: string}, values: {type: array, items: {type: string}}}}}}}}}}
x-kubernetes-validations: [{rule: "self.spec.topologySpreadConstraints.all(c, labelSelector(c.labelSelector)` +
	`.matches(has(self.metadata.labels) ? self.metadata.labels : {}))", message: does not match, fieldPath: metadata.labels}]
`

func pods(t testing.TB) *declarative.Validator {
	return compile(t, podSchema, declarative.Options{WithoutEstimation: true})
}

func pod(change func(*corev1.Pod)) *corev1.Pod {
	labels := map[string]string{"app": "web"}
	p := &corev1.Pod{
		TypeMeta:   metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"},
		ObjectMeta: metav1.ObjectMeta{Name: "web", Labels: labels, CreationTimestamp: metav1.Now()},
		Spec: corev1.PodSpec{
			Containers: []corev1.Container{{
				Name: "main", Image: "nginx", ImagePullPolicy: corev1.PullAlways, Stdin: true,
				Ports: []corev1.ContainerPort{{ContainerPort: 80}},
				Resources: corev1.ResourceRequirements{
					Limits: corev1.ResourceList{"cpu": resource.MustParse("100m"), "memory": resource.MustParse("1Gi")},
				},
				LivenessProbe: &corev1.Probe{ProbeHandler: corev1.ProbeHandler{HTTPGet: &corev1.HTTPGetAction{Port: intstr.FromInt32(80)}}},
			}},
			Volumes: []corev1.Volume{{Name: "tmp",
				VolumeSource: corev1.VolumeSource{EmptyDir: &corev1.EmptyDirVolumeSource{}}}},
			TopologySpreadConstraints: []corev1.TopologySpreadConstraint{{LabelSelector: &metav1.LabelSelector{MatchLabels: labels}}},
		},
	}
	change(p)
	return p
}

func nothing(*corev1.Pod) {}

// goValue returns a Go object as the validator reads it.
func goValue(t testing.TB, object any) value.Value {
	t.Helper()
	v, err := value.NewValueReflect(object)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestTypedObjects: errors of Go objects. TestUnchangedRulesOfKinds checks that the same data has the same
// errors.
func TestTypedObjects(t *testing.T) {
	v, one, negative := pods(t), int64(1), int64(-1)
	container := func(p *corev1.Pod) *corev1.Container { return &p.Spec.Containers[0] }
	for _, tt := range []struct {
		why    string
		change func(*corev1.Pod)
		old    func(*corev1.Pod) // nil for a create
		want   []string
	}{
		{"quantities, ports, times and inline structs", nothing, nil, nil},
		{"a nil slice without omitempty counts as absent", func(p *corev1.Pod) { p.Spec.Containers = nil }, nil,
			[]string{`FieldValueRequired spec.containers "" `}},
		{"so does an empty one, because the schema strips zeros", func(p *corev1.Pod) { p.Spec.Containers = []corev1.Container{} },
			nil, []string{`FieldValueRequired spec.containers "" `}},
		{"an empty name without omitempty is absent: required fires and minLength does not", func(p *corev1.Pod) {
			container(p).Name = ""
		}, nil, []string{`FieldValueRequired spec.containers[0].name "" `}},
		{"a named string type is a string", func(p *corev1.Pod) { container(p).ImagePullPolicy = "Often" }, nil,
			[]string{`FieldValueNotSupported spec.containers[0].imagePullPolicy "Often" supported values: "Always", ` +
				`"IfNotPresent", "Never"`}},
		{"0 is stripped, so that it is missing and not too small", func(p *corev1.Pod) { container(p).Ports[0].ContainerPort = 0 },
			nil, []string{`FieldValueRequired spec.containers[0].ports[0].containerPort "" `}},
		{"a pointer to an int64", func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = &negative }, nil,
			[]string{`FieldValueInvalid spec.activeDeadlineSeconds -1 spec.activeDeadlineSeconds in body should be greater than or ` +
				`equal to 1`}},
		{"a quantity is a string", func(p *corev1.Pod) { container(p).Resources.Limits["cpu"] = resource.MustParse("-1") }, nil,
			[]string{
				`FieldValueInvalid spec.containers[0].resources.limits[cpu] "-1" spec.containers[0].resources.limits.cpu in body ` +
					`should match '^[0-9.]+[a-zA-Z]*$'`,
			}},
		{"an IntOrString is an integer to rules", func(p *corev1.Pod) { container(p).LivenessProbe.HTTPGet.Port = intstr.FromInt32(0) },
			nil,
			[]string{`FieldValueInvalid spec.containers[0].livenessProbe.httpGet.port 0 must be a port`}},
		{"or a string", func(p *corev1.Pod) { container(p).LivenessProbe.HTTPGet.Port = intstr.FromString("http") }, nil, nil},
		{"the sources of a volume are inline in its struct",
			func(p *corev1.Pod) { p.Spec.Volumes[0].Secret = &corev1.SecretVolumeSource{} }, nil,
			[]string{`FieldValueInvalid spec.volumes[0] "" "spec.volumes[0]" must validate one and only one schema (oneOf). ` +
				`Found 2 valid alternatives`}},
		{"two keys, one of them not set", func(p *corev1.Pod) {
			container(p).Ports = append(container(p).Ports, corev1.ContainerPort{ContainerPort: 80})
		}, nil, []string{`FieldValueDuplicate spec.containers[0].ports[1] {"containerPort":80} `}},
		{"a rule sets reason and field", func(p *corev1.Pod) { container(p).Image = "" }, nil,
			[]string{`FieldValueRequired spec.containers[0].image "" stdin needs an image`}},
		{"a selector does not match a nil map", func(p *corev1.Pod) {
			p.Labels = nil
		}, nil, []string{`FieldValueInvalid metadata.labels {} does not match`}},
		{"a selector that is not valid ends the rule", func(p *corev1.Pod) {
			p.Spec.TopologySpreadConstraints[0].LabelSelector.MatchExpressions = []metav1.LabelSelectorRequirement{{Key: "app",
				Operator: "Near"}}
		}, nil, []string{
			`FieldValueInvalid <nil> "object" invalid label selector: "Near" is not a valid label selector operator evaluating ` +
				`rule: does not match`,
		}},
		{"oldSelf is the old object, typed as well", func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = new(int64(2)) },
			func(p *corev1.Pod) { p.Spec.ActiveDeadlineSeconds = &one },
			[]string{`FieldValueInvalid spec.activeDeadlineSeconds 2 field is immutable`}},
		{"an empty slice and none are the same to ratcheting", func(p *corev1.Pod) {
			container(p).Name, container(p).Env = "", []corev1.EnvVar{}
		}, func(p *corev1.Pod) { container(p).Name, container(p).Env = "", nil }, nil},
		{"an error at an unchanged value is dropped, a new one is not", func(p *corev1.Pod) {
			container(p).Name, container(p).ImagePullPolicy = "x", "Often"
		}, func(p *corev1.Pod) { container(p).Name = "x" },
			[]string{`FieldValueNotSupported spec.containers[0].imagePullPolicy "Often" supported values: "Always", ` +
				`"IfNotPresent", "Never"`}},
	} {
		var old value.Value
		if tt.old != nil {
			old = goValue(t, pod(tt.old))
		}
		if d := cmp.Diff(append([]string{}, tt.want...), lines(v.Validate(t.Context(), goValue(t, pod(tt.change)), old))); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
	}
}

// TestNull: nil in a typed object means unset, null in data is a null.
func TestNull(t *testing.T) {
	v := compile(t, `{type: object, required: [spec], properties: {spec: {type: object}}}`, declarative.Options{})
	for want, obj := range map[string]value.Value{
		`FieldValueRequired spec "" `: goValue(t, &struct {
			Spec *corev1.PodSpec `json:"spec"`
		}{}),
		`FieldValueTypeInvalid spec "null" spec in body must be of type object: "null"`: value.NewValueInterface(
			map[string]any{"spec": nil},
		),
	} {
		if d := cmp.Diff([]string{want}, lines(v.Validate(t.Context(), obj, nil))); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestBytes: a []byte is a base64 string for keywords and bytes for rules.
func TestBytes(t *testing.T) {
	v := compile(t, `{type: object, properties: {data: {type: object, additionalProperties: {type: string, format: byte, `+
		`x-kubernetes-validations: [{rule: size(self) < 4, message: too large}]}}}}`, declarative.Options{WithoutEstimation: true})
	secret := &corev1.Secret{Data: map[string][]byte{"a": []byte("abc"), "b": []byte("abcd")}}
	for _, obj := range []value.Value{goValue(t, secret), dataOf(t, secret)} {
		if d := cmp.Diff([]string{`FieldValueInvalid data[b] "YWJjZA==" too large`}, lines(v.Validate(t.Context(), obj, nil))); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestBytesOfAnyKind: in Kubernetes' JSON a []byte is standard base64, with "/" and "+". The rules of a
// custom resource decode it as base64url, as the API server does.
func TestBytesOfAnyKind(t *testing.T) {
	const schema = `{type: object, properties: {data: {type: object, additionalProperties: {type: string, format: byte, ` +
		`x-kubernetes-validations: [{rule: "self == b'\\xff\\xef\\xbf'", message: other bytes}]}}}}`
	native := compile(t, schema, declarative.Options{WithoutEstimation: true})
	secret := &corev1.Secret{Data: map[string][]byte{"a": {0xff, 0xef, 0xbf}}}
	for _, obj := range []value.Value{goValue(t, secret), dataOf(t, secret)} {
		if errs := native.Validate(t.Context(), obj, nil); len(errs) > 0 {
			t.Errorf("got %v", errs)
		}
	}
	custom := compile(t, schema, declarative.Options{WithoutEstimation: true, Semantics: declarative.CustomResources})
	errs := custom.Validate(t.Context(), dataOf(t, secret), nil)
	if len(errs) != 1 || !strings.Contains(errs[0].Detail, "illegal base64 data") {
		t.Errorf("a custom resource gives %v", errs)
	}
}
