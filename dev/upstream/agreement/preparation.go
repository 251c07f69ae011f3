package agreement

import (
	"context"
	"encoding/json"
	"maps"
	"reflect"
	"slices"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/openapi"
)

// change compares the changed value.
func change(c *capture.Call, do func(schema *spec.Schema, v any) (outcome, error)) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	before, err := readValue(c.Object)
	if err != nil {
		return comparison{}, err
	}
	after, err := readValue(c.After)
	if err != nil {
		return comparison{}, err
	}
	got, err := do(schema, before)
	if err != nil {
		return comparison{}, err
	}
	want := outcome{value: after, changed: !reflect.DeepEqual(before, after), errs: captured(c),
		paths: slices.Sorted(slices.Values(c.Paths))}
	if len(want.errs) > 0 {
		// Upstream returns a half-finished value.
		want.value, want.changed, want.paths = nil, false, nil
		got.value, got.paths = nil, nil
	}
	return comparison{want: want, got: got}, nil
}

// pruned compares pruning with some options; it compares paths if upstream was asked for them.
func pruned(c *capture.Call, opts pruning.Options) (comparison, error) {
	opts.Root = c.Flag("root")
	return change(c, func(schema *spec.Schema, v any) (outcome, error) {
		pruner, err := pruning.Compile(schema, opts)
		if err != nil {
			return outcome{}, err
		}
		var errs field.ErrorList
		got := outcome{}
		if object, isObject := v.(map[string]any); isObject {
			result := pruner.Prune(object)
			got.value, got.paths, errs = result.Object, result.Dropped, result.Errors
		} else {
			got.value, got.paths, errs = pruner.PruneValue(v)
		}
		got.errs = ownErrors(errs)
		slices.Sort(got.paths)
		if !c.Flag("paths") {
			got.paths = nil
		}
		return got, nil
	})
}

// prune compares the pruning of undeclared fields.
func prune(_ context.Context, c *capture.Call) (comparison, error) {
	return pruned(c, pruning.Options{Metadata: pruning.LeaveMetadata, Nulls: pruning.KeepNulls})
}

// coerce compares the coercion of metadata.
func coerce(_ context.Context, c *capture.Call) (comparison, error) {
	opts := pruning.Options{Fields: pruning.PreserveUnknown}
	if c.Flag("drop") {
		opts.Metadata = pruning.DropMalformedMetadata
	}
	return pruned(c, opts)
}

// metadata compares reading the metadata of an object. Upstream returns only the metadata.
func metadata(_ context.Context, c *capture.Call) (comparison, error) {
	opts := pruning.Options{Root: true, Fields: pruning.PreserveUnknown}
	if c.Flag("drop") {
		opts.Metadata = pruning.DropMalformedMetadata
	}
	pruner, err := pruning.Compile(&spec.Schema{}, opts)
	if err != nil {
		return comparison{}, err
	}
	return change(c, func(_ *spec.Schema, v any) (outcome, error) {
		object, _ := v.(map[string]any)
		result := pruner.Prune(object)
		got := outcome{errs: ownErrors(result.Errors)}
		if meta, has := result.Object["metadata"]; has {
			got.value = map[string]any{"metadata": meta}
		}
		if c.Flag("paths") {
			got.paths = result.Dropped
		}
		return got, nil
	})
}

// pruneNulls compares the dropping of nulls. All fields are declared, so nothing else may be
// dropped.
func pruneNulls(_ context.Context, c *capture.Call) (comparison, error) {
	return change(c, func(schema *spec.Schema, v any) (outcome, error) {
		open := preserving(schema)
		pruner, err := pruning.Compile(open, pruning.Options{Metadata: pruning.LeaveMetadata})
		if err != nil {
			return outcome{}, err
		}
		value, _, errs := pruner.PruneValue(v)
		return outcome{value: value, errs: ownErrors(errs)}, nil
	})
}

// preserving returns a schema in which no object loses undeclared fields.
func preserving(s *spec.Schema) *spec.Schema {
	open := openapi.MapParts(s, preserving)
	open.Extensions = maps.Clone(s.Extensions)
	open.AddExtension(openapi.XPreserveUnknownFields, true)
	return open
}

// fillDefaults compares defaulting.
func fillDefaults(_ context.Context, c *capture.Call) (comparison, error) {
	return change(c, func(schema *spec.Schema, v any) (outcome, error) {
		defaulter, err := defaulting.Compile(schema, defaulting.Options{})
		if err != nil {
			return outcome{}, err
		}
		return outcome{value: defaulter.DefaultValue(v)}, nil
	})
}

// pruneDefaults compares the pruning of the defaults of a schema.
func pruneDefaults(_ context.Context, c *capture.Call) (comparison, error) {
	schema, err := readSchema(c)
	if err != nil {
		return comparison{}, err
	}
	pruned, err := defaulting.PruneDefaults(schema)
	if err != nil {
		return comparison{}, err
	}
	text, err := json.Marshal(pruned)
	if err != nil {
		return comparison{}, err
	}
	before, err := readValue(c.Schema)
	if err != nil {
		return comparison{}, err
	}
	want, err := readValue(c.After)
	if err != nil {
		return comparison{}, err
	}
	got, err := readValue(text)
	return comparison{
		want: outcome{value: want, changed: !reflect.DeepEqual(before, want)},
		got:  outcome{value: got},
	}, err
}
