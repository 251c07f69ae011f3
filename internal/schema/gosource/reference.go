package gosource

import (
	"fmt"
	"strings"
)

// Prefix marks a Go type among files and kinds.
const Prefix = "go:"

// Reference names a Go type in one package, or in one package for each version.
type Reference struct {
	Packages []string
	Type     string
	// Version is one of the versions of several packages; empty for all.
	Version string
}

// Parse reads "go:PACKAGE.Type", or "go:PACKAGE,PACKAGE.Type" for several versions, one of which
// "@v1" at the end selects. It returns false if the argument is not a Go type.
func Parse(argument string) (Reference, bool, error) {
	text, is := strings.CutPrefix(argument, Prefix)
	if !is {
		return Reference{}, false, nil
	}
	dot := strings.LastIndex(text, ".")
	if dot < strings.LastIndex(text, "/") || dot < 0 || text[dot+1:] == "" {
		return Reference{}, true, fmt.Errorf("%s: write go:PACKAGE.Type, for instance go:./api/v1.Widget or go:k8s.io/api/core/v1.PodSpec",
			argument)
	}
	packages := text[:dot]
	if packages == "" {
		packages = "."
	}
	name, version, _ := strings.Cut(text[dot+1:], "@")
	return Reference{Packages: strings.Split(packages, ","), Type: name, Version: version}, true, nil
}

// String returns the reference in the form that Parse reads.
func (r Reference) String() string {
	text := r.withoutVersion()
	if r.Version != "" {
		text += "@" + r.Version
	}
	return text
}

func (r Reference) withoutVersion() string {
	return Prefix + strings.Join(r.Packages, ",") + "." + r.Type
}
