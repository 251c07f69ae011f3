package coverage

import (
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
)

// guardsTarget is the name of the target that has the guards of a suite: they look at many kinds.
const guardsTarget = "webhooks and policies"

// The keywords of the places of guards.
const (
	guardPlace      = "guard"
	conditionPlace  = "match condition"
	validationPlace = "validation"
	mutationPlace   = "mutation"
)

// guardPlaces lists the keywords of the places of guards, with a description of an uncovered place.
func guardPlaces() map[string]string {
	return map[string]string{
		guardPlace: "never refused or changed anything", conditionPlace: "never excluded anything",
		validationPlace: "never refused anything", mutationPlace: "never changed anything",
	}
}

// guardPlaceOf returns the place of a guard of a side. A guard that decides nothing is covered once it was asked.
func guardPlaceOf(side string, guard contract.Guard) tally.Place {
	return tally.Place{Path: guard.Name, Within: side, Keyword: guardPlace, Declared: declaredAt(guard.Where)}
}

// partPlaceOf returns the place of a part of a guard. The bindings of a policy share it.
func partPlaceOf(side, guard string, part contract.Part) tally.Place {
	policy, _, _ := strings.Cut(guard, " with binding ")
	keyword := validationPlace
	switch {
	case strings.HasPrefix(part.Name, "matchConditions["):
		keyword = conditionPlace
	case strings.HasPrefix(part.Name, "mutations["):
		keyword = mutationPlace
	}
	return tally.Place{Path: policy + " " + part.Name, Within: side, Keyword: keyword, Value: part.Text, Declared: declaredAt(part.Where)}
}

func declaredAt(where string) []string {
	if where == "" {
		return nil
	}
	return []string{where}
}

// guards counts what the guards of a suite did.
type guards struct {
	inputs int
	places []tally.Place
	index  map[placeID]int
	watch  map[int]bool // guards that decide nothing
}

// placeID identifies a guard of a side, or a part of it.
type placeID struct{ side, guard, part string }

// sides are the texts that tell apart the guards of the native and of the declarative side.
func sides() [2]string { return [2]string{"native side", ""} }

// Guards adds the guards of the two sides of a suite. All sets of options of a suite share them.
func (r *Recorder) Guards(suite string, native, declarative []contract.Guard) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(native)+len(declarative) == 0 || r.guards[suite] != nil {
		return
	}
	g := &guards{index: map[placeID]int{}, watch: map[int]bool{}}
	for side, all := range [][]contract.Guard{native, declarative} {
		name := sides()[side]
		shared := map[placeKey]int{}
		for _, guard := range all {
			at := g.place(placeID{name, guard.Name, ""}, guardPlaceOf(name, guard), shared)
			g.watch[at] = guard.Purpose == words.ToWatch
			for _, part := range guard.Parts {
				g.place(placeID{name, guard.Name, part.Name}, partPlaceOf(name, guard.Name, part), shared)
			}
		}
	}
	if r.guards == nil {
		r.guards = map[string]*guards{}
	}
	r.guards[suite] = g
}

// place adds a place, unless there is one that says the same, and returns its index.
func (g *guards) place(id placeID, place tally.Place, shared map[placeKey]int) int {
	at, is := shared[keyOf(place)]
	if !is {
		at = len(g.places)
		shared[keyOf(place)] = at
		g.places = append(g.places, place)
	}
	g.index[id] = at
	return at
}

// add counts a result.
func (g *guards) add(result *harness.Result) {
	g.inputs++
	acted := map[int]bool{} // by the index of the places that the input reached
	note := func(id placeID, did bool) {
		if at, is := g.index[id]; is {
			acted[at] = acted[at] || did || g.watch[at]
		}
	}
	for side, outcome := range []harness.Outcome{result.Native, result.Declarative} {
		for _, asked := range outcome.Asked {
			if !asked.Excluded {
				note(placeID{sides()[side], asked.Guard, ""}, asked.Acted)
			}
			for _, part := range asked.Parts {
				note(placeID{sides()[side], asked.Guard, part.Guard}, part.Acted)
			}
		}
	}
	for at, did := range acted {
		g.places[at].Reached++
		if did {
			g.places[at].Failed++
		} else {
			g.places[at].Passed++
		}
	}
}

// target returns the guards as a target of a suite.
func (g *guards) target(suite string) Target {
	made := Target{Suite: suite, Name: guardsTarget, Inputs: g.inputs}
	made.places(g.places)
	return made
}
