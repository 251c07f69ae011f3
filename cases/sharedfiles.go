package cases

import (
	"slices"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// sharedFiles are files that several suites may name.
type sharedFiles struct {
	options  Options
	builds   exec.Builds
	builtin  *equivalence.RuleSet
	mistakes strictyaml.Mistakes
	warnings strictyaml.Mistakes
	digest   digest
	intents  []string
	// named are the files on disk that suites name, and the suites themselves.
	named map[string]bool

	rules         map[Location]*ruleFile
	allRules      []*ruleFile // in the order in which suites name them
	exceptions    map[Location]*exceptionFile
	allExceptions []*exceptionFile
}

// name notes that a suite names a file.
func (s *sharedFiles) name(files *Files, file string) {
	if !files.OnDisk {
		return
	}
	if s.named == nil {
		s.named = map[string]bool{}
	}
	s.named[file] = true
}

// load returns the suite at a place, or one suite for each set of its matrix.
func (s *sharedFiles) load(at Location) []*Suite {
	l := loader{Location: at, shared: s, suite: &Suite{File: at.Name}}
	l.load()
	return l.expand()
}

// distinctWarnings returns the warnings in their order, each once: a file with policies may be on both sides.
func (s *sharedFiles) distinctWarnings() strictyaml.Mistakes {
	var all strictyaml.Mistakes
	for _, warning := range s.warnings {
		if !slices.Contains(all, warning) {
			all = append(all, warning)
		}
	}
	return all
}

func (s *sharedFiles) ruleFile(at Location, data []byte) *ruleFile {
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

// rulesOf merges the built-in rules with those of some files. Two rules of different suites with
// the same name are a mistake, because reports identify rules by name.
func (s *sharedFiles) rulesOf(own []*equivalence.RuleSet) *equivalence.RuleSet {
	joined, err := s.builtin.With(own...)
	s.mistakes.Merge("", err)
	return joined
}

func (s *sharedFiles) exceptionsOf(at Location, data []byte) *exceptionFile {
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
