package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/strictyaml"
)

// Suite binds two validators to the cases that both are to judge.
type Suite struct {
	// Name stands for the suite in reports.
	Name string
	// File is the suite.yaml.
	File string
	// Rules are the built-in ones and the suite's own.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences; nil: none.
	Exceptions *equivalence.Exceptions

	natives      Natives
	declaratives Declaratives
	sources      []source
}

// Options are what a suite is loaded with.
type Options struct {
	// Builtins are the validators that suites may name.
	Builtins map[string]Builtin
	// Now is the time at which exceptions are expired or not.
	Now time.Time
}

// Load reads the suite at a path of a file system, and the case files, rules
// and exceptions that it names relative to itself. The error is a
// strictyaml.Mistakes with everything that is wrong with them.
func Load(fsys fs.FS, name string, options Options) (*Suite, error) {
	l := loader{fsys: fsys, options: options, suite: &Suite{File: name}}
	l.load()
	if err := l.mistakes.Err(); err != nil {
		return nil, err
	}
	return l.suite, nil
}

// Count says how many cases there are. It is not exact when files are read
// while the run goes on: then there are at least as many.
func (s *Suite) Count() (cases int, exact bool) {
	exact = true
	for _, source := range s.sources {
		n, known := source.count()
		cases += n
		exact = exact && known
	}
	return cases, exact
}

// Cases gives the cases in the order of the suite's patterns, the files of a
// pattern by name. A case that cannot be read has its Fault set; the error is
// that of a file which cannot be read any more, and the last that is given.
func (s *Suite) Cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for _, source := range s.sources {
			for c, err := range source.cases() {
				if err != nil {
					yield(c, fmt.Errorf("suite %s: %w", s.Name, err))
					return
				}
				if c.Fault == nil {
					c.Fault = bounded(&c)
				}
				if !yield(c, nil) {
					return
				}
			}
		}
	}
}

// loader collects what a suite file names, and all mistakes on the way.
type loader struct {
	fsys     fs.FS
	options  Options
	suite    *Suite
	file     suiteFile
	mistakes strictyaml.Mistakes
}

func (l *loader) load() {
	data, err := fs.ReadFile(l.fsys, l.suite.File)
	if err != nil {
		l.mistakes.Addf(strictyaml.Position{File: l.suite.File}, "cannot be read: %v", cause(err))
		return
	}
	if err := strictyaml.Decode(l.suite.File, data, &l.file); err != nil {
		l.mistakes.Merge(l.suite.File, err)
		return
	}
	l.suite.Name = l.file.Name
	if l.suite.Name == "" {
		l.mistakes.Addf(l.file.Position, "the suite has no name")
	}
	if builtin, ok := l.builtin("native", l.file.Native, Builtin.hasNatives); ok {
		l.suite.natives = builtin.Natives
	}
	if builtin, ok := l.builtin("declarative", l.file.Declarative, Builtin.hasDeclaratives); ok {
		l.suite.declaratives = builtin.Declaratives
	}
	l.loadRules()
	l.loadExceptions()
	l.loadCases()
}

// builtin finds the builtin that a side of the suite names.
func (l *loader) builtin(side string, v *validator, has func(Builtin) bool) (Builtin, bool) {
	accepted := orNone(names(l.options.Builtins, has))
	if v == nil {
		l.mistakes.Addf(l.file.Position, "the suite has no %s validator; accepted: {builtin: NAME} with the names %s", side, accepted)
		return Builtin{}, false
	}
	builtin, known := l.options.Builtins[v.Builtin]
	if !known || !has(builtin) {
		l.mistakes.Addf(v.Position, "there is no builtin %q for %s; accepted: %s", v.Builtin, side, accepted)
		return Builtin{}, false
	}
	return builtin, true
}

// loadRules adds the suite's own rules to the built-in ones.
func (l *loader) loadRules() {
	builtin, err := equivalence.BuiltinRules()
	l.mistakes.Merge(l.suite.File, err)
	sets := []*equivalence.RuleSet{builtin}
	for _, ref := range l.file.Rules {
		if data, ok := l.read(ref); ok {
			set, err := equivalence.LoadRules(l.resolve(ref), data)
			l.mistakes.Merge(l.resolve(ref), err)
			sets = append(sets, set)
		}
	}
	joined, err := equivalence.JoinRules(sets...)
	l.mistakes.Merge(l.suite.File, err)
	l.suite.Rules = joined
}

func (l *loader) loadExceptions() {
	ref := l.file.Exceptions
	if !ref.given() {
		return
	}
	if data, ok := l.read(ref); ok {
		exceptions, err := equivalence.LoadExceptions(l.resolve(ref), data, l.options.Now)
		l.mistakes.Merge(l.resolve(ref), err)
		l.suite.Exceptions = exceptions
	}
}

// loadCases opens every file that the patterns match, once each.
func (l *loader) loadCases() {
	if len(l.file.Cases) == 0 {
		l.mistakes.Addf(l.file.Position, "the suite names no cases; list files or patterns under \"cases\"")
	}
	seen := l.ownFiles()
	for _, ref := range l.file.Cases {
		for _, name := range l.match(ref) {
			if seen[name] {
				continue
			}
			seen[name] = true
			source, err := openSource(l.fsys, name, strings.TrimPrefix(name, path.Dir(l.suite.File)+"/"))
			l.mistakes.Merge(name, err)
			l.suite.sources = append(l.suite.sources, source)
		}
	}
}

// ownFiles are those that are no cases, even where a pattern like *.yaml
// matches them.
func (l *loader) ownFiles() map[string]bool {
	own := map[string]bool{l.suite.File: true}
	for _, ref := range append(slices.Clone(l.file.Rules), l.file.Exceptions) {
		own[l.resolve(ref)] = true
	}
	return own
}

// match gives the files of a pattern, sorted. None is a mistake: a suite that
// lost its cases must not pass.
func (l *loader) match(ref reference) []string {
	names, err := fs.Glob(l.fsys, l.resolve(ref))
	switch {
	case err != nil:
		l.mistakes.Addf(l.at(ref), "%q is no pattern: %v; use *, ? and [a-z] within a name", ref.path, err)
	case len(names) == 0:
		l.mistakes.Addf(l.at(ref), "no file matches %q", ref.path)
	}
	return names
}

// read gives the content of a file that the suite names.
func (l *loader) read(ref reference) ([]byte, bool) {
	data, err := fs.ReadFile(l.fsys, l.resolve(ref))
	if err != nil {
		l.mistakes.Addf(l.at(ref), "%s cannot be read: %v", ref.path, cause(err))
	}
	return data, err == nil
}

func (l *loader) resolve(ref reference) string {
	if path.IsAbs(ref.path) {
		return ref.path
	}
	return path.Join(path.Dir(l.suite.File), ref.path)
}

func (l *loader) at(ref reference) strictyaml.Position {
	return strictyaml.Position{File: l.suite.File, Line: ref.line}
}

// cause is what is wrong with a file, without the path that the message has.
func cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}
