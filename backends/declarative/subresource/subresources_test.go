package subresource_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

// TestOf reads the subresources of versions, and names them.
func TestOf(t *testing.T) {
	for _, tt := range []struct {
		why, version string
		want         subresource.Subresources
		names        []string
	}{
		{why: "none are declared", version: `{name: v1}`},
		{why: "none are there", version: `{subresources: {}}`},
		{
			why: "a status", version: `{subresources: {status: {}}}`,
			want: subresource.Subresources{Status: true}, names: []string{"status"},
		},
		{
			why: "only a scale, with all its paths", version: `{subresources: {scale: {specReplicasPath: .spec.a, statusReplicasPath: ` +
				`.status.b, labelSelectorPath: .status.c}}}`,
			want: subresource.Subresources{
				Scale: &subresource.Scale{SpecReplicasPath: ".spec.a", StatusReplicasPath: ".status.b", LabelSelectorPath: ".status.c"},
			},
			names: []string{"scale"},
		},
		{
			why: "both, and no selector", version: `{subresources: {status: {}, scale: {specReplicasPath: .spec.a, ` +
				`statusReplicasPath: .status.b}}}`,
			want: subresource.Subresources{Status: true,
				Scale: &subresource.Scale{SpecReplicasPath: ".spec.a", StatusReplicasPath: ".status.b"}},
			names: []string{"status", "scale"},
		},
	} {
		var version apiextensionsv1.CustomResourceDefinitionVersion
		if err := yaml.UnmarshalStrict([]byte(tt.version), &version); err != nil {
			t.Fatal(err)
		}
		got := subresource.Of(&version)
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", tt.why, d)
		}
		if d := cmp.Diff(tt.names, got.Names()); d != "" {
			t.Errorf("%s: names (-want +got):\n%s", tt.why, d)
		}
	}
}
