package main

import (
	"fmt"
	"strings"

	"github.com/spf13/pflag"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// markerFlags adds the flags that say how markers of Go types are read.
func (p *program) markerFlags(set *pflag.FlagSet) {
	set.Var(&choice{
		word: "mistake", accepted: []string{"mistake", "ignore"},
		set: func(word string) { p.Markers.IgnoreUnknown = word == "ignore" },
	}, "unknown-markers", "what markers of Go types are that look like ours and are misspelled, or stand where nobody reads them: mistake or ignore")
	set.Var(&choice{
		word: "beta", accepted: idl.StageNames(),
		set: func(word string) { p.Markers.Stage, _ = idl.StageNamed(word); p.StageNamed = true },
	}, "stage", "which +k8s: tags of Go types are taken: stable, also those in +k8s:beta, or also those in +k8s:alpha, which is the default of the backends generated and tags")
	set.StringSliceVar(&p.Markers.Options, "enable-options", nil, "the `names` that +k8s:ifEnabled and +k8s:ifDisabled of Go types ask for and that are enabled")
}

// typeFlags adds markerFlags, and those of commands that make schemas of Go types themselves.
func (p *program) typeFlags(set *pflag.FlagSet) {
	p.markerFlags(set)
	set.BoolVar(&p.bundledRules, "bundled-rules", false, "give types of Kubernetes that the definition of a Go type has as fields, such as PodTemplateSpec, the validations of the built-in kinds, as suites do")
}

// choice is a flag that takes one of a few words.
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
	for _, each := range c.accepted {
		if each == word {
			c.word = word
			c.set(word)
			return nil
		}
	}
	return fmt.Errorf("accepted: %s", strings.Join(c.accepted, ", "))
}
