package main

import (
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/escapes"
)

// builtins returns the validators that suites may name.
func builtins() map[string]cases.Builtin {
	return map[string]cases.Builtin{"kubernetes": kubernetesBuiltin(), "escapes": {Natives: escapes.Natives{}}}
}
