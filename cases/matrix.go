package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases/internal/casefile"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// expand returns one suite for each set of the matrix, or the suite itself without a matrix.
// Mistakes in a set are reported at its line.
func (l *loader) expand() []*Suite {
	if len(l.file.Matrix) == 0 {
		return []*Suite{l.suite}
	}
	var suites []*Suite
	named := map[string]bool{}
	for i, set := range l.file.Matrix {
		name := set.Name.Text
		switch {
		case set.Position.File == "":
			continue // the wrong kind was reported
		case !set.Name.Given:
			l.shared.mistakes.Addf(set.Position, "the set of options has no name; results are labelled by it")
		case named[name] && name != "":
			l.shared.mistakes.Addf(set.Position, "another set of options is named %q", name)
		}
		named[name] = true
		suite := *l.suite
		suite.Set = name
		suite.Name += "[" + name + "]"
		suite.versions = l.versions(set)
		if i > 0 {
			suite.closers = nil // the first one closes what all of them share
		}
		l.setGates(&suite, set)
		suites = append(suites, &suite)
	}
	for _, suite := range suites {
		suite.anywhere = inAnySet(suites)
	}
	return suites
}

// inAnySet returns the versions that some set compares. It returns nil if a set compares all
// versions.
func inAnySet(suites []*Suite) []schema.GroupVersion {
	var all []schema.GroupVersion
	for _, suite := range suites {
		if len(suite.versions) == 0 {
			return nil
		}
		for _, version := range suite.versions {
			if !slices.Contains(all, version) {
				all = append(all, version)
			}
		}
	}
	return all
}

// uncheckedWant returns the fault of a case with "want" whose version no set of the matrix compares:
// "want" is checked in the version that the case is written in.
func (s *Suite) uncheckedWant(c harness.Case) *contract.Fault {
	if !c.Expects() || len(s.anywhere) == 0 || slices.Contains(s.anywhere, c.Version.GroupVersion()) {
		return nil
	}
	names := make([]string, len(s.anywhere))
	for i, version := range s.anywhere {
		names[i] = version.String()
	}
	return casefile.Faultf("the case has a want in %s, which no set of options in the matrix compares; add the version to "+
		"a set, write the case in one that is compared (%s), or leave want out",
		apiname.Target(c.Version), strings.Join(names, ", "))
}

func (l *loader) versions(set suitefile.OptionSet) []schema.GroupVersion {
	var versions []schema.GroupVersion
	for _, text := range set.Versions {
		version, err := schema.ParseGroupVersion(text)
		switch {
		case text == "" && l.unread != nil:
			continue // it was reported that the text cannot be read
		case err != nil || version.Version == "":
			l.shared.mistakes.Addf(set.Position, "%q is not a version; write it as apps/v1", text)
		case l.suite.natives != nil && !l.known(version):
			l.shared.mistakes.Addf(set.Position, "no kind of the suite has the version %s", text)
		}
		versions = append(versions, version)
	}
	return versions
}

// known reports whether a kind of the suite has a version.
func (l *loader) known(version schema.GroupVersion) bool {
	for _, kind := range l.suite.natives.Kinds() {
		target, err := l.suite.natives.Target(kind)
		if err == nil && slices.ContainsFunc(target.Versions, func(v harness.Version) bool { return v.GroupVersion() == version }) {
			return true
		}
	}
	return false
}

// gatesVariable is the environment variable with the feature gates for a program. Its format is
// that of the flag --feature-gates of Kubernetes' components.
const gatesVariable = "DIFFRUN_FEATURE_GATES"

// setGates sets the feature gates of a set. A program may ignore them. For a running webhook they
// cannot be set.
func (l *loader) setGates(suite *Suite, set suitefile.OptionSet) {
	side := l.file.Native
	switch {
	case len(set.FeatureGates) == 0 || side == nil || !side.IsOne():
	case side.Exec != nil:
		l.gatedProgram(suite, side.Exec, set)
	case side.Webhook != nil:
		l.shared.mistakes.Addf(set.Position, "the feature gates of a running webhook cannot be set; start a second webhook with "+
			"them, with its own suite")
	case suite.setGates == nil:
		l.shared.mistakes.Addf(set.Position, "the native validator of this suite has no feature gates; leave featureGates out")
	default:
		suite.gates = set.FeatureGates
		l.checkGates(set)
	}
}

// gatedProgram starts a separate process for a set.
func (l *loader) gatedProgram(suite *Suite, program *suitefile.Process, set suitefile.OptionSet) {
	shared, opened := suite.natives.(externalNatives)
	if !opened {
		return // which is a mistake of its own
	}
	var gates []string
	for _, name := range slices.Sorted(maps.Keys(set.FeatureGates)) {
		gates = append(gates, name+"="+strconv.FormatBool(set.FeatureGates[name]))
	}
	backend, ok := l.exec(program, gatesVariable+"="+strings.Join(gates, ","))
	if !ok {
		return
	}
	suite.closers = append(slices.Clip(suite.closers), backend)
	suite.natives = externalNatives{shared.Natives, backend}
}

// checkGates sets the gates of a set and restores them, to find out whether they exist.
func (l *loader) checkGates(set suitefile.OptionSet) {
	restore, err := l.suite.setGates(set.FeatureGates)
	if err != nil {
		l.shared.mistakes.Addf(set.Position, "featureGates: %v", err)
		return
	}
	restore()
}

// Alone reports whether no other suite may run at the same time, because this one sets feature
// gates of the whole process.
func (s *Suite) Alone() bool { return len(s.gates) > 0 }

// Enter sets the feature gates of the suite. Call leave after its jobs are done to restore them.
func (s *Suite) Enter() (leave func(), err error) {
	if !s.Alone() {
		return func() {}, nil
	}
	return s.setGates(s.gates)
}

// narrow returns the versions that the suite compares.
func (s *Suite) narrow(versions []harness.Version) []harness.Version {
	if len(s.versions) == 0 {
		return versions
	}
	return slices.DeleteFunc(slices.Clone(versions), func(version harness.Version) bool {
		return !slices.Contains(s.versions, version.GroupVersion())
	})
}
