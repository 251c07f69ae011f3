package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

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
func drawChanges(changes []schemadiff.Change) string {
	if len(changes) == 0 {
		return "\nno difference was found\n"
	}
	var out strings.Builder
	for _, effect := range schemadiff.Effects() {
		of := slices.DeleteFunc(slices.Clone(changes), func(c schemadiff.Change) bool { return c.Effect != effect })
		if len(of) == 0 {
			continue
		}
		fmt.Fprintf(&out, "\n%s:\n", effectTitle(effect))
		for _, change := range of {
			drawChange(&out, change)
		}
	}
	return out.String()
}

func drawChange(out *strings.Builder, change schemadiff.Change) {
	path := change.Path
	if path == "" {
		path = "(the object)"
	}
	fmt.Fprintf(out, "  %s: %s\n", path, strings.Join(strings.Fields(change.What), " "))
	for _, example := range change.Examples {
		accepts, rejects := "A", "B"
		if example.Effect == schemadiff.Wider {
			accepts, rejects = "B", "A"
		}
		fmt.Fprintf(out, "    %s accepts  %s\n    %s says     %s\n", accepts, drawObject(example.Object), rejects, example.Text)
	}
}

// drawObject writes an object on one line.
func drawObject(object map[string]any) string {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(object); err != nil {
		return err.Error()
	}
	return strings.TrimSuffix(text.String(), "\n")
}
