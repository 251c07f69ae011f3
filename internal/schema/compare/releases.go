package compare

import (
	"context"
	"slices"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/schema/diff"
)

// Release has the definitions that an argument names.
type Release struct {
	Name        string
	Definitions []*definitions.Definition
}

// Releases compares definitions with the same name, or the only one of each side. Versions are
// paired by name. The error is that of Schemas.
func Releases(ctx context.Context, a, b Release, opts Options) (*Comparison, error) {
	c := &comparer{ctx: ctx, opts: opts}
	made := &Comparison{A: a.Name, B: b.Name}
	several := len(a.Definitions) > 1 || len(b.Definitions) > 1
	for _, old := range a.Definitions {
		now := counterpart(old, b.Definitions, several)
		title := ""
		if several {
			title = old.CRD.Name
		}
		if now == nil {
			gone := []diff.Change{{Effect: diff.Narrower, Kind: kindDefinition, Path: old.CRD.Name, What: "the definition is gone"}}
			made.Parts = append(made.Parts, Part{Title: title, Changes: c.levelled(gone, "", false)})
			continue
		}
		parts, err := c.definition(title, old, now)
		if err != nil {
			return nil, err
		}
		made.Parts = append(made.Parts, parts...)
	}
	for _, now := range b.Definitions {
		if counterpart(now, a.Definitions, several) == nil {
			added := []diff.Change{{Effect: diff.Wider, Kind: kindDefinition, Path: now.CRD.Name, What: "new definition"}}
			made.Parts = append(made.Parts, Part{Title: now.CRD.Name, Changes: c.levelled(added, "", false)})
		}
	}
	made.Idle = idle(made.Parts)
	made.Converting = c.converting
	return made, nil
}

func counterpart(of *definitions.Definition, among []*definitions.Definition, several bool) *definitions.Definition {
	for _, other := range among {
		if other.CRD.Name == of.CRD.Name || !several {
			return other
		}
	}
	return nil
}

// definition compares two definitions: their own fields, each version that both have, and the
// versions that B serves with each other.
func (c *comparer) definition(title string, a, b *definitions.Definition) ([]Part, error) {
	named := func(what string) string {
		if title == "" {
			return what
		}
		return title + ", " + what
	}
	parts := []Part{{Title: named("the definition"), Changes: c.levelled(ofDefinition(a, b), "", false)}}
	sidesA, errA := compileVersions(a)
	sidesB, errB := compileVersions(b)
	if err := joined(errA, errB); err != nil {
		return nil, err
	}
	for _, version := range a.Versions {
		now, both := sidesB[version.Version]
		if !both {
			continue
		}
		part, err := c.schemas(named("version "+version.Version), version.Version, sidesA[version.Version], now)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	losses, err := c.lost(named, a, b, sidesA, sidesB)
	if err != nil {
		return nil, err
	}
	pairs, err := c.served(named, b, sidesA, sidesB)
	return slices.Concat(parts, losses, pairs), err
}

// compileVersions compiles all versions of a definition. The error is a
// strictyaml.Mistakes.
func compileVersions(d *definitions.Definition) (map[string]diff.Side, error) {
	sides := map[string]diff.Side{}
	var mistakes strictyaml.Mistakes
	for _, version := range d.Versions {
		side, err := compileVersion(version)
		mistakes.Merge(d.File, err)
		sides[version.Version] = side
	}
	return sides, mistakes.Err()
}

// served compares the versions that B serves with each other, and returns the differences that the
// same versions of A did not have. If a webhook converts objects, versions may differ.
func (c *comparer) served(named func(string) string, b *definitions.Definition, sidesA, sidesB map[string]diff.Side) ([]Part, error) {
	if b.ConvertedByWebhook() {
		if servedVersions(b) > 1 {
			c.converting = append(c.converting, b.CRD.Name)
		}
		return nil, nil
	}
	var parts []Part
	for i, one := range b.Versions {
		for _, other := range b.Versions[i+1:] {
			if !one.Served || !other.Served {
				continue
			}
			before := map[string]bool{}
			oldOne, hadOne := sidesA[one.Version]
			oldOther, hadOther := sidesA[other.Version]
			if hadOne && hadOther {
				for _, change := range diff.Walk(oldOne, oldOther) {
					before[change.Path+"\n"+change.What+change.From+change.To] = true
				}
			}
			var worse []diff.Change
			for _, change := range diff.Walk(sidesB[one.Version], sidesB[other.Version]) {
				if !before[change.Path+"\n"+change.What+change.From+change.To] {
					worse = append(worse, change)
				}
			}
			if len(worse) == 0 {
				continue
			}
			worse, err := diff.Witness(c.ctx, sidesB[one.Version], sidesB[other.Version], worse, c.opts.Seed)
			if err != nil {
				return nil, err
			}
			inBoth := *c
			inBoth.opts.Both = true // objects are written in one version and read in the other
			parts = append(parts, Part{
				Title: named("versions " + one.Version + " (A) and " + other.Version +
					" (B) of B, which differ more than before and are not converted"),
				Changes: inBoth.levelled(worse, one.Version, true),
			})
		}
	}
	return parts, nil
}

func servedVersions(d *definitions.Definition) int {
	n := 0
	for _, version := range d.Versions {
		if version.Served {
			n++
		}
	}
	return n
}
