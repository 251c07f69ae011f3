package mutate

import (
	"cmp"
	"slices"
)

// Status is the outcome of a mutant.
type Status string

const (
	// Killed: the comparison of an input changed.
	Killed Status = "killed"
	// Survived: inputs violate the keyword, and no comparison changed.
	Survived Status = "survived"
	// NotViolated: the keyword accepts every value that inputs have there.
	NotViolated Status = "not violated"
	// NotReached: no input has a value that the keyword checks.
	NotReached Status = "not reached"
	// Invalid: the schema does not compile with the mutant.
	Invalid Status = "invalid"
)

// statuses lists all, the best first.
func statuses() []Status { return []Status{Killed, Survived, NotViolated, NotReached, Invalid} }

// Mutant is a keyword or rule that was weakened.
type Mutant struct {
	// Path is the field whose values the keyword checks, the shortest one if a definition is used by several
	// fields. Within is the branch of a junctor that has it. See tally.Place.
	Path   string `json:"path"`
	Within string `json:"within,omitempty"`
	// Keyword is its name, and Change how it was weakened.
	Keyword string `json:"keyword"`
	Change  string `json:"change"`
	// Declared is the place of the schema that has it.
	Declared string `json:"declared"`
	// Line is the file and line of a part of a policy.
	Line string `json:"line,omitempty"`
	// Targets have the keyword, each with its suite: "apps: apps/v1 Deployment".
	Targets []string `json:"targets"`
	Status  Status   `json:"status"`
	// Violations counts the inputs that violate the keyword.
	Violations int `json:"violations"`
	// By is the case that killed it, with its suite and target.
	By string `json:"by,omitempty"`
	// Why is the reason why it is invalid.
	Why string `json:"why,omitempty"`
}

// Report has the outcome of all mutants.
type Report struct {
	Inputs int
	// Undecided are inputs without a verdict. They kill nothing.
	Undecided int
	// Of counts all mutants; Mutants are those of the sample, by path, without the Unfinished ones of a run that ended early.
	Of         int
	Mutants    []Mutant
	Unfinished int
	// Narrowed lists what the run left out on purpose, one line each. A full run might kill more.
	Narrowed []string
	// Seed chose the sample. It is used only if there are fewer Mutants than Of.
	Seed uint64
}

// Count returns how many mutants have a status.
func (r Report) Count(of Status) int { return len(r.With(of)) }

// With returns the mutants that have a status.
func (r Report) With(of Status) []Mutant {
	return slices.DeleteFunc(slices.Clone(r.Mutants), func(m Mutant) bool { return m.Status != of })
}

// sort puts the mutants in order.
func (r Report) sort() {
	slices.SortFunc(r.Mutants, func(a, b Mutant) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Within, b.Within), cmp.Compare(a.Keyword, b.Keyword),
			cmp.Compare(a.Change, b.Change), cmp.Compare(a.Declared, b.Declared), slices.Compare(a.Targets, b.Targets))
	})
}
