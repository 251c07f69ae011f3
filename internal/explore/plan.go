package explore

import (
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/object"
)

func same(a, b any) bool { return reflect.DeepEqual(a, b) }

// plan adds the tasks that follow from an answer.
func (e *Explorer) plan(t task, answer Answer) {
	switch {
	case answer.Undecided:
	case answer.accepted():
		if t.remedy != nil {
			e.remedies[t.remedy.text] = t.remedy.value
		}
		e.planAccepted(t)
	case t.opens != "" && !e.agenda.opened[t.opens]:
		e.planRemedies(t, answer)
	case e.options.AnyOld && !t.IsUpdate() && !t.start && !e.options.Updates && e.agenda.first(t.site.general(), t.change.name, "kept"):
		e.planKept(t)
	}
}

// planAccepted plans changes of an accepted object, and updates between it and the object that it was made
// from.
func (e *Explorer) planAccepted(t task) {
	created := t.Object
	if t.IsUpdate() && !e.options.Updates {
		return
	}
	if t.start || t.opens != "" {
		e.agenda.open(e.options.Schema, created)
		if !t.start {
			e.values.add(e.options.Schema, created)
		}
	}
	if t.start {
		e.starts = append(e.starts, created)
		e.kept = append(e.kept, t.Input)
		e.addSmall(created)
		e.expand(created, nil, "")
		e.planStored(created)
		return
	}
	e.expandChanged(t)
	if e.options.Updates || t.near == nil {
		return
	}
	before, after := "absent", "absent"
	if t.site.has {
		before = "set"
	}
	if t.change.to != (absence{}) {
		after = "set"
	}
	if e.agenda.first(t.site.general(), "update", before, after) {
		e.agenda.add(bound, e.update(t, t.near, created, "updated: "+t.made.change))
		e.agenda.add(shape, e.update(t, created, t.near, "undone: "+t.made.change))
	}
}

// expandChanged plans changes of what a change added, and of its surroundings if they depend on it.
func (e *Explorer) expandChanged(t task) {
	if t.change.mode {
		if mode := t.site.general() + "=" + t.change.name; e.agenda.first("mode", mode) && e.values.mode(t.site.general()) {
			e.starts = append(e.starts, t.Object)
			e.expand(t.Object, t.site.path[:len(t.site.path)-1], mode)
		}
		return
	}
	switch t.change.to.(type) {
	case map[string]any, []any:
		e.starts = append(e.starts, t.Object)
		e.expand(t.Object, t.site.path, "")
	}
}

// update returns the task of an update.
func (e *Explorer) update(t task, old, object map[string]any, change string) task {
	return task{made: made{Input: e.sent(Input{Object: object, Old: old}), near: old, change: change}, site: t.site, change: t.change}
}

// planKept plans updates of a rejected object that keep its mistakes.
func (e *Explorer) planKept(t task) {
	kept := e.update(t, t.Object, labelled(t.Object), "wrong before, and only a label changed: "+t.made.change)
	kept.near = t.near // the old object is not accepted
	e.agenda.add(spelling, kept)
}

// labelled returns an object with another label.
func labelled(in map[string]any) map[string]any {
	return object.Of("metadata", "labels", "changed").Put(in, "yes")
}

// planStored plans the updates that every stored object must survive: without a change, of its
// labels, and of its finalizers.
func (e *Explorer) planStored(stored map[string]any) {
	if e.options.Updates || len(e.starts) > mostStored {
		return
	}
	finalizers := object.Of("metadata", "finalizers")
	held, freed := finalizers.Put(stored, []any{"example.com/held"}), finalizers.Delete(stored)
	for _, update := range []struct {
		change   string
		old, new map[string]any
	}{{"nothing changed", stored, stored}, {"a label changed", stored, labelled(stored)}, {"the finalizers taken out", held, freed}} {
		e.agenda.add(bound, task{
			made:  made{Input: e.sent(Input{Object: update.new, Old: update.old}), near: stored, change: update.change},
			start: true,
		})
	}
}

// mostStored bounds for how many starts these updates are tried.
const mostStored = 200

// expand plans the changes at and below a path of an object. Each change is tried once at each
// general place, and once more in each mode.
func (e *Explorer) expand(object map[string]any, within steps, mode string) {
	inside, has := within.Get(object)
	if !has {
		return
	}
	for _, at := range (site{within, schemaAt(e.options.Schema, within), inside, true}).sites() {
		if place := at.general(); e.agenda.first("expanded", place, strconv.FormatBool(at.has), mode) {
			e.expandSite(object, at, place, mode)
		}
	}
}

// schemaAt returns the schema at a path.
func schemaAt(s *props, path steps) *props {
	for i, at := range path {
		switch {
		case at.Kind == object.Item:
			s = generate.Items(s)
		case at.Kind == object.Key && s.AdditionalProperties != nil && s.AdditionalProperties.Schema != nil:
			s = s.AdditionalProperties.Schema
		default:
			s = fieldOf(site{path: path[:i], schema: s}, at.Name)
		}
	}
	return s
}

// expandSite plans the changes of one site.
func (e *Explorer) expandSite(object map[string]any, at site, place, mode string) {
	for _, c := range changesOf(e.src, at) {
		e.addChange(object, at, place, mode, c)
	}
	for i, value := range e.values.at[place] {
		if !at.has || !same(value, at.value) {
			e.addChange(object, at, place, mode, change{
				aim:   shape,
				name:  fmt.Sprintf("value %d of the cases", i),
				to:    value,
				known: true,
				opens: true,
			})
		}
	}
	if at.has && mode == "" {
		e.expandRules(object, at)
	}
}

func (e *Explorer) addChange(object map[string]any, at site, place, mode string, c change) {
	if mode != "" && c.aim == spelling || !e.explores(at.path) {
		return
	}
	id, first := e.agenda.id(place, c.name, mode)
	if !first {
		return
	}
	aim := e.reads.aim(place, c.aim)
	t := e.changed(object, at, c)
	t.id = id
	switch {
	case aim == read:
		if mode != "" {
			aim = bound
		}
	case aim == bound || c.known:
		switch first := e.agenda.first("kind", e.kinds.of(e.options.Schema, at.path), c.name); {
		case mode != "" || !first:
			aim = shape // the same was tried without the mode, or at another place of the same type
		case !at.has && c.opens && !e.agenda.opened[place]:
			t.opens = place
		}
	}
	e.agenda.add(aim, t)
}

// changed returns the task of a single change. Its input is made when it is taken.
func (e *Explorer) changed(object map[string]any, at site, c change) task {
	at.value = nil
	return task{made: made{near: object}, site: at, change: c}
}

// realize makes the input of a task.
func (e *Explorer) realize(t *task) {
	switch {
	case t.Object != nil:
		return
	case t.assigned != nil:
		if t.Object = e.placer(e.src).assigned(t.near, t.assigned.object); !t.assigned.creates {
			t.Old = e.placer(e.src).assigned(t.near, t.assigned.old)
		}
		t.Input = e.sent(t.Input)
		if parts := t.assigned.object; len(parts) > 0 && parts[len(parts)-1].part {
			t.change.to, _ = t.site.path.Get(t.Object)
		}
		return
	}
	t.Object = t.site.path.Put(t.near, t.change.value())
	if e.options.Updates {
		t.Old = t.near
	}
	t.Input, t.made.change = e.sent(t.Input), t.site.String()+": "+t.change.name
}

// expandRules plans values for the fields that the rules at a site name.
func (e *Explorer) expandRules(object map[string]any, at site) {
	var all []Rule
	for _, written := range at.schema.XValidations {
		if rule, ok := ParseRule(written.Rule, nil); ok {
			all = append(all, rule)
		}
	}
	own := len(all)
	if at.depth() == 0 {
		all = append(all, e.options.Rules...)
	}
	kind := e.kinds.of(e.options.Schema, at.path)
	for i, rule := range all {
		single, several := literal, joint
		if i >= own {
			single, several = read, read
		}
		fields := assigner{e.placer(e.src), object}.assignments(rule, at)
		for _, combined := range combinations(rule, fields) {
			aim := single
			if len(combined) > 1 {
				aim = several
			}
			e.addAssignments(object, at, kind, aim, combined)
		}
		if rule.Transition && !e.options.Updates {
			for _, updated := range transitions(rule, fields) {
				e.addTransition(object, at, several, updated)
			}
		}
	}
}

// addAssignments plans values for the fields of a rule at a site of a kind.
func (e *Explorer) addAssignments(object map[string]any, at site, kind string, aim aim, combined []assignment) {
	name := namesOf(combined)
	if !e.exploresAny(combined) {
		return
	}
	id, first := e.agenda.id(at.general(), "rule", name)
	if !first {
		return
	}
	last := combined[len(combined)-1]
	_, has := last.path.Get(object)
	t := task{
		id:       id,
		made:     made{near: object, change: at.String() + ": " + name},
		site:     site{path: last.path, schema: schemaAt(e.options.Schema, last.path), has: has},
		change:   change{name: name, to: last.to, mode: last.literal && len(combined) == 1 && isText(last.to)},
		assigned: &transition{object: combined, creates: !e.options.Updates},
	}
	if !e.agenda.first("kind", kind, "rule", name) {
		aim = shape // the same was tried at another place of the same type
	} else if place := t.site.general(); last.part && !has && !e.agenda.opened[place] {
		t.opens = place
	}
	e.agenda.add(aim, t)
}

// addTransition plans an update for a rule at a site.
func (e *Explorer) addTransition(object map[string]any, at site, aim aim, of transition) {
	name := fmt.Sprintf("updated: %s -> %s", namesOf(of.old), namesOf(of.object))
	if !e.exploresAny(of.old) && !e.exploresAny(of.object) {
		return
	}
	if id, first := e.agenda.id(at.general(), name); first {
		e.agenda.add(aim, task{id: id, made: made{near: object, change: at.String() + ": " + name}, site: at, assigned: &of})
	}
}

func (e *Explorer) exploresAny(all []assignment) bool {
	return slices.ContainsFunc(all, func(one assignment) bool { return e.explores(one.path) })
}

func namesOf(all []assignment) string {
	var names []string
	for _, one := range all {
		names = append(names, one.name)
	}
	return strings.Join(names, ", ")
}

func isText(value any) bool {
	_, is := value.(string)
	return is
}
