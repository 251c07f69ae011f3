package evaluation

import (
	"context"
	"maps"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/managedfields"
	"k8s.io/apiserver/pkg/admission/plugin/policy/mutating/patch"

	"github.com/diffrun/diffrun/backends/serving"
)

// typeConverters finds the type converter of a version, which applies a configuration to an object. It
// implements patch.TypeConverterManager without the OpenAPI documents of an API server.
type typeConverters struct {
	of map[schema.GroupVersionKind]func() managedfields.TypeConverter
}

var _ patch.TypeConverterManager = &typeConverters{}

// newTypeConverters returns the converters of resources: their own, or those made of their schemas.
func newTypeConverters(resources []Resource) *typeConverters {
	all := &typeConverters{map[schema.GroupVersionKind]func() managedfields.TypeConverter{}}
	for _, resource := range resources {
		for _, version := range resource.Versions {
			converter := resource.TypeConverter
			if converter == nil && resource.Schema != nil {
				converter = sync.OnceValue(func() managedfields.TypeConverter { return definedConverter(version, resource) })
			}
			if converter == nil {
				continue
			}
			all.of[version.GroupVersionKind] = converter
			if version.Has("scale") {
				all.of[scaleKind] = converter
			}
		}
	}
	return all
}

// definedConverter returns the converter of a version of a definition, made of the document that the
// API server publishes; nil if there is none.
func definedConverter(version serving.Version, of Resource) managedfields.TypeConverter {
	written := of.Schema(version.Version)
	if written == nil {
		return nil
	}
	document, err := publish(version, written, of.NonStructural)
	if err != nil || document == nil {
		return nil
	}
	converter, err := managedfields.NewTypeConverter(maps.Clone(document.Components.Schemas), false)
	if err != nil {
		return nil
	}
	return converter
}

// GetTypeConverter returns the converter of a version; nil: it has none.
func (t *typeConverters) GetTypeConverter(version schema.GroupVersionKind) managedfields.TypeConverter {
	find := t.of[version]
	if find == nil {
		return nil
	}
	return find()
}

// Run returns: files do not change.
func (*typeConverters) Run(context.Context) {}
