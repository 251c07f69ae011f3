package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// markerFlags adds the flags for markers of Go types.
func (p *program) markerFlags(set *pflag.FlagSet) {
	set.Var(&choice{
		word: "mistake", accepted: []string{"mistake", "ignore"},
		set: func(word string) { p.Markers.IgnoreUnknown = word == "ignore" },
	}, "unknown-markers", "how to treat markers of Go types that look like ours but are misspelled, or are in a place where "+
		"they have no effect: mistake or ignore")
	set.Var(&choice{
		word: "beta", accepted: idl.StageNames(),
		set: func(word string) { p.Markers.Stage, _ = idl.StageNamed(word); p.StageNamed = true },
	}, "stage", "which +k8s: tags of Go types are used: stable ones, beta adds those in +k8s:beta, alpha also those in "+
		"+k8s:alpha; the backends generated and tags default to alpha")
	set.StringSliceVar(&p.Markers.Options, "enable-options", nil, "the enabled `names` for +k8s:ifEnabled and +k8s:ifDisabled of Go types")
}

// typeFlags adds markerFlags, and the flag of commands that make schemas of Go types themselves.
func (p *program) typeFlags(set *pflag.FlagSet) {
	p.markerFlags(set)
	set.BoolVar(&p.bundledRules, "bundled-rules", false, "in the definition of a Go type, include the validations of the "+
		"built-in kinds for fields of Kubernetes types such as PodTemplateSpec, as suites do")
}

// choice is a flag that accepts one of a few words.
type choice struct {
	word     string
	accepted []string
	set      func(word string)
}

// String implements pflag.Value.
func (c *choice) String() string { return c.word }

// Type implements pflag.Value.
func (c *choice) Type() string { return "word" }

// Set implements pflag.Value.
func (c *choice) Set(word string) error {
	if !slices.Contains(c.accepted, word) {
		return fmt.Errorf("accepted: %s", strings.Join(c.accepted, ", "))
	}
	c.word = word
	c.set(word)
	return nil
}
