package celproof

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// mostPresences is the maximum number of optional fields that a proof tries with and without a
// value. Each one doubles the work.
const mostPresences = 10

// Schema is a schema with the targets of its references.
type Schema = proof.Schema

// Always reports whether a rule of one schema is provably true for every value that another schema
// accepts. An example is a rule about a field that the other schema does not declare, or about a
// value that is not in its enum. The expression comes from celexpr.Parse.
func Always(rule celexpr.Expr, of, accepted Schema) bool {
	p := newProver()
	p.defaults = of.Schema != accepted.Schema
	return p.every(rule, self(of, accepted), func(made outcomes) bool { return made == isTrue })
}

// Never reports whether a rule is provably false, or an error, for every value that the schema
// accepts.
func Never(rule celexpr.Expr, of Schema) bool {
	return newProver().every(rule, self(of, of), func(made outcomes) bool { return made&isTrue == 0 })
}

// Guards returns the arguments of all has() in a rule that are true for every value that the schema
// accepts, in the order of the rule.
func Guards(rule celexpr.Expr, of Schema) []string {
	p := newProver()
	p.guards = map[string]outcomes{}
	tried := p.every(rule, self(of, of), func(outcomes) bool { return true })
	var all []string
	for e := range celexpr.Parts(rule) {
		if of := celexpr.HasOf(e); of != nil {
			at := celexpr.String(of)
			if tried && p.guards[at]&^isError == isTrue && !slices.Contains(all, at) {
				all = append(all, at)
			}
		}
	}
	return all
}

func self(of, accepted Schema) map[string]place {
	return map[string]place{"self": {
		path: "self", of: proof.Resolve(of.Schema, of.Definitions), other: proof.Resolve(accepted.Schema, accepted.Definitions),
		ofAll: of.Definitions, otherAll: accepted.Definitions,
	}}
}

// every reports whether the outcome of an expression is the wanted one for every choice of the
// optional fields that are set.
func (p *prover) every(e celexpr.Expr, bound map[string]place, wanted func(outcomes) bool) bool {
	p.undecided = ""
	before := maps.Clone(p.guards)
	made := p.eval(e, bound)
	at := p.undecided
	if at == "" || p.guards == nil && wanted(made) {
		return wanted(made)
	}
	if len(p.present) >= mostPresences {
		return false
	}
	p.guards = before
	defer delete(p.present, at)
	for _, is := range []bool{false, true} {
		p.present[at] = is
		if !p.every(e, bound, wanted) {
			return false
		}
	}
	return true
}
