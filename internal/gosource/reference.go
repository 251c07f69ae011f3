package gosource

import (
	"fmt"
	"strings"
)

// Prefix is what a Go type has before it where files and kinds can stand too.
const Prefix = "go:"

// Reference names a Go type in one package, or in one package for each version.
type Reference struct {
	Packages []string
	Type     string
}

// Parse reads "go:PACKAGE.Type", or "go:PACKAGE,PACKAGE.Type" for several versions. False: the
// argument means something else.
func Parse(argument string) (Reference, bool, error) {
	text, is := strings.CutPrefix(argument, Prefix)
	if !is {
		return Reference{}, false, nil
	}
	dot := strings.LastIndex(text, ".")
	if dot < strings.LastIndex(text, "/") || dot < 0 || text[dot+1:] == "" {
		return Reference{}, true, fmt.Errorf("%s: write go:PACKAGE.Type, for instance go:./api/v1.Widget or go:k8s.io/api/core/v1.PodSpec", argument)
	}
	packages := text[:dot]
	if packages == "" {
		packages = "."
	}
	return Reference{Packages: strings.Split(packages, ","), Type: text[dot+1:]}, true, nil
}

// String is the reference as Parse reads it.
func (r Reference) String() string { return Prefix + strings.Join(r.Packages, ",") + "." + r.Type }
