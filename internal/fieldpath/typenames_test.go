package fieldpath_test

import (
	"reflect"
	"testing"

	autoscalingv1 "k8s.io/api/autoscaling/v1"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

func TestNamesOfType(t *testing.T) {
	scale := fieldpath.NamesOfType(reflect.TypeFor[*autoscalingv1.Scale]())
	for _, row := range []struct {
		names fieldpath.Names
		name  string
		want  bool
	}{
		{scale, "kind", true}, // of an embedded struct
		{scale.Field("spec"), "replicas", true},
		{scale.Field("spec"), "size", false},
		{scale.Field("status"), "selector", true},
		{scale.Field("metadata"), "namespace", true},
		{scale.Field("metadata").Field("labels"), "spec", false},
		{scale.Field("metadata").Field("ownerReferences").Entry("0"), "uid", true},
		{scale.Field("size"), "replicas", false},
	} {
		if got := row.names.Has(row.name); got != row.want {
			t.Errorf("%s: %t", row.name, got)
		}
	}
}
