// Package strictyaml decodes the YAML files that users write for diffrun: suites, cases, rules,
// exceptions and marker overlays.
//
// Decode fills a Go struct, with the positions of mappings, or returns all mistakes of the document at
// once, each with file, line and what is accepted. go.yaml.in/yaml/v3 parses; this package adds what
// its decoder lacks: positions, accepted keys, free-form values in the types of JSON, and limits on
// nesting and aliases.
package strictyaml
