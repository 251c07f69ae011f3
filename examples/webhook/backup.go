package main

import (
	"context"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Backup is the custom resource.
type Backup struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`

	Spec BackupSpec `json:"spec"`
}

// BackupSpec says which volume is backed up, and when.
type BackupSpec struct {
	Volume string  `json:"volume"`
	Keep   int     `json:"keep"`
	Window *Window `json:"window,omitempty"`
}

// Window is a time of day in hours. One that ends before it starts ends on the next day.
type Window struct {
	Start int `json:"start"`
	End   int `json:"end"`
}

// validateBackup is the validation of the webhook, as people write it by hand. old is nil
// for a create.
func validateBackup(_ context.Context, backup, old *Backup) field.ErrorList {
	var errs field.ErrorList
	spec := field.NewPath("spec")
	if backup.Spec.Volume == "" {
		errs = append(errs, field.Required(spec.Child("volume"), ""))
	}
	if keep := backup.Spec.Keep; keep < 1 || keep > 365 {
		errs = append(errs, field.Invalid(spec.Child("keep"), keep, validation.InclusiveRangeError(1, 365)))
	}
	if window := backup.Spec.Window; window != nil && window.Start == window.End {
		errs = append(errs, field.Invalid(spec.Child("window", "end"), window.End, "must differ from start"))
	}
	if old != nil && backup.Spec.Volume != old.Spec.Volume {
		errs = append(errs, field.Invalid(spec.Child("volume"), backup.Spec.Volume, "field is immutable"))
	}
	return errs
}
