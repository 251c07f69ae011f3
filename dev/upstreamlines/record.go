package main

import "slices"

// call is one call of a validation function: a line of the record that
// _line/zz_line_test.go writes.
type call struct {
	Function, Test string
	// Value says that the function validates no object or part of one.
	Value bool
	// NoKind says why no schema is that of the object; empty: one is.
	NoKind   string
	Versions []version
}

// version is what the line came to in one API version.
type version struct {
	Name, Verdict, Fault, Lost string
	Differences                []difference
}

type difference struct {
	Class, Field, Native, Declarative string
	// Accepted is the id of the exception that accepts it; empty: none does.
	Accepted string
	// TestOnly says that a request with the object does not differ, but this call does.
	TestOnly bool
}

// outcome is what a call came to.
type outcome string

// All outcomes of calls that compared something, from the best to the worst.
const (
	same      outcome = "same"
	ownCall   outcome = "own call"
	excepted  outcome = "excepted"
	different outcome = "different"
)

// outcomes lists all outcomes, from the best to the worst.
func outcomes() []outcome { return []outcome{same, ownCall, excepted, different} }

// outcome is that of a difference.
func (d difference) outcome() outcome {
	switch {
	case d.TestOnly:
		return ownCall
	case d.Accepted != "":
		return excepted
	}
	return different
}

// compared says that a version of the call was compared.
func (c call) compared() bool {
	for _, v := range c.Versions {
		if v.Lost == "" && v.Fault == "" {
			return true
		}
	}
	return false
}

// outcome is the worst of all versions.
func (c call) outcome() outcome {
	worst := 0
	for _, v := range c.Versions {
		for _, d := range v.Differences {
			worst = max(worst, slices.Index(outcomes(), d.outcome()))
		}
	}
	return outcomes()[worst]
}
