package diff

import (
	"maps"
	"reflect"
	"slices"
	"strconv"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/object"
	"github.com/diffrun/diffrun/internal/objectmeta"
)

// The updates that are not named by the field that they change.
const (
	NoChange    = "nothing"
	LabelChange = "labels"
)

// The numbers of fields beside a value, and of values for each, that are tried.
const (
	besideFields = 6
	besideValues = 8
)

// updated is what B said about the updates of a stored object that leave its mistake as it is.
type updated struct {
	object            map[string]any
	accepted, refused []string
	rejection         Rejection // of the first update that was refused
}

func (u *updated) state() StoredState {
	switch {
	case slices.Contains(u.refused, NoChange) || slices.Contains(u.refused, LabelChange):
		return BecomesStuck
	case len(u.refused) > 0:
		return Restricted
	case slices.Contains(u.accepted, LabelChange):
		return StaysEditable
	}
	return ""
}

// storedObject is an object that A has stored, for updates.
type storedObject struct {
	t *trial
	// stored is what A has stored, and read what a client of B reads.
	stored, read map[string]any
	// needed reports whether the object needs a field that B prunes, so that each rejection counts.
	needed bool
	updated
}

// updatesOf asks B for updates of an object that A has stored: without a change, of a label, and of a field beside the
// wrong value and each value around it.
func (t *trial) updatesOf(object map[string]any) updated {
	stored := t.w.a.Stored(object)
	o := &storedObject{t: t, stored: stored, read: t.w.b.Stored(stored), needed: t.needs(object), updated: updated{object: object}}
	o.try(NoChange, o.read)
	o.try(LabelChange, objectmeta.Change(o.read, func(u *unstructured.Unstructured) { u.SetLabels(map[string]string{"changed": "yes"}) }))
	if at := t.refusedFor(t.w.b.Validate(t.w.ctx, o.read), o.needed); at >= 0 {
		o.beside(fieldpath.Split(t.w.b.Validate(t.w.ctx, o.read)[at].Field))
	}
	return o.updated
}

// try asks B for an update, and reports whether it is known whether B refuses it because of the change.
func (o *storedObject) try(name string, object map[string]any) bool {
	rejections := slices.DeleteFunc(o.t.w.b.Update(o.t.w.ctx, object, o.stored), func(r Rejection) bool { return r.Kind == unknownField })
	at := o.t.refusedFor(rejections, o.needed)
	switch {
	case at >= 0:
		if len(o.refused) == 0 {
			o.rejection = rejections[at]
		}
		o.refused = append(o.refused, name)
	case len(rejections) == 0:
		o.accepted = append(o.accepted, name)
	default:
		return false
	}
	return true
}

// beside tries changes beside each value on the way to the wrong one, and in the wrong one.
func (o *storedObject) beside(wrong []fieldpath.Step) {
	at := place{value: o.read, schema: o.t.w.b.schema}
	for _, step := range wrong {
		o.parts(at, step.Text)
		var inside bool
		if at, inside = at.part(step.Text); !inside {
			return
		}
	}
	o.parts(at, "")
}

// parts tries to change a part of a value that is not on the way to the wrong one. The parts of the whole object are
// tried one by one, because its status is updated apart.
func (o *storedObject) parts(of place, next string) {
	root := len(of.path) == 0
	for _, name := range of.others(next) {
		if root && slices.Contains([]string{"apiVersion", "kind", "metadata"}, name) {
			continue
		}
		if o.part(of, name) && !root {
			return
		}
	}
}

// part tries to change a part of a value, and reports whether it is known what B does with such an update.
func (o *storedObject) part(of place, name string) bool {
	schema := explore.SchemaAt(of.schema, []string{name})
	for range besideValues {
		made := generate.Value(o.t.src, schema, generate.ObjectOptions{Values: 4, Generous: true})
		changed := of.with(o.read, name, made)
		if changed != nil && o.leavesMistake(changed) && o.try(object.Of(append(of.names, name)...).General(), changed) {
			return true
		}
	}
	return false
}

// leavesMistake reports whether an update changes the object and not what is wrong with it.
func (o *storedObject) leavesMistake(object map[string]any) bool {
	read := o.t.w.b.Stored(object)
	return !reflect.DeepEqual(read, o.read) && o.t.refusedFor(o.t.w.b.Validate(o.t.w.ctx, read), o.needed) >= 0
}

// refusedFor returns the first rejection that is due to the change: of the value that B rejects, or of anything if the
// object needs a field that B has pruned; -1: there is none.
func (t *trial) refusedFor(rejections []Rejection, needed bool) int {
	return slices.IndexFunc(rejections, func(r Rejection) bool { return r.Kind != unknownField && (needed || t.matches(r)) })
}

// absence is the value of a part that is taken out.
type absence = object.Absence

// place is a value in an object.
type place struct {
	value  any
	schema *props
	path   object.Path
	names  []string // those of the steps in the schema
}

// part returns the place of a part of the value: a field, an entry or an item; false: it has none.
func (p place) part(name string) (place, bool) {
	path := p.path.Field(name)
	if list, isList := p.value.([]any); isList {
		index, err := strconv.Atoi(name)
		if err != nil || index >= len(list) {
			return place{}, false
		}
		path, name = p.path.Item(index), object.Any
	} else if _, declared := p.schema.Properties[name]; !declared {
		name = "*"
	}
	value, _ := path[len(p.path):].Get(p.value)
	schema := explore.SchemaAt(p.schema, []string{name})
	return place{value, schema, path, append(slices.Clip(p.names), name)}, schema != nil && value != nil
}

// others returns the names of the parts that the value may have beside one: fields, "*" for an entry, "[*]" for an item.
func (p place) others(next string) []string {
	var names []string
	switch in := p.value.(type) {
	case map[string]any:
		names = slices.Sorted(maps.Keys(p.schema.Properties))
		names = slices.DeleteFunc(names, func(name string) bool { return name == next })
		isSet := func(name string) bool { _, has := in[name]; return has } // a new field may cause other errors
		names = slices.Concat(slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isSet(name) }),
			slices.DeleteFunc(names, isSet))
		names = names[:min(len(names), besideFields)]
		if explore.SchemaAt(p.schema, []string{"*"}) != nil {
			names = append(names, "*")
		}
	case []any:
		if explore.SchemaAt(p.schema, []string{"[*]"}) != nil {
			names = append(names, "[*]")
		}
	}
	return names
}

// with returns an object with another part of the value: a field, one more entry, or one more item.
func (p place) with(object map[string]any, name string, part any) map[string]any {
	switch in := p.value.(type) {
	case map[string]any:
		if name == "*" {
			name = "changed"
		}
		return p.path.Field(name).Put(object, part)
	case []any:
		return p.path.Put(object, append(slices.Clip(in), part))
	}
	return object
}
