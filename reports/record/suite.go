package record

import "github.com/diffrun/diffrun/harness"

// Suite is a suite of the run.
type Suite struct {
	Name string
	// Source is the path of the suite's file.
	Source string
	// Compared names the two backends.
	Compared harness.Sides
}

// LeftOut counts the skipped cases of a kind without a target in its suite.
type LeftOut struct {
	Suite string `json:"suite"`
	// Target is the version of the cases, such as "apps/v1 Deployment".
	Target string `json:"target"`
	Cases  int    `json:"cases"`
}
