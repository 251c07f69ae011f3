package schemadiff

import (
	"context"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/generate"
)

// Breaker makes objects that a schema rejects for one of its keywords, and for nothing else.
type Breaker struct {
	w    *witnesser
	side *party
}

// NewBreaker looks for an object that the schema accepts, to begin with: one of the known ones,
// or one that is generated. The error is one of a schema that no objects can be made for, or
// that of an ended context.
func NewBreaker(ctx context.Context, of Side, known []map[string]any, seed uint64) (*Breaker, error) {
	schema, err := expand(of)
	if err != nil {
		return nil, err
	}
	b := &Breaker{side: &party{schema: schema, Side: of}}
	b.w = &witnesser{ctx: ctx, seed: seed, a: b.side, b: b.side}
	for _, object := range known {
		if len(of.Validate(ctx, object)) == 0 {
			b.side.base = object
			break
		}
	}
	b.w.base(b.side, b.side)
	return b, ctx.Err()
}

// Break gives the smallest object that it can make that the schema rejects for a keyword at the
// values of a path, as in "spec.ports[*].port", where "[*]" stands for keys of maps as well. A
// rule is the keyword "x-kubernetes-validations" with its text. Alone says that nothing else is
// wrong with the object; nil: none was found.
func (b *Breaker) Break(keyword, path, rule string) (object map[string]any, alone bool) {
	change := Change{Effect: Narrower, Kind: keyword, Path: b.path(path)}
	if keyword == "x-kubernetes-validations" {
		written, ok := b.rule(change.Path, rule)
		if !ok {
			return nil, false
		}
		change.Kind, change.says, change.rules = KindRule, written.says(), []writtenRule{written}
		if written.updates { // an object alone does not show it
			return nil, false
		}
	}
	for _, alone := range []bool{true, false} {
		accept := &party{schema: b.side.schema, base: b.side.base}
		t := &trial{w: b.w, change: change, effect: Narrower, accept: accept, reject: b.side, src: generate.Seeded(b.w.seed)}
		accept.Validate = func(ctx context.Context, object map[string]any) []Rejection {
			if !alone {
				return nil
			}
			return slices.DeleteFunc(b.side.Validate(ctx, object), t.matches)
		}
		if example, found := b.w.search(t); found && b.w.ctx.Err() == nil {
			return example.Object, alone
		}
	}
	return nil, false
}

// path writes the keys of maps as the paths of changes do.
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
		at = follow(at, []string{step})
	}
	return out.String()
}

// rule finds a rule by its text.
func (b *Breaker) rule(path, text string) (writtenRule, bool) {
	at := follow(b.side.schema, tokens(path))
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
