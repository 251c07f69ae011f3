package main

import (
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/plaintext"
	"github.com/diffrun/diffrun/internal/schemadiff"
)

// effectTitle says for people what changes of an effect do.
func effectTitle(effect schemadiff.Effect) string {
	switch effect {
	case schemadiff.Narrower:
		return "B rejects what A accepts"
	case schemadiff.Wider:
		return "B accepts what A rejects"
	case schemadiff.Other:
		return "B accepts what A rejects, and the reverse"
	}
	return "unknown: nobody can tell from the schemas what this accepts"
}

// drawChanges writes changes for people, by what they do.
func (f compareFlags) drawChanges(changes []schemadiff.Change) string {
	if len(changes) == 0 {
		return "\nno difference was found\n"
	}
	var out strings.Builder
	for _, effect := range schemadiff.Effects() {
		of := slices.DeleteFunc(slices.Clone(changes), func(c schemadiff.Change) bool { return c.Effect != effect })
		if len(of) == 0 {
			continue
		}
		out.WriteString(plaintext.Sprintf("\n%s:\n", effectTitle(effect)))
		shown, more := plaintext.First(of)
		if f.all {
			shown, more = of, 0
		}
		for _, change := range shown {
			out.WriteString(drawChange(change))
		}
		if more > 0 {
			out.WriteString("  " + plaintext.More(more) + "; --all shows them\n")
		}
	}
	return out.String()
}

func drawChange(change schemadiff.Change) string {
	path := change.Path
	if path == "" {
		path = "(the object)"
	}
	drawn := plaintext.Sprintf("  %s: %s\n", path, strings.Join(strings.Fields(change.What), " "))
	for _, example := range change.Examples {
		accepts, rejects := "A", "B"
		if example.Effect == schemadiff.Wider {
			accepts, rejects = "B", "A"
		}
		drawn += plaintext.Sprintf("    %s accepts  %s\n    %s says     %s\n", accepts, drawObject(example.Object), rejects, example.Text)
	}
	return drawn
}

// drawObject writes an object on one line.
func drawObject(object map[string]any) string {
	text, err := plaintext.JSON(object)
	if err != nil {
		return err.Error()
	}
	return string(text)
}
