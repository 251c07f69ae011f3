package apiresource

import (
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
)

// Reader reads objects as the API server does first: it prunes and defaults them. It does not
// change them, and may be used by several goroutines at once.
type Reader struct {
	sent      *pruning.Pruner       // of objects in requests; nil: nothing is pruned
	stored    *pruning.Pruner       // of objects from the storage
	defaulter *defaulting.Defaulter // nil: nothing is defaulted
}

// ReaderOptions are the options of CompileReader.
type ReaderOptions struct {
	// Prune and Default turn on these two steps.
	Prune, Default bool
	// Root reports whether the schema is of a resource's root.
	Root bool
	// Definitions are the targets of references in the schema.
	Definitions map[string]*spec.Schema
	// PreservesUnknownFields is spec.preserveUnknownFields: pruning affects metadata only.
	PreservesUnknownFields bool
	// KEPs selects where the KEPs are followed.
	KEPs KEPs
}

// Read is a value after reading.
type Read struct {
	Value   any
	Dropped []string // unknown fields
	// Errors are why it could not be read.
	Errors field.ErrorList
}

// Object is the value, if it is an object.
func (r Read) Object() map[string]any {
	object, _ := r.Value.(map[string]any)
	return object
}

// CompileReader compiles a schema for reading.
func CompileReader(schema *spec.Schema, opts ReaderOptions) (*Reader, error) {
	r := &Reader{}
	var err error
	if opts.Prune {
		how := opts.KEPs.prune(pruning.Options{Root: opts.Root, Definitions: opts.Definitions})
		if opts.PreservesUnknownFields {
			how.Fields = pruning.PreserveUnknown
		}
		if r.sent, err = pruning.Compile(schema, how); err != nil {
			return nil, err
		}
		how.Metadata = pruning.DropMalformedMetadata
		if r.stored, err = pruning.Compile(schema, how); err != nil {
			return nil, err
		}
	}
	if !opts.Default {
		return r, nil
	}
	if opts.Root && len(opts.Definitions) == 0 { // a schema with definitions is no CustomResourceDefinition's
		// The API server does so when it starts to serve a version.
		if schema, err = defaulting.PruneDefaults(schema); err != nil {
			return nil, err
		}
	}
	r.defaulter, err = defaulting.Compile(schema, opts.KEPs.defaults(defaulting.Options{Definitions: opts.Definitions}))
	return r, err
}

// Receive reads a value that a client sent.
func (r *Reader) Receive(value any) Read { return r.with(r.sent, value) }

// Load reads the old object of an update, which the API server has in its storage: metadata that
// cannot be read is dropped instead of being an error.
func (r *Reader) Load(value any) Read { return r.with(r.stored, value) }

func (r *Reader) with(pruner *pruning.Pruner, value any) Read {
	made := Read{Value: value}
	if pruner != nil {
		made.Value, made.Dropped, made.Errors = pruner.PruneValue(value)
	}
	made.Value = r.Default(made.Value)
	return made
}

// Default sets defaults and prunes nothing.
func (r *Reader) Default(value any) any {
	if r.defaulter == nil {
		return value
	}
	return r.defaulter.DefaultValue(value)
}
