package harness

import (
	"context"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
)

// Defaulting is implemented by a Scheme whose defaults are hand-written functions. The harness
// compares them with the defaults that the schema declares (KEP-4153), if the declarative backend
// is a DeclaringDefaults.
type Defaulting interface {
	// Defaulted gives an object from Decode as a document of a version twice: with the
	// hand-written defaults, and with the defaults that declared fills in. declared gets the
	// document as the client wrote it: sent is the document of the case, whose empty lists an object
	// may not show. The Go type encodes both documents, so that an absent field and a zero value are
	// equal if the type cannot tell them apart.
	Defaulted(object any, sent map[string]any, version schema.GroupVersionKind, declared func(map[string]any) map[string]any) (native, declarative map[string]any, err error)
}

// DeclaringDefaults is implemented by a declarative Backend whose schema declares defaults.
type DeclaringDefaults interface {
	// Defaults gives the function that fills them into a document without changing it. It is nil
	// if the schema is not meant to have all defaults.
	Defaults() (func(map[string]any) map[string]any, error)
	// Undeclared are the exceptions for defaults that depend on other fields, which no schema can
	// declare. The exceptions of the options are applied first, and none with NoExceptions.
	Undeclared() (*equivalence.Exceptions, error)
}

// compareDefaults fills the defaults of each side into the object of a case as the client wrote it,
// and compares the results field by field. It skips typed objects, which tests give after defaulting.
func (h *Harness) compareDefaults(ctx context.Context, objects stages, version Version, in *Input) ([]equivalence.Pair, *Fault) {
	scheme, written := h.target.Scheme.(Defaulting)
	backend, declares := version.Declarative.(DeclaringDefaults)
	sent, isDocument := objects.sent.object.(map[string]any)
	if !written || !declares || !isDocument || version.Native.Name() != NativeName || h.options.Self != "" || h.options.Compare != "" && h.options.Compare != CompareAll {
		return nil, nil
	}
	var undeclared *equivalence.Exceptions
	both, fault := guarded(ctx, h.options.guard(), "the defaults were not compared", func(context.Context) (both [2]any, err error) {
		declared, err := backend.Defaults()
		if err != nil || declared == nil {
			return both, err
		}
		if !h.options.NoExceptions {
			if undeclared, err = backend.Undeclared(); err != nil {
				return both, err
			}
		}
		native, declarative, err := scheme.Defaulted(objects.decoded.object, sent, version.GroupVersionKind, declared)
		return [2]any{native, declarative}, err
	})
	if fault != nil {
		return nil, ofInput(fault)
	}
	return undeclared.Explain(subject(in), h.options.Exceptions.Explain(subject(in), defaultValues.pairs("", both[0], both[1]))), nil
}

// defaultValues compares defaulted documents. The Go type encodes them, and cannot tell an absent field
// from an empty one.
var defaultValues = documentComparison{
	class:  equivalence.Default,
	absent: isNothing,
	side: func(at string, value any) *field.Error {
		if isNothing(value) {
			value = nil
		}
		return equivalence.NewDefault(at, value)
	},
}

// isNothing reports whether a field is absent, null, or a list without items.
func isNothing(value any) bool {
	items, isList := value.([]any)
	return isMissing(value) || value == nil || isList && len(items) == 0
}
