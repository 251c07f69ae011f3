package idl

import (
	"maps"
	"regexp"
	"slices"
)

// A gate is the option under which a line of an overlay holds, as upstream's tags have it:
// "+ifEnabled(Gate)=+minimum=0", "+ifDisabled(Gate)=+minimum=1".
type gate struct {
	name    string
	enabled bool
}

var gateShape = regexp.MustCompile(`(?s)^\+if(Enabled|Disabled)\(([A-Za-z][A-Za-z0-9]*)\)=([+-].*)$`)

// cutGate cuts the gate off a marker. A marker without one has the zero gate.
func cutGate(text string) (gate, string) {
	found := gateShape.FindStringSubmatch(text)
	if found == nil {
		return gate{}, text
	}
	return gate{found[2], found[1] == "Enabled"}, found[3]
}

// holds reports whether the line holds when these options are enabled, and no others.
func (g gate) holds(options []string) bool {
	return g.name == "" || slices.Contains(options, g.name) == g.enabled
}

// split returns the lines that hold when these options are enabled, and those that do not.
func split(lines []line, options []string) (holding, off []line) {
	for _, each := range lines {
		if each.gate.holds(options) {
			holding = append(holding, each)
		} else {
			off = append(off, each)
		}
	}
	return holding, off
}

// gatesOf lists the options that overlays name, bundled ones aside.
func (b *builder) gatesOf() []string {
	names := map[string]bool{}
	b.eachOverlayLine(func(each line) {
		if each.gate.name != "" {
			names[each.gate.name] = true
		}
	})
	return slices.Sorted(maps.Keys(names))
}
