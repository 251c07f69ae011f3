package main

import "slices"

// call is one call of a validation function: a line of the record that
// _line/zz_line_test.go writes.
type call struct {
	Function, Test string
	// Value means that the function does not validate an object or a part of one.
	Value bool
	// NoKind is why no schema fits the object; empty if one does.
	NoKind   string
	Versions []version
}

// version is the result of the line in one API version.
type version struct {
	Name, Verdict, Fault, Lost string
	Differences                []difference
}

type difference struct {
	Class, Field, Native, Declarative string
	// Accepted is the id of the exception that accepts it; empty if none does.
	Accepted string
	// TestOnly means that this call differs, but a request with the object does not.
	TestOnly bool
}

// outcome is the result of a call.
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

// outcome returns the outcome of a difference.
func (d difference) outcome() outcome {
	switch {
	case d.TestOnly:
		return ownCall
	case d.Accepted != "":
		return excepted
	}
	return different
}

// compared reports whether a version of the call was compared.
func (c call) compared() bool {
	for _, v := range c.Versions {
		if v.Lost == "" && v.Fault == "" {
			return true
		}
	}
	return false
}

// outcome returns the worst outcome of all versions.
func (c call) outcome() outcome {
	worst := 0
	for _, v := range c.Versions {
		for _, d := range v.Differences {
			worst = max(worst, slices.Index(outcomes(), d.outcome()))
		}
	}
	return outcomes()[worst]
}
