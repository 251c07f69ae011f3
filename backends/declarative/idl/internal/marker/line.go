package marker

import (
	"path"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// A Line is one marker without the comment slashes. A marker that spans several lines is joined.
type Line struct {
	At      strictyaml.Position
	Text    string
	Package string // the import path of the package whose source has it
	Overlay bool   // written in an overlay, not in the Go source
	Bundled bool   // in an overlay that is bundled
	// Used is where a type or field uses the set that has the line. It is the zero Position for a
	// line that is written at its type or field.
	Used strictyaml.Position
	// Expanded means that expressions and parameters were replaced, so Text differs from the file.
	Expanded bool
	// Gate is the option that a line of an overlay depends on.
	Gate Gate
	// Except lists the subresources whose requests a rule of an overlay does not apply to, unless
	// the rule names its own.
	Except []string
}

// Removes reports whether the line of an overlay removes a marker of the source.
func (l Line) Removes() bool { return strings.HasPrefix(l.Text, "-") }

// Origin returns a suffix for messages: where a line of a set is used, and its expanded text.
func (l Line) Origin() string {
	var about string
	if l.Used.Line > 0 {
		about += "; the set is used in " + l.Used.String()
	}
	if l.Expanded {
		about += "; with its names replaced it is " + l.Text
	}
	return about
}

// InPackages reports whether packages contains a package or the folder of its versions.
func InPackages(packages []string, packagePath string) bool {
	return slices.Contains(packages, packagePath) || slices.Contains(packages, path.Dir(packagePath))
}
