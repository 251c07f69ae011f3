package subresource_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

func paths() *subresource.Scale {
	return &subresource.Scale{
		SpecReplicasPath:   ".spec.replicas",
		StatusReplicasPath: ".status.replicas",
		LabelSelectorPath:  ".status.selector",
	}
}

func short(errs field.ErrorList) []string {
	var all []string
	for _, err := range errs {
		all = append(all, string(err.Type)+" "+err.Field)
	}
	slices.Sort(all)
	return all
}

func TestScaleRead(t *testing.T) {
	for _, tt := range []struct {
		name, why, object  string
		served, proposed   []string
		replicas, inStatus int32
		selector           string
	}{
		{name: "all paths", why: "the Scale shows them", object: `{spec: {replicas: 3}, status: {replicas: 2, selector: a=b}}`,
			replicas: 3, inStatus: 2, selector: "a=b"},
		{name: "only replicas", why: "the others may be empty", object: `{spec: {replicas: 3}}`, replicas: 3},
		{name: "no replicas", why: "there is nothing to scale", object: `{spec: {}}`,
			served: []string{"FieldValueRequired .spec.replicas"}, proposed: []string{"FieldValueRequired .spec.replicas"}},
		{name: "below zero", why: "replicas are not negative", object: `{spec: {replicas: -1}}`,
			served: []string{"FieldValueInvalid .spec.replicas"}, proposed: []string{"FieldValueInvalid .spec.replicas"}},
		{name: "as many as there can be", why: "the largest 32-bit number", object: `{spec: {replicas: 2147483647}, status: ` +
			`{replicas: 2147483647}}`, replicas: 2147483647, inStatus: 2147483647},
		{name: "too many", why: "a Scale has 32 bits", object: `{spec: {replicas: 2147483648}}`,
			served: []string{"FieldValueInvalid .spec.replicas"}, proposed: []string{"FieldValueInvalid .spec.replicas"}},
		{name: "no integer", why: "3.5 is not an integer", object: `{spec: {replicas: 3.5}}`,
			served: []string{"FieldValueInvalid .spec.replicas"}, proposed: []string{"FieldValueInvalid .spec.replicas"}},
		{
			name: "everything wrong", why: "all at once", object: `{spec: {replicas: x}, status: {replicas: y, selector: 1}}`,
			served: []string{"FieldValueInvalid .spec.replicas", "FieldValueInvalid .status.replicas",
				"FieldValueInvalid .status.selector"},
			proposed: []string{"FieldValueInvalid .spec.replicas", "FieldValueInvalid .status.replicas",
				"FieldValueInvalid .status.selector"},
		},
		{
			name: "status below zero", why: "the proposal only wants an integer", object: `{spec: {replicas: 0}, status: {replicas: -1}}`,
			served: []string{"FieldValueInvalid .status.replicas"}, inStatus: -1,
		},
		{
			name: "no selector", why: "the API server takes any string", object: `{spec: {replicas: 1}, status: {selector: "a in ("}}`,
			proposed: []string{"FieldValueInvalid .status.selector"}, replicas: 1, selector: "a in (",
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			for how, want := range map[subresource.Conformance][]string{subresource.AsServed: tt.served,
				subresource.AsProposed: tt.proposed} {
				scale, errs := paths().Read(document(t, tt.object), how)
				if diff := cmp.Diff(want, short(errs)); diff != "" {
					t.Errorf("%s, %v (-want +got):\n%s", tt.why, how, diff)
				}
				if len(want) > 0 {
					continue
				}
				got := autoscalingv1.Scale{Spec: scale.Spec, Status: scale.Status}
				if diff := cmp.Diff(autoscalingv1.Scale{
					Spec:   autoscalingv1.ScaleSpec{Replicas: tt.replicas},
					Status: autoscalingv1.ScaleStatus{Replicas: tt.inStatus, Selector: tt.selector},
				}, got); diff != "" {
					t.Errorf("%s, %v (-want +got):\n%s", tt.why, how, diff)
				}
			}
		})
	}
}

func TestScaleWrite(t *testing.T) {
	old := `{metadata: {name: a, generation: 4, resourceVersion: "1"}, spec: {replicas: 3, x: 1}, status: {replicas: 2, selector: a=b}}`
	for _, tt := range []struct {
		name, why string
		scale     autoscalingv1.Scale
		paths     *subresource.Scale
		old, want string
		ignored   []string
		served    []string
		proposed  []string
	}{
		{
			name: "replicas", why: "they and the resourceVersion are written, and the generation rises",
			scale: autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a", ResourceVersion: "2"},
				Spec:       autoscalingv1.ScaleSpec{Replicas: 5},
				Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
			},
			want: `{metadata: {name: a, generation: 5, resourceVersion: "2"}, spec: {replicas: 5, x: 1}, status: {replicas: 2, ` +
				`selector: a=b}}`,
		},
		{
			name: "the same replicas", why: "then the generation stays",
			scale: autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a"},
				Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
				Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
			},
			want: old,
		},
		{
			name: "everything", why: "all but the replicas is read-only",
			scale: autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a", Labels: map[string]string{"a": "b"}},
				Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
				Status:     autoscalingv1.ScaleStatus{Replicas: 9, Selector: "c=d"},
			},
			want:    old,
			ignored: []string{"metadata.labels", "status.replicas", "status.selector"},
		},
		{
			name: "no replicas before", why: "there is a place for them", old: `{metadata: {name: a, generation: 1}}`,
			scale: autoscalingv1.Scale{ObjectMeta: metav1.ObjectMeta{Name: "a"}, Spec: autoscalingv1.ScaleSpec{Replicas: 3}},
			want:  `{metadata: {name: a, generation: 2}, spec: {replicas: 3}}`,
		},
		{
			name: "below zero", why: "the object that comes out is validated, not the Scale",
			scale: autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a"},
				Spec:       autoscalingv1.ScaleSpec{Replicas: -3},
				Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
			},
			want: `{metadata: {name: a, generation: 5, resourceVersion: "1"}, spec: {replicas: -3, x: 1}, status: {replicas: 2, ` +
				`selector: a=b}}`,
		},
		{
			name: "an object without a scale", why: "if a field cannot be read, nothing is written; all mistakes are reported",
			old: `{spec: {replicas: x}, status: {replicas: y, selector: 1}}`,
			served: []string{"FieldValueInvalid .spec.replicas", "FieldValueInvalid .status.replicas",
				"FieldValueInvalid .status.selector"},
			proposed: []string{"FieldValueInvalid .spec.replicas", "FieldValueInvalid .status.replicas",
				"FieldValueInvalid .status.selector"},
		},
		{
			name: "no paths for the status", why: "the proposal rejects an object that it could not copy",
			paths: &subresource.Scale{SpecReplicasPath: "spec.replicas"},
			scale: autoscalingv1.Scale{
				ObjectMeta: metav1.ObjectMeta{Name: "a"},
				Spec:       autoscalingv1.ScaleSpec{Replicas: 3},
				Status:     autoscalingv1.ScaleStatus{Replicas: 2, Selector: "a=b"},
			},
			want:     old,
			ignored:  []string{"status.replicas", "status.selector"},
			proposed: []string{"FieldValueForbidden status.replicas", "FieldValueForbidden status.selector"},
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			of, before := tt.paths, tt.old
			if of == nil {
				of = paths()
			}
			if before == "" {
				before = old
			}
			for how, want := range map[subresource.Conformance][]string{subresource.AsServed: tt.served,
				subresource.AsProposed: tt.proposed} {
				made, errs := of.Write(&tt.scale, document(t, before), how)
				if diff := cmp.Diff(want, short(errs)); diff != "" {
					t.Errorf("%s, %v (-want +got):\n%s", tt.why, how, diff)
				}
				if len(want) > 0 {
					continue
				}
				if diff := cmp.Diff(document(t, tt.want), made.Object); diff != "" {
					t.Errorf("%s, %v (-want +got):\n%s", tt.why, how, diff)
				}
				if diff := cmp.Diff(tt.ignored, made.Ignored); diff != "" {
					t.Errorf("%s, %v: ignored (-want +got):\n%s", tt.why, how, diff)
				}
			}
		})
	}
}
