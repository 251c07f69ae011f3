// Package counting is between package exec, which builds the programs of suites, and what makes them count what
// they execute.
package counting

import "context"

// Counter makes programs that package exec builds count what they execute.
type Counter interface {
	// Instrument is called before a program is built. A program that cannot be instrumented has no
	// counters.
	Instrument(context.Context, Program) Instrumented
	// NotBuilt is called if the instrumented program does not build. It is then built without counters.
	NotBuilt(Program, error)
	// Add is called with each answer of a program that counts: how often it executed which places
	// (contract.Notes.Executed).
	Add(executed map[int]int)
}

// Program is a main package that is built by "go build".
type Program struct {
	// Tool is the go command. Dir is where it runs, and Env is added to its environment.
	Tool, Dir string
	Env       []string
	// Flags are those of the build. Packages is the package, or its files.
	Flags, Packages []string
}

// Instrumented is how to build a program that counts.
type Instrumented struct {
	// Flags are the flags of the build in place of those of the program.
	Flags []string
	// Counters is how many counters the program has; zero: it has none. First is the number of the first one
	// in contract.Notes.Executed.
	Counters, First int
	// Close removes temporary files. It is called after the build; nil: there is nothing to remove.
	Close func() error
}
