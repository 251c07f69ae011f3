package cases

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// resources are the kinds that files of the suite define, with their schemas. They implement
// Natives, but without validators: boundNatives and externalNatives add these.
type resources struct {
	keps     apiresource.KEPs
	kinds    []*apiresource.Definition
	backends map[schema.GroupVersionKind]harness.Backend
}

func newResources() *resources { return newResourcesAs(apiresource.KEPs{}) }

// newResourcesAs returns resources with some behavior that KEPs propose.
func newResourcesAs(keps apiresource.KEPs) *resources {
	return &resources{keps: keps, backends: map[schema.GroupVersionKind]harness.Backend{}}
}

// Kinds returns the kinds in the order of the files.
func (r *resources) Kinds() (kinds []schema.GroupKind) {
	for _, definition := range r.kinds {
		kinds = append(kinds, definition.Resource().Kind)
	}
	return kinds
}

// Target returns a kind without backends.
func (r *resources) Target(kind schema.GroupKind) (*harness.Target, error) {
	for _, definition := range r.kinds {
		if definition.Resource().Kind == kind {
			return serving.NewTarget(definition), nil
		}
	}
	return nil, fmt.Errorf("no schema of %s", kind)
}

// backend returns the declarative backend of a version.
func (r *resources) backend(version schema.GroupVersionKind) (harness.Backend, error) {
	backend := r.backends[version]
	if backend == nil {
		return nil, fmt.Errorf("no schema of %s", apiname.Target(version))
	}
	return backend, nil
}

// add adds a kind with compiled schemas.
func (r *resources) add(definition *apiresource.Definition, backend func(version string) (harness.Backend, error)) error {
	for _, version := range definition.Describe().All() {
		made, err := backend(version.Version)
		if err != nil {
			return err
		}
		r.backends[version] = made
	}
	r.kinds = append(r.kinds, definition)
	return nil
}

// addReferring compiles the schema of a kind in one version. The schema may refer to definitions.
// plural may be empty. The error is that of declarative.Compile or apiresource.NewDefinition.
func (r *resources) addReferring(kind schema.GroupVersionKind, plural string, root *spec.Schema,
	definitions map[string]*spec.Schema) error {
	validator, err := declarative.Compile(root, declarative.Options{Definitions: definitions, Root: true, WithoutEstimation: true})
	if err != nil {
		return err
	}
	definition, err := apiresource.NewDefinition(apiresource.Resource{
		Kind: kind.GroupKind(), Plural: plural, KEPs: r.keps, NativeTypes: true,
		Versions: []apiresource.Version{{Name: kind.Version, Schema: root, Definitions: definitions}},
	})
	if err != nil {
		return err
	}
	return r.add(definition, func(string) (harness.Backend, error) { return declarative.Backend{Validator: validator}, nil })
}

// wrongPlace is a place in a definition and its mistake.
type wrongPlace struct {
	path string
	how  field.ErrorType
}

// addDefinition compiles versions of a CustomResourceDefinition for a comparison with a webhook: the API
// server validates type and metadata before it calls one. The error is that of compiledDefinition. The
// converter may be nil.
func (r *resources) addDefinition(picked []*definitions.Version, converter apiresource.Converter) (map[wrongPlace]bool, error) {
	made, places, err := compiledDefinition(picked, picked, r.keps)
	if err != nil {
		return places, err
	}
	made = made.LeavingMetadata().Converting(converter)
	return nil, r.add(made, func(version string) (harness.Backend, error) { return made.Backend(version) })
}

// compiledDefinition compiles the picked ones of some versions of a CustomResourceDefinition; objects are only
// converted to the others. The error is a userfile.Mistakes, and the result has the places of the mistakes.
// wrongSchemas reports the cost of rules.
func compiledDefinition(versions, picked []*definitions.Version,
	keps apiresource.KEPs) (*apiresource.Definition, map[wrongPlace]bool, error) {
	var schemas []apiresource.Version
	for _, v := range versions {
		schemas = append(schemas,
			apiresource.Version{Name: v.Version, Schema: v.Schema, Unserved: !v.Served && !slices.Contains(picked, v)})
	}
	resource := apiresource.New(picked[0].Of.CRD, schemas...)
	resource.KEPs = keps
	made, unread := apiresource.NewDefinition(resource)
	var mistakes strictyaml.Mistakes
	places := map[wrongPlace]bool{}
	for _, v := range picked {
		_, err := made.Backend(v.Version)
		mistakes.Merge(v.Of.File, v.Placed(err))
		for _, one := range definitions.FieldErrors(err) {
			places[wrongPlace{v.Path + "." + one.Field, one.Type}] = true
		}
	}
	if len(mistakes) == 0 && unread != nil {
		return nil, nil, picked[0].Placed(unread)
	}
	return made, places, mistakes.Err()
}

// boundNatives are resources with the validators of a builtin.
type boundNatives struct {
	*resources
	builtin Builtin
}

// Target returns the kind with the builtin's validator of each version. A version without a
// validator cannot be compared and is an error.
func (b boundNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	target, err := b.resources.Target(kind)
	if err != nil {
		return nil, err
	}
	known, err := b.builtin.Natives.Target(kind)
	if err != nil {
		return nil, fmt.Errorf("the builtin that native names does not validate %s", kind)
	}
	if b.builtin.Typed {
		target.Scheme = known.Scheme
	}
	byVersion := map[string]harness.Backend{}
	for _, version := range known.Versions {
		byVersion[version.Version] = version.Native
	}
	for i, version := range target.Versions {
		if target.Versions[i].Native = byVersion[version.Version]; target.Versions[i].Native == nil {
			return nil, fmt.Errorf("the builtin validates %s in %s, not in %s", kind,
				strings.Join(slices.Sorted(maps.Keys(byVersion)), ", "), version.Version)
		}
	}
	return target, nil
}
