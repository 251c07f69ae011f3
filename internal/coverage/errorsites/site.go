package errorsites

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Site is a place in the source that makes errors.
type Site struct {
	// Package is its import path. File is that with the name of the file behind it, as Go's
	// coverage has it.
	Package, File string
	Line, Column  int
	// Function has the site. Empty: a variable of the package has it.
	Function string
	// Call is what is called, as in "Invalid", or "Error" for a literal.
	Call string
	// Name tells the site from the others of its package, and stays the same when lines are
	// added: function, call, what the source says of field and detail, and a number if that is
	// not enough.
	Name string

	pattern pattern
}

// Position is the file and line.
func (s *Site) Position() string { return s.File + ":" + strconv.Itoa(s.Line) }

// pattern is what the source says about the errors of a site.
type pattern struct {
	// errorType is empty if it is not known.
	errorType field.ErrorType
	// path is the end of the field path; whole says that it is all of it.
	path  []step
	whole bool
	// detail are the texts between which anything may stand. Nil: nothing is known.
	detail []string
}

// step is a part of a path: the name of a field, or an index or key, which may be anything.
type step struct {
	name  string
	index bool
}

// fits says whether a site can have made an error, and how much of the error the source of the
// site says.
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

// stepsOf splits a path: names at points, indices and keys in brackets.
func stepsOf(path string) []step {
	var steps []step
	for rest := path; rest != ""; {
		if rest[0] == '[' {
			end := strings.IndexByte(rest, ']')
			if end < 0 {
				end = len(rest) - 1
			}
			steps, rest = append(steps, step{index: true}), rest[end+1:]
			continue
		}
		rest = strings.TrimPrefix(rest, ".")
		end := strings.IndexAny(rest, ".[")
		if end < 0 {
			end = len(rest)
		}
		if end > 0 {
			steps = append(steps, step{name: rest[:end]})
		}
		rest = rest[end:]
	}
	return steps
}

// between says whether a text is made of the parts, with anything between them. No parts:
// any text is.
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
