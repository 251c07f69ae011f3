package validate

import (
	"errors"

	apischema "k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/internal/definitions"
)

// preparation is what is done to objects before they are validated.
type preparation struct {
	prune, defaults bool
	// keepUnknown is spec.preserveUnknownFields: pruning leaves all but metadata.
	keepUnknown bool
	// keps says what is done as the KEPs propose it.
	keps customresource.KEPs
}

func (p preparation) any() bool { return p.prune || p.defaults }

// prepared is a value as it is validated.
type prepared struct {
	value   any
	dropped []string // unknown fields
	// errs say why it could not be prepared: it is not validated then.
	errs field.ErrorList
}

// preparer prepares the values of a schema. It does not change them, and may be used
// by several goroutines at once.
type preparer interface {
	prepare(value any) (prepared, error)
	// prepareStored prepares the old object of an update, which the API server reads
	// from its storage: what cannot be read in metadata goes, rather than being an error.
	prepareStored(value any) (prepared, error)
}

// ownPreparer prunes and defaults with this project's packages. A part that is nil
// does nothing.
type ownPreparer struct {
	pruner    *pruning.Pruner
	stored    *pruning.Pruner // of what is stored
	defaulter *defaulting.Defaulter
	// of is the kind of the resource; empty: every object is prepared. The API server
	// neither prunes nor defaults an object of another kind (unstructuredSchemaCoercer and
	// unstructuredDefaulter of k8s.io/apiextensions-apiserver/pkg/apiserver).
	of apischema.GroupKind
}

func newOwnPreparer(schema *spec.Schema, root bool, how preparation, of apischema.GroupKind) (preparer, error) {
	made := ownPreparer{of: of}
	var err error
	if how.prune {
		opts := how.keps.Prune(pruning.Options{Root: root, Definitions: definitions.DefinitionsOf(schema)})
		if how.keepUnknown {
			opts.Fields = pruning.PreserveUnknown
		}
		if made.pruner, err = pruning.Compile(schema, opts); err != nil {
			return nil, err
		}
		opts.Metadata = pruning.DropMalformedMetadata
		if made.stored, err = pruning.Compile(schema, opts); err != nil {
			return nil, err
		}
	}
	if !how.defaults {
		return made, nil
	}
	opts := how.keps.Default(defaulting.Options{Definitions: definitions.DefinitionsOf(schema)})
	if root && opts.Definitions == nil { // a schema with definitions is no CustomResourceDefinition's
		// The API server does so when it starts to serve a version.
		if schema, err = defaulting.PruneDefaults(schema); err != nil {
			return nil, err
		}
	}
	made.defaulter, err = defaulting.Compile(schema, opts)
	return made, err
}

func (p ownPreparer) prepare(value any) (prepared, error) { return p.with(p.pruner, value), nil }

func (p ownPreparer) prepareStored(value any) (prepared, error) { return p.with(p.stored, value), nil }

func (p ownPreparer) with(pruner *pruning.Pruner, value any) prepared {
	made := prepared{value: value}
	if isOther(value, p.of) {
		return made
	}
	if object, isObject := value.(map[string]any); isObject && pruner != nil {
		pruned := pruner.Prune(object)
		made = prepared{value: pruned.Object, dropped: pruned.Dropped, errs: pruned.Errors}
	} else if pruner != nil {
		made.value, made.dropped, made.errs = pruner.PruneValue(value)
	}
	if object, isObject := made.value.(map[string]any); isObject && p.defaulter != nil {
		made.value = p.defaulter.Default(object)
	} else if p.defaulter != nil {
		made.value = p.defaulter.DefaultValue(made.value)
	}
	return made
}

// upstreamPreparer prunes and defaults with apiextensions-apiserver.
type upstreamPreparer struct {
	validator *reference.Validator
	prunes    bool
	of        apischema.GroupKind // as in ownPreparer
}

func (p upstreamPreparer) prepare(value any) (prepared, error) {
	made, err := p.with(p.validator.Prepare, value)
	if object, isObject := value.(map[string]any); isObject && p.prunes && !isOther(value, p.of) {
		made.dropped = p.validator.Unknown(object)
	}
	return made, err
}

func (p upstreamPreparer) prepareStored(value any) (prepared, error) {
	return p.with(p.validator.PrepareStored, value)
}

func (p upstreamPreparer) with(prepare func(map[string]any) (map[string]any, field.ErrorList), value any) (prepared, error) {
	object, isObject := value.(map[string]any)
	if !isObject {
		return prepared{}, errors.New("the reference prunes and defaults objects only")
	}
	if isOther(value, p.of) {
		return prepared{value: value}, nil
	}
	ready, errs := prepare(object)
	return prepared{value: ready, errs: errs}, nil
}

// isOther says that a value is an object of another kind than the one of a resource.
func isOther(value any, of apischema.GroupKind) bool {
	object, isObject := value.(map[string]any)
	if !isObject || of.Empty() {
		return false
	}
	apiVersion, hasVersion := object["apiVersion"].(string)
	kind, hasKind := object["kind"].(string)
	return hasVersion && hasKind && apischema.FromAPIVersionAndKind(apiVersion, kind).GroupKind() != of
}
