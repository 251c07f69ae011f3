package main

import (
	"cmp"
	"runtime/debug"

	"github.com/spf13/cobra"
)

// Releases are built from a checkout with -trimpath, and their version is a tag that the go
// command may not see: the linker sets these (-ldflags "-X main.releaseVersion=...").
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

// version is the one of the release, or that of the module as the go command stamped it.
func version() string { return built().version }

// versionText also says which commit was built, and what the built-in validators are those of.
func versionText() string { return built().String() }

// build says what a command was built from.
type build struct {
	version, commit, kubernetes, golang string
	// modified says that the checkout had changes that are in no commit.
	modified bool
}

func built() build {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return buildOf(info, releaseVersion, releaseCommit)
}

// buildOf reads what the go command stamped. What the linker set goes before it.
func buildOf(info *debug.BuildInfo, release, commit string) build {
	b := build{version: cmp.Or(release, info.Main.Version, "(devel)"), commit: commit, golang: info.GoVersion}
	for _, setting := range info.Settings {
		switch {
		case commit != "": // of a release
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
