package record

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
