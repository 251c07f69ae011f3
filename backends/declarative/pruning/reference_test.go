package pruning_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	upstream "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/testing/served"
)

func compile(t testing.TB, schemaYAML string, opts pruning.Options) *pruning.Pruner {
	t.Helper()
	return compileProps(t, served.Props(t, schemaYAML), opts)
}

func compileProps(t testing.TB, p *apiextensionsv1.JSONSchemaProps, opts pruning.Options) *pruning.Pruner {
	t.Helper()
	pruner, err := pruning.Compile(served.Converted(t, p), opts)
	if err != nil {
		t.Fatal(err)
	}
	return pruner
}

// decoded decodes a custom resource as the API server does (unstructuredSchemaCoercer.apply in
// pkg/apiserver/customresource_handler.go, which is not exported). An error means that the request is
// refused.
func decoded(s *structuralschema.Structural, obj map[string]any, preserve, dropMalformed bool) (map[string]any, []string, error) {
	u := &unstructured.Unstructured{Object: runtime.DeepCopyJSON(obj)}
	kind, foundKind, err := unstructured.NestedString(u.Object, "kind")
	if err != nil {
		return nil, nil, err
	}
	apiVersion, foundVersion, err := unstructured.NestedString(u.Object, "apiVersion")
	if err != nil {
		return nil, nil, err
	}
	meta, foundMeta, unknown, err := objectmeta.GetObjectMetaWithOptions(u.Object, objectmeta.ObjectMetaOptions{
		DropMalformedFields: dropMalformed, ReturnUnknownFieldPaths: true,
	})
	if err != nil {
		return nil, nil, err
	}
	if !preserve {
		unknown = append(unknown, upstream.PruneWithOptions(u.Object, s, true,
			structuralschema.UnknownFieldPathOptions{TrackUnknownFieldPaths: true})...)
		defaulting.PruneNonNullableNullsWithoutDefaults(u.Object, s)
	}
	ferr, more := objectmeta.CoerceWithOptions(nil, u.Object, s, false, objectmeta.CoerceOptions{
		DropInvalidFields: dropMalformed, ReturnUnknownFieldPaths: true,
	})
	if ferr != nil {
		return nil, nil, ferr
	}
	unknown = append(unknown, more...)
	if foundKind {
		u.SetKind(kind)
	}
	if foundVersion {
		u.SetAPIVersion(apiVersion)
	}
	if foundMeta {
		if err := objectmeta.SetObjectMeta(u.Object, meta); err != nil {
			return nil, nil, err
		}
	}
	slices.Sort(unknown)
	return u.Object, unknown, nil
}

// checkServed compares Prune with the API server on one object.
func checkServed(t *testing.T, p *apiextensionsv1.JSONSchemaProps, obj map[string]any) {
	t.Helper()
	s := served.Structural(t, p)
	for _, mode := range []struct {
		name                string
		opts                pruning.Options
		preserve, malformed bool
	}{
		{"request", pruning.Options{Root: true}, false, false},
		{"storage", pruning.Options{Root: true, Metadata: pruning.DropMalformedMetadata}, false, true},
		{"preserving", pruning.Options{Root: true, Fields: pruning.PreserveUnknown}, true, false},
	} {
		before := runtime.DeepCopyJSON(obj)
		got := compileProps(t, p, mode.opts).Prune(obj)
		if diff := cmp.Diff(before, obj); diff != "" {
			t.Fatalf("%s: the object that came in was changed:\n%s", mode.name, diff)
		}
		want, dropped, err := decoded(s, obj, mode.preserve, mode.malformed)
		if (err != nil) != (len(got.Errors) > 0) {
			t.Fatalf("%s: the API server says %v, we say %v\nobject %s", mode.name, err, got.Errors, served.Text(obj))
		}
		if err != nil {
			continue
		}
		if diff := cmp.Diff(want, got.Object); diff != "" {
			t.Fatalf("%s: pruned, API server against ours:\n%s\nobject %s\nschema %s", mode.name, diff, served.Text(obj), served.Text(p))
		}
		if diff := cmp.Diff(dropped, got.Dropped); diff != "" && len(dropped)+len(got.Dropped) > 0 {
			t.Fatalf("%s: dropped, API server against ours:\n%s\nobject %s\nschema %s", mode.name, diff, served.Text(obj), served.Text(p))
		}
	}
}
