package main

import (
	"github.com/diffrun/diffrun/backends/native/escapes"
	"github.com/diffrun/diffrun/cases"
)

// builtins are the validators that suites may name.
func builtins() map[string]cases.Builtin {
	all := kubernetesBuiltins()
	all["escapes"] = cases.Builtin{Natives: escapes.Natives{}}
	return all
}
