package main

import (
	"errors"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// warn writes to stderr. Where that fails there is nobody left to tell.
func (p *program) warn(format string, args ...any) { _ = p.stderr.Printf(format, args...) }

// warnOf says on stderr what a command passed over, and goes on.
func warnOf[T any](p *program, all []T) {
	shown, more := plaintext.First(all)
	for _, one := range shown {
		p.warn("diffrun: warning: %v\n", one)
	}
	if more > 0 {
		p.warn("diffrun: warning: %s\n", plaintext.More(more))
	}
}

// complain says what went wrong on stderr: each mistake, and each of several errors, on
// a line of its own, and not more of them than anybody reads. Mistakes begin with their
// files; what has none is of the command.
func (p *program) complain(err error) {
	all, who := parts(err), plaintext.Text("diffrun: ")
	shown, more := plaintext.First(all)
	for _, part := range shown {
		if mistake, is := part.(strictyaml.Mistake); is {
			p.warn("%s: %s\n", mistake.Position, mistake.Message)
		} else {
			p.warn("%s%v\n", who, part)
		}
		who = ""
	}
	if more > 0 {
		p.warn("%s\n", plaintext.More(more))
	}
}

// parts gives the errors that an error holds and nothing else; a single one is itself.
func parts(err error) []error {
	var all []error
	switch several := err.(type) {
	case nil:
	case strictyaml.Mistakes:
		for _, mistake := range several {
			all = append(all, mistake)
		}
	case interface{ Unwrap() []error }:
		if err.Error() != errors.Join(several.Unwrap()...).Error() {
			return []error{err} // it puts them into a text of its own
		}
		for _, one := range several.Unwrap() {
			all = append(all, parts(one)...)
		}
	default:
		all = []error{err}
	}
	return all
}
