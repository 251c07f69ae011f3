package infer

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/parallel"
)

// The inputs of an exploration are creates and updates by one sender. The cases of the suite also have other senders, other
// objects in the cluster, deletions and subresources. A rule that one of them contradicts is wrong.

// suiteCase is a case of the suite with the result of today's definition; nil: it has none.
type suiteCase struct {
	harness.Case
	today *harness.Result
}

// askCases compares the cases of the suite with today's definition.
func (i *inference) askCases(ctx context.Context) error {
	return i.checkCases(ctx, i.evidence.Target.Harness, i.evidence.Target.Cases, i.note)
}

// note keeps a case with its result.
func (i *inference) note(c harness.Case, r *harness.Result) {
	i.cases = append(i.cases, suiteCase{c, r})
	if r != nil {
		i.evidence.Answers.Count(c.Operation(), r)
	}
}

// askDeletions asks about deletions of accepted objects, unless policies are inferred: these are about deletions as well.
func (i *inference) askDeletions(ctx context.Context) error {
	if i.evidence.Target.Policies != nil || i.evidence.Target.Like.Subresource != "" {
		return nil
	}
	var deletions []harness.Case
	for _, s := range i.forRequests(true) {
		c := asking.Case(i.evidence.Target.Like, s.Input)
		c.ID, c.Deletes = "the deletion of an accepted object", true
		deletions = append(deletions, c)
	}
	return i.checkCases(ctx, i.evidence.Target.Harness, deletions, i.note)
}

// checkCases compares cases in their order. observe gets the result in the version of the target; nil: there is none.
func (i *inference) checkCases(
	ctx context.Context, h *harness.Harness, all []harness.Case, observe func(harness.Case, *harness.Result),
) error {
	type answer struct {
		of     harness.Case
		result *harness.Result
	}
	queue := parallel.Queue[harness.Case, answer]{
		Parallel: i.evidence.Options.Parallel,
		Do: func(ctx context.Context, c harness.Case) (answer, error) {
			results, err := h.Check(ctx, c)
			at := slices.IndexFunc(results, func(r harness.Result) bool { return r.Version == i.evidence.Target.Version })
			if at < 0 {
				return answer{of: c}, err
			}
			return answer{c, &results[at]}, err
		},
		Take: func(a answer) error {
			if r := a.result; r != nil {
				i.evidence.NoteFault(i.inputOf(a.of), r)
				if r.Effect == "" || r.Fault != nil {
					a.result = nil
				}
			}
			observe(a.of, a.result)
			return nil
		},
	}
	return queue.Run(ctx, func(yield func(harness.Case, error) bool) {
		for _, c := range all {
			if !yield(c, nil) {
				return
			}
		}
	})
}

// compareCases compares a proposal with the cases of the suite, as they are sent.
func (i *inference) compareCases(ctx context.Context, h *harness.Harness, p *proposal, out *proof) error {
	n := -1
	var failed error
	err := i.checkCases(ctx, h, i.evidence.Target.Cases, func(c harness.Case, r *harness.Result) {
		n++
		if r == nil || i.cases[n].today == nil || c.Deletes { // no definition validates a deletion
			return
		}
		refuses := refusesOnly(r) && !refusesOnly(i.cases[n].today)
		i.compareResult(out, i.inputOf(c), r, refuses)
		if refuses && (c.User != nil || len(c.Cluster) > 0) {
			failed = errors.Join(failed, i.refuteByCase(p, c, r))
		}
	})
	return errors.Join(err, failed)
}

// refuteByCase looks for the rules that refuse a case which the native validator accepts.
func (i *inference) refuteByCase(p *proposal, c harness.Case, r *harness.Result) error {
	before := len(i.refuted)
	for _, pair := range r.Pairs {
		if pair.Declarative != nil && pair.Class == equivalence.TooStrict {
			if err := i.refuteBy(p, evidence.PlaceOf(fieldpath.Canonical(pair.Declarative.Field)), i.inputOf(c)); err != nil {
				return err
			}
		}
	}
	for n := range i.refuted[before:] {
		i.refuted[before+n].sentAs(c)
	}
	return nil
}

// sentAs notes who sends the object that refutes a rule. Nothing that a definition can say explains its errors.
func (r *RefutedRule) sentAs(c harness.Case) {
	r.Accepted.User, r.Accepted.Cluster = c.User, c.Cluster
	for _, of := range r.Rule.sites {
		of.OfSender = true
	}
}

// refusesOnly reports whether the schema refuses what the native validator accepts.
func refusesOnly(r *harness.Result) bool {
	return r.Effect == harness.Refuses || r.Effect == harness.Stuck
}

// inputOf returns the objects of a case in the version of the target.
func (i *inference) inputOf(c harness.Case) explore.Input {
	inVersion := func(document any) map[string]any {
		object, _ := document.(map[string]any)
		if object == nil {
			return nil
		}
		out := evidence.Steps{"apiVersion"}.Set(object, i.evidence.Target.Version.GroupVersion().String())
		return evidence.Steps{"kind"}.Set(out, i.evidence.Target.Version.Kind).(map[string]any)
	}
	return explore.Input{Object: inVersion(c.Object), Old: inVersion(c.Old)}
}

// AdmittedCase is a case of the suite with an error that today's definition lacks.
type AdmittedCase struct {
	ID        string `json:"id"`
	Operation string `json:"operation"`
	Error     string `json:"error"`
}

// admittedCases returns the cases that the native validator refuses, and today's definition does not. Those without a name of
// their own are returned once for each error.
func (i *inference) admittedCases() (all []AdmittedCase) {
	for _, c := range i.cases {
		if c.today == nil || c.today.Effect != harness.Admits {
			continue
		}
		for _, pair := range c.today.Pairs {
			if pair.Native != nil && pair.Class == equivalence.TooLoose && !pair.Explained() && !i.evidence.OfMachinery(pair.Native.Field) {
				one := AdmittedCase{ID: cmp.Or(c.ID, c.Source), Operation: string(c.Operation()), Error: strings.TrimPrefix(pair.Native.Error(), ": ")}
				if !slices.Contains(all, one) {
					all = append(all, one)
				}
				break
			}
		}
	}
	return all
}

// Bounds of the senders that are tried.
const (
	mostSenders  = 12
	mostSentBack = 2 // objects of a site
)

// senders returns who sends the cases of the suite, with what else is in the cluster, and users that errors name, each once.
func (i *inference) senders() (all []harness.Case) {
	known := map[string]bool{}
	add := func(user *harness.User, cluster []map[string]any) {
		key, _ := json.Marshal([]any{user, cluster})
		if (user != nil || len(cluster) > 0) && !known[string(key)] && len(all) < mostSenders {
			known[string(key)] = true
			c := i.evidence.Target.Like
			c.User, c.Cluster = user, cluster
			all = append(all, c)
		}
	}
	for _, c := range i.evidence.Target.Cases {
		add(c.User, c.Cluster)
	}
	for _, u := range evidence.Users(usersIn(i.evidence.Sites))[1:] {
		add(&u, nil)
	}
	return all
}

// askSenders asks about objects that rules refuse, as others send them. If the native validator accepts one, the rules are
// refuted: no definition knows who sends an object.
func (i *inference) askSenders(ctx context.Context, p *proposal) error {
	senders := i.senders()
	for _, rule := range p.rules {
		if i.sentBack[rule.String()] {
			continue
		}
		var sent []harness.Case
		for _, of := range rule.sites {
			for _, s := range i.smallestOf(of)[:min(len(i.smallestOf(of)), mostSentBack)] {
				for _, like := range senders {
					sent = append(sent, asking.Case(like, s.Input))
				}
			}
		}
		err := i.checkCases(ctx, i.evidence.Target.Harness, sent, func(c harness.Case, r *harness.Result) {
			if r != nil && len(r.Native.Errors)+len(r.Native.Unstable) == 0 && i.refutedRule(rule) == nil {
				refuted := RefutedRule{rule, evidence.ExampleOf(i.inputOf(c))}
				refuted.sentAs(c)
				i.refuted = append(i.refuted, refuted)
			}
		})
		if err != nil {
			return err
		}
		i.sentBack[rule.String()] = true
	}
	return nil
}

// smallestOf returns the objects that are refused because of a site alone, the smallest first.
func (i *inference) smallestOf(of *evidence.Site) (all []*evidence.Sample) {
	for _, s := range i.evidence.Samples {
		if s.OnlyReports(of.Key) {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Sample) int { return a.Size - b.Size })
	return all
}
