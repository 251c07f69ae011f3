package acceptance

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/findings/causes"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

// Cause has the unexplained differences of a suite that have one cause.
type Cause struct {
	*causes.Group
	Suite record.Suite
	// Differences and the ids of their cases have the order of the run.
	Differences []exceptionfile.Difference
	Cases       []string
}

// Report is what recorded runs left unexplained. It is a reports.Reporter, which collects the differences of one run, or of
// several one after the other.
type Report struct {
	Causes []*Cause
	// Faults and Unstable count inputs that have no verdict, and those whose differences may not be found again.
	Faults, Unstable int
	// Incomplete and Narrowed are those of the runs.
	Incomplete bool
	Narrowed   []string

	accepts  func(difference.Class) bool
	accepted map[string][]string // the exceptions that accept differences of a case, by its id
	known    map[string]bool     // the ids of the cases
	byKey    map[causeKey]*Cause
	groups   causes.Groups
	suites   []record.Suite
	shard    string
}

// NewReport returns a report without differences. It collects those of the classes that accepts selects.
func NewReport(accepts func(difference.Class) bool) *Report {
	return &Report{accepts: accepts, accepted: map[string][]string{}, known: map[string]bool{}, byKey: map[causeKey]*Cause{}}
}

// Stable reports whether differences of a class are found again. Others are better not accepted.
func Stable(class difference.Class) bool { return class != difference.Unstable }

type causeKey struct {
	group *causes.Group
	suite string
}

// Begin implements reports.Reporter.
func (r *Report) Begin(header reports.Header) error {
	r.suites, r.shard = header.Suites, header.Shard
	return nil
}

// End implements reports.Reporter.
func (r *Report) End(footer reports.Footer) error {
	r.Incomplete, r.Narrowed = r.Incomplete || footer.Incomplete, append(r.Narrowed, footer.NarrowedTexts(r.shard)...)
	return nil
}

// Result implements reports.Reporter.
func (r *Report) Result(result harness.Result) error {
	id := result.Case.ID
	r.known[id] = true
	switch result.Verdict {
	case words.Faulted:
		r.Faults++
	case words.Unstable:
		r.Unstable++
	}
	groups := r.groups.Add(result) // faults, differences, unmet expectations
	for range result.Faults() {
		groups = groups[1:]
	}
	for _, pair := range result.Pairs {
		if by := pair.Exception; by != nil && !slices.Contains(r.accepted[id], by.ID) {
			r.accepted[id] = append(r.accepted[id], by.ID)
		}
		if pair.Explained() {
			continue
		}
		group := groups[0]
		groups = groups[1:]
		if group != nil && r.accepts(pair.Class) {
			r.add(group, result, pair)
		}
	}
	return nil
}

// add adds a difference to its cause.
func (r *Report) add(group *causes.Group, result harness.Result, pair equivalence.Pair) {
	key := causeKey{group, result.Suite}
	cause := r.byKey[key]
	if cause == nil {
		cause = &Cause{Group: group, Suite: record.Suite{Name: result.Suite}}
		if at := slices.IndexFunc(r.suites, func(suite record.Suite) bool { return suite.Name == result.Suite }); at >= 0 {
			cause.Suite = r.suites[at]
		}
		r.byKey[key] = cause
		r.Causes = append(r.Causes, cause)
	}
	cause.Differences = append(cause.Differences, exceptionfile.Of(result, pair))
	cause.Cases = append(cause.Cases, result.Case.ID)
}

// Chosen returns the part of the report with some ids: of cases, or of causes; none: all of it. The error names the ids that have
// no unexplained difference.
func (r *Report) Chosen(ids []string) ([]*Cause, error) {
	if len(ids) == 0 {
		return r.Causes, nil
	}
	var only []*Cause
	var errs []error
	found := map[string]bool{}
	for _, cause := range r.Causes {
		part := *cause
		part.Differences, part.Cases = nil, nil
		for i, id := range cause.Cases {
			if byCause, byCase := slices.Contains(ids, cause.ID), slices.Contains(ids, id); byCause || byCase {
				found[cause.ID], found[id] = found[cause.ID] || byCause, found[id] || byCase
				part.Differences, part.Cases = append(part.Differences, cause.Differences[i]), append(part.Cases, id)
			}
		}
		if len(part.Cases) > 0 {
			only = append(only, &part)
		}
	}
	for _, id := range ids {
		switch accepted := r.accepted[id]; {
		case found[id]:
		case len(accepted) > 0:
			errs = append(errs, fmt.Errorf("case %q has no unexplained difference; exceptions accept its differences: %s. If one accepts "+
				"more than its maxHits, review the new ones and raise maxHits in the file", id, strings.Join(accepted, ", ")))
		case r.known[id]:
			errs = append(errs, fmt.Errorf("case %q has no unexplained difference", id))
		default:
			errs = append(errs, fmt.Errorf("the report has no case or cause %q; cases that differ: %s", id, join(r.caseIDs())))
		}
	}
	return only, errors.Join(errs...)
}

// caseIDs lists the cases with unexplained differences.
func (r *Report) caseIDs() []string {
	var ids []string
	for _, cause := range r.Causes {
		for _, id := range cause.Cases {
			if !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
	}
	return ids
}
