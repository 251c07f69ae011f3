package apiresource

import (
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestUndefined: a field is undefined if no version of the definition has it; the nearest is that of the version asked.
func TestUndefined(t *testing.T) {
	resource := Resource{Kind: schema.GroupKind{Group: "example.com", Kind: "Cluster"}, Versions: []Version{
		{Name: "v1", Schema: served.Schema(t, `{type: object, properties: {spec: {type: object, properties: {replica: {type: string}}}}}`)},
		{Name: "v1beta1", Schema: served.Schema(t, `{type: object, properties: {spec: {type: object, properties: {replicaOf: `+
			`{type: string}}}}}`)},
	}}
	definition, err := NewDefinition(resource)
	if err != nil {
		t.Fatal(err)
	}
	backend, err := definition.Backend("v1")
	if err != nil {
		t.Fatal(err)
	}
	defined, is := backend.declarations().(fieldpath.Defined)
	if !is {
		t.Fatal("a custom resource does not know its fields")
	}
	for _, test := range []struct{ why, path, at, nearest string }{
		{why: "a field of the version", path: "spec.replica"},
		{why: "a field of another version", path: "spec.replicaOf"},
		{why: "what every object has", path: "metadata.labels[a]"},
		{why: "the object", path: "<nil>"},
		{"a field of none", "spec.replicaCluster", "spec.replicaCluster", "spec.replica"},
	} {
		if at, nearest, undefined := defined.Undefined(test.path); at != test.at || nearest != test.nearest ||
			undefined != (test.at != "") {
			t.Errorf("%s: %q, %q, %t", test.why, at, nearest, undefined)
		}
	}
	resource.NativeTypes = true
	if definition, err = NewDefinition(resource); err != nil {
		t.Fatal(err)
	}
	if backend, err = definition.Backend("v1"); err != nil {
		t.Fatal(err)
	}
	if _, is := backend.declarations().(fieldpath.Defined); is {
		t.Error("hand-written code names fields of internal types, which is no mistake for native types")
	}
}
