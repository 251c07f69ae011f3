package cases

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/text/oneof"
)

// targetedFile is a file of rules or exceptions, which may have targets, and the suites that name
// it.
type targetedFile struct {
	// own is true if the file is in the directory of a suite that names it. Other files may also
	// serve suites that do not run.
	own bool
	// defined is true if a suite takes its kinds from files.
	defined bool
	natives []Natives
}

type exceptionFile struct {
	targetedFile
	exceptions *equivalence.Exceptions // nil where it has mistakes
}

// ruleFile is a file of rules.
type ruleFile struct {
	targetedFile
	rules *equivalence.RuleSet // nil where it has mistakes
}

// namedBy records a suite that names the file.
func (f *targetedFile) namedBy(l *loader, ref suitefile.Reference) {
	f.own = f.own || ref.IsOwn()
	f.defined = f.defined || l.resources != nil
	if l.suite.natives != nil {
		f.natives = append(f.natives, l.suite.natives)
	}
}

// targeted is a rule or exception that may have a target.
type targeted interface {
	Target() string
	AppliesTo(schema.GroupVersionKind) bool
}

// checkTargets reports rules and exceptions with a target that no suite validates. The most common
// cause is a misspelled kind.
func (s *sharedFiles) checkTargets() {
	linked := map[schema.GroupVersionKind]bool{}
	for _, builtin := range s.options.Builtins {
		addVersions(linked, builtin.Natives)
	}
	for _, file := range s.exceptions {
		check := s.targetCheck(file.targetedFile, linked)
		for _, exception := range file.exceptions.All() {
			check(exception, exception.Position, "exception "+strconv.Quote(exception.ID))
		}
	}
	for _, file := range s.rules {
		check := s.targetCheck(file.targetedFile, linked)
		for _, rule := range file.rules.All() {
			check(rule, rule.Position, "rule "+strconv.Quote(rule.Name))
		}
	}
}

// known returns the versions that an entry of the file may have as its target.
func (f targetedFile) known(linked map[schema.GroupVersionKind]bool) map[schema.GroupVersionKind]bool {
	known := map[schema.GroupVersionKind]bool{}
	for _, natives := range f.natives {
		addVersions(known, natives)
	}
	if len(known) > 0 && !f.own {
		maps.Copy(known, linked)
	}
	return known
}

// targetCheck returns the function that reports an entry of a file with an unknown target. In a
// shared file the target may belong to a suite that does not run, unless a builtin has its group.
// If no suite names its validators, that mistake is reported instead.
func (s *sharedFiles) targetCheck(file targetedFile, linked map[schema.GroupVersionKind]bool) func(entry targeted,
	at strictyaml.Position, name string) {
	known := file.known(linked)
	return func(entry targeted, at strictyaml.Position, name string) {
		if len(known) == 0 || slices.ContainsFunc(slices.Collect(maps.Keys(known)), entry.AppliesTo) {
			return
		}
		if group := groupOf(entry); file.own || !file.defined || hasGroup(linked, group) {
			s.mistakes.Addf(at, "%s: nothing validates %s; accepted, with * as a wildcard for a whole part: %s", name,
				entry.Target(), oneof.OrNone(near(known, group)))
		}
	}
}

func addVersions(known map[schema.GroupVersionKind]bool, natives Natives) {
	if natives == nil {
		return
	}
	for _, kind := range natives.Kinds() {
		target, err := natives.Target(kind)
		if err != nil {
			continue // its cases are faults that say so
		}
		for _, version := range target.Versions {
			known[version.GroupVersionKind] = true
		}
	}
}

// groupOf returns the group of a target. The core group is empty.
func groupOf(entry targeted) string {
	group, _, grouped := strings.Cut(entry.Target(), "/")
	if !grouped {
		return ""
	}
	return group
}

func hasGroup(known map[schema.GroupVersionKind]bool, group string) bool {
	for version := range known {
		if version.Group == group {
			return true
		}
	}
	return false
}

// near returns the targets of a group, or all targets if the group has none, sorted.
func near(known map[schema.GroupVersionKind]bool, group string) []string {
	anyGroup := !hasGroup(known, group)
	var names []string
	for version := range known {
		if anyGroup || version.Group == group {
			names = append(names, apiname.Target(version))
		}
	}
	slices.Sort(names)
	return names
}
