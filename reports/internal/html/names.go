package html

import (
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causetext"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// namesData has the names of both sides, and what classes and effects mean with them.
type namesData struct {
	Sides   [2]string                   `json:"sides"`
	Classes map[difference.Class]string `json:"classes"`
	Effects map[words.Effect]string     `json:"effects"`
}

func newNames(sides harness.Sides) namesData {
	first, second := sides.Labels()
	made := namesData{
		Sides:   [2]string{plaintext.Line(first), plaintext.Line(second)},
		Classes: map[difference.Class]string{}, Effects: map[words.Effect]string{},
	}
	for _, class := range difference.Classes() {
		made.Classes[class] = causetext.ClassText(sides, class)
	}
	for _, effect := range words.Effects() {
		made.Effects[effect] = causetext.EffectText(sides, effect)
	}
	return made
}
