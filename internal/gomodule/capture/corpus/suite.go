package corpus

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Definition is a kind that a file with CustomResourceDefinitions defines.
type Definition struct {
	File string
	Kind schema.GroupKind
}

// WriteSuites writes a suite for each definition that the corpus has cases of: suite.yaml in the
// folder, or one in a folder for each kind. It returns an error if there is none.
func (c *Corpus) WriteSuites(folder string, definitions []Definition) error {
	kinds := map[schema.GroupKind]bool{}
	var names []string
	for _, one := range c.Cases {
		if kind := one.Version.GroupKind(); !kinds[kind] {
			kinds[kind] = true
			names = append(names, kind.String())
		}
	}
	var defined []string
	for _, d := range definitions {
		defined = append(defined, d.Kind.String())
	}
	definitions = slices.DeleteFunc(slices.Clone(definitions), func(d Definition) bool { return !kinds[d.Kind] })
	if len(definitions) == 0 {
		return fmt.Errorf("--crd defines %s; the recorded cases are of %s: name the file that defines these",
			strings.Join(defined, ", "), strings.Join(names, ", "))
	}
	for _, d := range definitions {
		place, back := folder, ""
		if len(definitions) > 1 {
			place, back = filepath.Join(folder, strings.ToLower(d.Kind.String())), "../"
		}
		crd, err := relative(place, d.File)
		if err != nil {
			return err
		}
		text, err := yaml.Marshal(struct {
			Name        string            `yaml:"name"`
			Native      map[string]string `yaml:"native,flow"`
			Declarative map[string]string `yaml:"declarative,flow"`
		}{strings.ToLower(d.Kind.Kind),
			map[string]string{"recorded": back + strings.ToLower(d.Kind.Kind) + ".*." + d.Kind.Group + ".jsonl"},
			map[string]string{"crd": crd}})
		if err == nil {
			err = makeFolder(place)
		}
		if err == nil {
			err = outfile.Write(filepath.Join(place, suiteFile), text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// relative returns the name of a file relative to a folder.
func relative(folder, file string) (string, error) {
	from, err := filepath.Abs(folder)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(file)
	if err != nil {
		return "", err
	}
	name, err := filepath.Rel(from, to)
	return filepath.ToSlash(name), err
}
