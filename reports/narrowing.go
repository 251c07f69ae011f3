package reports

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/internal/display"
)

// Narrowing is a flag that makes a run skip cases, errors or explanations of differences. A run with such a
// flag proves less than the full run.
type Narrowing struct {
	// Flag is the flag as it was given, such as "--run nightly".
	Flag string `json:"flag"`
	// Cases is how many of Of cases remained. Of is zero if the flag does not select cases, or the run ended
	// before all cases were counted.
	Cases int `json:"cases"`
	Of    int `json:"of"`
	// What describes the remaining cases, or what was turned off. It may be empty if the cases show it.
	What string `json:"what"`
}

// String returns the narrowing for people, as in "1 of 7 cases (--run nightly)".
func (n Narrowing) String() string {
	var parts []string
	if n.Of > 0 {
		parts = append(parts, fmt.Sprintf("%s of %s", plaintext.Number(n.Cases), plaintext.Count(n.Of, "case")))
	}
	if n.What != "" {
		parts = append(parts, n.What)
	}
	return display.Name(strings.Join(parts, ", ") + " (" + n.Flag + ")")
}

// Narrowed reports whether the run skipped cases or errors on purpose. Rules and exceptions that it
// did not use may be needed by a full run.
func (f Footer) Narrowed() bool { return len(f.Narrowings) > 0 }

// NarrowedTexts returns what a run left out on purpose, for people. A shard left out the cases of
// the other shards.
func (f Footer) NarrowedTexts(shard string) []string {
	var texts []string
	if shard != "" {
		part := Narrowing{Flag: "--shard " + shard, What: plaintext.Count(f.Summary.Cases, "case")}
		if f.Tally != nil && f.Tally.Cases > 0 && !f.Incomplete {
			part.Cases, part.Of, part.What = f.Summary.Cases, f.Tally.Cases, ""
		}
		texts = append(texts, part.String())
	}
	for _, one := range f.Narrowings {
		texts = append(texts, one.String())
	}
	return texts
}
