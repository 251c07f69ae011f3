package cases

import (
	"errors"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// Plan is the suites of a run. Files of rules or exceptions that several
// suites name are loaded once and shared: whether an exception is stale shows
// over the whole run, not in one suite.
type Plan struct {
	Suites []*Suite
	// Warnings are problems of the schemas that do not prevent a comparison: the API
	// server would refuse to store a schema, but still serves it if it is stored already.
	Warnings userfile.Mistakes
	// Digest is a hash of the suites and of the schemas, policies, rules and exceptions
	// that they name. Runs on several machines find out from it that they read the same.
	Digest string
	// Intents say, on a line each, what a run will do outside of this machine. Show them
	// before the run.
	Intents []string

	rules      *equivalence.RuleSet // of all suites
	ruleFiles  []*ruleFile
	exceptions []*exceptionFile
}

// Load reads suites and the case files, rules and exceptions that they name. The error is
// a userfile.Mistakes with everything that is wrong in all of them.
func Load(places []Place, options Options) (*Plan, error) {
	shared := &sharedFiles{
		options:    options,
		rules:      map[Place]*ruleFile{},
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
				shared.mistakes.Addf(strictyaml.Position{File: place.Name}, "the suite in %s has the same name, %q; give it another name", other, suite.Name)
			}
			named[suite.Name] = place.Name
		}
		plan.Suites = append(plan.Suites, suites...)
	}
	shared.checkTargets()
	plan.rules, plan.ruleFiles, plan.exceptions = shared.rulesOf(shared.allRuleSets()), shared.allRules, shared.allExceptions
	if err := shared.mistakes.Err(); err != nil {
		return nil, err
	}
	plan.Warnings, plan.Intents, plan.Digest = shared.warnings, shared.intents, shared.digest.sum()
	return plan, nil
}

// Close stops the programs and closes the connections of the suites. Call it when no job
// of the plan runs any more. The error says which earlier answers are in doubt, because
// a program printed something after them.
func (p *Plan) Close() error {
	var errs []error
	for _, suite := range p.Suites {
		for _, closer := range suite.closers {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}

// Ledger makes the ledger for a run of all suites.
func (p *Plan) Ledger() *equivalence.Ledger {
	var exceptions []*equivalence.Exceptions
	for _, file := range p.exceptions {
		exceptions = append(exceptions, file.exceptions)
	}
	return equivalence.NewLedger(p.rules, exceptions...)
}

// SharedExceptions gives, once each, the exceptions of files outside the directories of
// the suites that name them. Other suites may need an exception that these suites do not
// use. All other exceptions are stale if a full run does not use them.
func (p *Plan) SharedExceptions() []*equivalence.Exception {
	var all []*equivalence.Exception
	for _, file := range p.exceptions {
		if !file.own {
			all = append(all, file.exceptions.All()...)
		}
	}
	return all
}

// SharedRules gives, once each, the rules with a target from files outside the
// directories of the suites that name them. Like shared exceptions, they may be unused.
func (p *Plan) SharedRules() []*equivalence.Rule {
	var all []*equivalence.Rule
	for _, file := range p.ruleFiles {
		if !file.own {
			all = append(all, slices.DeleteFunc(file.rules.All(), func(rule *equivalence.Rule) bool { return rule.Target() == "" })...)
		}
	}
	return all
}

// sharedFiles are what several suites may name.
type sharedFiles struct {
	options  Options
	builtin  *equivalence.RuleSet
	mistakes strictyaml.Mistakes
	warnings strictyaml.Mistakes
	digest   digest
	intents  []string

	rules         map[Place]*ruleFile
	allRules      []*ruleFile // in the order in which suites name them
	exceptions    map[Place]*exceptionFile
	allExceptions []*exceptionFile
}

// load gives the suite of a place, or one for each set of its matrix.
func (s *sharedFiles) load(place Place) []*Suite {
	l := loader{Place: place, shared: s, suite: &Suite{File: place.Name}}
	l.load()
	return l.expand()
}

// ruleFile gives a file of rules.
func (s *sharedFiles) ruleFile(at Place, data []byte) *ruleFile {
	file, known := s.rules[at]
	if !known {
		rules, err := equivalence.LoadRules(at.Name, data)
		s.mistakes.Merge(at.Name, err)
		file = &ruleFile{rules: rules}
		s.rules[at] = file
		s.allRules = append(s.allRules, file)
	}
	return file
}

func (s *sharedFiles) allRuleSets() []*equivalence.RuleSet {
	var sets []*equivalence.RuleSet
	for _, file := range s.allRules {
		sets = append(sets, file.rules)
	}
	return sets
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
