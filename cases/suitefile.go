package cases

import (
	"errors"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// suiteFile is a decoded suite.yaml.
type suiteFile struct {
	strictyaml.Position `yaml:"-"`

	Name        string           `yaml:"name"`
	Native      *nativeSide      `yaml:"native"`
	Declarative *schemaSide      `yaml:"declarative"`
	Compare     comparedBackends `yaml:"compare"`
	Cases       []reference      `yaml:"cases"`
	Rules       []reference      `yaml:"rules"`
	Exceptions  reference        `yaml:"exceptions"`
	Matrix      []optionSet      `yaml:"matrix"`
}

// nativeSide names the native validator: one of these keys, or a world.
type nativeSide struct {
	strictyaml.Position `yaml:"-"`

	Builtin string         `yaml:"builtin"`
	Exec    *childProcess  `yaml:"exec"`
	Webhook *webhookServer `yaml:"webhook"`
	Cluster *clusterAccess `yaml:"cluster"`
	// Recorded are files that diffrun capture wrote.
	Recorded reference `yaml:"recorded"`
	CRD      reference `yaml:"crd"`
	Version  string    `yaml:"version"`
	Guards   guards    `yaml:",inline"`
}

// isOutside reports whether the validator runs outside of the process.
func (n *nativeSide) isOutside() bool { return n.Exec != nil || n.Webhook != nil || n.Cluster != nil }

// isWorld reports whether the side has keys of a world.
func (n *nativeSide) isWorld() bool { return n.CRD.given() || n.Version != "" || n.Guards.given() }

// isOne reports whether exactly one validator, or a world, is named.
func (n *nativeSide) isOne() bool {
	named := 0
	for _, given := range []bool{n.Builtin != "", n.Exec != nil, n.Webhook != nil, n.Cluster != nil, n.Recorded.given(), n.isWorld()} {
		if given {
			named++
		}
	}
	return named == 1
}

// schemaSide names the source of schemas: one of these keys, or a world.
type schemaSide struct {
	strictyaml.Position `yaml:"-"`

	Builtin string    `yaml:"builtin"`
	CRD     reference `yaml:"crd"`
	// Version is a version of the CRD. The default is all served versions.
	Version string   `yaml:"version"`
	OpenAPI *openAPI `yaml:"openapi"`
	Go      *goType  `yaml:"go"`
	// KEPs says what is done as the KEPs propose it, instead of as the API server does.
	KEPs   *keps  `yaml:"keps"`
	Guards guards `yaml:",inline"`
}

// isOne reports whether exactly one source of schemas is named. A world needs none.
func (s *schemaSide) isOne() bool {
	named := 0
	for _, given := range []bool{s.Builtin != "", s.CRD.given(), s.OpenAPI != nil, s.Go != nil} {
		if given {
			named++
		}
	}
	return named == 1 || named == 0 && s.Guards.given()
}

// files are the files that a side names, besides cases.
func (s *schemaSide) files() []reference {
	switch {
	case s == nil:
		return nil
	case s.OpenAPI != nil:
		return []reference{s.OpenAPI.File}
	case s.Go != nil:
		return s.Go.Overlays
	}
	return append([]reference{s.CRD}, s.Guards.Policies...)
}

// files are the files that a side names, besides cases.
func (n *nativeSide) files() []reference {
	if n == nil {
		return nil
	}
	named := append([]reference{n.CRD}, n.Guards.Policies...)
	if n.Cluster != nil {
		named = append(named, n.Cluster.Kubeconfig)
	}
	return named
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
