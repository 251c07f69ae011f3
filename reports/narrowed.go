package reports

import (
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// Narrowed reports whether the run skipped cases or errors on purpose. Rules and exceptions that it
// did not use may be needed by a full run.
func (f Footer) Narrowed() bool { return len(f.Narrowings) > 0 }

// NarrowedTexts returns what a run left out on purpose, for people. A shard left out the cases of
// the other shards.
func (f Footer) NarrowedTexts(shard string) []string {
	var texts []string
	if shard != "" {
		part := record.Narrowing{Flag: "--shard " + shard, What: plaintext.Count(f.Summary.Cases, "case")}
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
