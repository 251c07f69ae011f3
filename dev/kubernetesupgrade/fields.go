package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// schemas is the folder of the generated schemas, below the root.
const schemas = "backends/declarative/kubernetes/schemas"

// readFields returns the fields in a folder of schemas, such as io.k8s.api.batch.v1.JobSpec.suspend, and whether a
// keyword or rule constrains their values.
func readFields(folder string) (map[string]bool, error) {
	files, err := filepath.Glob(filepath.Join(folder, "*.json"))
	if err != nil {
		return nil, err
	}
	fields := map[string]bool{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var types map[string]schema
		if err := json.Unmarshal(data, &types); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for name, declared := range types {
			declared.addTo(fields, name)
		}
	}
	return fields, nil
}

// schema is a schema as it is in JSON.
type schema map[string]any

// addTo adds the fields of a schema, whose path is given.
func (s schema) addTo(fields map[string]bool, path string) {
	properties, _ := s["properties"].(map[string]any)
	for field, declared := range properties {
		below, _ := declared.(map[string]any)
		fields[path+"."+field] = schema(below).constrains() || s.hasRuleAbout(field)
		schema(below).addTo(fields, path+"."+field)
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, is := s[keyword].(map[string]any); is {
			schema(below).addTo(fields, path)
		}
	}
}

// hasRuleAbout reports whether a rule of the schema names a field.
func (s schema) hasRuleAbout(field string) bool {
	rules, _ := s["x-kubernetes-validations"].([]any)
	return slices.ContainsFunc(rules, func(rule any) bool {
		written, _ := rule.(map[string]any)
		text, _ := written["rule"].(string)
		return strings.Contains(text, field)
	})
}

// structural are the keywords that say only what type a value has.
var structural = []string{"type", "properties", "items", "additionalProperties", "default", "nullable", "description", "$ref", "x-kubernetes-strip-zero", "x-kubernetes-preserve-unknown-fields"}

// constrains reports whether a schema says more of a value than its type. What it says of the parts is theirs.
func (s schema) constrains() bool {
	for keyword, value := range s {
		if !slices.Contains(structural, keyword) && (keyword != "format" || !isWidth(value)) {
			return true
		}
	}
	return false
}

// isWidth reports whether a format only says how many bits a number has.
func isWidth(format any) bool { return format == "int32" || format == "int64" }

// newFields returns the fields that there were not before and that nothing constrains, a line for those of each
// type or part of one.
func newFields(before, after map[string]bool) (decisions []string) {
	known := map[string]bool{}
	for field := range before {
		known[typeOf(field)] = true
	}
	unruled := map[string][]string{}
	for _, field := range slices.Sorted(maps.Keys(after)) {
		if _, was := before[field]; !was && !after[field] {
			unruled[typeOf(field)] = append(unruled[typeOf(field)], field[len(typeOf(field))+1:])
		}
	}
	for _, name := range slices.Sorted(maps.Keys(unruled)) {
		kind := "new fields without a rule"
		if !known[name] {
			kind = "new type with fields without a rule"
		}
		decisions = append(decisions, kind+": "+name+": "+strings.Join(unruled[name], ", "))
	}
	return decisions
}

func typeOf(field string) string { return field[:strings.LastIndex(field, ".")] }
