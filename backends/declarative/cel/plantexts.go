package cel

import (
	"github.com/google/cel-go/common/ast"
	"github.com/google/cel-go/common/types"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// Most of what rules compare, search and match are texts. A text is passed as such, for a
// datum is large.

// textStep computes a text. The truth is yes, or failed or unsure as of a test.
type textStep func(m *machine) (string, truth)

// text plans an expression whose value is a text, or gives up at run time where it is none.
func (p *planner) text(e ast.Expr) textStep {
	if e.Kind() == ast.LiteralKind {
		if text, ok := e.AsLiteral().(types.String); ok {
			return func(*machine) (string, truth) { return string(text), yes }
		}
	}
	if slot, ok := p.loopVariable(e); ok {
		return func(m *machine) (string, truth) {
			m.cost += identCost
			return m.slots[slot].text()
		}
	}
	if w := p.way(e); w != nil {
		return w.text
	}
	if isCall(e, "string", 1) {
		if t := p.typeOf(arguments(e.AsCall())[0]); t.IsExactType(types.StringType) {
			return p.sameText(arguments(e.AsCall())[0])
		}
	}
	if isCall(e, "orValue", 2) {
		args := arguments(e.AsCall())
		if otherwise, ok := written(args[1]); ok && args[1].Kind() == ast.LiteralKind {
			if c := p.chain(args[0]); c != nil {
				return c.textOr(string(otherwise))
			}
		}
	}
	value := p.step(e)
	if value == nil {
		return nil
	}
	return func(m *machine) (string, truth) {
		d := value(m)
		return d.text()
	}
}

// sameText plans string(text).
func (p *planner) sameText(arg ast.Expr) textStep {
	text := p.text(arg)
	if text == nil {
		return nil
	}
	return func(m *machine) (string, truth) {
		s, t := text(m)
		m.cost += callCost + int64(len(s)/10)
		if t == failed {
			t = unsure
		}
		return s, t
	}
}

// loopVariable is the slot of an expression that is a variable of a loop.
func (p *planner) loopVariable(e ast.Expr) (slot int, ok bool) {
	if e.Kind() != ast.IdentKind {
		return 0, false
	}
	slot, ok = p.vars[e.AsIdent()]
	return slot, ok && slot >= firstLoopSlot
}

func (d *datum) text() (string, truth) {
	switch d.kind {
	case aText:
		return d.s, yes
	case anError:
		return "", failed
	}
	return "", unsure
}

// text reads the text at the end of a way.
func (w *way) text(m *machine) (string, truth) {
	v, s, t := w.find(m)
	switch {
	case t != yes:
		return "", t
	case v.Kind() != view.String || !loads(view.String, s):
		return "", unsure
	}
	return v.Str(), yes
}

// isText says that an expression is a text if it is anything.
func (p *planner) isText(e ast.Expr) bool { return p.typeOf(e).IsExactType(types.StringType) }

// equalTexts plans == and != of texts.
func (p *planner) equalTexts(args []ast.Expr, want truth) test {
	if !p.isText(args[0]) || !p.isText(args[1]) {
		return nil
	}
	a, b := p.text(args[0]), p.text(args[1])
	if a == nil || b == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		x, t := a(m)
		y, u := b(m)
		switch {
		case t != yes:
			return t
		case u != yes:
			return u
		}
		m.cost += int64(min(len(x), len(y)) / 10)
		return truthOf((x == y) == (want == yes))
	}
}

// inTexts plans text in [texts].
func (p *planner) inTexts(args []ast.Expr) test {
	if !p.isText(args[0]) || args[1].Kind() != ast.ListKind {
		return nil
	}
	var texts []string
	for _, e := range args[1].AsList().Elements() {
		text, ok := written(e)
		if !ok || e.Kind() != ast.LiteralKind {
			return nil
		}
		texts = append(texts, string(text))
	}
	value := p.text(args[0])
	if value == nil || p.list(args[1].AsList()) == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost + listCost + int64(len(texts))
		s, t := value(m)
		if t != yes {
			return unsure
		}
		for _, text := range texts {
			if s == text {
				return yes
			}
		}
		return no
	}
}

// inMap plans text in map.
func (p *planner) inMap(args []ast.Expr) test {
	if !p.isText(args[0]) || p.typeOf(args[1]).Kind() != types.MapKind {
		return nil
	}
	key, w := p.text(args[0]), p.way(args[1])
	if key == nil || w == nil {
		return nil
	}
	return func(m *machine) truth {
		m.cost += callCost
		s, t := key(m)
		in, of, found := w.find(m)
		if t != yes || found != yes || in.Kind() != view.Map || of.Kind != Map {
			return unsure
		}
		v, n, ok := m.maps.Field(in, s)
		m.cost += int64(n)
		switch {
		case !ok || !of.counts(v):
			return no
		case !loads(v.Kind(), of.Elem):
			return unsure
		}
		return yes
	}
}
