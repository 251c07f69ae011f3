package explore

import (
	"context"
	"encoding/json"
	"sync"
)

// Stores asks whether today's side would store an object: whether a client could create it, with its status.
type Stores func(ctx context.Context, object map[string]any) (bool, error)

// oldObjects knows which old objects of updates can exist. What validators do with others, which may not even be
// decoded, is no finding.
type oldObjects struct {
	stores Stores
	// known has the answers, by the JSON of the object. Those of users are stored: they say so.
	known sync.Map
}

// newOldObjects returns the old objects that stores would store, and those of some updates. If stores is nil, these are
// the objects that the first side of ask accepts when they are created.
func newOldObjects(ask Ask, stores Stores, given ...Input) *oldObjects {
	if stores == nil {
		stores = func(ctx context.Context, object map[string]any) (bool, error) {
			answer, err := ask(ctx, Input{Object: versioned(object, absence{})})
			return !answer.Undecided && answer.Accepted[0], err
		}
	}
	o := &oldObjects{stores: stores}
	for _, in := range given {
		o.known.Store(textOf(in.Old), true)
	}
	return o
}

// exist reports whether the old object of an input, if it has one, can exist.
func (o *oldObjects) exist(ctx context.Context, in Input) (bool, error) {
	if !in.IsUpdate() {
		return true, nil
	}
	key := textOf(in.Old)
	if known, has := o.known.Load(key); has {
		return known.(bool), nil
	}
	is, err := o.stores(ctx, in.Old)
	if err == nil {
		o.known.Store(key, is)
	}
	return is, err
}

// textOf returns the JSON of an object.
func textOf(object map[string]any) string {
	data, err := json.Marshal(object)
	if err != nil {
		return "" // it cannot be stored either
	}
	return string(data)
}
