package compare

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/diff"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

// Options control how thorough a comparison is and how serious changes are.
type Options struct {
	// Objects is the number of generated objects that both schemas of a version validate, in
	// addition to those made for each change.
	Objects int
	// Seed selects the generated objects.
	Seed uint64
	// Levels of changes; nil: the default ones.
	Levels *Levels
	// Both says that objects also go from B to A, as in a rollback: what B accepts and A rejects is an error, not a warning.
	Both bool
}

// Comparison has everything that changed from A to B.
type Comparison struct {
	// A and B are the names of the two sides.
	A, B  string
	Parts []Part
	// Idle means that objects were generated and neither schema of any part accepts one.
	Idle bool
	// Converting names the definitions of B with a conversion webhook. Their served versions were
	// not compared with each other.
	Converting []string
}

// Part has the changes of a definition itself, of a version, or between two versions.
type Part struct {
	// Title names it; empty if there can be only one.
	Title string
	// Outcome is the result of comparing generated objects.
	Outcome *Outcome
	Changes []Change
}

// Outcome counts what the generated objects showed.
type Outcome struct {
	Objects              int
	Seed                 uint64
	AcceptedA, AcceptedB int
}

// Change is a change with its level.
type Change struct {
	diff.Change
	Level Level
	// Shown reports whether objects can show the change, that is, whether it is a change of a
	// schema.
	Shown bool
}

// Schemas compares two schemas. The error is a strictyaml.Mistakes if one does not compile,
// or that of an ended context.
func Schemas(ctx context.Context, a, b schemasource.Schema, opts Options) (*Comparison, error) {
	isConverted := a.Version != nil && b.Version != nil && a.Of() == b.Of() && a.Version.Of.File == b.Version.Of.File
	opts.Both = opts.Both || isConverted
	c := &comparer{ctx: ctx, opts: opts}
	sideA, errA := compile(a)
	sideB, errB := compile(b)
	if err := joined(errA, errB); err != nil {
		return nil, err
	}
	part, err := c.schemas("", versionOf(a), sideA, sideB)
	if err != nil {
		return nil, err
	}
	parts := []Part{part}
	if isConverted {
		lost, err := c.lostBetween(a.Version, b.Version, sideA, sideB)
		if err != nil {
			return nil, err
		}
		parts = append(parts, lost...)
	}
	return &Comparison{A: a.Name, B: b.Name, Parts: parts, Idle: idle(parts)}, nil
}

type comparer struct {
	ctx        context.Context
	opts       Options
	converting []string // definitions of B whose versions a webhook converts
}

func versionOf(s schemasource.Schema) string {
	if s.Version == nil {
		return ""
	}
	return s.Version.Version
}

// compile prepares a schema for a comparison.
func compile(of schemasource.Schema) (diff.Side, error) {
	source := diff.AnySchema
	if of.Version != nil {
		source = sourceOf(of.Version)
	}
	side, err := diff.Compile(of.Schema, of.Definitions, source)
	if err != nil {
		return side, of.Placed(err)
	}
	return side, nil
}

func compileVersion(v *definitions.Version) (diff.Side, error) {
	side, err := diff.Compile(v.Schema, nil, sourceOf(v))
	return side, v.Placed(err)
}

// sourceOf says whether the API server prunes objects of a version.
func sourceOf(v *definitions.Version) diff.Source {
	if v.Of.CRD.Spec.PreserveUnknownFields {
		return diff.OfPreserving
	}
	return diff.OfDefinition
}

// schemas compares two schemas keyword by keyword, makes an object for each change, and generates
// objects to find unexplained differences.
func (c *comparer) schemas(title, version string, a, b diff.Side) (Part, error) {
	part := Part{Title: title}
	changes, err := diff.Witness(c.ctx, a, b, diff.Walk(a, b), c.opts.Seed)
	if err != nil {
		return part, err
	}
	outcome, err := diff.Run(c.ctx, a, b, diff.RunOptions{Objects: c.opts.Objects, Seed: c.opts.Seed, Apart: diff.Texts(changes)})
	if err != nil {
		return part, err
	}
	part.Outcome = &Outcome{c.opts.Objects, c.opts.Seed, outcome.AcceptedA, outcome.AcceptedB}
	part.Changes = c.levelled(diff.Explain(changes, outcome.Examples), version, true)
	return part, nil
}

// levelled sets the levels of changes.
func (c *comparer) levelled(changes []diff.Change, version string, shown bool) []Change {
	var all []Change
	for _, change := range changes {
		level, isSet := c.opts.Levels.of(change, version, shown)
		if !isSet {
			level = c.opts.level(change, shown)
		}
		all = append(all, Change{change, level, shown})
	}
	return all
}

// idle reports whether the objects showed nothing in any part.
func idle(parts []Part) bool {
	compared := slices.DeleteFunc(slices.Clone(parts), func(p Part) bool { return p.Outcome == nil || p.Outcome.Objects == 0 })
	return len(compared) > 0 && !slices.ContainsFunc(compared, func(p Part) bool { return p.Outcome.AcceptedA+p.Outcome.AcceptedB > 0 })
}

// Count returns the number of changes with a level.
func (c *Comparison) Count(level Level) int {
	n := 0
	for _, part := range c.Parts {
		for _, change := range part.Changes {
			if change.Level == level {
				n++
			}
		}
	}
	return n
}

// Fails reports whether a change has one of some levels.
func (c *Comparison) Fails(on []Level) bool {
	return slices.ContainsFunc(on, func(level Level) bool { return c.Count(level) > 0 })
}

// joined joins the lines of two errors. The same error is kept once.
func joined(a, b error) error {
	switch {
	case a == nil:
		return b
	case b == nil || a.Error() == b.Error():
		return a
	}
	var mistakes strictyaml.Mistakes
	mistakes.Merge("A", a)
	mistakes.Merge("B", b)
	return mistakes.Err()
}
