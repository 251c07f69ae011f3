package main

import (
	"runtime/debug"

	"github.com/spf13/cobra"
)

func (p *program) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version of diffrun and of the Kubernetes validators in it",
		Args:  arguments(0, 0, "none"),
		RunE: func(*cobra.Command, []string) error {
			return p.stdout.Printf("%s\n", versionText())
		},
	}
}

// version is that of the module, as the go command stamped it.
func version() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// versionText also says what the built-in validators are those of.
func versionText() string {
	text := "diffrun " + version()
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return text
	}
	for _, module := range info.Deps {
		if module.Path == "k8s.io/kubernetes" {
			text += ", Kubernetes " + module.Version
		}
	}
	return text + ", " + info.GoVersion
}
