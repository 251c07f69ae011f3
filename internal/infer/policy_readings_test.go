package infer

import (
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/gomodule/read"
	"github.com/diffrun/diffrun/internal/gomodule/readings"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// sizeReading returns a reading of an error of spec.size.
func sizeReading(operation, condition, rule string) []*evidence.Reading {
	return readings.Add(nil, read.Site{
		Type: "Invalid", Field: "spec.size", Text: "is too large", Condition: celexpr.Parse(condition), Rule: celexpr.Parse(rule),
	}, operation)
}

// TestPoliciesAsRead: conditions that read labels, annotations, the sender or the operation are validations of policies. No object of
// the suite has the annotation, so nothing but the source says that it counts.
func TestPoliciesAsRead(t *testing.T) {
	t.Parallel()
	tooLarge := func(r request) field.ErrorList {
		if r.object != nil && r.object.number("size") > 7 {
			return invalid("size", r.object.number("size"), "is too large")
		}
		return nil
	}
	for _, tt := range []struct {
		why                        string
		operation, condition, rule string
		validate                   webhook
		want                       string
	}{
		{
			why: "unless an annotation is set",
			condition: "(!has(self.metadata.annotations) || !('example.com/skip' in self.metadata.annotations)) && " +
				"has(self.spec.size) && self.spec.size > 7",
			rule: "has(self.metadata.annotations) && 'example.com/skip' in self.metadata.annotations || " +
				"!has(self.spec.size) || self.spec.size <= 7",
			validate: func(r request) field.ErrorList {
				if _, skips := r.annotations["example.com/skip"]; skips {
					return nil
				}
				return tooLarge(r)
			},
			want: "policy, CREATE and UPDATE: has(object.metadata.annotations) && 'example.com/skip' in object.metadata.annotations || " +
				"!has(object.spec.size) || object.spec.size <= 7",
		},
		{
			why:       "unless an annotation has a value, on creates",
			operation: "CREATE",
			condition: "(!has(self.metadata.annotations) || !('mode' in self.metadata.annotations) || " +
				"self.metadata.annotations['mode'] != 'free') && has(self.spec.size) && self.spec.size > 7",
			rule: "has(self.metadata.annotations) && 'mode' in self.metadata.annotations && " +
				"self.metadata.annotations['mode'] == 'free' || !has(self.spec.size) || self.spec.size <= 7",
			validate: func(r request) field.ErrorList {
				if r.annotations["mode"] == "free" || r.operation != admissionv1.Create {
					return nil
				}
				return tooLarge(r)
			},
			want: "policy, CREATE and UPDATE: oldObject != null || has(object.metadata.annotations) && " +
				"'mode' in object.metadata.annotations && object.metadata.annotations['mode'] == 'free' || " +
				"!has(object.spec.size) || object.spec.size <= 7",
		},
		{
			why: "unless it is being deleted",
			condition: "(!has(self.metadata.deletionTimestamp) || " +
				"timestamp(self.metadata.deletionTimestamp) == timestamp('0001-01-01T00:00:00Z')) && " +
				"has(self.spec.size) && self.spec.size > 7",
			rule: "has(self.metadata.deletionTimestamp) && timestamp(self.metadata.deletionTimestamp) != " +
				"timestamp('0001-01-01T00:00:00Z') || !has(self.spec.size) || self.spec.size <= 7",
			validate: func(r request) field.ErrorList {
				if r.isDeleted {
					return nil
				}
				return tooLarge(r)
			},
			want: "policy, CREATE and UPDATE: has(object.metadata.deletionTimestamp) && timestamp(object.metadata.deletionTimestamp) != " +
				"timestamp('0001-01-01T00:00:00Z') || !has(object.spec.size) || object.spec.size <= 7",
		},
		{
			why:       "unless some user sends it",
			condition: "request.userInfo.username != 'admin' && has(self.spec.size) && self.spec.size > 7",
			rule:      "request.userInfo.username == 'admin' || !has(self.spec.size) || self.spec.size <= 7",
			validate: func(r request) field.ErrorList {
				if r.user.Name == "admin" {
					return nil
				}
				return tooLarge(r)
			},
			want: "policy, CREATE and UPDATE: request.userInfo.username == 'admin' || !has(object.spec.size) || object.spec.size <= 7",
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOf(t, definition("size: {type: integer}\nname: {type: string}"), tt.validate,
				spec{"size": int64(1)}, spec{"name": "a"})
			target.Readings = sizeReading(tt.operation, tt.condition, tt.rule)
			wantPolicies(t, target, options(), strings.Split(tt.want, "\n"))
		})
	}
}
