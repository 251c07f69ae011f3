package main

import (
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/escapes"
)

// builtins returns the validators that suites may name.
func builtins() map[string]cases.Builtin {
	all := kubernetesBuiltins()
	all["escapes"] = cases.Builtin{Natives: escapes.Natives{}}
	return all
}
