package idl

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/k8s"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kubebuilder"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// A Dialect is a family of markers, such as those of KEP-4153.
type Dialect struct {
	parser target.Dialect
	// packages are those whose sources it is read in, if it is limited.
	packages []string
	limited  bool
}

// Dialects returns all dialects: KEP-4153's, upstream's +k8s: tags, and kubebuilder's markers.
func Dialects(reading Reading) ([]Dialect, error) {
	standard, err := NewKEP4153()
	if err != nil {
		return nil, err
	}
	upstream, err := NewK8s(reading)
	if err != nil {
		return nil, err
	}
	builder, err := NewKubebuilder()
	if err != nil {
		return nil, err
	}
	return []Dialect{standard, upstream, builder}, nil
}

// NewKEP4153 returns the dialect of KEP-4153.
func NewKEP4153() (Dialect, error) { return dialectOf(kep4153.New()) }

// NewK8s returns the dialect of upstream's validation tags. It includes validations up to the stage
// of reading, and those of +k8s:ifEnabled and +k8s:ifDisabled that apply with its options.
func NewK8s(reading Reading) (Dialect, error) {
	return dialectOf(k8s.New(k8s.Options{
		Alpha: reading.Stage == StageAlpha, Beta: reading.Stage == StageBeta, Enabled: reading.Options,
	}))
}

// NewKubebuilder returns the dialect of controller-gen: the markers of v0.21 that begin with
// +kubebuilder:. The others that it reads, such as +optional and +listType, are also KEP-4153's.
func NewKubebuilder() (Dialect, error) { return dialectOf(kubebuilder.New()) }

func dialectOf(parser target.Dialect, err error) (Dialect, error) {
	return Dialect{parser: parser}, err
}

// Only returns a dialect that is read only in the sources of these packages, each a Go package or
// the folder of its versions. Elsewhere its markers belong to other tools. Overlays may use it
// everywhere.
func Only(packages []string, dialect Dialect) Dialect {
	return Dialect{parser: dialect.parser, packages: packages, limited: true}
}

// ignores reports whether the dialect knows a marker of a source, and is not read there.
func (d Dialect) ignores(from marker.Line, text string) bool {
	if !d.limited || from.Overlay || marker.InPackages(d.packages, from.Package) {
		return false
	}
	name, _ := marker.SplitName("+" + text)
	return slices.Contains(d.parser.Names(), name)
}

func vocabularyOf(dialects []Dialect) *marker.Vocabulary {
	var names, namespaces []string
	for _, dialect := range dialects {
		names = append(names, dialect.parser.Names()...)
		if namespace := dialect.parser.Namespace(); namespace != "" && !dialect.limited {
			namespaces = append(namespaces, namespace)
		}
	}
	return marker.NewVocabulary(names, namespaces)
}
