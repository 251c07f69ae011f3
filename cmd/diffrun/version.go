package main

import (
	"cmp"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// The linker sets these for releases (-ldflags "-X main.releaseVersion=..."), because the go command
// may not see the tag of the checkout.
var releaseVersion, releaseCommit string

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version and commit of diffrun, and the version of the Kubernetes validators in it",
		Args:  arguments(0, 0, "none"),
		RunE: func(*cobra.Command, []string) error {
			return p.Stdout.Printf("%s\n", versionText())
		},
	}
}

// version returns the version of the release, or that of the module as the go command recorded it.
func version() string { return built().version }

// versionText returns the version with the commit and the version of the built-in validators.
func versionText() string { return built().String() }

// build describes what a command was built from.
type build struct {
	version, commit, kubernetes, golang string
	// modified is true if the checkout had uncommitted changes.
	modified bool
}

func built() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(info, releaseVersion, releaseCommit)
}

// buildOf returns what the go command recorded. Values that the linker set take precedence.
func buildOf(info *debug.BuildInfo, release, commit string) build {
	b := build{version: cmp.Or(release, info.Main.Version, "(devel)"), commit: commit, golang: info.GoVersion}
	for _, setting := range info.Settings {
		switch {
		case commit != "": // a release
		case setting.Key == "vcs.revision":
			b.commit = setting.Value
		case setting.Key == "vcs.modified":
			b.modified = setting.Value == "true"
		}
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			b.kubernetes = module.Version
		}
	}
	return b
}

func (b build) String() string {
	text := "diffrun " + b.version
	if b.commit != "" {
		text += ", commit " + b.commit
	}
	if b.modified {
		text += " with changes"
	}
	if b.kubernetes != "" {
		text += ", Kubernetes " + b.kubernetes
	}
	if b.golang != "" {
		text += ", " + b.golang
	}
	return text
}
