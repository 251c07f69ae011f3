package tally

import (
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Refusals counts the inputs that a definition refused before any guard, with its errors. The zero value is
// ready to use.
type Refusals struct {
	// Inputs are all that were decided, Refused those that no guard decided about.
	Inputs, Refused int
	errors          map[string]int
}

// Add counts a result.
func (r *Refusals) Add(result harness.Result) {
	if result.Verdict == words.Inexpressible || result.Verdict == words.Faulted {
		return
	}
	r.Inputs++
	if !result.Unguarded {
		return
	}
	r.Refused++
	if r.errors == nil {
		r.errors = map[string]int{}
	}
	said := map[string]bool{}
	for _, outcome := range []harness.Outcome{result.Native, result.Declarative} {
		for _, err := range outcome.Errors {
			if fielderror.IsRulesNotChecked(err) {
				continue // it only follows from the others
			}
			if text := plaintext.Cut(err.Error(), longestError); !said[text] {
				said[text] = true
				r.errors[text]++
			}
		}
	}
}

// longestError is how many bytes of an error are shown in a sentence.
const longestError = 200

// All reports whether each input was refused before any guard.
func (r *Refusals) All() bool { return r.Refused > 0 && r.Refused == r.Inputs }

// MostFrequent returns the error of most of the refused inputs; of several, the first in the alphabet.
func (r *Refusals) MostFrequent() string {
	most := ""
	for text, n := range r.errors {
		if n > r.errors[most] || n == r.errors[most] && text < most {
			most = text
		}
	}
	return most
}
