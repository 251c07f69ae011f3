package customresource

import (
	"fmt"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
)

// ReadDefinition reads a CustomResourceDefinition, YAML or JSON, and compiles all versions that it
// serves, for package world. The error has every mistake with its line. Package structural checks whether
// the API server would store the definition.
func ReadDefinition(definition []byte) (serving.Resource, error) {
	read, err := apiresource.ReadDefinition(definition)
	if err != nil {
		return nil, err
	}
	return read, nil
}

// Converter converts objects between the versions of a resource, as its conversion webhook does, for
// instance through the hub of a project. It does not change the object. Converting an object to its own
// version leaves it as reading and writing it does. It may be used by several goroutines at once.
type Converter interface {
	Convert(object map[string]any, version string) (map[string]any, error)
}

// Converting returns a target of NewTarget whose objects a converter converts.
func Converting(target *harness.Target, converter Converter) (*harness.Target, error) {
	scheme, _ := target.Scheme.(serving.Scheme)
	definition, ok := scheme.Resource.(*apiresource.Definition)
	if !ok {
		return nil, fmt.Errorf("the objects of %s are converted by a %T; only a target of NewTarget takes a converter",
			target.Kind, target.Scheme)
	}
	converting := *target
	converting.Scheme = serving.Scheme{Resource: definition.Converting(converter)}
	return &converting, nil
}
