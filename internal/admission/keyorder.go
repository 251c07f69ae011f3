package admission

import (
	"bytes"
	"encoding/json"
	"maps"
	"math/rand/v2"
	"slices"
)

// keyOrder is the order in which the keys of objects are written. Validators in languages whose
// maps keep it must not depend on it.
type keyOrder struct{ random *rand.Rand } // nil: sorted

func newKeyOrder(seed uint64) keyOrder {
	if seed == 0 {
		return keyOrder{}
	}
	return keyOrder{rand.New(rand.NewPCG(seed, 575))}
}

// marshal writes a document as JSON.
func (o keyOrder) marshal(document map[string]any) ([]byte, error) {
	if o.random == nil {
		return json.Marshal(document)
	}
	var out bytes.Buffer
	if err := o.write(&out, document); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}

func (o keyOrder) write(out *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case map[string]any:
		if value != nil {
			return o.writeObject(out, value)
		}
	case []any:
		if value != nil {
			return o.writeList(out, value)
		}
	}
	text, err := json.Marshal(value)
	out.Write(text)
	return err
}

func (o keyOrder) writeObject(out *bytes.Buffer, fields map[string]any) error {
	keys := slices.Sorted(maps.Keys(fields))
	o.random.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
	out.WriteByte('{')
	for i, key := range keys {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := o.write(out, key); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := o.write(out, fields[key]); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func (o keyOrder) writeList(out *bytes.Buffer, items []any) error {
	out.WriteByte('[')
	for i, item := range items {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := o.write(out, item); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}
