package cases

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/strictyaml"
)

// suiteFile is a suite.yaml as people write it.
type suiteFile struct {
	strictyaml.Position `yaml:"-"`

	Name        string      `yaml:"name"`
	Native      *nativeSide `yaml:"native"`
	Declarative *validator  `yaml:"declarative"`
	Cases       []reference `yaml:"cases"`
	Rules       []reference `yaml:"rules"`
	Exceptions  reference   `yaml:"exceptions"`
}

// nativeSide says what validates by hand: one of these.
type nativeSide struct {
	strictyaml.Position `yaml:"-"`

	Builtin string         `yaml:"builtin"`
	Exec    *childProcess  `yaml:"exec"`
	Webhook *webhookServer `yaml:"webhook"`
}

// isOutside says that the validator is no part of the command.
func (n *nativeSide) isOutside() bool { return n.Exec != nil || n.Webhook != nil }

// isOne says that exactly one validator is named.
func (n *nativeSide) isOne() bool {
	named := 0
	for _, given := range []bool{n.Builtin != "", n.Exec != nil, n.Webhook != nil} {
		if given {
			named++
		}
	}
	return named == 1
}

// validator says what validates on the declarative side. Further kinds of
// validators get keys of their own here.
type validator struct {
	strictyaml.Position `yaml:"-"`

	Builtin string `yaml:"builtin"`
}

// reference is a path, or a pattern of paths, relative to the suite's file.
type reference struct {
	path string
	line int
}

func (r *reference) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode || node.Value == "" {
		return errors.New("must be a path, relative to this file")
	}
	*r = reference{node.Value, node.Line}
	return nil
}

func (r reference) given() bool { return r.path != "" }
