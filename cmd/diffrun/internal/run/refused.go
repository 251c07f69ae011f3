package run

import (
	"fmt"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/findings/tally"
	"github.com/diffrun/diffrun/internal/text/plaintext"
	"github.com/diffrun/diffrun/reports/record"
)

// refusals counts, by suite and target, the inputs that a definition refused before any guard.
type refusals struct{ suites map[string]*suiteRefusals }

type suiteRefusals struct {
	tally.Refusals
	targets map[string]*targetRefusals
	order   []*targetRefusals
}

type targetRefusals struct {
	tally.Refusals
	name string
}

// add counts a result.
func (r *refusals) add(result harness.Result) {
	if r.suites == nil {
		r.suites = map[string]*suiteRefusals{}
	}
	suite := r.suites[result.Suite]
	if suite == nil {
		suite = &suiteRefusals{targets: map[string]*targetRefusals{}}
		r.suites[result.Suite] = suite
	}
	version := result.Version
	target := suite.targets[version.String()]
	if target == nil {
		target = &targetRefusals{name: version.GroupVersion().String() + " " + version.Kind}
		suite.targets[version.String()] = target
		suite.order = append(suite.order, target)
	}
	suite.Add(result)
	target.Add(result)
}

// problems returns a problem for each suite with guards whose samples the definition refuses itself, or for
// each of its targets: webhooks and policies never saw them.
func (r *refusals) problems(counted record.Tally) []string {
	var problems []string
	for _, suite := range counted.Suites {
		refused := r.suites[suite.Name]
		if refused == nil || len(suite.Guards) == 0 {
			continue
		}
		if refused.All() {
			problems = append(problems, suite.Where+": "+refusedProblem(refused.Refusals, plaintext.Count(refused.Inputs, refused.noun())))
			continue
		}
		for _, target := range refused.order {
			if target.All() {
				problems = append(problems,
					suite.Where+": "+refusedProblem(target.Refusals, plaintext.Count(target.Inputs, "sample")+" of "+target.name))
			}
		}
	}
	return problems
}

// noun returns what is counted: a sample is an input in each version of its kind.
func (s *suiteRefusals) noun() string {
	if len(s.order) == 1 {
		return "sample"
	}
	return "input"
}

// refusedProblem says what a definition refuses, and why.
func refusedProblem(refused tally.Refusals, all string) string {
	verb := "are"
	if refused.Refused == 1 {
		verb = "is"
	}
	return fmt.Sprintf("%s of %s %s refused by the definition: %s; no webhook, policy or mutation decided about them: "+
		"add samples that the definition accepts",
		plaintext.Number(refused.Refused), all, verb, refused.MostFrequent())
}
