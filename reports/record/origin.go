package record

import "time"

// Origin describes where a run comes from. Every field may be empty.
type Origin struct {
	// Started is when the run began.
	Started time.Time
	// Commit is the revision of the repository that was compared.
	Commit string
	// Modified is true if files of the repository differed from the commit.
	Modified bool
	// SourceURL is the address of a file of the repository, with {file} and {line} in it. Reports link to
	// cases with it.
	SourceURL string
	// RunURL is the address of the CI job. Reports link to it.
	RunURL string
}
