// Package kepwords reads the words with which flags and keys of files choose between today's API server
// and the KEPs.
package kepwords

import (
	"errors"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// The words for the behavior of the API server and of the KEPs.
const (
	PreservingOneLevel = "one-level"
	PreservingDeep     = "deep"
	NullsDrop          = "drop"
	NullsKeep          = "keep"
	ScaleAsServed      = "served"
	ScaleAsProposed    = "proposed"
)

// Words are apiresource.KEPs as words, as flags and keys of files have them. An empty word means the API
// server.
type Words struct {
	Preserving, Nulls, Scale string
	Proposals                bool
}

// KEPs returns the meaning of the words. name returns the flag or key of a word: "preserving",
// "nulls" or "scale". The error lists each unknown word.
func (w Words) KEPs(name func(word string) string) (apiresource.KEPs, error) {
	made := apiresource.KEPs{Proposals: w.Proposals}
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
	return made, errors.Join(errs...)
}
