package run

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/fieldpath/fielderror"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// panics are the places where webhooks panicked. The API server refuses such an object, so that two sides may agree
// by accident.
type panics struct {
	order []panicKey
	of    map[panicKey]*panicked
}

// panicKey is the suite, and the place in the source; without one it is the message.
type panicKey struct{ suite, at string }

// panicked are the inputs on which a webhook panicked at one place.
type panicked struct {
	inputs                int
	first, message, place string
}

// add looks for panics in a result.
func (p *panics) add(r *harness.Result) {
	seen := map[panicKey]bool{}
	for _, side := range []*harness.Outcome{&r.Native, &r.Declarative} {
		for _, err := range append(side.Errors[:len(side.Errors):len(side.Errors)], side.Unstable...) {
			place := fielderror.PanicPlace(err)
			key := panicKey{r.Suite, cmp.Or(place, err.Detail)}
			if !fielderror.IsPanic(err) || seen[key] {
				continue
			}
			seen[key] = true
			if p.of == nil {
				p.of = map[panicKey]*panicked{}
			}
			if p.of[key] == nil {
				message := strings.TrimSuffix(strings.TrimPrefix(err.Detail, "panic: "), " [recovered]")
				p.of[key] = &panicked{first: r.Case.ID, message: message, place: place}
				p.order = append(p.order, key)
			}
			p.of[key].inputs++
		}
	}
}

// problems returns a problem for each place, in the order of the results.
func (p *panics) problems(suites []record.SuiteTally) []string {
	where := map[string]string{}
	for _, suite := range suites {
		where[suite.Name] = suite.Where
	}
	var problems []string
	for _, key := range p.order {
		of := p.of[key]
		problem := fmt.Sprintf("%s: the webhook panicked on %s, first %s: %s", cmp.Or(where[key.suite], key.suite),
			plaintext.Count(of.inputs, "input"), of.first, of.message)
		if of.place != "" {
			problem += " at " + of.place
		}
		problems = append(problems, problem)
	}
	return problems
}
