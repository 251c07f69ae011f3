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

// Options say how cases are made.
type Options struct {
	// Answers are what a scheme made of the calls, in their order; nil: there is none.
	Answers []converter.Answer
	// Versions are the API versions of Go types, "import/path.Type".
	Versions map[string]schema.GroupVersionKind
	// Subresources are patterns of functions and the subresource that they validate.
	Subresources []Subresource
}

// Subresource is the subresource of functions.
type Subresource struct {
	// Function is a name such as "ValidateWidgetStatusUpdate", with or without its import
	// path, in which "*" stands for any text but a slash.
	Function, Name string
}

// ParseSubresource reads FUNCTION=SUBRESOURCE.
func ParseSubresource(text string) (Subresource, error) {
	function, name, found := strings.Cut(text, "=")
	if _, err := path.Match(function, ""); !found || function == "" || err != nil {
		return Subresource{}, fmt.Errorf("%q: write FUNCTION=SUBRESOURCE, for instance 'ValidateWidgetStatusUpdate=status'; * stands for any text", text)
	}
	return Subresource{function, name}, nil
}

// subresource is that which a function is for: the one that the user names, or status for a
// function whose name says so.
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

// Corpus is the cases of some calls.
type Corpus struct {
	// Cases are of objects, in the order of their kinds and functions, Parts of parts of
	// objects.
	Cases, Parts []*Case
	// Calls counts the calls that the cases are made from.
	Calls int
	// Untagged are the Go types of calls that are no case, because their fields have no
	// JSON tags, and the number of these calls.
	Untagged map[string]int
	// Unusable are the calls that are no case, by the reason.
	Unusable map[string]int
	// Packages are the packages of the functions, sorted by their paths.
	Packages []*Package
	// Differing are the cases that do not replay to the same errors, by the reason.
	Differing map[string]int
	replays   bool
}

// New makes cases from recorded calls, each once. Of calls that are the same, the one counts
// whose test comes first by its name.
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

// compareTests orders by the test.
func compareTests(a, b *Case) int {
	return cmp.Or(cmp.Compare(a.Recorded.Test, b.Recorded.Test), cmp.Compare(a.Recorded.Source, b.Recorded.Source))
}

func compare(a, b *Case) int {
	return cmp.Or(cmp.Compare(a.file(), b.file()), cmp.Compare(a.Recorded.Function, b.Recorded.Function), compareTests(a, b), cmp.Compare(a.ID, b.ID))
}

// Target is what the case is about: a kind in a version, or the Go type of a part.
func (c *Case) Target() string {
	if c.Version.Empty() {
		return c.Recorded.Type
	}
	return apiname.Target(c.Version)
}

// file is the name of the file that the case belongs to.
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

// Check says why there is no case at all in a form, or that objects have a form that no client
// sends.
func (c *Corpus) Check(form Form) error {
	switch {
	case form == Tables && len(c.Cases)-c.Panicked() == 0 && len(c.Cases)+len(c.Parts) > 0:
		return fmt.Errorf("no table was made: all %d cases are of parts of objects or of panics; capture without --yaml, files of JSON lines have them", len(c.Cases)+len(c.Parts))
	case len(c.Cases)+len(c.Parts) > 0:
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(c.Untagged)) {
		return fmt.Errorf("no case was made: %s has fields without JSON tags, as internal types have; name the scheme that converts it to an external version, for instance --scheme 'example.com/api/scheme.Scheme'", name)
	}
	for _, why := range slices.Sorted(maps.Keys(c.Unusable)) {
		return fmt.Errorf("no case was made: %s", why)
	}
	return errors.New("no case was made")
}

// Row says what a file holds.
type Row struct{ File, Text string }

// Rows say what the files of a form hold, in the order of the cases.
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
			rows = append(rows, Row{form.nameOf(file), fmt.Sprintf("%s, %d cases, %d of them updates, %d refused", list[0].Target(), n, updates, refused)})
			list = list[n:]
		}
	}
	return rows
}
