package lintreport

import (
	"slices"

	"github.com/diffrun/diffrun/internal/schemalint"
	"github.com/diffrun/diffrun/internal/schemasource"
	"github.com/diffrun/diffrun/internal/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// Options say what is looked for and what is reported.
type Options struct {
	// Only and Disable choose lints by name, as schemalint.Options says.
	Only, Disable []string
	// All reports findings of every severity, and every one of a lint. Otherwise infos are
	// left out, unless Only names their lint.
	All bool
	// Baseline has findings that are accepted; nil: there are none.
	Baseline *Baseline
}

// Report is what was found.
type Report struct {
	// Schemas counts the schemas that were looked at.
	Schemas  int
	Findings []Finding
	// Hidden counts the infos that are left out, Accepted those findings that the baseline
	// has, and Gone the findings of the baseline that are no longer found.
	Hidden, Accepted, Gone int

	all bool
}

// Finding is something unwise in a definition, or in a schema of no definition.
type Finding struct {
	schemalint.Finding
	// Of is the name of the CustomResourceDefinition, or else that of the schema.
	Of string
	// Versions are the versions of the definition that have it, in the order of the file.
	Versions []string
	// Position is where it stands in the first of them.
	Position userfile.Position
}

// Check looks at schemas. The error is a strictyaml.Mistakes with those that do not
// compile.
func Check(schemas []schemasource.Schema, opts Options) (*Report, error) {
	report := &Report{Schemas: len(schemas), all: opts.All}
	var found []Finding
	seen := map[identity]int{}
	var mistakes strictyaml.Mistakes
	for _, one := range schemas {
		all, err := schemalint.Check(one.Schema, schemalint.Options{
			Definitions: one.Definitions, Root: one.Root, Costs: one.Version != nil, Only: opts.Only, Disable: opts.Disable,
		})
		if err != nil {
			mistakes.Merge(one.Name, one.Placed(err))
			continue
		}
		for _, f := range all {
			found = addFinding(found, seen, one, f)
		}
	}
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	for _, f := range found {
		switch {
		case opts.Baseline.accepts(f):
			report.Accepted++
		case f.Severity == schemalint.Info && !opts.All && !slices.Contains(opts.Only, f.Lint):
			report.Hidden++
		default:
			report.Findings = append(report.Findings, f)
		}
	}
	report.Gone = opts.Baseline.gone(found)
	return report, nil
}

// identity is what makes a finding of two versions one.
type identity struct{ file, of, lint, at, what string }

func addFinding(found []Finding, seen map[identity]int, in schemasource.Schema, f schemalint.Finding) []Finding {
	made := Finding{Finding: f, Of: in.Of(), Position: in.At(f.At)}
	if in.Version != nil {
		made.Versions = []string{in.Version.Version}
	}
	key := identity{made.Position.File, made.Of, f.Lint, f.At, f.What}
	if at, has := seen[key]; has && in.Version != nil {
		if !slices.Contains(found[at].Versions, in.Version.Version) {
			found[at].Versions = append(found[at].Versions, in.Version.Version)
		}
		return found
	}
	seen[key] = len(found)
	return append(found, made)
}
