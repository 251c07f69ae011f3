package suitefile

import (
	"slices"

	"github.com/diffrun/diffrun/internal/text/oneof"
)

// Word is a key with the words that it accepts; a word that is not written is empty.
type Word struct {
	Key, Value string
	Accepted   []string
}

// Check reports a word that is not accepted.
func (w Word) Check() error {
	return oneof.Check(w.Key, w.Value, append(slices.Clone(w.Accepted), "")...)
}

// restrictWords writes the words that keys accept into a JSON Schema.
func restrictWords(schema map[string]any, words ...Word) {
	properties := schema["properties"].(map[string]any)
	for _, word := range words {
		property := properties[word.Key].(map[string]any)
		if items, isList := property["items"].(map[string]any); isList {
			property = items
		}
		delete(property, "type")
		property["enum"] = word.Accepted
	}
}

// restrictSide writes into a JSON Schema that a side names one validator: one of sources, or only guards. Those in alone are
// accepted without guards.
func restrictSide(schema map[string]any, sources []key, alone ...string) {
	var choices []any
	var names []string
	for _, source := range sources {
		names = append(names, source.name)
		choices = append(choices, map[string]any{"required": []string{source.name}})
	}
	guards := anyRequired(guardKeys())
	choices = append(choices, map[string]any{"not": anyRequired(names), "anyOf": guards["anyOf"]})
	schema["oneOf"] = choices
	without := map[string]any{}
	for _, name := range alone {
		without[name] = map[string]any{"not": guards}
	}
	schema["dependentSchemas"] = without
	schema["dependentRequired"] = map[string][]string{
		"kind": {"crd"}, "version": {"crd"}, "kyverno": {"policies"}, "gatekeeper": {"policies"}, "generated": {"policies"},
	}
}

// guardKeys are the keys of admission that a side may have alone.
func guardKeys() []string { return []string{"mutate", "policies", "then"} }

// anyRequired accepts a mapping that has one of some keys.
func anyRequired(names []string) map[string]any {
	var choices []any
	for _, name := range names {
		choices = append(choices, map[string]any{"required": []string{name}})
	}
	return map[string]any{"anyOf": choices}
}
