package errorsites

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Site is a place in the source that makes errors.
type Site struct {
	// Package is its import path. File is the import path followed by the name of the file, as in Go's
	// coverage.
	Package, File string
	Line, Column  int
	// Function has the site; empty: the site is outside functions.
	Function string
	// Call is the name of the called function, such as "Invalid", or "Error" for a literal.
	Call string
	// Name identifies the site in its package, and does not change when lines are added: function, call,
	// what the source says about field and detail, and a number if that is not enough.
	Name string
	// Constants are those of its function.
	Constants Constants

	pattern pattern
}

// Texts returns the parts of the details of its errors that the source has, in order, with any text between them. Nil: the
// source does not say.
func (s *Site) Texts() []string { return s.pattern.detail }

// pattern is what the source says about the errors of a site.
type pattern struct {
	// errorType is empty if it is not known.
	errorType field.ErrorType
	// path is the end of the field path; whole is true if it is the whole path.
	path  []step
	whole bool
	// detail has the known parts of the detail, in order; nil: nothing is known.
	detail []string
}

// step is a part of a path: the name of a field, or an index or key, which may be anything.
type step struct {
	name  string
	index bool
}

// fits reports whether a site can have made an error, and returns how much its source says about it.
func (p *pattern) fits(err *field.Error) (score int, ok bool) {
	if p.errorType != "" && p.errorType != err.Type {
		return 0, false
	}
	scored, ok := p.fitsPath(err.Field)
	if !ok || !between(p.detail, err.Detail) {
		return 0, false
	}
	if p.detail != nil {
		scored++
	}
	for _, text := range p.detail {
		scored += len(text)
	}
	return scored, true
}

// fitsPath compares the end of a path.
func (p *pattern) fitsPath(path string) (score int, ok bool) {
	const worth = 8 // of a step, in letters of the detail
	steps := stepsOf(path)
	if len(p.path) > len(steps) || p.whole && len(p.path) != len(steps) {
		return 0, false
	}
	end := steps[len(steps)-len(p.path):]
	for i, step := range p.path {
		if end[i].index != step.index || !step.index && step.name != end[i].name {
			return 0, false
		}
	}
	return worth * len(p.path), true
}

// stepsOf splits a path.
func stepsOf(path string) []step {
	var steps []step
	for _, one := range fieldpath.Split(path) {
		switch {
		case one.Bracket:
			steps = append(steps, step{index: true})
		case one.Text != "":
			steps = append(steps, step{name: one.Text})
		}
	}
	return steps
}

// between reports whether a text consists of the parts, with any text between them. Without parts, any
// text does.
func between(parts []string, text string) bool {
	if len(parts) == 0 {
		return true
	}
	if len(parts) == 1 {
		return text == parts[0]
	}
	rest, begins := strings.CutPrefix(text, parts[0])
	last := parts[len(parts)-1]
	if !begins || !strings.HasSuffix(rest, last) {
		return false
	}
	rest = strings.TrimSuffix(rest, last)
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}
