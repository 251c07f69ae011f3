package record

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// Tally has the counts of one shard. Only all shards together show the problems of the whole run, such as an
// unused exception.
type Tally struct {
	// Cases is the number of cases of all shards, Digest their hash, and Files the hash of the
	// suites and the files that they name. They are equal in all shards of a run. If shards have
	// whole files, Cases is zero, and Digest is the hash of the names of all files of cases.
	Cases  int    `json:"cases"`
	Digest string `json:"digest"`
	Files  string `json:"files"`
	// Own is the hash of the cases of the shard itself. A report of a version without it has none.
	Own string `json:"own"`
	// Chosen is true if --run selected cases, Narrowed if errors were skipped, and Covered for
	// --compare covered.
	Chosen   bool `json:"chosen"`
	Narrowed bool `json:"narrowed"`
	Covered  bool `json:"covered"`
	// NoRules and NoExceptions are true if rules or exceptions were switched off.
	NoRules      bool `json:"noRules"`
	NoExceptions bool `json:"noExceptions"`
	// Broken are schemas that do not compile, Doubts are answers that cannot be trusted, and Empty says which
	// files have no case to compare, or expect something that nothing is compared with.
	Broken []string            `json:"broken"`
	Doubts []string            `json:"doubts"`
	Empty  []string            `json:"empty"`
	Suites []SuiteTally        `json:"suites"`
	Usages []equivalence.Usage `json:"usages"`
}

// SuiteTally counts what was compared for a suite.
type SuiteTally struct {
	Name string `json:"name"`
	// Where is the file of the suite, with the set of its matrix.
	Where string `json:"where"`
	// Backends are the names of the two that were compared.
	Backends [2]string `json:"backends"`
	// Sides are the names of native and declarative for people.
	Sides contract.SideNames `json:"sides"`
	// Ran is true if a case ran, and LeftOut if cases were skipped.
	Ran     bool `json:"ran"`
	LeftOut bool `json:"leftOut"`
	// Compared counts inputs, Native and Declarative the errors of each backend, and Covered the
	// native errors that are marked as covered.
	Compared    int `json:"compared"`
	Native      int `json:"native"`
	Declarative int `json:"declarative"`
	Covered     int `json:"covered"`
	// Undefined are the fields of native errors that the definition does not have, by field.
	Undefined []UndefinedTally `json:"undefined"`
	// Guards are the webhooks, policies and mutations of both sides. It is empty if the sides of the
	// suite were not compared with each other.
	Guards []GuardTally `json:"guards"`
}

// UndefinedTally counts the inputs on which a native error names a field that the definition does not have.
type UndefinedTally struct {
	Field string `json:"field"`
	// Nearest is the field that was most likely meant; empty: none is near.
	Nearest string `json:"nearest"`
	Inputs  int    `json:"inputs"`
	// First is the first case, and Number its number.
	First  string `json:"first"`
	Number int    `json:"number"`
}

// AddUndefined adds counts of a field to a list that is sorted by field.
func AddUndefined(to []UndefinedTally, one UndefinedTally) []UndefinedTally {
	at, known := slices.BinarySearchFunc(to, one.Field, func(other UndefinedTally, field string) int {
		return strings.Compare(other.Field, field)
	})
	if !known {
		return slices.Insert(to, at, one)
	}
	if one.Inputs += to[at].Inputs; to[at].Number <= one.Number {
		one.Nearest, one.First, one.Number = to[at].Nearest, to[at].First, to[at].Number
	}
	to[at] = one
	return to
}

// GuardTally counts what a guard did.
type GuardTally struct {
	// Backend is the name of its side.
	Backend string        `json:"backend"`
	Name    string        `json:"name"`
	Where   string        `json:"where"`
	Purpose words.Purpose `json:"purpose"`
	// Policy is true for a policy, and false for a webhook.
	Policy bool `json:"policy"`
	// Asked counts the inputs that it was asked about, Acted those that it refused or changed.
	Asked int `json:"asked"`
	Acted int `json:"acted"`
}

// Add adds the counts of another shard of the run.
func (t *Tally) Add(other Tally) {
	t.Broken, t.Doubts, t.Empty = union(t.Broken, other.Broken), union(t.Doubts, other.Doubts), union(t.Empty, other.Empty)
	for i, suite := range other.Suites {
		if i == len(t.Suites) {
			break // shards of one run have lists of equal length
		}
		mine := &t.Suites[i]
		mine.Ran, mine.LeftOut = mine.Ran || suite.Ran, mine.LeftOut || suite.LeftOut
		mine.Compared += suite.Compared
		mine.Native += suite.Native
		mine.Declarative += suite.Declarative
		mine.Covered += suite.Covered
		for _, undefined := range suite.Undefined {
			mine.Undefined = AddUndefined(mine.Undefined, undefined)
		}
		for i, guard := range suite.Guards[:min(len(suite.Guards), len(mine.Guards))] {
			mine.Guards[i].Asked += guard.Asked
			mine.Guards[i].Acted += guard.Acted
		}
	}
	for i, usage := range other.Usages {
		if i == len(t.Usages) {
			break
		}
		t.Usages[i].Hits += usage.Hits
		t.Usages[i].Foreign = t.Usages[i].Foreign && usage.Foreign
	}
}

// union returns the texts of both lists, each once, sorted.
func union(a, b []string) []string {
	all := append(slices.Clone(a), b...)
	slices.Sort(all)
	return slices.Compact(all)
}
