package lintreport

import (
	"slices"

	"github.com/diffrun/diffrun/internal/files/skipped"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	schemalint "github.com/diffrun/diffrun/internal/schema/lint"
	"github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/userfile"
)

// Options are the options of a report.
type Options struct {
	// Only and Disable select lints by name, as in schemalint.Options.
	Only, Disable []string
	// All reports findings of every severity, and every finding of a lint. Otherwise infos are
	// hidden, unless Only names their lint.
	All bool
	// Baseline has accepted findings; nil if there are none.
	Baseline *Baseline
	// Exceptions has reviewed findings; nil if there are none.
	Exceptions *Exceptions
	// Policies lints policies. If nil, there must be none.
	Policies PolicyLinter
}

// PolicyLinter returns the findings in the policies of arguments. The error is a strictyaml.Mistakes.
type PolicyLinter func(source.Found) ([]PolicyFinding, error)

// PolicyFinding is an unwise place of a policy or a binding.
type PolicyFinding struct {
	Lint string
	// Of is the policy, At the place in it, and What was found.
	Of, At, What string
	Position     userfile.Position
	// Release is the oldest release that accepts the policy, if old ones do not. The finding then has no lint.
	Release string
}

// Report has the findings and their counts.
type Report struct {
	// Schemas counts the linted schemas.
	Schemas int
	// Policies counts the files with policies.
	Policies int
	Findings []Finding
	// Hidden counts the infos that are hidden, Accepted the findings that the baseline has, and
	// Gone the findings of the baseline that no longer exist.
	Hidden, Accepted, Gone int
	// Excepted counts the findings that exceptions accept, and Stale lists the exceptions that
	// expired or accept nothing. Foreign counts the findings in types of other modules, which are
	// left out.
	Excepted, Foreign int
	Stale             strictyaml.Mistakes
	// Needs are the definitions that some releases of Kubernetes refuse. None are looked for if Only selects lints.
	Needs []Need
	// Skipped are the files without a schema or a policy.
	Skipped []skipped.File

	all bool
}

// Finding is an unwise place in a definition, or in another schema.
type Finding struct {
	schemalint.Finding
	// Of is the name of the CustomResourceDefinition, or else of the schema.
	Of string
	// Versions are the versions of the definition that have it, in the order of the file.
	Versions []string
	// Position is the position in the first of them.
	Position userfile.Position
}

// Check lints schemas and compares the markers of the versions of one API. The error is a
// strictyaml.Mistakes with the schemas that do not compile.
func Check(in source.Found, opts Options) (*Report, error) {
	report := &Report{Schemas: len(in.Schemas), Skipped: in.Skipped, all: opts.All}
	lints, err := schemalint.Select(opts.Only, opts.Disable)
	if err != nil {
		return nil, err
	}
	found := ofVersions(in.Differences, lints)
	seen := map[identity]int{}
	var mistakes strictyaml.Mistakes
	for _, one := range in.Schemas {
		written, marker := one.Markers()
		all, err := schemalint.Check(one.Schema, schemalint.Options{
			Definitions: one.Definitions, Root: one.Root, Costs: one.Version != nil, Only: opts.Only, Disable: opts.Disable,
			Kinds: one.Kinds, Native: one.Native, Written: written, Marker: marker, StatusSubresource: one.Version != nil &&
				one.Version.StatusSubresource(),
		})
		if err != nil {
			mistakes.Merge(one.Name, one.Placed(err))
			continue
		}
		for _, f := range all {
			if one.Foreign(f.At) {
				report.Foreign++
				continue
			}
			found = addFinding(found, seen, one, f)
		}
	}
	found = addLosses(found, seen, in.Schemas, lints, &mistakes)
	ofPolicies, err := report.policies(in, lints, opts)
	mistakes.Merge("policies", err)
	if err := mistakes.Err(); err != nil {
		return nil, err
	}
	found = append(found, ofPolicies...)
	if len(opts.Only) == 0 {
		report.Needs = append(needs(in.Schemas), report.Needs...)
	}
	report.sort(found, opts)
	report.Gone, report.Stale = opts.Baseline.gone(found), opts.Exceptions.stale(lints)
	return report, nil
}

// policies lints the policies.
func (r *Report) policies(in source.Found, lints []schemalint.Lint, opts Options) ([]Finding, error) {
	if len(in.Policies) == 0 {
		return nil, nil
	}
	if opts.Policies == nil {
		return nil, strictyaml.Mistakes{{Position: strictyaml.Position{File: in.Policies[0].Name},
			Message: "this program lints no policies"}}
	}
	r.Policies = len(in.Policies)
	all, err := opts.Policies(in)
	var found []Finding
	for _, one := range all {
		if one.Release != "" && len(opts.Only) == 0 {
			r.Needs = append(r.Needs, Need{Of: one.Of, Release: one.Release, At: one.At, What: one.What, Position: one.Position})
		}
		at := slices.IndexFunc(lints, func(l schemalint.Lint) bool { return l.Name == one.Lint })
		if at < 0 {
			continue // not selected
		}
		lint := lints[at]
		found = append(found, Finding{
			Finding: schemalint.Finding{Lint: lint.Name, Severity: lint.Severity, At: one.At, What: one.What, Why: lint.Why, Do: lint.Do},
			Of:      one.Of, Position: one.Position,
		})
	}
	return found, err
}

// sort counts findings as accepted or hidden, or adds them to the reported ones.
func (r *Report) sort(found []Finding, opts Options) {
	for _, f := range found {
		switch {
		case opts.Exceptions.accepts(f):
			r.Excepted++
		case opts.Baseline.accepts(f):
			r.Accepted++
		case f.Severity == schemalint.Info && !opts.All && !slices.Contains(opts.Only, f.Lint):
			r.Hidden++
		default:
			r.Findings = append(r.Findings, f)
		}
	}
}

// ofVersions returns findings for the markers that versions do not share.
func ofVersions(all []source.Difference, lints []schemalint.Lint) []Finding {
	at := slices.IndexFunc(lints, func(l schemalint.Lint) bool { return l.Name == schemalint.TagsDiffer })
	if at < 0 {
		return nil
	}
	lint := lints[at]
	var found []Finding
	for _, each := range all {
		found = append(found, Finding{
			Finding: schemalint.Finding{Lint: lint.Name, Severity: lint.Severity, At: each.Place, What: each.What, Why: lint.Why,
				Do: lint.Do},
			Of: each.API, Versions: each.Versions, Position: each.Position,
		})
	}
	return found
}

// identity is equal for findings that are the same in two versions.
type identity struct{ file, of, lint, at, what string }

func addFinding(found []Finding, seen map[identity]int, in source.Schema, f schemalint.Finding) []Finding {
	made := Finding{Finding: f, Of: in.Of(), Position: in.At(f.At)}
	if name, inside, ok := in.Type(f.At); ok {
		made.Of, made.At = name, inside
	}
	if in.Version != nil {
		made.Versions = []string{in.Version.Version}
	}
	key := identity{made.Position.File, made.Of, f.Lint, made.At, f.What}
	if at, has := seen[key]; has && in.Version != nil {
		if !slices.Contains(found[at].Versions, in.Version.Version) {
			found[at].Versions = append(found[at].Versions, in.Version.Version)
		}
		return found
	}
	seen[key] = len(found)
	return append(found, made)
}
