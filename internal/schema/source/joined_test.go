package source_test

import (
	"encoding/json"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/source"
)

// TestJoined: a joined schema compiles as that of a custom resource, unlike the schema of the kind, and
// differs from it only in messages.
func TestJoined(t *testing.T) {
	found, err := source.Finder{}.Each([]string{"v1 Pod", "apps/v1 StatefulSet", "batch/v1 CronJob", "discovery.k8s.io/v1 EndpointSlice"})
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range found {
		joined, err := each.Joined()
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range []struct {
			source.Schema
			compiles bool
		}{{each, false}, {joined, true}} {
			opts := declarative.Options{Definitions: s.Definitions, Root: true, Semantics: declarative.CustomResources,
				WithoutEstimation: true}
			if _, err := declarative.Compile(s.Schema.Schema, opts); (err == nil) != s.compiles {
				t.Errorf("%s: compiles as that of a custom resource: %v, wanted %t", s.Name, err, s.compiles)
			}
		}
		if d := cmp.Diff(withoutMessages(t, each), withoutMessages(t, joined)); d != "" {
			t.Errorf("%s: -before +joined:\n%s", each.Name, d)
		}
	}
}

// withoutMessages returns a schema and its definitions as data, without the texts of messageExpressions.
func withoutMessages(t *testing.T, s source.Schema) (data any) {
	t.Helper()
	text, err := json.Marshal([]any{s.Schema, s.Definitions})
	if err != nil {
		t.Fatal(err)
	}
	text = regexp.MustCompile(`"messageExpression":"([^"\\]|\\.)*"`).ReplaceAll(text, []byte(`"messageExpression":""`))
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	return data
}
