package exceptionfile_test

import (
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/waiver"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// written is a file as people write them: comments everywhere, two styles, quotes.
const written = `# What was accepted.

# The first one.
- id: a # first
  target: apps/v1 Deployment
  class: too-loose
  field: spec.a
  why: why not # said in a meeting
  owner: sig-apps
  issue: https://example.com/1
  expires: "2027-06-30" # see the issue
  # as counted
  maxHits: 7

# Below here is what nobody counts.
- {id: b, target: apps/v1 Deployment, class: too-strict, field: spec.b, why: why not, owner: me, issue: ` +
	`'https://example.com/2', expires: '2027-06-30'} # one line
-
  id: c
  class: path
  target: apps/v1 Deployment
  field: spec.c
  declarative: {field: spec.d}
  expires: 2027-06-30
  why: |
    several lines
    # of which none is a comment
  owner: sig-apps
  issue: https://example.com/1
# The end.
`

func TestEditExceptions(t *testing.T) {
	for name, test := range map[string]struct {
		why   string
		edits []exceptionfile.Edit
		// changed are lines, each followed by its replacement.
		changed []string
	}{
		"nothing": {"no byte changes", nil, nil},
		"a day": {"quotes and comments stay", []exceptionfile.Edit{{ID: "a", Expires: "2028-01-31"}},
			[]string{`"2027-06-30" # see`, `"2028-01-31" # see`}},
		"a day in a line": {"only that of the entry", []exceptionfile.Edit{{ID: "b", Expires: "2028-01-31"}},
			[]string{`'2027-06-30'} # one`, `'2028-01-31'} # one`}},
		"a limit": {"only the number", []exceptionfile.Edit{{ID: "a", MaxHits: 12}}, []string{"maxHits: 7", "maxHits: 12"}},
		"a limit is new": {"it is after the date", []exceptionfile.Edit{{ID: "c", MaxHits: 2}},
			[]string{"  expires: 2027-06-30\n  why: |", "  expires: 2027-06-30\n  maxHits: 2\n  why: |"}},
		"new, in a line": {"also between braces", []exceptionfile.Edit{{ID: "b", MaxHits: 2}},
			[]string{"'2027-06-30'} # one", "'2027-06-30', maxHits: 2} # one"}},
		"a day and a limit": {"both in one entry",
			[]exceptionfile.Edit{{ID: "b", MaxHits: 2, Expires: "2028-01-31"}, {ID: "a", MaxHits: 1}},
			[]string{"'2027-06-30'} # one", "'2028-01-31', maxHits: 2} # one", "maxHits: 7", "maxHits: 1"}},
		"the first goes": {"comments before an entry may be about others", []exceptionfile.Edit{{ID: "a", Remove: true}},
			[]string{written[strings.Index(written, "- id: a"):strings.Index(written, "\n# Below")], ""}},
		"the last goes": {"the end of the file stays", []exceptionfile.Edit{{ID: "c", Remove: true}},
			[]string{written[strings.Index(written, "-\n"):strings.Index(written, "# The end")], ""}},
		"one in a line goes": {"with its comment", []exceptionfile.Edit{{ID: "b", Remove: true}},
			[]string{written[strings.Index(written, "- {id"):strings.Index(written, "-\n")], ""}},
		"all go": {"a file with only comments has no exception", []exceptionfile.Edit{
			{ID: "a", Remove: true},
			{ID: "b", Remove: true},
			{ID: "c", Remove: true},
		},
			[]string{
				written[strings.Index(written, "- id: a"):strings.Index(written, "\n# Below")],
				"",
				written[strings.Index(written, "- {id"):strings.Index(written, "# The end")],
				"",
			}},
	} {
		t.Run(name, func(t *testing.T) {
			want := strings.NewReplacer(test.changed...).Replace(written)
			for _, file := range []struct{ before, want string }{
				{written, want},
				{strings.ReplaceAll(written, "\n", "\r\n"), strings.ReplaceAll(want, "\n", "\r\n")},
			} {
				got, err := exceptionfile.Apply("exceptions.yaml", []byte(file.before), test.edits, today())
				if err != nil {
					t.Fatal(err)
				}
				if diff := cmp.Diff(file.want, string(got)); diff != "" {
					t.Errorf("%s (-want +got):\n%s", test.why, diff)
				}
			}
		})
	}
}

func TestEditExceptionsMistakes(t *testing.T) {
	const entry = "- {id: a, target: apps/v1 Deployment, class: too-loose, field: spec.a, why: why, owner: me, issue: " +
		"'https://example.com/1', "
	for name, test := range map[string]struct {
		before string
		edit   exceptionfile.Edit
		want   string
	}{
		"no such exception": {written, exceptionfile.Edit{ID: "x", Remove: true}, `exceptions.yaml has no exception "x"`},
		"a tag": {entry + "expires: !!str 2027-06-30}\n", exceptionfile.Edit{ID: "a", Expires: "2028-01-31"},
			`exceptions.yaml:1: exception "a" is written in a form that can only be edited by hand (an alias, an anchor or a tag)`},
		"brackets": {"[" + entry[2:] + "expires: 2027-06-30}]\n", exceptionfile.Edit{ID: "a", Remove: true},
			"exceptions.yaml:1: the list is in brackets, which can only be edited by hand; begin each entry with a dash on a " +
				"line of its own"},
		"not a list": {"id: a\n", exceptionfile.Edit{ID: "a"}, "exceptions.yaml:1: "},
	} {
		got, err := exceptionfile.Apply("exceptions.yaml", []byte(test.before), []exceptionfile.Edit{test.edit}, today())
		if err == nil || !strings.HasPrefix(err.Error(), test.want) || got != nil {
			t.Errorf("%s: error %v, want %s; got %q", name, err, test.want, got)
		}
	}
}

func TestExceptionDays(t *testing.T) {
	exceptions, err := equivalence.LoadExceptions("exceptions.yaml", []byte(written), today())
	if err != nil {
		t.Fatal(err)
	}
	exception := exceptions.All()[0]
	for at, want := range map[string]int{
		"2027-06-16T23:59:59Z":      14,
		"2027-06-30T00:00:00Z":      0,
		"2027-07-01T00:00:00Z":      -1,
		"2027-06-29T23:00:00-05:00": 0,
	} {
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		if got := exception.DaysLeft(now); got != want {
			t.Errorf("%d days are left at %s, want %d", got, at, want)
		}
	}
	for text, fails := range map[string]bool{"2027-06-30": false, "soon": true, "2001-01-01": true} {
		if err := waiver.CheckExpires(text, today()); (err != nil) != fails {
			t.Errorf("%s: %v", text, err)
		}
	}
}
