package controllerruntime

import (
	"encoding/json"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/hub"
)

// Converter converts objects as the conversion webhook of controller-runtime does, with the
// conversion.Hub and conversion.Convertible methods of the Go types in a scheme. It is a
// customresource.Converter; see customresource.Converting.
type Converter struct{ scheme *runtime.Scheme }

// NewConverter returns a converter for the types in a scheme.
func NewConverter(scheme *runtime.Scheme) *Converter { return &Converter{scheme} }

// Convert returns an object in another version. The error comes from a method, or names the missing
// method or version.
func (c *Converter) Convert(object map[string]any, version string) (map[string]any, error) {
	written := apiname.Written(object).GroupKind()
	versions := hub.Versions{}
	for _, known := range c.scheme.VersionsForGroupKind(written) {
		made, err := c.scheme.New(known.WithKind(written.Kind))
		if err != nil {
			return nil, err
		}
		versions[known.Version] = func() any { return made.DeepCopyObject() }
	}
	if len(versions) == 0 {
		return nil, fmt.Errorf("the scheme has no %s", written)
	}
	data, err := json.Marshal(object)
	if err != nil {
		return nil, err
	}
	if data, err = versions.Convert(data, version); err != nil {
		return nil, err
	}
	var converted map[string]any
	err = kjson.UnmarshalCaseSensitivePreserveInts(data, &converted)
	return converted, err
}
