package apiresource_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/conversion"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	structuraldefaulting "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/defaulting"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/objectmeta"
	structuralpruning "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/pruning"
	"k8s.io/apiextensions-apiserver/pkg/crdserverscheme"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer/versioning"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/randomschema"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// storageCodec is the codec of the API server for the storage of custom resources, for clients of one version:
// crdConversionRESTOptionsGetter of k8s.io/apiextensions-apiserver/pkg/apiserver, whose parts are not exported.
func storageCodec(t testing.TB, crd *apiextensionsv1.CustomResourceDefinition, schemas map[string]*structuralschema.Structural,
	client string) runtime.Codec {
	t.Helper()
	factory, err := conversion.NewCRConverterFactory(nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	converter, _, err := factory.NewConverter(crd)
	if err != nil {
		t.Fatal(err)
	}
	version := func(name string) schema.GroupVersion {
		return schema.GroupVersion{Group: crd.Spec.Group, Version: name}
	}
	storage := crd.Spec.Versions[slices.IndexFunc(crd.Spec.Versions, func(v apiextensionsv1.CustomResourceDefinitionVersion) bool {
		return v.Storage
	})]
	return versioning.NewCodec(unstructured.UnstructuredJSONScheme,
		coercingDecoder{unstructured.UnstructuredJSONScheme, coercer{schemas: schemas, drops: true}},
		coercingConverter{converter, coercer{schemas: schemas}},
		creator{}, crdserverscheme.NewUnstructuredObjectTyper(), storedDefaulter(schemas), version(storage.Name),
		version(client), "crdRESTOptions")
}

type creator struct{}

func (creator) New(schema.GroupVersionKind) (runtime.Object, error) {
	return &unstructured.Unstructured{}, nil
}

type storedDefaulter map[string]*structuralschema.Structural

func (d storedDefaulter) Default(in runtime.Object) {
	of := in.(*unstructured.Unstructured)
	structuraldefaulting.Default(of.Object, d[of.GroupVersionKind().Version])
}

// coercer is unstructuredSchemaCoercer.
type coercer struct {
	schemas map[string]*structuralschema.Structural
	drops   bool // malformed metadata, of stored objects
}

func (c coercer) apply(of *unstructured.Unstructured) error {
	kind, apiVersion := of.GetKind(), of.GetAPIVersion()
	metadata, found, err := objectmeta.GetObjectMeta(of.Object, c.drops)
	if err != nil {
		return err
	}
	by := c.schemas[of.GroupVersionKind().Version]
	structuralpruning.Prune(of.Object, by, true)
	structuraldefaulting.PruneNonNullableNullsWithoutDefaults(of.Object, by)
	if err := objectmeta.Coerce(nil, of.Object, by, false, c.drops); err != nil {
		return err
	}
	of.SetKind(kind)
	of.SetAPIVersion(apiVersion)
	if found {
		return objectmeta.SetObjectMeta(of.Object, metadata)
	}
	return nil
}

type coercingDecoder struct {
	runtime.Decoder
	coercer coercer
}

func (d coercingDecoder) Decode(data []byte, defaults *schema.GroupVersionKind,
	into runtime.Object) (runtime.Object, *schema.GroupVersionKind, error) {
	object, version, err := d.Decoder.Decode(data, defaults, into)
	if err == nil {
		err = d.coercer.apply(object.(*unstructured.Unstructured))
	}
	return object, version, err
}

type coercingConverter struct {
	runtime.ObjectConvertor
	coercer coercer
}

func (c coercingConverter) ConvertToVersion(in runtime.Object, to runtime.GroupVersioner) (runtime.Object, error) {
	out, err := c.ObjectConvertor.ConvertToVersion(in, to)
	if err == nil {
		err = c.coercer.apply(out.(*unstructured.Unstructured))
	}
	return out, err
}

// versionedThings returns a CustomResourceDefinition with the versions v1alpha1 and v1, one of which is stored.
func versionedThings(alpha, v1 *apiextensionsv1.JSONSchemaProps, storage string) *apiextensionsv1.CustomResourceDefinition {
	crd := things(v1)
	crd.Spec.Conversion = &apiextensionsv1.CustomResourceConversion{Strategy: apiextensionsv1.NoneConverter}
	older := crd.Spec.Versions[0]
	older.Name, older.Schema = "v1alpha1", &apiextensionsv1.CustomResourceValidation{OpenAPIV3Schema: alpha}
	crd.Spec.Versions = append(crd.Spec.Versions, older)
	for i := range crd.Spec.Versions {
		crd.Spec.Versions[i].Storage = crd.Spec.Versions[i].Name == storage
	}
	return crd
}

// otherVersion returns a schema in which some fields are gone, nullable, without defaults, or preserve unknown fields.
func otherVersion(src generate.Source, p *apiextensionsv1.JSONSchemaProps) {
	for _, name := range slices.Sorted(maps.Keys(p.Properties)) {
		child := p.Properties[name]
		otherVersion(src, &child)
		if p.Properties[name] = child; src.IntN(4) == 0 && name != "metadata" && name != "spec" {
			delete(p.Properties, name)
		}
	}
	if p.Items != nil && p.Items.Schema != nil {
		otherVersion(src, p.Items.Schema)
	}
	switch src.IntN(12) {
	case 0:
		p.Default = nil
	case 1:
		p.Nullable = !p.Nullable && p.Default == nil
	case 2:
		if p.Type == "object" && p.AdditionalProperties == nil {
			p.XPreserveUnknownFields = new(true)
		}
	}
}

// TestStorageAsTheAPIServer stores generated objects in one of two versions whose schemas differ, and reads them in
// both, with the codec of the API server too.
func TestStorageAsTheAPIServer(t *testing.T) {
	lost, kept := 0, 0
	for n := range uint64(*pairs / 3) {
		src := generate.Seeded(*seed + n)
		alpha := randomschema.Make(src, randomschema.Options{WithoutRules: true})
		delete(alpha.Properties, "items") // UnstructuredJSONScheme takes the object for a list
		v1 := alpha.DeepCopy()
		otherVersion(src, v1)
		crd := versionedThings(alpha, v1, []string{"v1alpha1", "v1"}[n%2])
		object := generate.Object(src, alpha, generate.ObjectOptions{Faults: 4})
		object["kind"], object["metadata"] = "Thing", map[string]any{"name": "a", "namespace": "b"}
		for _, version := range []string{"v1alpha1", "v1"} {
			object["apiVersion"] = "example.dev/" + version
			if !t.Run(fmt.Sprintf("seed %d %s", *seed+n, version), func(t *testing.T) {
				notes := checkStored(t, crd, version, object)
				if notes.Admitted != nil && !cmp.Equal(notes.Admitted, notes.Stored) {
					lost++
				} else {
					kept++
				}
			}) {
				return
			}
		}
	}
	if lost < *pairs/30 || kept < *pairs/30 {
		t.Errorf("%d objects lost a field at the write, and %d did not: too few to compare", lost, kept)
	}
}

// checkStored sends an object in a version, and compares what each version returns with the codec of the API server.
func checkStored(t *testing.T, crd *apiextensionsv1.CustomResourceDefinition, version string, object map[string]any) contract.Notes {
	t.Helper()
	schemas := map[string]*structuralschema.Structural{}
	var written []*spec.Schema
	for _, v := range crd.Spec.Versions {
		schemas[v.Name] = served.Structural(t, v.Schema.OpenAPIV3Schema)
		if err := structuraldefaulting.PruneDefaults(schemas[v.Name]); err != nil {
			t.Fatal(err)
		}
		written = append(written, served.Converted(t, v.Schema.OpenAPIV3Schema))
	}
	resource := resourceOf(crd, written...)
	definition, err := apiresource.NewDefinition(resource)
	if err != nil {
		t.Fatal(err)
	}
	request := harness.Request{Operation: admissionv1.Create, Version: resource.Kind.WithVersion(version)}
	received, errs, err := definition.Receive(request, object, nil)
	if err != nil || len(errs) > 0 {
		return contract.Notes{}
	}
	if _, err := received.Validate(t.Context()); err != nil {
		t.Fatal(err)
	}
	admitted, _, err := received.Admitted()
	if err != nil {
		t.Fatal(err)
	}
	notes, err := received.Stored()
	var stored bytes.Buffer
	wrong := storageCodec(t, crd, schemas, version).Encode(&unstructured.Unstructured{Object: runtime.DeepCopyJSON(admitted)}, &stored)
	if (err != nil) != (wrong != nil) {
		t.Fatalf("the API server says %v, Stored %v\nsent: %s", wrong, err, served.Text(object))
	}
	if err != nil {
		return notes
	}
	for _, other := range crd.Spec.Versions {
		read, _, err := storageCodec(t, crd, schemas, other.Name).Decode(stored.Bytes(), nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := notes.Stored
		if other.Name != version {
			got = notes.Converted[0].Object
		}
		if diff := cmp.Diff(read.(*unstructured.Unstructured).Object, served.Object(t, served.Text(got))); diff != "" {
			t.Fatalf("read in %s (-the API server +here):\n%s\nsent: %s\nwritten: %s", other.Name, diff, served.Text(object),
				stored.String())
		}
	}
	return notes
}
