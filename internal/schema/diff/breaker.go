package diff

import (
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Breaker makes objects that a schema rejects because of one keyword, and for no other reason.
type Breaker struct {
	w    *witnesser
	side *searchSide
}

// NewBreaker looks for an object that the schema accepts, to start from: a known one, or a
// generated one. The error reports a schema that no objects can be made for, or is that of the
// context.
func NewBreaker(ctx context.Context, of Side, known []map[string]any, seed uint64) (*Breaker, error) {
	schema, err := generate.Expand(of.Schema, of.Definitions)
	if err != nil {
		return nil, err
	}
	b := &Breaker{side: &searchSide{schema: schema, Side: of}}
	b.w = &witnesser{ctx: ctx, seed: seed, a: b.side, b: b.side, mended: mendedTries}
	for _, object := range known {
		if len(of.Validate(ctx, object)) == 0 {
			b.side.base = object
			break
		}
	}
	b.w.base(b.side, b.side)
	return b, ctx.Err()
}

// Broken is an object that a schema rejects because of a keyword.
type Broken struct {
	Object map[string]any
	// Old is the old object if the object is an update.
	Old map[string]any
	// Alone reports whether nothing else is wrong with the object.
	Alone bool
}

// Break returns the smallest object it can make that the schema rejects because of a keyword at the
// values of a path, such as "spec.ports[*].port", where "[*]" also stands for the keys of a map.
// For a rule, the keyword is openapi.XValidations, with the text of the rule; a transition
// rule gets an update. It returns false if it found no object.
func (b *Breaker) Break(keyword, path, rule string) (Broken, bool) {
	change := Change{Effect: Narrower, Kind: keyword, Path: b.path(path)}
	updates := false
	if keyword == openapi.XValidations {
		written, ok := b.rule(change.Path, rule)
		if !ok {
			return Broken{}, false
		}
		change.Kind, change.says, change.rules = KindRule, written.says(), []writtenRule{written}
		updates = written.updates
	}
	for _, alone := range []bool{true, false} {
		t := b.trial(change, alone)
		example, found := Example{}, false
		if updates { // an object alone does not show it
			example, found = t.update(b.w.base(t.accept, t.reject), tokens(change.Path))
		} else {
			example, found = b.w.search(t)
		}
		if found && b.w.ctx.Err() == nil {
			return Broken{Object: example.Object, Old: example.Old, Alone: alone}, true
		}
		if updates {
			break // apart from the rule, an update must be valid
		}
	}
	return Broken{}, false
}

// trial looks for an object that the schema rejects for a change: alone, or among other reasons.
func (b *Breaker) trial(change Change, alone bool) *trial {
	accept := &searchSide{schema: b.side.schema, base: b.side.base}
	t := &trial{w: b.w, change: change, effect: Narrower, accept: accept, reject: b.side, src: generate.Seeded(b.w.seed)}
	others := func(rejections []Rejection) []Rejection {
		if !alone {
			return nil
		}
		return slices.DeleteFunc(rejections, t.matches)
	}
	accept.Validate = func(ctx context.Context, object map[string]any) []Rejection {
		return others(b.side.Validate(ctx, object))
	}
	accept.Update = func(ctx context.Context, object, old map[string]any) []Rejection {
		return others(b.side.Update(ctx, object, old))
	}
	return t
}

// path writes the keys of maps in a path as the paths of changes do.
func (b *Breaker) path(path string) string {
	var out strings.Builder
	at := b.side.schema
	for _, step := range tokens(path) {
		if step == "[*]" && at != nil && at.Items == nil {
			step = "*"
		}
		if out.Len() > 0 && step != "[*]" {
			out.WriteByte('.')
		}
		out.WriteString(step)
		at = explore.SchemaAt(at, []string{step})
	}
	return out.String()
}

// rule returns the rule with a text.
func (b *Breaker) rule(path, text string) (writtenRule, bool) {
	return ruleOf(explore.SchemaAt(b.side.schema, tokens(path)), text)
}

// ruleOf returns the rule of a schema with a text.
func ruleOf(at *props, text string) (writtenRule, bool) {
	if at == nil {
		return writtenRule{}, false
	}
	for _, one := range at.XValidations {
		if strings.TrimSpace(one.Rule) != text {
			continue
		}
		message := one.Message
		if one.MessageExpression != "" {
			message = ""
		} else if message == "" {
			message = text
		}
		return newRule(one.Rule, message), true
	}
	return writtenRule{}, false
}
