package suitefile

import (
	"errors"
	"fmt"
	"path"
	"slices"
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
	// Kubernetes is a release, as in v1.33.13, Gates are its feature gates, and Emulates is a version, as in 1.32.
	Kubernetes string          `yaml:"kubernetes"`
	Gates      map[string]bool `yaml:"gates"`
	Emulates   string          `yaml:"emulates"`
	// Recorded are files that diffrun capture wrote.
	Recorded  Reference `yaml:"recorded"`
	CRD       Reference `yaml:"crd"`
	Kind      string    `yaml:"kind"`
	Version   string    `yaml:"version"`
	Admission Admission `yaml:",inline"`
	// As is the name of the side in reports. The default says what it is.
	As SideName `yaml:"as"`
}

// IsExternal reports whether the validator runs outside of the process.
func (n *Native) IsExternal() bool {
	return n.Exec != nil || n.Webhook != nil || n.Cluster != nil || n.Kubernetes != ""
}

// IsWorld reports whether the side has keys of a world.
func (n *Native) IsWorld() bool {
	return n.CRD.Given() || n.Kind != "" || n.Version != "" || n.Admission.Given()
}

// WithoutCRD returns a key that is set and says something about crd, which is not set; empty: there is none.
func (n *Native) WithoutCRD() string { return withoutCRD(n.CRD, n.Kind, n.Version) }

// WithoutCRD returns a key that is set and says something about crd, which is not set; empty: there is none.
func (s *Schemas) WithoutCRD() string { return withoutCRD(s.CRD, s.Kind, s.Version) }

func withoutCRD(crd Reference, kind, version string) string {
	switch {
	case crd.Given():
		return ""
	case version != "":
		return "version"
	case kind != "":
		return "kind"
	}
	return ""
}

// validators are the keys that name a validator, except those of admission.
func (n *Native) validators() []key {
	return []key{
		{"builtin", n.Builtin != ""}, {"exec", n.Exec != nil}, {"webhook", n.Webhook != nil}, {"cluster", n.Cluster != nil},
		{"kubernetes", n.Kubernetes != ""}, {"recorded", n.Recorded.Given()}, {"crd", n.CRD.Given()},
	}
}

// sources lists the keys that are set and name a validator.
func (n *Native) sources() []string { return given(n.validators()) }

// Restrict implements strictyaml.Restricted.
func (n *Native) Restrict(schema map[string]any) {
	restrictSide(schema, n.validators(), "exec", "webhook", "cluster", "kubernetes", "recorded")
}

// IsOne reports whether exactly one validator, or a world, is named. A world may have only guards.
func (n *Native) IsOne() bool {
	return len(n.sources()) == 1 && (n.Builtin != "" || n.CRD.Given() || !n.IsWorld()) || len(n.sources()) == 0 && n.IsWorld()
}

// Mixture returns why the keys of a side exclude each other, or "".
func (n *Native) Mixture() string {
	if n == nil {
		return ""
	}
	return mixture("native", n.sources(), n.Admission)
}

// Schemas names the source of schemas: one of these keys, or a world.
type Schemas struct {
	strictyaml.Position `yaml:"-"`

	Builtin string `yaml:"builtin"`
	// CRD is a file, or a folder with a kustomization, and Kind picks one of several definitions in it.
	CRD  Reference `yaml:"crd"`
	Kind string    `yaml:"kind"`
	// Version is a version of the CRD. The default is all served versions.
	Version string   `yaml:"version"`
	OpenAPI *OpenAPI `yaml:"openapi"`
	Go      *GoType  `yaml:"go"`
	// Kubernetes is a release, as in v1.37.2, Gates are its feature gates, and Emulates is a version, as in 1.36.
	Kubernetes string          `yaml:"kubernetes"`
	Gates      map[string]bool `yaml:"gates"`
	Emulates   string          `yaml:"emulates"`
	// KEPs are the behaviours to implement as the KEPs propose them.
	KEPs      *KEPs     `yaml:"keps"`
	Admission Admission `yaml:",inline"`
	// As is the name of the side in reports. The default says what it is.
	As SideName `yaml:"as"`
}

// schemas are the keys that name a source of schemas.
func (s *Schemas) schemas() []key {
	return []key{
		{"builtin", s.Builtin != ""}, {"crd", s.CRD.Given()}, {"openapi", s.OpenAPI != nil}, {"go", s.Go != nil},
		{"kubernetes", s.Kubernetes != ""},
	}
}

// sources lists the keys that are set and name a source of schemas.
func (s *Schemas) sources() []string { return given(s.schemas()) }

// Restrict implements strictyaml.Restricted.
func (s *Schemas) Restrict(schema map[string]any) { restrictSide(schema, s.schemas(), "kubernetes") }

// IsSchema reports whether the side names a schema that is no definition.
func (s *Schemas) IsSchema() bool { return s.OpenAPI != nil || s.Go != nil }

// Scope returns the scope that the suite says beside a schema, or "".
func (s *Schemas) Scope() string {
	switch {
	case s.Go != nil:
		return s.Go.Scope
	case s.OpenAPI != nil:
		return s.OpenAPI.Scope
	}
	return ""
}

// IsOne reports whether exactly one source of schemas is named. A world needs none.
func (s *Schemas) IsOne() bool {
	return len(s.sources()) == 1 || len(s.sources()) == 0 && s.Admission.Given()
}

// Mixture returns why the keys of a side exclude each other, or "".
func (s *Schemas) Mixture() string {
	if s == nil {
		return ""
	}
	return mixture("declarative", s.sources(), s.Admission)
}

// key is a key of a side.
type key struct {
	name  string
	given bool
}

func given(keys []key) []string {
	var names []string
	for _, key := range keys {
		if key.given {
			names = append(names, key.name)
		}
	}
	return names
}

// mixture returns why the keys of a side exclude each other. A webhook beside other guards is one of
// them, so it is written as they are.
func mixture(side string, sources []string, of Admission) string {
	for _, name := range sources {
		switch {
		case len(sources) > 1 && slices.Contains(sources, "builtin") && slices.Contains(sources, "crd"):
			return fmt.Sprintf("%s names %s; name one: builtin is for the kinds of Kubernetes, crd for the kind of a definition",
				side, strings.Join(sources, " and "))
		case len(sources) > 1:
			return fmt.Sprintf("%s names %s; name one of them", side, strings.Join(sources, " and "))
		case of.Given() && (name == "exec" || name == "webhook"):
			return fmt.Sprintf("%s names %s beside %s; write it as one of the guards, then: {%s: …}", side, name,
				strings.Join(of.keys(), ", "), name)
		case of.Given() && name == "kubernetes":
			return fmt.Sprintf("%s names kubernetes beside %s; a release validates without admission: name builtin: kubernetes, "+
				"or remove %[2]s", side, strings.Join(of.keys(), ", "))
		case of.Given() && (name == "cluster" || name == "recorded"):
			return fmt.Sprintf("%s names %s beside %s; a cluster has its own admission, and recorded errors have none: remove %[3]s, "+
				"or move it to the other side", side, name, strings.Join(of.keys(), ", "))
		}
	}
	return ""
}

// Files returns the files that the side names, besides cases.
func (s *Schemas) Files() []Reference {
	switch {
	case s == nil:
		return nil
	case s.OpenAPI != nil:
		return append([]Reference{s.OpenAPI.File}, s.Admission.Files()...)
	case s.Go != nil:
		return append(slices.Clone(s.Go.Overlays), s.Admission.Files()...)
	}
	return append([]Reference{s.CRD}, s.Admission.Files()...)
}

// Files returns the files that the side names, besides cases.
func (n *Native) Files() []Reference {
	if n == nil {
		return nil
	}
	named := append([]Reference{n.CRD}, n.Admission.Files()...)
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
