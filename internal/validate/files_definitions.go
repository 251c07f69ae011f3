package validate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"sync"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiequality "k8s.io/apimachinery/pkg/api/equality"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/objectmeta"
	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// appliedKinds are the kinds of the CustomResourceDefinitions among the manifests, in any order, because
// applying all manifests creates these kinds.
type appliedKinds struct {
	// kinds compile a version on first use.
	kinds map[schema.GroupVersionKind]func() (harness.Backend, error)
	first map[schema.GroupVersionKind]*definitions.Version
	// second are definitions of a kind that a different definition defines, too.
	second map[strictyaml.Position]error
}

func newAppliedKinds() appliedKinds {
	return appliedKinds{map[schema.GroupVersionKind]func() (harness.Backend, error){},
		map[schema.GroupVersionKind]*definitions.Version{}, map[strictyaml.Position]error{}}
}

// isDefinition reports whether an object of a version is a CustomResourceDefinition.
func isDefinition(version schema.GroupVersionKind) bool {
	return version.GroupKind() == apiextensionsv1.Kind("CustomResourceDefinition")
}

// apply adds the kinds that manifests define. It skips files that cannot be read, which are reported when
// their objects are validated.
func (k *kinds) apply(files []manifest, o *Options) {
	for _, m := range files {
		data, all, err := m.documents()
		if err != nil || !bytes.Contains(data, []byte("CustomResourceDefinition")) {
			continue
		}
		for document := range all {
			if document.Err != nil || !isDefinition(versionOf(document.Object)) {
				continue
			}
			d, err := definitions.ReadDocument(m.name(), document)
			if err != nil {
				k.applied.mistaken(document.Object, document.At(m.name(), ""))
			} else {
				k.applyDefinition(d, o)
			}
		}
	}
}

// applyDefinition adds the kind of a definition. Definitions of --crd have priority.
func (k *kinds) applyDefinition(d *definitions.Definition, o *Options) {
	for _, version := range d.Versions {
		first := k.applied.first[version.GroupVersionKind]
		if named := k.resources[version.GroupVersionKind]; named != nil {
			if !sameSpec(named.version.Of, d) {
				o.warn(plaintext.Sprintf("%s: --crd has a different CustomResourceDefinition of %s, which validates the objects: %s",
					d.At(""), apiname.Target(version.GroupVersionKind), named.version.Of.At("")))
			}
			return
		}
		switch {
		case first == nil:
			k.applied.first[version.GroupVersionKind] = version
			k.applied.kinds[version.GroupVersionKind] = sync.OnceValues(func() (harness.Backend, error) { return k.ofApplied(version) })
		case !sameSpec(first.Of, d):
			k.applied.second[d.At("")] = fmt.Errorf("a different CustomResourceDefinition of %s is in %s, and validates the objects; "+
				"validate the two separately",
				apiname.Target(version.GroupVersionKind), first.Of.At(""))
			return
		}
	}
}

func sameSpec(a, b *definitions.Definition) bool {
	return apiequality.Semantic.DeepEqual(a.CRD.Spec, b.CRD.Spec)
}

// mistaken adds the kind of a definition that cannot be read, if it has one. Its objects have no verdict.
func (a appliedKinds) mistaken(document map[string]any, at strictyaml.Position) {
	group, _, _ := unstructured.NestedString(document, "spec", "group")
	kind, _, _ := unstructured.NestedString(document, "spec", "names", "kind")
	versions, _, _ := unstructured.NestedFieldNoCopy(document, "spec", "versions")
	list, _ := versions.([]any)
	for _, one := range list {
		version, _ := one.(map[string]any)
		name, _ := version["name"].(string)
		of := schema.GroupVersionKind{Group: group, Version: name, Kind: kind}
		if a.kinds[of] == nil {
			a.kinds[of] = func() (harness.Backend, error) { return nil, mistakenError(of, at) }
		}
	}
}

func mistakenError(of schema.GroupVersionKind, at strictyaml.Position) error {
	return fmt.Errorf("the CustomResourceDefinition of %s in %s has mistakes; correct them first", apiname.Target(of), at)
}

// ofApplied returns the backend of a version that a manifest defines.
func (k *kinds) ofApplied(v *definitions.Version) (harness.Backend, error) {
	if !v.Served {
		return nil, fmt.Errorf("%s is not served according to its CustomResourceDefinition in %s",
			apiname.Target(v.GroupVersionKind), v.Of.At(""))
	}
	made, err := k.compile(v)
	if err != nil {
		return nil, mistakenError(v.GroupVersionKind, v.Of.At(""))
	}
	return made, nil
}

// similar returns the names of kinds that an object with a version may mean.
func (a appliedKinds) similar(version schema.GroupVersionKind) []string {
	return similar(maps.Keys(a.kinds), version)
}

// definition returns the backend that checks a CustomResourceDefinition, or an error that says why it is not
// checked.
func (a appliedKinds) definition(o fileObject) (harness.Backend, error) {
	if err := a.second[o.document.At(o.file, "")]; err != nil {
		return nil, err
	}
	if versionOf(o.document.Object).Version != apiextensionsv1.SchemeGroupVersion.Version {
		_, err := definitions.ReadDocument(o.file, o.document) // which says what can be read
		return nil, err
	}
	return definitionChecker{}, nil
}

// definitionChecker checks CustomResourceDefinitions as the API server does when they are created.
// It implements harness.Backend.
type definitionChecker struct{}

// Name returns the name of the validator, which all engines share.
func (definitionChecker) Name() string { return "structural" }

// Validate also returns errors for unknown fields. If values cannot be decoded, it returns only the errors
// of the shape.
func (definitionChecker) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	document, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	crd, unknown, err := decodeDefinition(document)
	if err != nil {
		_, wrong := jsonerrors.Decodable(nil, document, func(part any) error {
			_, _, err := decodeDefinition(part)
			return err
		})
		return append(strict(wrong), unknown...), nil
	}
	objectmeta.PrepareCreate(crd, false)
	found, err := structural.CheckCRD(ctx, crd)
	for _, one := range found {
		one.Field = (&definitions.Definition{}).Path(one.Field)
	}
	if condition := structural.Condition(crd); condition != nil && len(found) == 0 {
		found = field.ErrorList{field.Invalid(field.NewPath("spec"), field.OmitValueType{}, condition.Message)}
	}
	return append(unknown, found...), err
}

// decodeDefinition decodes a document and returns errors for unknown fields.
func decodeDefinition(document any) (crd *apiextensionsv1.CustomResourceDefinition, unknown field.ErrorList, err error) {
	data, err := json.Marshal(document)
	if err != nil {
		return nil, nil, err
	}
	crd = &apiextensionsv1.CustomResourceDefinition{}
	mistakes, err := kjson.UnmarshalStrict(data, crd)
	for _, one := range mistakes {
		if in, hasPath := one.(kjson.FieldError); hasPath {
			unknown = append(unknown, unknownField(in.FieldPath()))
		}
	}
	return crd, unknown, err
}
