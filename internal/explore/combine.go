package explore

import (
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
)

// combined returns an input made of kept ones: a few random changes at once, parts of others, and
// updates between relatives. It returns false if there is nothing to start from.
func (e *Explorer) combined() (made, bool) {
	if len(e.starts) == 0 {
		return made{}, false
	}
	base := made{Input: Input{Object: e.starts[e.src.IntN(len(e.starts))]}}
	if len(e.corpus) > 0 && e.src.IntN(4) > 0 {
		base = e.corpus[e.src.IntN(len(e.corpus))]
	}
	return e.varied(base), true
}

// Vary returns an input with a few random changes, which depend on the seed alone. It asks nothing.
func (e *Explorer) Vary(in Input, seed uint64) Input {
	e.src = generate.Seeded(seed)
	return e.varied(made{Input: in}).Input
}

// varied returns an input with a few random changes.
func (e *Explorer) varied(base made) made {
	object := base.Object
	var changes []string
	for range 1 + e.src.IntN(3) {
		at := e.randomSite(object)
		to, name := e.randomValue(at)
		for tries := 0; tries < 50 && !e.explores(at.path); tries++ {
			at = e.randomSite(object)
			to, name = e.randomValue(at)
		}
		if at.depth() == 0 || !e.explores(at.path) {
			continue
		}
		if next := at.path.Put(object, to); next != nil {
			object = next
			changes = append(changes, at.String()+": "+name)
		}
	}
	in := Input{Object: object}
	switch old := e.src.IntN(4); {
	case e.options.Updates || old == 0:
		in.Old = base.Object
	case old == 1 && base.IsUpdate():
		in.Old = base.Old
	}
	near := base.near
	if near == nil {
		near = base.Object
	}
	return made{Input: e.sent(in), near: near, change: strings.Join(changes, "; ")}
}

// randomSite walks down an object, and stops somewhere.
func (e *Explorer) randomSite(object map[string]any) site {
	at := rootOf(e.options.Schema, object)
	for at.has && at.depth() < maxDepth {
		parts := partsOf(at)
		if len(parts) == 0 || at.depth() > 0 && e.src.IntN(5) == 0 {
			break
		}
		next := parts[e.src.IntN(len(parts))]
		if !next.has && e.src.IntN(3) > 0 { // most fields are absent
			next = parts[e.src.IntN(len(parts))]
		}
		at = next
	}
	return at
}

// randomValue returns a value for a site: one of its changes, or one that another object has there.
func (e *Explorer) randomValue(at site) (any, string) {
	if known := e.values.at[at.general()]; len(known) > 0 && e.src.IntN(4) == 0 {
		return known[e.src.IntN(len(known))], "a value of the cases"
	}
	all := changesOf(e.src, at)
	if len(all) == 0 {
		return at.value, "unchanged"
	}
	c := all[e.src.IntN(len(all))]
	return c.value(), c.name
}
