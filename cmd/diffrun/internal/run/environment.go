package run

import (
	"io/fs"
	"time"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
)

// Environment is passed to the commands by the program.
type Environment struct {
	*terminal.Console
	// Bundle has the bundled suites below the directory "cases". It is nil if the program was built without
	// the validators that they compare; LeftOut then says how to get them.
	Bundle  fs.FS
	LeftOut string
	// Builtins are the validators that suites may name.
	Builtins map[string]cases.Builtin
	// Policies, Cluster and Kustomize are the parts of suites with large libraries.
	Policies cases.PolicyLoader
	Cluster  cases.ClusterOpener
	// Kustomize returns what the kustomization of a folder deploys.
	Kustomize func(folder string) ([]byte, error)
	Now       func() time.Time
	startups  startups
	// Version is written to reports.
	Version string
	// Args are the arguments of the command line.
	Args []string
	// Markers are the options for reading markers of Go types. StageNamed is true if a flag sets the
	// stage.
	Markers    idl.Reading
	StageNamed bool
}

// tags returns how the backends made of upstream's tags read them. Without --stage, all tags count:
// most of them are alpha.
func (e *Environment) tags() idl.Reading {
	reading := e.Markers
	if !e.StageNamed {
		reading.Stage = idl.StageAlpha
	}
	return reading
}
