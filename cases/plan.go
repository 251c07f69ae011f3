package cases

import (
	"errors"
	"maps"
	"slices"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/userfile"
)

// Plan is all suites of a run. A file of rules or exceptions that several suites name is loaded
// once, because stale exceptions are found over the whole run.
type Plan struct {
	Suites []*Suite
	// Warnings are problems of schemas that do not prevent a comparison: the API server would
	// reject the schema in a new definition, but serves a definition that already has it.
	Warnings userfile.Mistakes
	// Digest is a hash of the suites and of the schemas, policies, rules and exceptions that they
	// name. Shards on several machines compare it to make sure that they read the same files.
	Digest string
	// Files are the files on disk that the suites read: their own, and what they name, with patterns
	// replaced by the files that match. A command that writes one of them would destroy it.
	Files []string
	// Intents has one line for each effect of the run outside of this machine. Show them before
	// the run.
	Intents []string

	rules      *equivalence.RuleSet // of all suites
	ruleFiles  []*ruleFile
	exceptions []*exceptionFile
}

// Load loads suites with their case files, rules and exceptions. The error is a userfile.Mistakes
// with all mistakes in all files.
func Load(places []Location, options Options) (*Plan, error) {
	shared := &sharedFiles{
		options:    options,
		rules:      map[Location]*ruleFile{},
		exceptions: map[Location]*exceptionFile{},
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
				shared.mistakes.Addf(strictyaml.Position{File: place.Name},
					"the suite in %s has the same name, %q; choose a different name",
					other, suite.Name)
			}
			named[suite.Name] = place.Name
		}
		plan.Suites = append(plan.Suites, suites...)
	}
	shared.checkTargets()
	plan.rules, plan.ruleFiles, plan.exceptions = shared.rulesOf(shared.allRuleSets()), shared.allRules, shared.allExceptions
	if err := shared.mistakes.Err(); err != nil {
		_ = plan.Close() // processes for suites without mistakes; the mistakes are what matters
		return nil, err
	}
	plan.Files = slices.Sorted(maps.Keys(shared.named))
	plan.Warnings, plan.Intents, plan.Digest = shared.distinctWarnings(), shared.intents, shared.digest.sum()
	return plan, nil
}

// Close stops the programs and closes the connections of the suites. Call it after all jobs are
// done. The error names earlier answers that cannot be trusted, because a program printed more
// after them.
func (p *Plan) Close() error {
	var errs []error
	for _, suite := range p.Suites {
		for _, closer := range suite.closers {
			errs = append(errs, closer.Close())
		}
	}
	return errors.Join(errs...)
}

// Ledger returns the ledger for a run of all suites.
func (p *Plan) Ledger() *equivalence.Ledger {
	var exceptions []*equivalence.Exceptions
	for _, file := range p.exceptions {
		exceptions = append(exceptions, file.exceptions)
	}
	return equivalence.NewLedger(p.rules, exceptions...)
}

// SharedExceptions returns the exceptions in files outside the directories of the suites that name
// them, each once. Other suites may need them, so they may be unused. All other exceptions are
// stale if a full run does not use them.
func (p *Plan) SharedExceptions() []*equivalence.Exception {
	var all []*equivalence.Exception
	for _, file := range p.exceptions {
		if !file.own {
			all = append(all, file.exceptions.All()...)
		}
	}
	return all
}

// SharedRules returns the rules with a target in files outside the directories of the suites that
// name them, each once. Like shared exceptions, they may be unused.
func (p *Plan) SharedRules() []*equivalence.Rule {
	var all []*equivalence.Rule
	for _, file := range p.ruleFiles {
		if !file.own {
			all = append(all, slices.DeleteFunc(file.rules.All(), func(rule *equivalence.Rule) bool { return rule.Target() == "" })...)
		}
	}
	return all
}
