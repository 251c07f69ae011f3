package diff

import (
	"context"
	"strconv"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Branch is the place of a keyword inside a branch of a junctor.
type Branch struct {
	// Within are the branches, as in "spec.ports[*] anyOf[0]" (tally.Place).
	Within string
	// Declared are the places of the schema that have the keyword.
	Declared []string
}

// BreakWithin is Break for a keyword or rule in a branch of a junctor: a value of the object fails
// it, whether or not another branch accepts the value. A branch of anyOf is only evaluated if the
// branches before it reject the value, so its keywords often have no object.
func (b *Breaker) BreakWithin(branch Branch, keyword, path, rule string) (Broken, bool) {
	node := b.inBranch(branch.Within, path)
	if node == nil {
		return Broken{}, false
	}
	change := Change{Effect: Narrower, Kind: keyword, Path: b.path(path)}
	if keyword == openapi.XValidations {
		written, ok := ruleOf(node, rule)
		if !ok || written.updates {
			return Broken{}, false
		}
		change.Kind, change.says, change.rules = KindRule, written.says(), []writtenRule{written}
	}
	for _, alone := range []bool{true, false} {
		t := &trial{w: b.w, change: change, effect: Narrower, src: generate.Seeded(b.w.seed)}
		t.accept = &searchSide{schema: b.side.schema, base: b.side.base}
		t.accept.Validate = func(ctx context.Context, object map[string]any) []Rejection {
			if !alone {
				return nil
			}
			return b.side.Validate(ctx, object)
		}
		t.reject = &searchSide{schema: skeleton(b.side.schema, tokens(change.Path), node)}
		t.reject.Validate = func(ctx context.Context, object map[string]any) []Rejection {
			rejections := b.side.Validate(ctx, object)
			for i := range rejections {
				rejections[i].Origin = "" // of other places, not of the keyword
			}
			if b.side.failed(ctx, object, branch.Declared) {
				rejections = append(rejections, Rejection{Field: change.Path, Origin: keyword, Text: change.text(Narrower)})
			}
			return rejections
		}
		example, found := b.w.search(t)
		if found && b.w.ctx.Err() == nil && b.side.failed(b.w.ctx, example.Object, branch.Declared) {
			return Broken{Object: example.Object, Alone: alone}, true
		}
	}
	return Broken{}, false
}

// inBranch returns the schema of the values of a path in a branch; nil if there is none.
func (b *Breaker) inBranch(within, path string) *props {
	node, at := b.side.schema, ""
	words := strings.Fields(within)
	for len(words) > 0 {
		kind, index := branchOf(words[0])
		if kind == "" { // the field that has the junctor
			if len(words) == 1 {
				return nil
			}
			node, at = explore.SchemaAt(node, tokens(strings.TrimPrefix(words[0], at))), words[0]
			kind, index = branchOf(words[1])
			words = words[1:]
		}
		if node = pick(node, kind, index); node == nil {
			return nil
		}
		words = words[1:]
	}
	return explore.SchemaAt(node, tokens(strings.TrimPrefix(path, at)))
}

// branchOf parses "anyOf[1]". The kind is "" if the word is not a branch.
func branchOf(word string) (kind string, index int) {
	kind, rest, _ := strings.Cut(word, "[")
	switch kind {
	case "allOf", "anyOf", "oneOf", "not":
		index, _ = strconv.Atoi(strings.TrimSuffix(rest, "]"))
		return kind, index
	}
	return "", 0
}

// pick returns the branch of a schema with an index.
func pick(s *props, kind string, index int) *props {
	if s == nil {
		return nil
	}
	branches := map[string][]props{"allOf": s.AllOf, "anyOf": s.AnyOf, "oneOf": s.OneOf}[kind]
	if kind == "not" {
		return s.Not
	}
	if index >= len(branches) {
		return nil
	}
	return &branches[index]
}

// skeleton returns a schema that declares only a node, at the values of a path. It has lists and
// maps where the other schema has them.
func skeleton(like *props, steps []string, node *props) *props {
	if len(steps) == 0 {
		return node
	}
	var inner *props
	if like != nil {
		inner = explore.SchemaAt(like, steps[:1])
	}
	below := skeleton(inner, steps[1:], node)
	made := &props{}
	switch {
	case steps[0] == "[*]":
		made.Items = &apiextensionsv1.JSONSchemaPropsOrArray{Schema: below}
	case like != nil && like.AdditionalProperties != nil:
		made.AdditionalProperties = &apiextensionsv1.JSONSchemaPropsOrBool{Allows: true, Schema: below}
	default:
		made.Properties = map[string]props{steps[0]: *below}
	}
	return made
}
