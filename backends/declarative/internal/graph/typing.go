package graph

import (
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
)

// typing is everything that the type check depends on. A schema has few different ones, so
// their checks are shared.
type typing struct {
	typ, format string
	typed       bool // for no type is none, but "" is an unknown one
	intOrString bool
}

// typed compiles the keyword "type" and the score of each kind.
func (c *compiler) typed(n *Node, s schemaSite) {
	key := typing{format: s.schema.Format, intOrString: keyword.IntOrString(s.schema)}
	if len(s.schema.Type) == 1 {
		key.typ, key.typed = s.schema.Type[0], true
	}
	raw, written := s.schema.Extensions["x-kubernetes-int-or-string"]
	_, isBool := raw.(bool)
	shared := len(s.schema.Type) < 2 && s.overrides == nil && (isBool || !written)
	if like := c.ofTypes[key]; like != nil && shared {
		n.Score = like.Score
		n.Types = like.Types
		return
	}
	n.Score = keyword.Scores(s.schema, s.CustomResource())
	mistakes := len(c.mistakes)
	check, kinds := keyword.CompileType(s)
	for _, k := range kinds {
		n.Types[k] = check
	}
	if shared && mistakes == len(c.mistakes) {
		c.ofTypes[key] = &Node{Types: n.Types, Score: n.Score}
	}
}
