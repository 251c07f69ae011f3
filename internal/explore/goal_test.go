package explore_test

import (
	"context"
	"testing"

	"github.com/diffrun/diffrun/internal/celexpr"
	"github.com/diffrun/diffrun/internal/celexpr/decision"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/testing/served"
)

const jobSchema = `
type: object
properties:
  metadata: {type: object}
  spec:
    type: object
    properties:
      size: {type: integer}
      low: {type: integer}
      high: {type: integer}
      name: {type: string}
      other: {type: string}
      mode: {type: string}
      url: {type: string}
      address: {type: string}
      paused: {type: boolean}
      labels: {type: object, additionalProperties: {type: string}}
      names: {type: array, items: {type: string}}
      steps:
        type: array
        items:
          type: object
          properties:
            name: {type: string}
            weight: {type: integer}
            needs: {type: array, items: {type: string}}
`

// TestGoals: an input is made for each side of each atom, from an object that has none of the fields.
func TestGoals(t *testing.T) {
	t.Parallel()
	for _, row := range []struct{ why, condition string }{
		{"a constant", "has(self.spec.size) && self.spec.size > 41872"},
		{"several constants", "has(self.spec.size) && (self.spec.size < 5120 || self.spec.size > 41872) && self.spec.mode == 'turbo-9'"},
		{"presence", "has(self.spec.size) != has(self.spec.mode) && !has(self.spec.url)"},
		{"presence, and the zero value", "!has(self.spec.paused) || !self.spec.paused"},
		{"a choice", "(has(self.spec.mode) ? self.spec.mode : 'Usual') == 'Other'"},
		{"the length of a text", "has(self.spec.name) && size(self.spec.name) > 37"},
		{"the size of a list", "has(self.spec.names) && self.spec.names.size() > 6"},
		{"a prefix", "has(self.spec.url) && self.spec.url.startsWith('gopher://')"},
		{"a pattern", "has(self.spec.url) && !self.spec.url.matches('^ab+[0-9]{3}-x$')"},
		{"a list of values", "has(self.spec.mode) && !(self.spec.mode in ['Fast-1', 'Slow-2'])"},
		{"two fields", "has(self.spec.low) && has(self.spec.high) && self.spec.low > self.spec.high"},
		{"two texts", "has(self.spec.name) && has(self.spec.other) && self.spec.name == self.spec.other"},
		{"a joined text", "has(self.spec.address) && self.spec.address != (has(self.spec.name) ? self.spec.name : '') + '.x'"},
		{"an item", "has(self.spec.steps) && self.spec.steps.exists(x, has(x.weight) && x.weight > 4711 && x.name == 'last-step')"},
		{"all items", "has(self.spec.names) && self.spec.names.all(x, x.startsWith('q-'))"},
		{"items of items", "has(self.spec.steps) && self.spec.steps.exists(x, has(x.needs) && x.needs.exists(y, y == x.name))"},
		{"an item twice", "has(self.spec.steps) && " +
			"self.spec.steps.exists(i, x, self.spec.steps.exists(j, y, j < i && has(x.name) && has(y.name) && x.name == y.name))"},
		{"a key", "has(self.spec.labels) && 'example.com/locked' in self.spec.labels"},
		{"a format", "has(self.spec.address) && !isIP(self.spec.address)"},
		{"a change", "self.spec.?mode.orValue('') != oldSelf.spec.?mode.orValue('')"},
		{"a change while a field has a value", "has(self.spec.paused) && self.spec.paused && self.spec.?size != oldSelf.spec.?size"},
		{"what was there before", "has(oldSelf.spec.mode) && oldSelf.spec.mode == 'Closed' && self.spec.?size.orValue(0) > 12"},
	} {
		t.Run(row.why, func(t *testing.T) {
			t.Parallel()
			condition := decision.Of(celexpr.Parse(row.condition))
			e := explore.New(explore.Options{
				Seed: 1, Schema: served.Props(t, jobSchema), Goals: []explore.Goal{{Condition: condition}},
				Starts: []explore.Input{{Object: served.Object(t,
					`{apiVersion: example.com/v1, kind: Job, metadata: {name: a, namespace: b}, spec: {}}`)}},
				Ask: func(context.Context, explore.Input) (explore.Answer, error) {
					return explore.Answer{Accepted: [2]bool{true, true}}, nil
				},
				Observe: func(explore.Input, explore.Answer) error { return nil },
				Found:   func(explore.Found) error { return nil },
			})
			const steps = 10
			for range steps {
				if err := e.Step(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			for _, goal := range e.Goals() {
				for _, side := range goal.Never {
					t.Errorf("%s: %s was never %v", row.condition, celexpr.String(condition.Atom(side.Atom)), side.Value)
				}
			}
		})
	}
}
