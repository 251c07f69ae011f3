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
	Native      *validator  `yaml:"native"`
	Declarative *validator  `yaml:"declarative"`
	Cases       []reference `yaml:"cases"`
	Rules       []reference `yaml:"rules"`
	Exceptions  reference   `yaml:"exceptions"`
}

// validator says what validates on one side. Further kinds of validators get
// keys of their own here.
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
