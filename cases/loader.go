package cases

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// loader loads what the file of a suite names.
type loader struct {
	Location
	shared *sharedFiles
	suite  *Suite
	file   suitefile.File
	// unread has the keys of the file if it could not be decoded completely.
	unread map[string]bool
	// resources are the kinds that files define. It is nil if a builtin defines the kinds.
	resources *resources
	// mutators are the programs of the stage mutate, by their commands.
	mutators map[string]closable
}

func (l *loader) load() {
	l.shared.name(l.Files, l.Name)
	data, err := infile.Read(l.Files.FS, l.Name)
	if err != nil {
		l.shared.mistakes.Addf(strictyaml.Position{File: l.Name}, "cannot be read: %v", infile.Cause(err))
		return
	}
	l.shared.digest.add(l.Name, data)
	if err := strictyaml.Decode(l.Name, data, &l.file); err != nil {
		// Keys that were decoded may have more mistakes. A key whose value could not be decoded is
		// not missing.
		l.unread = topKeys(data)
		if other := l.otherFile(); other != "" {
			l.shared.mistakes.Addf(l.file.Position, "%s", other)
			return
		}
		l.shared.mistakes.Merge(l.Name, err)
		if len(l.unread) == 0 || l.file.Position == (strictyaml.Position{}) {
			return
		}
	}
	l.suite.Name = l.file.Name
	if l.suite.Name == "" && !l.unread["name"] {
		l.shared.mistakes.Addf(l.file.Position, "the suite has no name")
	}
	l.nameSides()
	switch {
	case l.isOfWorlds():
		l.loadWorlds()
	case l.file.Declarative != nil && l.file.Declarative.Kubernetes != "" && l.file.Declarative.IsOne():
		// A build takes minutes, so mistakes in the other files are reported before it.
		l.loadFiles()
		l.loadReleases()
		l.loadComparing()
		return
	default:
		l.loadDeclarative()
		l.loadNative()
	}
	l.loadComparing()
	l.loadFiles()
}

// nameSides sets the names of both sides for people.
func (l *loader) nameSides() {
	names, mistake, line := l.file.SideNames()
	if l.suite.Sides = names; mistake != "" {
		l.shared.mistakes.Addf(strictyaml.Position{File: l.Name, Line: line}, "%s", mistake)
	}
}

// loadFiles loads the rules, exceptions and cases that the suite names.
func (l *loader) loadFiles() {
	l.loadRules()
	l.loadExceptions()
	l.loadCases()
}

// topKeys returns the keys of the mapping that a file is; nil: it is none.
func topKeys(data []byte) map[string]bool {
	var document yaml.Node
	if err := yaml.Unmarshal(data, &document); err != nil || len(document.Content) == 0 || document.Content[0].Kind != yaml.MappingNode {
		return nil // and so nothing is known of the rest
	}
	keys := map[string]bool{}
	for i := 0; i < len(document.Content[0].Content); i += 2 {
		keys[document.Content[0].Content[i].Value] = true
	}
	return keys
}

// otherFile describes the file if it is a known file other than a suite.
func (l *loader) otherFile() string {
	has := func(key string) bool { return l.unread[key] }
	switch {
	case has("native") || has("declarative") || l.file.Position == (strictyaml.Position{}):
		return ""
	case has("apiVersion") && has("kind"):
		return "this is a Kubernetes object, not a suite; a suite names it under \"cases\", or a CustomResourceDefinition " +
			"under \"declarative\""
	case has("cases") && (has("target") || has("objects")):
		return "this is a file of cases; run the suite that names it under its own \"cases\""
	}
	return ""
}

// said reports whether a mistake about a part of the file was already reported. Consequences of it
// are not reported.
func (l *loader) said(path string) bool {
	return slices.ContainsFunc(l.shared.mistakes, func(m strictyaml.Mistake) bool {
		return m.File == l.Name && strings.HasPrefix(m.Message, path+" must be ")
	})
}

// saidBelow reports whether a mistake about a key of a side was already reported.
func (l *loader) saidBelow(side string) bool {
	return slices.ContainsFunc(l.shared.mistakes, func(m strictyaml.Mistake) bool {
		return m.File == l.Name && strings.HasPrefix(m.Message, side+".") && strings.Contains(m.Message, " must be ")
	})
}

func (l *loader) loadDeclarative() {
	side := l.file.Declarative
	switch {
	case side == nil && l.unread["declarative"] || l.said("declarative"):
	case side != nil && l.saidBelow("declarative"):
	case side == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no declarative validator; accepted: %s", l.acceptedSchemas())
	case !side.IsOne():
		l.shared.mistakes.Addf(side.Position, "declarative must name one source of schemas; accepted: %s", l.acceptedSchemas())
	case side.WithoutCRD() != "":
		l.shared.mistakes.Addf(side.Position, "%s is accepted only with crd, and declarative names no crd", side.WithoutCRD())
	case side.Scope() != "":
		l.shared.mistakes.Addf(side.Position, "scope is accepted only with guards (policies, mutate or then), and the suite has none")
	case side.CRD.Given():
		l.define(l.loadCRD(side))
	case side.OpenAPI != nil:
		l.define(l.loadOpenAPI(side.OpenAPI))
	case side.Go != nil:
		l.define(l.loadGoType(side.Go))
	default:
		l.loadKEPs(side)
		if builtin, ok := l.builtin("declarative", side.Position, side.Builtin, Builtin.hasDeclaratives); ok {
			l.suite.declaratives, l.suite.counting = builtin.Declaratives, builtin.Counting
			l.suite.builtinPosition, l.suite.offers = builtin.SchemaPosition, builtin.Offers
			l.suite.builtins.declarative = side.Builtin
		}
	}
}

func (l *loader) acceptedSchemas() string {
	return "{builtin: NAME} with the names " + l.accepted(Builtin.hasDeclaratives) + "; {crd: FILE, version: …}; {openapi: " +
		"{file: FILE, definition: NAME}}; {go: {package: PATH, type: NAME}}; {kubernetes: RELEASE}; " + acceptedNewWorld
}

func (l *loader) loadNative() {
	side := l.file.Native
	switch {
	case side == nil && l.unread["native"] || l.said("native"):
	case side != nil && l.saidBelow("native"):
	case side == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no native validator; accepted: %s", l.acceptedNatives())
	case !side.IsOne():
		l.shared.mistakes.Addf(side.Position, "native must name one validator; accepted: %s", l.acceptedNatives())
	case side.Recorded.Given():
		l.loadRecorded(side)
	case side.IsExternal():
		l.loadExternal(side)
	default:
		if builtin, ok := l.builtin("native", side.Position, side.Builtin, Builtin.hasNatives); ok {
			l.suite.natives, l.suite.linked, l.suite.builtins.native = l.bound(builtin), true, side.Builtin
			l.suite.setGates, l.suite.named = builtin.Gates, builtin.backends(l.shared.options.Tags)
		}
	}
}

// loadExternal combines an external validator with schemas of files, or of a builtin, which must
// then also read the objects of its kinds.
func (l *loader) loadExternal(side *suitefile.Native) {
	backend, ok := l.native(side)
	switch {
	case !ok || l.file.Declarative == nil || !l.file.Declarative.IsOne():
	case l.file.Declarative.Builtin == "":
		l.suite.natives = externalNatives{l.resources, backend}
	default:
		if builtin, ok := l.builtin("native: exec, webhook and cluster", l.file.Declarative.Position, l.file.Declarative.Builtin,
			Builtin.hasNatives); ok {
			l.suite.natives, l.suite.named = externalNatives{builtin.Natives, backend}, builtin.backends(l.shared.options.Tags)
		}
	}
}

func (l *loader) acceptedNatives() string {
	return "{builtin: NAME} with the names " + l.accepted(Builtin.hasNatives) + "; {exec: {command: [PROGRAM, ARGUMENT…]}}; " +
		"{webhook: {url: URL, caFile: …, certFile: …, keyFile: …, tokenFile: …}}; {cluster: {kubeconfig: …, context: …, " +
		"namespace: …}}; {kubernetes: RELEASE}; {recorded: FILES}; " + acceptedWorld
}

// builtin returns the builtin that a side of the suite names.
func (l *loader) builtin(side string, at strictyaml.Position, name string, has func(Builtin) bool) (Builtin, bool) {
	builtin, known := l.shared.options.Builtins[name]
	if known && has(builtin) {
		return builtin, true
	}
	if builtin.LeftOut != "" {
		l.shared.mistakes.Addf(at, "%s: builtin %q: %s", side, name, builtin.LeftOut)
		return Builtin{}, false
	}
	unknown := fmt.Sprintf("no builtin %q for ", name)
	if !slices.ContainsFunc(l.shared.mistakes, func(m strictyaml.Mistake) bool { // the same key gives both sides
		return !known && m.Position == at && strings.HasPrefix(m.Message, unknown)
	}) {
		l.shared.mistakes.Addf(at, "%s%s; accepted: %s", unknown, side, l.accepted(has))
	}
	return Builtin{}, false
}

// accepted returns the names of the builtins that have a side.
func (l *loader) accepted(has func(Builtin) bool) string {
	return oneof.OrNone(names(l.shared.options.Builtins, has))
}

// loadRules adds the suite's own rules to the built-in rules.
func (l *loader) loadRules() {
	var own []*equivalence.RuleSet
	for _, ref := range l.file.Rules {
		if data, ok := l.read(ref); ok {
			file := l.shared.ruleFile(l.location(ref), data)
			file.namedBy(l, ref)
			own = append(own, file.rules)
		}
	}
	l.suite.Rules, l.suite.ownRules = l.shared.rulesOf(own), len(own) > 0
}

func (l *loader) loadExceptions() {
	ref := l.file.Exceptions
	if !ref.Given() {
		return
	}
	if _, err := fs.Stat(l.Files.FS, l.resolve(ref)); errors.Is(err, fs.ErrNotExist) {
		l.shared.mistakes.Addf(l.at(ref), "%s cannot be read: %v%s; create it with \"diffrun accept\" from the report "+
			"of a run, or remove \"exceptions\"", ref.Path, infile.Cause(err), l.lookedFor(ref))
		return
	}
	if data, ok := l.read(ref); ok {
		file := l.shared.exceptionsOf(l.location(ref), data)
		file.namedBy(l, ref)
		l.suite.Exceptions = file.exceptions
	}
}

// loadCases opens every file that matches a pattern, once.
func (l *loader) loadCases() {
	patterns := l.file.Cases
	if len(patterns) == 0 && l.file.Native != nil && l.file.Native.Recorded.Given() {
		patterns = []suitefile.Reference{l.file.Native.Recorded}
	}
	if len(patterns) == 0 && !l.unread["cases"] && !l.shared.options.CasesElsewhere {
		l.shared.mistakes.Addf(l.file.Position, "the suite names no cases; list files or patterns under \"cases\"")
	}
	own, seen := l.ownFiles(), map[string]bool{}
	for _, ref := range patterns {
		ref, only := l.part(ref)
		names := l.match(ref)
		notOwn := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return own[name] })
		if len(names) > 0 && len(notOwn) == 0 {
			l.shared.mistakes.Addf(l.at(ref), "%q is not a file of cases: the suite uses it for something else", ref.Path)
		}
		for _, name := range notOwn {
			if seen[name+"#"+only] {
				continue
			}
			seen[name+"#"+only] = true
			source, err := casefile.Open(l.Files.FS, name, l.relative(name), only)
			l.shared.mistakes.Merge(name, err)
			l.suite.files = append(l.suite.files, source)
		}
	}
}

// part splits a path whose end "#NAME" selects a part of a file, unless there is a file of that name.
func (l *loader) part(ref suitefile.Reference) (of suitefile.Reference, only string) {
	at := strings.LastIndexByte(ref.Path, '#')
	if at < 0 {
		return ref, ""
	}
	if names, err := fs.Glob(l.Files.FS, l.resolveFrom(infile.Literal(path.Dir(l.Name)), ref)); err != nil || len(names) > 0 {
		return ref, ""
	}
	return suitefile.Reference{Path: ref.Path[:at], Line: ref.Line}, ref.Path[at+1:]
}

// ownFiles returns the files of the suite that are not cases, even if a pattern such as *.yaml
// matches them.
func (l *loader) ownFiles() map[string]bool {
	own := map[string]bool{l.Name: true}
	for _, ref := range append(append(slices.Clone(l.file.Rules), l.file.Exceptions),
		append(l.file.Declarative.Files(), l.file.Native.Files()...)...) {
		own[l.resolve(ref)] = true
	}
	return own
}

// match returns the files that match a pattern, sorted. If there are none it reports a mistake,
// because a suite without its cases must not pass. It skips special files, such as pipes, with a
// warning; if the suite names one, that is a mistake.
func (l *loader) match(ref suitefile.Reference) []string {
	names, err := fs.Glob(l.Files.FS, l.resolveFrom(infile.Literal(path.Dir(l.Name)), ref))
	if err != nil {
		l.shared.mistakes.Addf(l.at(ref), "%q is not a pattern: %v; use *, ? and [a-z] within a name", ref.Path, err)
		return nil
	}
	var files []string
	for _, name := range names {
		special, _ := infile.Special(l.Files.FS, name) // reading it reports what is wrong
		switch {
		case special == nil:
			l.shared.name(l.Files, name)
			files = append(files, name)
		case name == l.resolve(ref):
			l.shared.mistakes.Addf(l.at(ref), "%s", notRegular(ref, special))
			return nil
		default:
			special.Name = l.relative(name)
			l.shared.warnings.Addf(l.at(ref), "%v", special)
		}
	}
	if len(files) == 0 {
		l.shared.mistakes.Addf(l.at(ref), "no file matches %q%s", ref.Path, l.lookedFor(ref))
	}
	return files
}

// read returns the content of a file that the suite names.
func (l *loader) read(ref suitefile.Reference) ([]byte, bool) {
	special, err := infile.Special(l.Files.FS, l.resolve(ref))
	if err == nil && special != nil && special.Kind != infile.Directory {
		l.shared.mistakes.Addf(l.at(ref), "%s", notRegular(ref, special))
		return nil, false
	}
	data, err := infile.Read(l.Files.FS, l.resolve(ref))
	if err != nil {
		looked := ""
		if errors.Is(err, fs.ErrNotExist) {
			looked = l.lookedFor(ref)
		}
		l.shared.mistakes.Addf(l.at(ref), "%s cannot be read: %v%s", ref.Path, infile.Cause(err), looked)
	}
	l.shared.digest.add(l.resolve(ref), data)
	return data, err == nil
}

// notRegular returns the message about a special file, such as a pipe: files of a suite may be
// read more than once.
func notRegular(ref suitefile.Reference, special *infile.Skipped) string {
	return fmt.Sprintf("%s is a %s; a suite can only name regular files", ref.Path, special.Kind)
}

// relative returns the name of a file relative to the suite's directory.
func (l *loader) relative(name string) string { return strings.TrimPrefix(name, path.Dir(l.Name)+"/") }

func (l *loader) resolve(ref suitefile.Reference) string {
	name := l.resolveFrom(path.Dir(l.Name), ref)
	if ref.Given() {
		l.shared.name(l.Files, name)
	}
	return name
}

func (l *loader) resolveFrom(dir string, ref suitefile.Reference) string {
	if path.IsAbs(ref.Path) || strings.Contains(ref.Path, "://") { // the URL of an object in a bucket

		return ref.Path
	}
	return path.Join(dir, ref.Path)
}

// lookedFor ends a message about a missing file with the path that was tried, if it differs from the one in
// the suite: its paths begin in its directory, not in the working directory.
func (l *loader) lookedFor(ref suitefile.Reference) string {
	if resolved := l.resolve(ref); resolved != path.Clean(ref.Path) {
		return fmt.Sprintf("; looked for %s", resolved)
	}
	return ""
}

func (l *loader) location(ref suitefile.Reference) Location { return Location{l.Files, l.resolve(ref)} }

func (l *loader) at(ref suitefile.Reference) strictyaml.Position {
	return strictyaml.Position{File: l.Name, Line: ref.Line}
}
