package cases

import (
	"errors"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// Plan is the suites of a run. Files of rules or exceptions that several
// suites name are loaded once and shared: whether an exception is stale shows
// over the whole run, not in one suite.
type Plan struct {
	Suites []*Suite

	rules      *equivalence.RuleSet // of all suites
	exceptions []*exceptionFile
}

// Load reads suites, and the case files, rules and exceptions that they name
// relative to themselves. The error is a strictyaml.Mistakes with everything
// that is wrong with any of them.
func Load(places []Place, options Options) (*Plan, error) {
	shared := &sharedFiles{
		options:    options,
		rules:      map[Place]*equivalence.RuleSet{},
		exceptions: map[Place]*exceptionFile{},
	}
	builtin, err := equivalence.BuiltinRules()
	shared.mistakes.Merge("", err)
	shared.builtin = builtin
	plan := &Plan{}
	named := map[string]string{}
	for _, place := range places {
		suites := shared.load(place)
		for _, suite := range suites {
			if other, taken := named[suite.Name]; taken && suite.Name != "" && other != place.Name {
				shared.mistakes.Addf(strictyaml.Position{File: place.Name}, "the suite of %s is named %q, too; reports could not tell them apart", other, suite.Name)
			}
			named[suite.Name] = place.Name
		}
		plan.Suites = append(plan.Suites, suites...)
	}
	shared.checkTargets()
	plan.rules, plan.exceptions = shared.rulesOf(shared.allRuleSets), shared.allExceptions
	if err := shared.mistakes.Err(); err != nil {
		return nil, err
	}
	return plan, nil
}

// Close ends the validators that suites have started or are connected to. No
// job of the plan may be run any more.
func (p *Plan) Close() error {
	var errs []error
	for _, suite := range p.Suites {
		for _, closer := range suite.closers {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}

// Ledger opens the books of a run of all suites.
func (p *Plan) Ledger() *equivalence.Ledger {
	var exceptions []*equivalence.Exceptions
	for _, file := range p.exceptions {
		exceptions = append(exceptions, file.exceptions)
	}
	return equivalence.NewLedger(p.rules, exceptions...)
}

// SharedExceptions gives, each once, the exceptions of files that stand outside of
// the directories of the suites that name them. Other suites may need those that
// these do not; all others are stale when a full run does not use them.
func (p *Plan) SharedExceptions() []*equivalence.Exception {
	var all []*equivalence.Exception
	for _, file := range p.exceptions {
		if !file.own {
			all = append(all, file.exceptions.All()...)
		}
	}
	return all
}

// sharedFiles are what several suites may name.
type sharedFiles struct {
	options  Options
	builtin  *equivalence.RuleSet
	mistakes strictyaml.Mistakes

	rules         map[Place]*equivalence.RuleSet
	allRuleSets   []*equivalence.RuleSet // in the order in which suites name them
	exceptions    map[Place]*exceptionFile
	allExceptions []*exceptionFile
}

// load gives the suite of a place, or one for each set of its matrix.
func (s *sharedFiles) load(place Place) []*Suite {
	l := loader{Place: place, shared: s, suite: &Suite{File: place.Name}}
	l.load()
	return l.expand()
}

// ruleSet gives the rules of a file; nil where they have mistakes.
func (s *sharedFiles) ruleSet(at Place, data []byte) *equivalence.RuleSet {
	set, known := s.rules[at]
	if !known {
		var err error
		set, err = equivalence.LoadRules(at.Name, data)
		s.mistakes.Merge(at.Name, err)
		s.rules[at] = set
		s.allRuleSets = append(s.allRuleSets, set)
	}
	return set
}

// rulesOf joins the built-in rules and those of some files. Over all files it
// finds two rules of one name in different suites, a mistake because reports
// name rules by their names.
func (s *sharedFiles) rulesOf(own []*equivalence.RuleSet) *equivalence.RuleSet {
	joined, err := equivalence.JoinRules(slices.Concat([]*equivalence.RuleSet{s.builtin}, own)...)
	s.mistakes.Merge("", err)
	return joined
}

// exceptionsOf gives a file of exceptions.
func (s *sharedFiles) exceptionsOf(at Place, data []byte) *exceptionFile {
	file, known := s.exceptions[at]
	if !known {
		exceptions, err := equivalence.LoadExceptions(at.Name, data, s.options.Now)
		s.mistakes.Merge(at.Name, err)
		file = &exceptionFile{exceptions: exceptions}
		s.exceptions[at] = file
		s.allExceptions = append(s.allExceptions, file)
	}
	return file
}
