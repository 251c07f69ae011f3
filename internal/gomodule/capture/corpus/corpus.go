package corpus

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/gomodule/capture/converter"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// Options are the options of New.
type Options struct {
	// Answers are the answers of a scheme to the calls, in the same order, or nil without a scheme.
	Answers []converter.Answer
	// Versions are the API versions of Go types, which are named "import/path.Type".
	Versions map[string]schema.GroupVersionKind
	// Subresources map patterns of functions to the subresource that they validate.
	Subresources []Subresource
}

// Subresource is the subresource that some functions validate.
type Subresource struct {
	// Function is a name such as "ValidateWidgetStatusUpdate", with or without its import path, in which "*"
	// matches any text without a slash.
	Function, Name string
}

// ParseSubresource parses FUNCTION=SUBRESOURCE.
func ParseSubresource(text string) (Subresource, error) {
	function, name, found := strings.Cut(text, "=")
	if _, err := path.Match(function, ""); !found || function == "" || err != nil {
		return Subresource{}, fmt.Errorf("%q: write FUNCTION=SUBRESOURCE, for instance 'ValidateWidgetStatusUpdate=status'; "+
			"* matches any text", text)
	}
	return Subresource{function, name}, nil
}

// subresource returns the subresource that a function validates: the one that the user names, or
// status for a function with that word in its name.
func (o Options) subresource(function string) string {
	name := function[strings.LastIndex(function, "/")+1:]
	_, short, _ := strings.Cut(name, ".")
	for _, s := range o.Subresources {
		for _, candidate := range []string{function, name, short} {
			if matched, _ := path.Match(s.Function, candidate); matched {
				return s.Name
			}
		}
	}
	receiver, method, isMethod := strings.Cut(short, ".")
	for _, ending := range []string{"StatusUpdate", "UpdateStatus"} {
		if strings.HasSuffix(short, ending) {
			return "status"
		}
	}
	if isMethod && strings.Contains(strings.ToLower(receiver), "statusstrategy") && strings.HasPrefix(method, "Validate") {
		return "status"
	}
	return ""
}

// Corpus has the cases of recorded calls.
type Corpus struct {
	// Cases are the cases of objects, and Parts those of parts of objects, sorted by kind and
	// function.
	Cases, Parts []*Case
	// Calls is the number of calls that the cases are made from.
	Calls int
	// Untagged are the Go types whose calls are not cases, because their fields have no JSON
	// tags, with the number of calls.
	Untagged map[string]int
	// Unusable are the numbers of calls that are not cases, by reason.
	Unusable map[string]int
	// Packages are the packages of the functions, sorted by their paths.
	Packages []*Package
	// Differing are the numbers of cases whose replay returns other errors, by reason.
	Differing map[string]int
	replays   bool
}

// New returns the cases of recorded calls. If calls are equal, it keeps the one whose test comes first by
// name.
func New(lines []recorder.Line, options Options) *Corpus {
	made := &Corpus{Untagged: map[string]int{}, Unusable: map[string]int{}, Differing: map[string]int{}, replays: options.Answers != nil}
	byID := map[string]*Case{}
	for i, line := range lines {
		version := options.Versions[line.Type]
		var answer converter.Answer
		if i < len(options.Answers) {
			if answer = options.Answers[i]; answer.Failed == "" {
				version = converted(&line, answer, version)
			} else if line.Untagged {
				made.Unusable[line.Function+": "+answer.Failed]++
				continue
			}
		}
		if line.Untagged {
			made.Untagged[line.Type]++
			continue
		}
		c, err := options.newCase(&line, version)
		if err != nil {
			made.Unusable[line.Function+": "+err.Error()]++
			continue
		}
		made.Calls++
		made.pkg(c).Recorded++
		c.replays, c.Recorded.Replay = answer.Replayed, answer.Differs
		if same := byID[c.ID]; same == nil || compareTests(c, same) < 0 {
			byID[c.ID] = c
		}
	}
	for _, c := range byID {
		made.count(c)
		if c.Version.Empty() {
			made.Parts = append(made.Parts, c)
		} else {
			made.Cases = append(made.Cases, c)
		}
	}
	slices.SortFunc(made.Packages, func(a, b *Package) int { return strings.Compare(a.Path, b.Path) })
	slices.SortFunc(made.Cases, compare)
	slices.SortFunc(made.Parts, compare)
	return made
}

// compareTests compares the tests of two calls.
func compareTests(a, b *Case) int {
	return cmp.Or(cmp.Compare(a.Recorded.Test, b.Recorded.Test), cmp.Compare(a.Recorded.Source, b.Recorded.Source))
}

func compare(a, b *Case) int {
	return cmp.Or(cmp.Compare(a.file(), b.file()), cmp.Compare(a.Recorded.Function, b.Recorded.Function), compareTests(a, b),
		cmp.Compare(a.ID, b.ID))
}

// Target returns the subject of the case: a kind in a version, or the Go type of a part.
func (c *Case) Target() string {
	if c.Version.Empty() {
		return c.Recorded.Type
	}
	return apiname.Target(c.Version)
}

// file returns the name of the file that the case belongs to.
func (c *Case) file() string {
	if c.Version.Empty() {
		return "parts/" + strings.NewReplacer("/", "_", ":", "_").Replace(c.Recorded.Type) + ".jsonl"
	}
	parts := []string{strings.ToLower(c.Version.Kind), c.Version.Version}
	if c.Version.Group != "" {
		parts = append(parts, c.Version.Group)
	}
	return strings.Join(parts, ".") + ".jsonl"
}

// Check returns an error if there is no case in a form, or if objects have a form that no client
// sends.
func (c *Corpus) Check(form Form) error {
	switch {
	case form == Tables && len(c.Cases)-c.Panicked() == 0 && len(c.Cases)+len(c.Parts) > 0:
		return fmt.Errorf("no table was made: all %d cases are of parts of objects or of panics; capture without --yaml, "+
			"files of JSON lines have them", len(c.Cases)+len(c.Parts))
	case len(c.Cases)+len(c.Parts) > 0:
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Untagged)) {
		return fmt.Errorf("no case was made: %s has fields without JSON tags, as internal types have; name the scheme that "+
			"converts it to an external version, for instance --scheme 'example.com/api/scheme.Scheme'", name)
	}
	for _, why := range slices.Sorted(maps.Keys(c.Unusable)) {
		return fmt.Errorf("no case was made: %s", why)
	}
	return errors.New("no case was made")
}

// Row describes the content of a file.
type Row struct{ File, Text string }

// Rows describes the files of a form, in the order of the cases.
func (c *Corpus) Rows(form Form) []Row {
	var rows []Row
	lists := [][]*Case{c.Cases, c.Parts}
	if form == Tables {
		lists = lists[:1]
	}
	for _, list := range lists {
		for len(list) > 0 {
			file, updates, refused := list[0].file(), 0, 0
			n := 0
			for ; n < len(list) && list[n].file() == file; n++ {
				if list[n].Old != nil {
					updates++
				}
				if len(list[n].Recorded.Errors) > 0 {
					refused++
				}
			}
			rows = append(rows, Row{form.nameOf(file), fmt.Sprintf("%s, %d cases, %d of them updates, %d refused",
				list[0].Target(), n, updates, refused)})
			list = list[n:]
		}
	}
	return rows
}
