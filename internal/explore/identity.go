package explore

import (
	"github.com/diffrun/diffrun/internal/object"
)

// sent returns an input as it is sent: a subresource is only updated, and stored objects have a
// resourceVersion.
func (e *Explorer) sent(in Input) Input {
	if e.options.Updates && in.Old == nil {
		in.Old = in.Object
	}
	if in.Old == nil {
		in.Object = versioned(in.Object, absence{})
		return in
	}
	in.Object, in.Old = named(in.Object, in.Old, "name", "a")
	if len(e.options.Starts)+len(e.options.Known) > 0 && !e.options.Object.ClusterScoped {
		in.Object, in.Old = named(in.Object, in.Old, "namespace", "default")
	}
	in.Object, in.Old = versioned(in.Object, "1"), versioned(in.Old, "1")
	return in
}

// named sets the name or namespace of an old object that has none, which no object in storage lacks, to that
// of the new one. If that has none either, both get one.
func named(object, old map[string]any, field, fallback string) (named, namedOld map[string]any) {
	if identityOf(old, field) != "" {
		return object, old
	}
	name := identityOf(object, field)
	if name == "" {
		name = fallback
		object = withMetadata(object, field, name)
	}
	return object, withMetadata(old, field, name)
}

func identityOf(of map[string]any, field string) string {
	value, _ := object.Of("metadata", field).Get(of)
	text, _ := value.(string)
	return text
}

func versioned(of map[string]any, version any) map[string]any {
	if asObject(of["metadata"]) == nil {
		return of
	}
	return withMetadata(of, "resourceVersion", version)
}

func withMetadata(in map[string]any, name string, value any) map[string]any {
	return object.Of("metadata", name).Put(in, value)
}
