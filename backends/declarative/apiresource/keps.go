package apiresource

import (
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
)

// KEPs selects where a resource is handled as the KEPs propose, rather than as today's API server
// does. The zero value is the API server. docs/keps.md lists the differences.
type KEPs struct {
	// Preserving is how far x-kubernetes-preserve-unknown-fields reaches (KEP-2332).
	Preserving pruning.Preserving
	// KeepNulls keeps a null that the schema does not allow, which validation then refuses
	// (KEP-575).
	KeepNulls bool
	// Scale is how scales are validated (customresources-subresources).
	Scale subresource.Conformance
	// Proposals turns on extensions that the API server does not know (KEP-2335, KEP-4153).
	Proposals bool
}

// prune adds to the options how objects are pruned.
func (k KEPs) prune(opts pruning.Options) pruning.Options {
	opts.Preserving = k.Preserving
	if k.KeepNulls {
		opts.Nulls = pruning.KeepNulls
	}
	return opts
}

// defaults adds to the options how objects are defaulted.
func (k KEPs) defaults(opts defaulting.Options) defaulting.Options {
	opts.Zeros = defaulting.KeepZeros
	if k.Proposals {
		opts.Zeros = defaulting.StripZeros
	}
	if k.KeepNulls {
		opts.Nulls = defaulting.KeepNulls
	}
	return opts
}
