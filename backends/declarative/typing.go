package declarative

import (
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// typing is all that the keyword "type" depends on. There are few in a schema, and
// what is made of them is shared.
type typing struct {
	typ, format string
	typed       bool // for no type is none, but "" is an unknown one
	intOrString bool
}

// typed compiles the keyword "type", which every schema has, and how much a value of
// each kind counts (see junctors.go). It is the first keyword: nothing is asked of the
// node yet.
func (c *compiler) typed(n *node, s schemaSite) {
	key := typing{format: s.schema.Format, intOrString: intOrString(s.schema)}
	if len(s.schema.Type) == 1 {
		key.typ, key.typed = s.schema.Type[0], true
	}
	raw, written := s.schema.Extensions["x-kubernetes-int-or-string"]
	_, isBool := raw.(bool)
	shared := len(s.schema.Type) < 2 && s.overrides == nil && (isBool || !written)
	if like := c.ofTypes[key]; like != nil && shared {
		n.score = like.score
		for k := range view.Kinds {
			n.checks[k] = slices.Clip(like.checks[k])
		}
		return
	}
	n.score = scores(s.schema, c.opts.Semantics)
	mistakes := len(c.mistakes)
	compileType(c, n, s)
	if shared && mistakes == len(c.mistakes) {
		c.ofTypes[key] = &node{checks: n.checks, score: n.score}
	}
}
