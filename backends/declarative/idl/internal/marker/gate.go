package marker

import (
	"regexp"
	"slices"
)

// A Gate is the option that a line of an overlay depends on, written as upstream's tags are:
// "+ifEnabled(Gate)=+minimum=0", "+ifDisabled(Gate)=+minimum=1". The zero Gate is always open.
type Gate struct {
	Option  string
	Enabled bool
}

var gateShape = regexp.MustCompile(`(?s)^\+if(Enabled|Disabled)\(([A-Za-z][A-Za-z0-9]*)\)=([+-].*)$`)

// CutGate splits the gate off a marker. A marker without one has the zero Gate.
func CutGate(text string) (Gate, string) {
	found := gateShape.FindStringSubmatch(text)
	if found == nil {
		return Gate{}, text
	}
	return Gate{found[2], found[1] == "Enabled"}, found[3]
}

// Open reports whether the line applies when these options are enabled, and no others.
func (g Gate) Open(options []string) bool {
	return g.Option == "" || slices.Contains(options, g.Option) == g.Enabled
}
