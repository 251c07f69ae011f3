package coverage

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// recorded is a report in the form of reports of runs. Versions of a kind share most of their places, so
// each place is listed once, and targets have its index.
type recorded struct {
	Places      []recordedPlace  `json:"places"`
	Targets     []recordedTarget `json:"targets"`
	Handwritten *Sites           `json:"handwritten"`
}

type recordedPlace struct {
	Path     string   `json:"path"`
	Within   string   `json:"within"`
	Keyword  string   `json:"keyword"`
	Index    int      `json:"index"`
	Value    string   `json:"value"`
	Declared []string `json:"declared"`
}

// placeKey identifies a place of a target.
type placeKey struct {
	path, within, keyword, value string
	index                        int
}

func keyOf(p tally.Place) placeKey {
	return placeKey{p.Path, p.Within, p.Keyword, p.Value, p.Index}
}

type recordedTarget struct {
	Suite        string        `json:"suite"`
	Target       string        `json:"target"`
	Inputs       int           `json:"inputs"`
	Pruned       *int          `json:"pruned"`
	Subresources []Subresource `json:"subresources"`
	// Counts has for each place its index, and how many inputs reached, passed and failed it.
	Counts [][4]int `json:"counts"`
}

// MarshalJSON returns the report in the form of reports of runs.
func (r Report) MarshalJSON() ([]byte, error) {
	made := recorded{Places: []recordedPlace{}, Targets: []recordedTarget{}, Handwritten: r.Sites}
	type key struct {
		placeKey
		declared string
	}
	known := map[key]int{}
	for i := range r.Targets {
		t := &r.Targets[i]
		target := recordedTarget{
			Suite:        t.Suite,
			Target:       t.Name,
			Inputs:       t.Inputs,
			Pruned:       t.Pruned,
			Subresources: append([]Subresource{}, t.Subresources...),
			Counts:       [][4]int{},
		}
		for _, s := range sections() {
			for _, p := range s.of(t) {
				place := key{keyOf(p), strings.Join(p.Declared, "\x00")}
				at, is := known[place]
				if !is {
					at, known[place] = len(made.Places), len(made.Places)
					made.Places = append(made.Places,
						recordedPlace{p.Path, p.Within, p.Keyword, p.Index, p.Value, append([]string{}, p.Declared...)})
				}
				target.Counts = append(target.Counts, [4]int{at, p.Reached, p.Passed, p.Failed})
			}
		}
		made.Targets = append(made.Targets, target)
	}
	return json.Marshal(made)
}

// UnmarshalJSON reads the output of MarshalJSON.
func (r *Report) UnmarshalJSON(data []byte) error {
	var read recorded
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	*r = Report{Sites: read.Handwritten}
	for _, t := range read.Targets {
		made := Target{Suite: t.Suite, Name: t.Target, Inputs: t.Inputs, Pruned: t.Pruned, Subresources: t.Subresources}
		var places []tally.Place
		for _, count := range t.Counts {
			if count[0] < 0 || count[0] >= len(read.Places) {
				return fmt.Errorf("%s %s counts place %d, and there are %d", t.Suite, t.Target, count[0], len(read.Places))
			}
			p := read.Places[count[0]]
			places = append(places, tally.Place{
				Path: p.Path, Within: p.Within, Keyword: p.Keyword, Index: p.Index, Value: p.Value, Declared: p.Declared,
				Reached: count[1], Passed: count[2], Failed: count[3],
			})
		}
		made.places(places)
		r.Targets = append(r.Targets, made)
	}
	return nil
}

// Merge adds the coverage of the shards of a run, which Recorder.Record returned. It returns an error if
// they counted different things.
func Merge(shards []Report) (Report, error) {
	var whole Report
	targets := map[[2]string]int{}
	for _, shard := range shards {
		for _, t := range shard.Targets {
			at, known := targets[[2]string{t.Suite, t.Name}]
			if !known {
				targets[[2]string{t.Suite, t.Name}] = len(whole.Targets)
				whole.Targets = append(whole.Targets, t)
				continue
			}
			whole.Targets[at].add(&t)
		}
	}
	whole.sort()
	for i, shard := range shards {
		switch {
		case (shard.Sites == nil) != (shards[0].Sites == nil):
			return Report{}, errors.New("some shards count hand-written validators, and others do not")
		case i == 0 || shard.Sites == nil:
			whole.Sites = shard.Sites
		default:
			if err := whole.Sites.add(shard.Sites); err != nil {
				return Report{}, err
			}
		}
	}
	return whole.relevant(), nil
}

// add adds the counts of another shard for the target.
func (t *Target) add(other *Target) {
	t.Inputs += other.Inputs
	switch {
	case t.Pruned == nil:
		t.Pruned = clonePointer(other.Pruned)
	case other.Pruned != nil:
		t.Pruned = new(*t.Pruned + *other.Pruned)
	}
	for _, s := range other.Subresources {
		found := false
		for i := range t.Subresources {
			if t.Subresources[i].Name == s.Name {
				t.Subresources[i].Inputs += s.Inputs
				found = true
			}
		}
		if !found {
			t.Subresources = append(t.Subresources, s)
		}
	}
	sortSubresources(t.Subresources)
	t.Keywords, t.Fields, t.Values = addPlaces(t.Keywords, other.Keywords), addPlaces(t.Fields, other.Fields), addPlaces(
		t.Values, other.Values)
	t.Guards = addPlaces(t.Guards, other.Guards)
}

// addPlaces adds the counts of places. A shard without cases of a kind did not compile its schema, and has
// no places.
func addPlaces(all, other []tally.Place) []tally.Place {
	known := map[placeKey]int{}
	for i, p := range all {
		known[keyOf(p)] = i
	}
	for _, p := range other {
		at, is := known[keyOf(p)]
		if !is {
			all = append(all, p)
			continue
		}
		all[at].Reached += p.Reached
		all[at].Passed += p.Passed
		all[at].Failed += p.Failed
	}
	return all
}

// add adds the counts of another shard.
func (s *Sites) add(other *Sites) error {
	s.Elsewhere += other.Elsewhere
	s.Ambiguous += other.Ambiguous
	if len(s.Packages) != len(other.Packages) {
		return errors.New("the shards count different hand-written packages")
	}
	for i := range s.Packages {
		mine, theirs := s.Packages[i].Sites, other.Packages[i].Sites
		if s.Packages[i].Path != other.Packages[i].Path || len(mine) != len(theirs) {
			return errors.New("the shards count different hand-written packages")
		}
		for j := range mine {
			if mine[j].Name != theirs[j].Name {
				return fmt.Errorf("the shards count different versions of package %s", s.Packages[i].Path)
			}
			mine[j].Add(theirs[j].SiteCounts)
		}
	}
	return nil
}
