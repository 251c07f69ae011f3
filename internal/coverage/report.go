package coverage

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Report is the coverage of a run.
type Report struct {
	Targets []Target
	// Sites are the calls of hand-written validators that make errors; nil: they were not measured.
	Sites *Sites
	// Conditions are those of hand-written validators, for each target; nil: they were not measured.
	Conditions []Conditions
	// Narrowed lists what the run left out on purpose, one line each. A full run might cover more.
	Narrowed []string
}

// narrowedNote returns a note that the run was narrowed, or "".
func (r Report) narrowedNote() string {
	if len(r.Narrowed) == 0 {
		return ""
	}
	return "The run was narrowed, so more may be covered: " + strings.Join(r.Narrowed, "; ") + "."
}

// Target is the coverage of a version of a kind in a suite.
type Target struct {
	Suite, Name string
	// Inputs counts the compared inputs.
	Inputs int
	// Keywords are the keywords and rules of the schema. One is covered if an input made it fail.
	Keywords []tally.Place
	// Fields are the fields of the API. One is covered if an input sets it.
	Fields []tally.Place
	// Values are the values of enums. One is covered if an input uses it.
	Values []tally.Place
	// Guards are the webhooks and policies of a suite, and the match conditions, validations and mutations
	// of policies. One is covered if it refused, changed or excluded an input.
	Guards []tally.Place
	// Pruned counts inputs with a pruned field. Nil: unknown fields of the kind are not pruned.
	Pruned *int
	// Subresources are those that the version is known to have, or that cases used.
	Subresources []Subresource

	objects map[placeKey]Object // see AddObjects
	lines   map[string]string   // see AddLines
}

// pruningOpen reports whether no input has a pruned field.
func (t *Target) pruningOpen() bool { return t.Pruned != nil && *t.Pruned == 0 && t.Inputs > 0 }

// pruningNote is the note about it.
const pruningNote = "unknown fields: no input has one, so pruning is not tested"

func clonePointer(n *int) *int {
	if n == nil {
		return nil
	}
	return new(*n)
}

func (r *Report) sort() {
	slices.SortFunc(r.Targets, func(a, b Target) int {
		return strings.Compare(a.Suite+"\x00"+a.Name, b.Suite+"\x00"+b.Name)
	})
}

func sortSubresources(all []Subresource) {
	slices.SortFunc(all, func(a, b Subresource) int { return strings.Compare(a.Name, b.Name) })
}

// relevant omits targets that are not worth a line.
func (r Report) relevant() Report {
	all := r.Targets
	r.Targets = slices.DeleteFunc(slices.Clone(all), func(t Target) bool { return omitted(all, &t) })
	return r
}

// omitted reports whether a target without inputs is not worth a line: another suite compares the version,
// or another version of the kind. A kind that no suite compares is reported for the first suite.
func omitted(all []Target, t *Target) bool {
	if t.Inputs > 0 {
		return false
	}
	same, kindHere, kindAnywhere := false, false, false
	first := t
	for i := range all {
		other := &all[i]
		if other.kind() != t.kind() {
			continue
		}
		same = same || other.Name == t.Name && other.Inputs > 0
		kindHere = kindHere || other.Suite == t.Suite && other.Inputs > 0
		kindAnywhere = kindAnywhere || other.Inputs > 0
		if other.Name == t.Name && other.Suite < first.Suite {
			first = other
		}
	}
	return same || kindAnywhere && !kindHere || !kindAnywhere && first != t
}

func (t *Target) kind() schema.GroupKind {
	version, err := apiname.ParseTarget(t.Name)
	if err != nil {
		return schema.GroupKind{Kind: t.Name}
	}
	return version.GroupKind()
}

// Figure is how many of some places are covered.
type Figure struct {
	Covered int `json:"covered"`
	Of      int `json:"of"`
}

func (t *Target) places(all []tally.Place) {
	guards := guardPlaces()
	for _, p := range all {
		switch {
		case guards[p.Keyword] != "":
			t.Guards = append(t.Guards, p)
		case p.Keyword == tally.FieldPlace:
			t.Fields = append(t.Fields, p)
		case p.Keyword == tally.EnumValuePlace:
			t.Values = append(t.Values, p)
		default:
			t.Keywords = append(t.Keywords, p)
		}
	}
}

// section is one of the lists of a target.
type section struct {
	name    string // in files
	title   string // of uncovered places
	total   string // of covered places, in all targets
	of      func(*Target) []tally.Place
	covered func(tally.Place) bool
}

func sections() []section {
	reached := func(p tally.Place) bool { return p.Reached > 0 }
	failed := func(p tally.Place) bool { return p.Failed > 0 }
	return []section{
		{"keywords", "never made to fail", "keywords made to fail", func(t *Target) []tally.Place { return t.Keywords }, failed},
		{"fields", "never set", "fields set", func(t *Target) []tally.Place { return t.Fields }, reached},
		{"values", "never used", "enum values used", func(t *Target) []tally.Place { return t.Values }, reached},
		{"guards", "", "guards and expressions that acted", func(t *Target) []tally.Place { return t.Guards }, failed},
	}
}

// judges reports whether the places of a section decide about values, so that one may be reached and not covered.
func (s section) judges() bool { return s.name == "keywords" || s.name == "guards" }

// titled returns what the places of a group of the section never did.
func (s section) titled(group work) string {
	if title := guardPlaces()[group.keyword]; title != "" {
		return title
	}
	return s.title
}

// used returns the sections that some target of the report has places of. The first three are always there.
func (r Report) used() []section {
	all := sections()
	return slices.DeleteFunc(all, func(s section) bool {
		return s.name == "guards" && !slices.ContainsFunc(r.Targets, func(t Target) bool { return len(t.Guards) > 0 })
	})
}

// figure counts covered places.
func (s section) figure(t *Target) Figure {
	made := Figure{Of: len(s.of(t))}
	for _, p := range s.of(t) {
		if s.covered(p) {
			made.Covered++
		}
	}
	return made
}

// open returns the uncovered places.
func (s section) open(t *Target) []tally.Place {
	return slices.DeleteFunc(slices.Clone(s.of(t)), s.covered)
}

// work has the places of one keyword that are not covered.
type work struct {
	keyword string
	places  []tally.Place
}

// worklist groups uncovered places by keyword, the smallest group first.
func worklist(open []tally.Place) []work {
	var groups []work
	for _, p := range open {
		at := slices.IndexFunc(groups, func(w work) bool { return w.keyword == p.Keyword })
		if at < 0 {
			at = len(groups)
			groups = append(groups, work{keyword: p.Keyword})
		}
		groups[at].places = append(groups[at].places, p)
	}
	slices.SortStableFunc(groups, func(a, b work) int {
		return cmp.Or(cmp.Compare(len(a.places), len(b.places)), cmp.Compare(a.keyword, b.keyword))
	})
	return groups
}

// placeName returns the name of a place in reports and files: its path, keyword and value.
func placeName(p tally.Place) string {
	name := p.Keyword
	switch p.Keyword {
	case openapi.XValidations:
		name = "rule[" + strconv.Itoa(p.Index) + "]"
	case tally.FieldPlace, tally.EnumValuePlace, guardPlace, conditionPlace, validationPlace, mutationPlace:
		name = ""
	}
	for _, part := range []string{p.Value, within(p.Within)} {
		if part != "" && name != "" {
			name += " "
		}
		name += part
	}
	if p.Path == "" || name == "" {
		return p.Path + name
	}
	return p.Path + " " + name
}

func within(branch string) string {
	if branch == "" {
		return ""
	}
	return "(in " + branch + ")"
}

// Total is how much of one kind of places all targets cover together.
type Total struct {
	Name string
	Figure
}

// Totals returns the figures of all targets together.
func (r Report) Totals() []Total {
	var totals []Total
	for _, s := range r.used() {
		total := Total{Name: s.total}
		for i := range r.Targets {
			figure := s.figure(&r.Targets[i])
			total.Covered += figure.Covered
			total.Of += figure.Of
		}
		totals = append(totals, total)
	}
	return totals
}
