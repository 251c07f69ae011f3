package main

import (
	"os"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/native"
	"github.com/diffrun/diffrun/harness"
)

func nightly(change func(*BackupSpec)) *Backup {
	backup := &Backup{
		ObjectMeta: metav1.ObjectMeta{Name: "nightly", Namespace: "shop"},
		Spec:       BackupSpec{Volume: "orders", Keep: 30, Window: &Window{Start: 1, End: 5}},
	}
	change(&backup.Spec)
	return backup
}

// The table and the assertion are like those of any test of a validation function. One line compares the
// function with the schema of each served version.
func TestValidateBackup(t *testing.T) {
	crd, err := os.ReadFile("crd.yaml")
	if err != nil {
		t.Fatal(err)
	}
	target, err := customresource.NewTarget(crd, native.Func[*Backup](validateBackup))
	if err != nil {
		t.Fatal(err)
	}
	both := harness.For(t, target)

	for name, tc := range map[string]struct {
		backup *Backup
		want   field.ErrorList
	}{
		"valid": {backup: nightly(func(*BackupSpec) {})},
		"too many": {
			backup: nightly(func(spec *BackupSpec) { spec.Keep = 730 }),
			want:   field.ErrorList{field.Invalid(field.NewPath("spec", "keep"), nil, "")},
		},
		"over midnight": {backup: nightly(func(spec *BackupSpec) { spec.Window = &Window{Start: 22, End: 4} })},
	} {
		t.Run(name, func(t *testing.T) {
			errs := both.Test(t, harness.Case{Object: tc.backup}) // was: validateBackup(t.Context(), tc.backup, nil)
			field.ErrorMatcher{}.ByType().ByField().Test(t, tc.want, errs)
		})
	}
}
