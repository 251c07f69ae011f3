package cases

import (
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
)

// exceptionFile is a file of exceptions with the suites of the run that name it.
type exceptionFile struct {
	exceptions *equivalence.Exceptions // nil where it has mistakes
	// own says that it stands in the directory of a suite that names it. Any other
	// may serve suites that are not run.
	own bool
	// defined says that a suite takes its kinds from files.
	defined bool
	natives []Natives
}

// isOwn says that a file belongs to the suite that refers to it.
func (r reference) isOwn() bool {
	return !path.IsAbs(r.path) && !strings.HasPrefix(path.Clean(r.path)+"/", "../")
}

// checkTargets finds exceptions that can accept nothing, because none of the suites
// that name their file validates what they are about: most often a misspelled kind.
// An exception of a file from elsewhere may be about the resource of a suite that is
// not run, unless a builtin knows its group.
func (s *sharedFiles) checkTargets() {
	linked := map[schema.GroupVersionKind]bool{}
	for _, builtin := range s.options.Builtins {
		addVersions(linked, builtin.Natives)
	}
	for _, file := range s.exceptions {
		known := map[schema.GroupVersionKind]bool{}
		for _, natives := range file.natives {
			addVersions(known, natives)
		}
		if len(known) == 0 {
			continue // no suite says what it validates, which is a mistake of its own
		}
		if !file.own {
			maps.Copy(known, linked)
		}
		for _, exception := range file.exceptions.All() {
			if slices.ContainsFunc(slices.Collect(maps.Keys(known)), exception.Concerns) {
				continue
			}
			if group := groupOf(exception); file.own || !file.defined || hasGroup(linked, group) {
				s.mistakes.Addf(exception.Position, "exception %q: nothing validates %s; accepted, with * for a whole part: %s",
					exception.ID, exception.Target(), orNone(near(known, group)))
			}
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

// groupOf is the group of an exception's target; the core group is empty.
func groupOf(exception *equivalence.Exception) string {
	group, _, grouped := strings.Cut(exception.Target(), "/")
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

// near names the targets of a group, or all where the group has none, sorted.
func near(known map[schema.GroupVersionKind]bool, group string) []string {
	anyGroup := !hasGroup(known, group)
	var names []string
	for version := range known {
		if anyGroup || version.Group == group {
			names = append(names, harness.TargetName(version))
		}
	}
	slices.Sort(names)
	return names
}
