package proposal

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/findings/asking"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/rules"
	"github.com/diffrun/diffrun/internal/infer/search"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/parallel"
)

// The inputs of an exploration are creates and updates by one sender. The cases of the suite also have other senders, other
// objects in the cluster, deletions and subresources. A rule that one of them contradicts is wrong.

// suiteCase is a case of the suite with the result of today's definition; nil: it has none.
type suiteCase struct {
	harness.Case
	today *harness.Result
}

// AskCases compares the cases of the suite with today's definition.
func (pr *Prover) AskCases(ctx context.Context) error {
	return pr.checkCases(ctx, pr.Evidence.Target.Harness, pr.Evidence.Target.Cases, pr.note)
}

// note keeps a case with its result.
func (pr *Prover) note(c harness.Case, r *harness.Result) {
	pr.cases = append(pr.cases, suiteCase{c, r})
	if r != nil {
		pr.Evidence.Answers.Count(c.Operation(), r)
	}
}

// AskDeletions asks about deletions of accepted objects, unless policies are inferred: these are about deletions as well.
func (pr *Prover) AskDeletions(ctx context.Context) error {
	if pr.Evidence.Target.Policies != nil || pr.Evidence.Target.Like.Subresource != "" {
		return nil
	}
	var deletions []harness.Case
	for _, s := range ForRequests(pr.Evidence, true) {
		c := asking.Case(pr.Evidence.Target.Like, s.Input)
		c.ID, c.Deletes = "the deletion of an accepted object", true
		deletions = append(deletions, c)
	}
	return pr.checkCases(ctx, pr.Evidence.Target.Harness, deletions, pr.note)
}

// checkCases compares cases in their order. observe gets the result in the version of the target; nil: there is none.
func (pr *Prover) checkCases(
	ctx context.Context, h *harness.Harness, all []harness.Case, observe func(harness.Case, *harness.Result),
) error {
	type answer struct {
		of     harness.Case
		result *harness.Result
	}
	queue := parallel.Queue[harness.Case, answer]{
		Parallel: pr.Evidence.Options.Parallel,
		Do: func(ctx context.Context, c harness.Case) (answer, error) {
			results, err := h.Check(ctx, c)
			at := slices.IndexFunc(results, func(r harness.Result) bool { return r.Version == pr.Evidence.Target.Version })
			if at < 0 {
				return answer{of: c}, err
			}
			return answer{c, &results[at]}, err
		},
		Take: func(a answer) error {
			if r := a.result; r != nil {
				pr.Evidence.NoteFault(pr.inputOf(a.of), r)
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
func (pr *Prover) compareCases(ctx context.Context, h *harness.Harness, p *Proposal, out *Proof) error {
	n := -1
	var failed error
	err := pr.checkCases(ctx, h, pr.Evidence.Target.Cases, func(c harness.Case, r *harness.Result) {
		n++
		if r == nil || pr.cases[n].today == nil || c.Deletes { // no definition validates a deletion
			return
		}
		refuses := refusesOnly(r) && !refusesOnly(pr.cases[n].today)
		out.compareResult(pr.Evidence, pr.inputOf(c), r, refuses)
		if refuses && (c.User != nil || len(c.Cluster) > 0) {
			failed = errors.Join(failed, pr.refuteByCase(p, c, r))
		}
	})
	return errors.Join(err, failed)
}

// refuteByCase looks for the rules that refuse a case which the native validator accepts.
func (pr *Prover) refuteByCase(p *Proposal, c harness.Case, r *harness.Result) error {
	before := len(pr.Refuted)
	for _, pair := range r.Pairs {
		if pair.Declarative != nil && pair.Class == difference.TooStrict {
			at := evidence.PlaceOf(fieldpath.Canonical(pair.Declarative.Field))
			if err := pr.refuteBy(p, at, pair.Declarative.Detail, pr.inputOf(c)); err != nil {
				return err
			}
		}
	}
	for n := range pr.Refuted[before:] {
		pr.Refuted[before+n].sentAs(c)
	}
	return nil
}

// sentAs notes who sends the object that refutes a rule. Nothing that a definition can say explains its errors.
func (r *RefutedRule) sentAs(c harness.Case) {
	r.Accepted.User, r.Accepted.Cluster = c.User, c.Cluster
	for _, of := range r.Rule.Sites {
		of.OfSender = true
	}
}

// refusesOnly reports whether the schema refuses what the native validator accepts.
func refusesOnly(r *harness.Result) bool {
	return r.Effect == words.Refuses || r.Effect == words.Stuck
}

// inputOf returns the objects of a case in the version of the target.
func (pr *Prover) inputOf(c harness.Case) explore.Input {
	inVersion := func(document any) map[string]any {
		of, _ := document.(map[string]any)
		if of == nil {
			return nil
		}
		of = object.Of("apiVersion").Put(of, pr.Evidence.Target.Version.GroupVersion().String())
		return object.Of("kind").Put(of, pr.Evidence.Target.Version.Kind)
	}
	return explore.Input{Object: inVersion(c.Object), Old: inVersion(c.Old)}
}

// AdmittedCase is a case of the suite with an error that today's definition lacks.
type AdmittedCase struct {
	ID        string `json:"id"`
	Operation string `json:"operation"`
	Error     string `json:"error"`
}

// AdmittedCases returns the cases that the native validator refuses, and today's definition does not. Those without a name of
// their own are returned once for each error.
func (pr *Prover) AdmittedCases() (all []AdmittedCase) {
	for _, c := range pr.cases {
		if c.today == nil || c.today.Effect != words.Admits {
			continue
		}
		for _, pair := range c.today.Pairs {
			if pair.Native != nil && pair.Class == difference.TooLoose && !pair.Explained() && !pr.Evidence.OfMachinery(pair.Native.Field) {
				one := AdmittedCase{ID: cmp.Or(c.ID, c.Source), Operation: string(c.Operation()),
					Error: strings.TrimPrefix(pair.Native.Error(), ": ")}
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
func (pr *Prover) senders() (all []harness.Case) {
	known := map[string]bool{}
	add := func(user *harness.User, cluster []map[string]any) {
		key, _ := json.Marshal([]any{user, cluster})
		if (user != nil || len(cluster) > 0) && !known[string(key)] && len(all) < mostSenders {
			known[string(key)] = true
			c := pr.Evidence.Target.Like
			c.User, c.Cluster = user, cluster
			all = append(all, c)
		}
	}
	for _, c := range pr.Evidence.Target.Cases {
		add(c.User, c.Cluster)
	}
	for _, u := range evidence.Users(UsersIn(pr.Evidence.Sites))[1:] {
		add(&u, nil)
	}
	return all
}

// askSenders asks about objects that rules refuse, as others send them. If the native validator accepts one, the rules are
// refuted: no definition knows who sends an object.
func (pr *Prover) askSenders(ctx context.Context, p *Proposal) error {
	senders := pr.senders()
	for _, rule := range p.Rules {
		if pr.sentBack[rule.String()] {
			continue
		}
		var sent []harness.Case
		for _, of := range rule.Sites {
			for _, s := range pr.smallestOf(of)[:min(len(pr.smallestOf(of)), mostSentBack)] {
				for _, like := range senders {
					sent = append(sent, asking.Case(like, s.Input))
				}
			}
		}
		err := pr.checkCases(ctx, pr.Evidence.Target.Harness, sent, func(c harness.Case, r *harness.Result) {
			if r != nil && len(r.Native.Errors)+len(r.Native.Unstable) == 0 && pr.RefutedRule(rule) == nil {
				refuted := RefutedRule{rule, evidence.ExampleOf(pr.inputOf(c))}
				refuted.sentAs(c)
				pr.Refuted = append(pr.Refuted, refuted)
			}
		})
		if err != nil {
			return err
		}
		pr.sentBack[rule.String()] = true
	}
	return nil
}

// smallestOf returns the objects that are refused because of a site alone, the smallest first.
func (pr *Prover) smallestOf(of *evidence.Site) (all []*evidence.Sample) {
	for _, s := range pr.Evidence.Samples {
		if s.OnlyReports(of.Key) {
			all = append(all, s)
		}
	}
	slices.SortStableFunc(all, func(a, b *evidence.Sample) int { return a.Size - b.Size })
	return all
}

// Bounds of the requests that are made of the evidence.
const (
	mostWrites    = 60 // accepted ones
	mostRefusals  = 60
	MostDeletions = 30
)

// ForRequests returns the samples that requests are made of: small ones that the native validator accepts and, for writes,
// refuses for reasons that the definition lacks.
func ForRequests(e *evidence.Evidence, deletes bool) []*evidence.Sample {
	var accepted, refused []*evidence.Sample
	for _, s := range e.Samples {
		switch {
		case s.Masked || deletes && s.Old != nil:
		case s.Accepted:
			accepted = append(accepted, s)
		case !deletes && slices.ContainsFunc(s.Reported, func(r evidence.Reported) bool { return r.Missing }):
			refused = append(refused, s)
		}
	}
	bySize := func(a, b *evidence.Sample) int { return a.Size - b.Size }
	slices.SortStableFunc(accepted, bySize)
	slices.SortStableFunc(refused, bySize)
	if deletes {
		return search.Spread(accepted, MostDeletions)
	}
	return slices.Concat(search.Spread(accepted, mostWrites), search.Spread(refused, mostRefusals))
}

var userPattern = regexp.MustCompile(`\bsystem:[a-z0-9:.-]*[a-z0-9]`)

// UsersIn returns the users and groups that the texts of errors name.
func UsersIn(sites []*evidence.Site) (all []string) {
	for _, of := range sites {
		for _, name := range append(userPattern.FindAllString(of.First.Detail, -1), evidence.QuotedIn(of.First.Detail)...) {
			if !slices.Contains(all, name) && len(all) < rules.MostMembers {
				all = append(all, name)
			}
		}
	}
	return all
}
