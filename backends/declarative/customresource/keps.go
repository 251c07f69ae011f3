package customresource

import (
	"errors"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/text/oneof"
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
	Proposals declarative.Proposals
}

// The words for the behavior of the API server and of the KEPs.
const (
	PreservingOneLevel = "one-level"
	PreservingDeep     = "deep"
	NullsDrop          = "drop"
	NullsKeep          = "keep"
	ScaleAsServed      = "served"
	ScaleAsProposed    = "proposed"
)

// KEPWords are KEPs as words, as flags and keys of files have them. An empty word means the API
// server.
type KEPWords struct {
	Preserving, Nulls, Scale string
	Proposals                bool
}

// KEPs returns the meaning of the words. name returns the flag or key of a word: "preserving",
// "nulls" or "scale". The error lists each unknown word.
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

// Prune adds to the options how objects are pruned.
func (k KEPs) Prune(opts pruning.Options) pruning.Options {
	opts.Preserving = k.Preserving
	if k.KeepNulls {
		opts.Nulls = pruning.KeepNulls
	}
	return opts
}

// Default adds to the options how objects are defaulted.
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
