package cases

import (
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/exec/counting"
	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/gomodule/hubconversion"
	"github.com/diffrun/diffrun/userfile"
)

// Suite is two validators for some kinds, and the cases to compare them with.
type Suite struct {
	// Name is the name of the suite in reports.
	Name string
	// File is the path of the suite.yaml.
	File string
	// Sides are the names of the two sides for people.
	Sides contract.SideNames
	// Set is the name of the set of options of the suite's matrix, or "".
	Set string
	// Rules are the built-in rules and the suite's own.
	Rules *equivalence.RuleSet
	// Exceptions are the accepted differences. It may be nil.
	Exceptions *equivalence.Exceptions

	natives      Natives
	declaratives Declaratives
	counting     Counting                           // nil: see Builtin
	offers       func(schema.GroupVersionKind) bool // nil: see Builtin
	// named are the backends of the builtin besides both sides, and compare the two that the suite
	// compares.
	named   map[string]Declaratives
	compare harness.Sides
	scope   words.Compare
	files   []casefile.File
	guards  [2][]contract.Guard // of the worlds of both sides
	// expressions are those of the policies of both sides.
	expressions []PolicyExpression
	// unguarded reports whether no guard of worlds can see objects of a built-in kind. Nil: no world
	// is of built-in kinds.
	unguarded func(schema.GroupKind) bool
	closers   []io.Closer // validators outside the process
	// converters are programs that convert objects.
	converters []*hubconversion.Converter
	linked     bool // the native validator is a builtin
	// builtins are the names of the builtins of both sides, or "".
	builtins struct{ native, declarative string }
	ownRules bool
	// schemaPositions return the positions of the places of a schema.
	schemaPositions map[schema.GroupVersionKind]func(place string) userfile.Position
	goPackages      map[schema.GroupVersionKind]string // of the Go types with the schemas
	rendered        map[schema.GroupVersionKind]RenderedDefinition
	// worldSchemas are the schemas of the built-in kinds of worlds and releases, whose strategies have none.
	worldSchemas Declaratives
	releases     bool // the declarative side is a release of Kubernetes
	// updatedBy returns the subresources of a built-in kind whose requests guards see; nil: none.
	updatedBy func(schema.GroupKind) []string
	// builtinPosition is Builtin.SchemaPosition.
	builtinPosition func(version schema.GroupVersionKind, place string) userfile.Position

	// Of a set of options: the versions to compare, or nil for all; the feature gates, and the
	// function that sets them, or nil.
	versions []schema.GroupVersion
	// anywhere are the versions that some set of the matrix compares, or nil for all.
	anywhere []schema.GroupVersion
	gates    map[string]bool
	setGates Gates
}

// Options are the options of Load.
type Options struct {
	// Builtins are the builtins that suites may name.
	Builtins map[string]Builtin
	// Policies loads the policies of worlds. If nil, a suite cannot name any.
	Policies PolicyLoader
	// Cluster opens clusters. If nil, a suite cannot name one.
	Cluster ClusterOpener
	// Kustomize returns what the kustomization of a folder deploys, as documents of YAML. If nil, crd cannot name a folder.
	Kustomize func(folder string) ([]byte, error)
	// Now is the time at which exceptions are checked for expiry.
	Now time.Time
	// Parallel is how many cases run at once. A program that validates is started as often. The
	// default is the number of cores.
	Parallel int
	// StartTimeout is how long a program may take to its first answer; zero: contract.DefaultStartTimeout.
	StartTimeout time.Duration
	// Starting is called when a program begins to start, see exec.Options. It is optional.
	Starting func(doing string) (ended func())
	// Counting makes programs that are built count what they execute, see exec.Options. It is optional.
	Counting counting.Counter
	// Markers controls how the markers of Go types are read.
	Markers idl.Reading
	// Tags has the stage and the options of the backends that upstream's tags make.
	Tags idl.Reading
	// CasesElsewhere: the cases do not come from the suites, which need not name any.
	CasesElsewhere bool
	// NoCluster: no suite may send requests to a cluster, because the cases are such requests.
	NoCluster bool
}

// Count returns the number of cases. If exact is false, some files are read only during the run
// and may contain more cases.
func (s *Suite) Count() (cases int, exact bool) {
	exact = true
	for _, file := range s.files {
		n, known := file.Count()
		cases += n
		exact = exact && known
	}
	return cases, exact
}

// Cases returns the cases as they are written, without a harness, in the order of Events. A case
// that cannot be decoded has its Fault set. An error while reading a file comes last.
func (s *Suite) Cases() iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for _, file := range s.files {
			for c, err := range s.casesOf(file) {
				if !yield(c, err) || err != nil {
					return
				}
			}
		}
	}
}

// Guards returns the webhooks, policies and mutations of the two sides, if they are worlds.
func (s *Suite) Guards() (native, declarative []contract.Guard) { return s.guards[0], s.guards[1] }

// PolicyExpressions returns the match conditions and validations of the policies of both sides.
func (s *Suite) PolicyExpressions() []PolicyExpression { return slices.Clone(s.expressions) }

// GuardedSubresources returns the subresources whose requests update objects of a built-in kind as a whole, such
// as pods/ephemeralcontainers, and that guards of the suite can see.
func (s *Suite) GuardedSubresources(kind schema.GroupKind) []string {
	if s.updatedBy == nil {
		return nil
	}
	return s.updatedBy(kind)
}

// HasBuiltInWorlds reports whether both sides are guards of built-in kinds. Problems about a kind that no
// case is about are rarely of interest.
func (s *Suite) HasBuiltInWorlds() bool { return s.worldSchemas != nil && !s.releases }

// Linked reports whether the native validator is compiled into the program.
func (s *Suite) Linked() bool { return s.linked }

// Uncounted returns why the code of the hand-written validators of the suite cannot be counted (Options.Counting);
// empty: it has none, or all are programs that can be instrumented.
func (s *Suite) Uncounted() string {
	if s.linked {
		return "its validators are part of this program, which was not built to count them (-cover -covermode=atomic, " +
			"with the validators and the main package in -coverpkg)"
	}
	for _, closer := range s.closers {
		if program, is := closer.(*exec.Backend); !is || !program.Builds() {
			return "its validator is not a program that diffrun builds; name a main package in the suite, as in exec: {command: " +
				"[go, run, ./validator]}"
		}
	}
	return ""
}

// Programs returns the programs of the suite that are built from Go source, each once. Of the sets of a matrix the first one has
// them.
func (s *Suite) Programs() (all []counting.Program) {
	for _, closer := range s.closers {
		backend, is := closer.(*exec.Backend)
		if !is {
			continue
		}
		program, builds := backend.Program()
		if builds && !slices.ContainsFunc(all, func(known counting.Program) bool {
			return known.Dir == program.Dir && slices.Equal(known.Packages, program.Packages)
		}) {
			all = append(all, program)
		}
	}
	return all
}

// SchemaLine returns the file and line of a place of the schema of a version, such as "crd.yaml:21"
// for "properties[spec].pattern". The file is one of the suite, Go source, or built into the
// program. It is empty if the line is unknown.
func (s *Suite) SchemaLine(version schema.GroupVersionKind, place string) string {
	find := s.schemaPositions[version]
	if find == nil && s.builtinPosition != nil {
		find = func(place string) userfile.Position { return s.builtinPosition(version, place) }
	}
	if find == nil {
		return ""
	}
	at := find(place)
	if at.Line == 0 {
		return ""
	}
	return at.File + ":" + strconv.Itoa(at.Line)
}

// GoPackage returns the path of the Go package whose type is the schema of a version; empty: it is from elsewhere.
func (s *Suite) GoPackage(version schema.GroupVersionKind) string { return s.goPackages[version] }

// RenderedDefinition is a CustomResourceDefinition that a tool made of the files of a folder.
type RenderedDefinition struct {
	// File is a name for it: a file of the folder that does not exist. Data is its text as YAML.
	File string
	Data []byte
}

// Rendered returns the definition of a version if a tool made it of the files of a folder. Otherwise it has no name.
func (s *Suite) Rendered(version schema.GroupVersionKind) RenderedDefinition {
	return s.rendered[version]
}

// addRendered adds a definition that a tool made of the files of a folder.
func (s *Suite) addRendered(file string, of *definitions.Definition) {
	data, err := yaml.Marshal(of.Document.Object)
	if err != nil {
		return // it was read from YAML
	}
	if s.rendered == nil {
		s.rendered = map[schema.GroupVersionKind]RenderedDefinition{}
	}
	for _, version := range of.Versions {
		s.rendered[version.GroupVersionKind] = RenderedDefinition{file, data}
	}
}

// addPositions adds the positions of the schemas of versions.
func (s *Suite) addPositions(versions []*definitions.Version) {
	for _, v := range versions {
		s.addPosition(v.GroupVersionKind, v.At)
	}
}

// addPosition adds a function that returns the positions of the places of a schema.
func (s *Suite) addPosition(version schema.GroupVersionKind, at func(place string) userfile.Position) {
	if s.schemaPositions == nil {
		s.schemaPositions = map[schema.GroupVersionKind]func(string) userfile.Position{}
	}
	s.schemaPositions[version] = at
}

// casesOf returns the cases of a file. An error names the suite.
func (s *Suite) casesOf(file casefile.File) iter.Seq2[harness.Case, error] {
	return func(yield func(harness.Case, error) bool) {
		for c, err := range file.Cases() {
			if err != nil {
				err = fmt.Errorf("suite %s: %w", s.Name, err)
			}
			if !yield(c, err) {
				return
			}
		}
	}
}
