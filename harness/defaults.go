package harness

import (
	"context"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/text/fieldvalue"
)

// compareDefaults fills the defaults of each side into the object of a case as the client wrote it,
// and compares the results field by field. It skips typed objects, which tests pass after defaulting.
func (h *Harness) compareDefaults(ctx context.Context, objects stages, version Version, in *Input) ([]equivalence.Pair, *contract.Fault) {
	can := contract.CapabilitiesOf(version.Declarative)
	sent, isDocument := objects.sent.object.(map[string]any)
	if h.scheme.Defaulted == nil || can.Defaults == nil || !isDocument || version.Native.Name() != contract.NativeName ||
		h.options.Self != "" || h.options.Compare != "" && h.options.Compare != words.CompareAll {
		return nil, nil
	}
	var undeclared *equivalence.Exceptions
	both, fault := guarded(ctx, h.options.guard(), "the defaults were not compared", func(context.Context) (both [2]any, err error) {
		declared, err := can.Defaults()
		if err != nil || declared == nil {
			return both, err
		}
		if !h.options.NoExceptions {
			if undeclared, err = can.DefaultExceptions(); err != nil {
				return both, err
			}
		}
		native, declarative, err := h.scheme.Defaulted(objects.decoded.object, sent, version.GroupVersionKind, declared)
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
	class:  difference.Default,
	absent: isNothing,
	side: func(at string, value any) *field.Error {
		if isNothing(value) {
			value = nil
		}
		return fieldvalue.Default(at, value)
	},
}

// isNothing reports whether a field is absent, null, or a list without items.
func isNothing(value any) bool {
	items, isList := value.([]any)
	return isMissing(value) || value == nil || isList && len(items) == 0
}
