package explore

import (
	"encoding/json"
	"hash/fnv"
	"strconv"
)

// kinds tells places of one type from others. Many schemas have a type at several places, such as the
// containers and the init containers of a Pod, and validators usually have one function for it.
type kinds struct{ names map[string]string }

// of returns a name for the places that are like a path: the fields after the last object with declared
// fields, and its schema.
func (k *kinds) of(schema *props, path steps) string {
	if len(path) == 0 {
		return k.name(schema, path)
	}
	s := schemaAt(schema, path[:len(path)-1])
	last := path[len(path)-1:].General()
	if len(s.Properties) > 0 {
		return k.name(s, path[:len(path)-1]) + "." + last
	}
	return k.of(schema, path[:len(path)-1]) + "." + last
}

// name returns a name for a schema at a path.
func (k *kinds) name(s *props, path steps) string {
	place := path.General()
	if name, known := k.names[place]; known {
		return name
	}
	if k.names == nil {
		k.names = map[string]string{}
	}
	sum := fnv.New64a()
	_ = json.NewEncoder(sum).Encode(s) // a hash takes everything
	k.names[place] = strconv.FormatUint(sum.Sum64(), 36)
	return k.names[place]
}
