package suitefile

import (
	"errors"
	"path"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// File is a decoded suite.yaml.
type File struct {
	strictyaml.Position `yaml:"-"`

	Name        string      `yaml:"name"`
	Native      *Native     `yaml:"native"`
	Declarative *Schemas    `yaml:"declarative"`
	Compare     Compare     `yaml:"compare"`
	Cases       []Reference `yaml:"cases"`
	Rules       []Reference `yaml:"rules"`
	Exceptions  Reference   `yaml:"exceptions"`
	Matrix      []OptionSet `yaml:"matrix"`
}

// Native names the native validator: one of these keys, or a world.
type Native struct {
	strictyaml.Position `yaml:"-"`

	Builtin string   `yaml:"builtin"`
	Exec    *Process `yaml:"exec"`
	Webhook *Webhook `yaml:"webhook"`
	Cluster *Cluster `yaml:"cluster"`
	// Recorded are files that diffrun capture wrote.
	Recorded  Reference `yaml:"recorded"`
	CRD       Reference `yaml:"crd"`
	Version   string    `yaml:"version"`
	Admission Admission `yaml:",inline"`
}

// IsExternal reports whether the validator runs outside of the process.
func (n *Native) IsExternal() bool { return n.Exec != nil || n.Webhook != nil || n.Cluster != nil }

// IsWorld reports whether the side has keys of a world.
func (n *Native) IsWorld() bool { return n.CRD.Given() || n.Version != "" || n.Admission.Given() }

// IsOne reports whether exactly one validator, or a world, is named.
func (n *Native) IsOne() bool {
	named := 0
	for _, given := range []bool{n.Builtin != "", n.Exec != nil, n.Webhook != nil, n.Cluster != nil, n.Recorded.Given(), n.IsWorld()} {
		if given {
			named++
		}
	}
	return named == 1
}

// Schemas names the source of schemas: one of these keys, or a world.
type Schemas struct {
	strictyaml.Position `yaml:"-"`

	Builtin string    `yaml:"builtin"`
	CRD     Reference `yaml:"crd"`
	// Version is a version of the CRD. The default is all served versions.
	Version string   `yaml:"version"`
	OpenAPI *OpenAPI `yaml:"openapi"`
	Go      *GoType  `yaml:"go"`
	// KEPs are the behaviours to implement as the KEPs propose them.
	KEPs      *KEPs     `yaml:"keps"`
	Admission Admission `yaml:",inline"`
}

// IsOne reports whether exactly one source of schemas is named. A world needs none.
func (s *Schemas) IsOne() bool {
	named := 0
	for _, given := range []bool{s.Builtin != "", s.CRD.Given(), s.OpenAPI != nil, s.Go != nil} {
		if given {
			named++
		}
	}
	return named == 1 || named == 0 && s.Admission.Given()
}

// Files returns the files that the side names, besides cases.
func (s *Schemas) Files() []Reference {
	switch {
	case s == nil:
		return nil
	case s.OpenAPI != nil:
		return []Reference{s.OpenAPI.File}
	case s.Go != nil:
		return s.Go.Overlays
	}
	return append([]Reference{s.CRD}, s.Admission.Policies...)
}

// Files returns the files that the side names, besides cases.
func (n *Native) Files() []Reference {
	if n == nil {
		return nil
	}
	named := append([]Reference{n.CRD}, n.Admission.Policies...)
	if n.Cluster != nil {
		named = append(named, n.Cluster.Kubeconfig)
	}
	return named
}

// Reference is a path, or a pattern of paths, relative to the suite's file.
type Reference struct {
	Path string
	Line int
}

// UnmarshalYAML rejects values that are not text.
func (r *Reference) UnmarshalYAML(node *yaml.Node) error {
	if node.Kind != yaml.ScalarNode || node.Value == "" {
		return errors.New("must be a path, relative to this file")
	}
	*r = Reference{node.Value, node.Line}
	return nil
}

// JSONSchema implements strictyaml.Described.
func (Reference) JSONSchema() map[string]any {
	return map[string]any{"type": "string", "minLength": 1}
}

// Given reports whether the path is set.
func (r Reference) Given() bool { return r.Path != "" }

// IsOwn reports whether the file is in the directory of the suite.
func (r Reference) IsOwn() bool {
	return !path.IsAbs(r.Path) && !strings.HasPrefix(path.Clean(r.Path)+"/", "../")
}
