package reports

import "github.com/diffrun/diffrun/equivalence"

// Tally is what a shard of a run counted, so that all shards together say what is wrong
// with the whole run. A shard alone cannot know that an exception is unused.
type Tally struct {
	// Cases counts those of all shards, and Digest is a hash of them; Files is one of the
	// suites and what they name. Shards of one run have the same.
	Cases  int    `json:"cases"`
	Digest string `json:"digest"`
	Files  string `json:"files"`
	// Chosen says that --run chose cases, and Narrowed that errors were left out. Covered
	// says that errors marked as covered were to be compared.
	Chosen   bool `json:"chosen"`
	Narrowed bool `json:"narrowed"`
	Covered  bool `json:"covered"`
	// NoRules and NoExceptions say that these explained nothing.
	NoRules      bool `json:"noRules"`
	NoExceptions bool `json:"noExceptions"`
	// Broken are schemas that do not compile, Doubts answers in doubt, Empty files of cases
	// that hold none.
	Broken []string            `json:"broken"`
	Doubts []string            `json:"doubts"`
	Empty  []string            `json:"empty"`
	Suites []SuiteTally        `json:"suites"`
	Usages []equivalence.Usage `json:"usages"`
}

// SuiteTally is what was compared of a suite.
type SuiteTally struct {
	Name string `json:"name"`
	// Where is the file of the suite, with the set of its matrix.
	Where string `json:"where"`
	// Ran says that a case was run, LeftOut that some were left out.
	Ran     bool `json:"ran"`
	LeftOut bool `json:"leftOut"`
	// Compared counts inputs, Native and Declarative the errors of the backends, and
	// Covered the native errors that are marked.
	Compared    int `json:"compared"`
	Native      int `json:"native"`
	Declarative int `json:"declarative"`
	Covered     int `json:"covered"`
}

// Add adds what another shard of the run counted.
func (t *Tally) Add(other Tally) {
	t.Broken, t.Doubts, t.Empty = union(t.Broken, other.Broken), union(t.Doubts, other.Doubts), union(t.Empty, other.Empty)
	for i, suite := range other.Suites {
		if i == len(t.Suites) {
			break // they are of one run, so the lists are as long
		}
		mine := &t.Suites[i]
		mine.Ran, mine.LeftOut = mine.Ran || suite.Ran, mine.LeftOut || suite.LeftOut
		mine.Compared += suite.Compared
		mine.Native += suite.Native
		mine.Declarative += suite.Declarative
		mine.Covered += suite.Covered
	}
	for i, usage := range other.Usages {
		if i == len(t.Usages) {
			break
		}
		t.Usages[i].Hits += usage.Hits
		t.Usages[i].Foreign = t.Usages[i].Foreign && usage.Foreign
	}
}

// union appends texts that are not there yet.
func union(a, b []string) []string {
	known := map[string]bool{}
	for _, text := range a {
		known[text] = true
	}
	for _, text := range b {
		if !known[text] {
			known[text] = true
			a = append(a, text)
		}
	}
	return a
}
