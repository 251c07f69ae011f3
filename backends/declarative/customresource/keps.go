package customresource

import (
	"errors"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// KEPs says where a resource is handled as the KEPs propose it, instead of as today's API server
// does. The zero value is the API server. docs/keps.md lists the differences.
type KEPs struct {
	// Preserving is how far x-kubernetes-preserve-unknown-fields reaches (KEP-2332).
	Preserving pruning.Preserving
	// KeepNulls keeps a null that the schema does not allow, which validation then refuses
	// (KEP-575).
	KeepNulls bool
	// Scale is how scales are validated (customresources-subresources).
	Scale subresource.Conformance
	// Proposals gives extensions that the API server does not know an effect (KEP-2335,
	// KEP-4153).
	Proposals declarative.Proposals
}

// The words for what the API server does and for what the KEPs say.
const (
	PreservingOneLevel = "one-level"
	PreservingDeep     = "deep"
	NullsDrop          = "drop"
	NullsKeep          = "keep"
	ScaleAsServed      = "served"
	ScaleAsProposed    = "proposed"
)

// KEPWords are KEPs in words, as flags and keys of files have them. Empty words mean the API
// server.
type KEPWords struct {
	Preserving, Nulls, Scale string
	Proposals                bool
}

// KEPs gives what the words mean. name gives the name of the flag or key of a word: "preserving",
// "nulls" or "scale". The error lists each word that is not known.
func (w KEPWords) KEPs(name func(word string) string) (KEPs, error) {
	var made KEPs
	var errs []error
	for _, each := range []struct {
		name, word, today, proposed string
		set                         func()
	}{
		{"preserving", w.Preserving, PreservingOneLevel, PreservingDeep, func() { made.Preserving = pruning.PreservingDeep }},
		{"nulls", w.Nulls, NullsDrop, NullsKeep, func() { made.KeepNulls = true }},
		{"scale", w.Scale, ScaleAsServed, ScaleAsProposed, func() { made.Scale = subresource.AsProposed }},
	} {
		if each.word == each.proposed {
			each.set()
		}
		errs = append(errs, oneof.Check(name(each.name), each.word, "", each.today, each.proposed))
	}
	if w.Proposals {
		made.Proposals = declarative.ProposalsOn
	}
	return made, errors.Join(errs...)
}

// Prune says how objects are pruned.
func (k KEPs) Prune(opts pruning.Options) pruning.Options {
	opts.Preserving = k.Preserving
	if k.KeepNulls {
		opts.Nulls = pruning.KeepNulls
	}
	return opts
}

// Default says how objects are defaulted.
func (k KEPs) Default(opts defaulting.Options) defaulting.Options {
	opts.Zeros = defaulting.KeepZeros
	if k.Proposals == declarative.ProposalsOn {
		opts.Zeros = defaulting.StripZeros
	}
	if k.KeepNulls {
		opts.Nulls = defaulting.KeepNulls
	}
	return opts
}
