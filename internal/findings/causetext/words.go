package causetext

import (
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
)

// The parts of the glossary that explain classes and effects.
const (
	ClassGlossary  = Glossary + "#difference"
	EffectGlossary = Glossary + "#effect"
)

// Glossary is the address of the page that explains the words of reports.
const Glossary = "https://github.com/diffrun/diffrun/blob/main/docs/glossary.md"

// ClassText returns what a class of differences means, with the names of both sides.
func ClassText(sides harness.Sides, class difference.Class) string {
	first, second := sides.Titles()
	switch class {
	case difference.TooLoose:
		return second + " lacks an error of " + first
	case difference.TooStrict:
		return second + " has an error that " + first + " lacks"
	case difference.Path:
		return "both sides report a mistake at different fields"
	case difference.Type:
		return "both sides report a mistake with different types of errors"
	case difference.Detail:
		return "both sides report a mistake in different words"
	case difference.Count:
		return "one side reports an error more often"
	case difference.Default:
		return "the hand-written defaults and those of " + second + " give a field different values"
	case difference.Result:
		return "both sides accept the object, and would store different values of a field"
	case difference.Unstable:
		return "a validator gives different answers to one input"
	case difference.Ratcheting:
		return second + " drops an error of " + first + ", because the update did not change the value"
	}
	return ""
}

// EffectText returns what an effect means, with the names of both sides; empty: the input was not decided.
func EffectText(sides harness.Sides, effect words.Effect) string {
	first, second := sides.Titles()
	switch effect {
	case words.Stuck:
		return second + " refuses to update or delete stored objects, which " + first + " accepts"
	case words.Admits:
		return second + " accepts what " + first + " refuses"
	case words.Refuses:
		return second + " refuses what " + first + " accepts"
	case words.NoEffect:
		return "both decide alike"
	}
	return ""
}
