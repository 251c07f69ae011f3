// Package strictyaml reads the YAML files that people write for diffrun:
// suites, cases, rules, exceptions and marker overlays.
//
// In goes one YAML document and a pointer to a Go struct; out comes either the
// filled struct, with the position of every mapping that asked for it, or all
// mistakes of the document at once, each with its file, line and what would
// have been accepted. Parsing itself is left to go.yaml.in/yaml/v3; what is
// added is what its decoder lacks: positions, the accepted keys of a mapping,
// free-form values in the types of JSON, and bounds on nesting and aliases.
package strictyaml
