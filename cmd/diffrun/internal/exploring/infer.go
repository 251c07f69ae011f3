package exploring

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/infer"
	"github.com/diffrun/diffrun/internal/infer/evidence"
)

// Inference returns the target as package infer needs it. The error says that its schema is not that
// of a CustomResourceDefinition in a file.
func (t *Target) Inference(options Options) (*evidence.Target, error) {
	at := t.Suite.SchemaLine(t.Version, "")
	file := at[:max(0, strings.LastIndex(at, ":"))]
	goPackage := t.Suite.GoPackage(t.Version)
	rendered := t.Suite.Rendered(t.Version)
	data := rendered.Data
	if data != nil {
		file = rendered.File
	} else if goPackage == "" {
		if !t.binder.isDefinition(t.Version) || file == "" {
			return nil, fmt.Errorf("%s: suite %s has neither a CustomResourceDefinition of it in a file nor a Go type, "+
				"so there is nothing to add rules to; name one, as in declarative: {crd: crd.yaml}", t, t.Suite.Name)
		}
		var err error
		if data, err = infile.ReadFile(file); err != nil {
			return nil, err
		}
	}
	if err := t.prepare(options); err != nil {
		return nil, err
	}
	compiled, err := t.binder.schema(t.Version)
	if err != nil {
		return nil, err
	}
	props, err := generate.Expand(compiled.Document.Root, compiled.Document.Definitions)
	if err != nil {
		return nil, err
	}
	object := generate.ObjectOptions{ClusterScoped: clusterScoped(t.starts)}
	object.APIVersion, object.Kind = t.Version.ToAPIVersionAndKind()
	return &evidence.Target{
		Policies: t.policies(options),
		Version:  t.Version, Harness: t.check, HarnessOptions: options.Jobs(t.Suite).Harness, Like: t.like,
		Document: compiled.Document, Props: props, File: file, Data: data, GoPackage: goPackage, Starts: in(t.Version, t.starts),
		Cases: t.cases, Object: object, Sides: t.Suite.Sides,
	}, nil
}

// policies returns how policies beside the definition are read; nil: the target is no world, or has policies of its own.
func (t *Target) policies(options Options) func(data []byte) (world.Policies, error) {
	for _, version := range t.check.Target().Versions {
		guards, is := version.Declarative.(world.World)
		if version.GroupVersionKind != t.Version || !is || guards.Policies != nil || options.Policies == nil {
			continue
		}
		if _, is := guards.Definition.(*apiresource.Definition); !is {
			continue
		}
		return func(data []byte) (world.Policies, error) {
			files := cases.PolicyFiles{Validating: []cases.PolicyFile{{Name: infer.PoliciesFile, Data: data}}}
			loaded, err := options.Policies(files, []serving.Resource{guards.Definition})
			if err != nil {
				return nil, err
			}
			return loaded.Validating, nil
		}
	}
	return nil
}
