package graph

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/internal/cel/types"
	"github.com/diffrun/diffrun/backends/declarative/internal/declared"
	"github.com/diffrun/diffrun/backends/declarative/internal/keyword"
	"github.com/diffrun/diffrun/backends/declarative/internal/view"
	"github.com/diffrun/diffrun/backends/declarative/tally"
)

// Schemas that are compiled without a Tally pay nothing for this.

// counted is what the compiler knows about the places of one keyword of one node.
type counted struct {
	open   map[string]bool        // definitions that are being compiled
	fields map[string]bool        // paths of fields that have a place
	types  map[string]*types.Type // by place in the schema
	places map[string]tally.ID
	of     *Node       // that the places are of
	new    []tally.ID  // those that the entry added
	kinds  []view.Kind // that the entry added checks for
}

// typeOf returns the type of a node, still empty. The nodes of one place share a type, because
// rules may compare values of a definition that is used twice.
func (c *compiler) typeOf(n *Node) *types.Type {
	if c.opts.Tally == nil {
		return &types.Type{}
	}
	name := c.name(n)
	known := c.counted.types[name]
	if known == nil {
		if c.counted.types == nil {
			c.counted.types = map[string]*types.Type{}
		}
		known = &types.Type{}
		c.counted.types[name] = known
	}
	return known
}

// opened marks a definition as being compiled, until the returned function is called.
func (c *compiler) opened(name string) (closed func()) {
	if c.opts.Tally == nil {
		return func() {}
	}
	if c.counted.open == nil {
		c.counted.open = map[string]bool{}
	}
	c.counted.open[name] = true
	return func() { delete(c.counted.open, name) }
}

// place registers a keyword of a schema, once for each node. It returns zero if nothing is counted
// or the schema does not have the keyword.
func (c *compiler) place(s *schemaSite, name string) tally.ID {
	if c.opts.Tally == nil {
		return 0
	}
	value, written := valueOf(s.Dialect(), s.schema, name)
	if !written || name == "required" || c.leftOut(name) { // each required name has a place
		return 0
	}
	if c.counted.of != s.node {
		c.counted.of, c.counted.places = s.node, map[string]tally.ID{}
	}
	id, known := c.counted.places[name]
	if !known {
		path, within := c.valuePath(c.current)
		id = c.opts.Tally.Add(tally.Key{Path: path, Within: within, Keyword: name, Value: value}, c.declaredAt(s.of(name).where()))
		c.counted.places[name] = id
	}
	c.counted.new = append(c.counted.new, id)
	return id
}

// declaredAt returns the place of a keyword in the schema of the whole object. For a part of an
// object, only the properties that lead to it are known.
func (c *compiler) declaredAt(at *field.Path) string {
	if c.opts.CountedAt == "" {
		return at.String()
	}
	var part *field.Path
	for name := range strings.SplitSeq(c.opts.CountedAt, ".") {
		part = part.Child("properties").Key(name)
	}
	return part.String() + "." + at.String()
}

// leftOut reports whether a keyword is not counted.
func (c *compiler) leftOut(keyword string) bool {
	return c.opts.Counted != nil && !c.opts.Counted(keyword)
}

// requiredPlaces registers each required name at the field of that name.
func (c *compiler) requiredPlaces(s *schemaSite) []tally.ID {
	if c.opts.Tally == nil || c.leftOut("required") {
		return nil
	}
	path, within := c.valuePath(c.current)
	var ids []tally.ID
	for i, name := range s.schema.Required {
		ids = append(ids, c.opts.Tally.Add(tally.Key{Path: below(path, name), Within: within, Keyword: "required"},
			c.declaredAt(s.where().Index(i))))
	}
	c.counted.new = append(c.counted.new, ids...)
	return ids
}

// rulePlace registers a rule.
func (c *compiler) rulePlace(s *schemaSite, index int, text string) tally.ID {
	if c.opts.Tally == nil || c.leftOut(s.keyword) {
		return 0
	}
	path, within := c.valuePath(c.current)
	return c.opts.Tally.Add(tally.Key{Path: path, Within: within, Keyword: s.keyword, Index: index, Value: strings.TrimSpace(text)},
		c.declaredAt(s.where().Index(index)))
}

// useRule marks the rule at a place as compiled.
func (c *compiler) useRule(place tally.ID) {
	if place != 0 {
		c.opts.Tally.Use([]tally.ID{place})
	}
}

// reach adds a check before all others. It counts the values that a keyword checks.
func (c *compiler) reach(n *Node, k entry) {
	if c.opts.Tally == nil {
		return
	}
	ids, kinds := c.counted.new, c.counted.kinds
	c.counted.new, c.counted.kinds = nil, nil
	if len(kinds) == 0 {
		kinds = k.visited()
	}
	if len(kinds) > 0 {
		c.opts.Tally.Use(ids)
	}
	slices.Sort(kinds)
	for _, kind := range slices.Compact(kinds) {
		if len(ids) == 0 {
			continue
		}
		checks := n.Checks[kind]
		if len(checks) > 0 {
			if known, ok := checks[0].(keyword.Reach); ok {
				checks[0] = append(known, ids...)
				continue
			}
		}
		n.Checks[kind] = slices.Insert(checks, 0, keyword.Check(keyword.Reach(slices.Clone(ids))))
	}
}

// visited returns the kinds of values for which the walk itself checks a keyword.
func (k entry) visited() []view.Kind {
	switch k.name {
	case "required", "properties":
		return []view.Kind{view.Map}
	case "type", "allOf", "anyOf", "oneOf", "not", unionsKeyword:
		var all []view.Kind
		for kind := range view.Kinds {
			if kind != view.Null || k.name == "type" {
				all = append(all, kind)
			}
		}
		return all
	}
	return nil
}

// At returns the site of the required name at an index.
func (r *required) At(index int) keyword.Site {
	site := r.Site
	if r.Tallys != nil {
		site.Tally = r.Tallys[index]
	}
	return site
}

// countUse counts the inputs that set the value of a node, and the enum values they use. Branches
// declare no fields.
func (c *compiler) countUse(s *schemaSite) {
	if c.opts.Tally == nil {
		return
	}
	path, within := c.valuePath(c.current)
	if within != "" {
		return
	}
	if path != "" && path != c.opts.CountedAt && !c.counted.fields[path] && !c.leftOut(tally.FieldPlace) {
		if c.counted.fields == nil {
			c.counted.fields = map[string]bool{}
		}
		c.counted.fields[path] = true
		id := c.opts.Tally.Add(tally.Key{Path: path, Keyword: tally.FieldPlace}, "")
		c.counted.new = append(c.counted.new, id)
		for kind := range view.Kinds {
			c.counted.kinds = append(c.counted.kinds, kind)
		}
		c.reach(s.node, entry{})
	}
	if len(s.schema.Enum) > 0 && !c.leftOut(tally.EnumValuePlace) {
		used := keyword.EnumUse{}
		for _, value := range s.schema.Enum {
			id := c.opts.Tally.Add(tally.Key{Path: path, Keyword: tally.EnumValuePlace, Value: keyword.EnumText(value)}, "")
			used[keyword.EnumText(value)] = []tally.ID{id}
			c.opts.Tally.Use(used[keyword.EnumText(value)])
		}
		s.node.on(used, view.Bool, view.Int, view.Float, view.String)
	}
}

// valuePath returns the path of the values that a draft validates, and the innermost branch that
// contains the draft (see tally.Place).
func (c *compiler) valuePath(id int) (path, within string) {
	if id == noDraft {
		return c.opts.CountedAt, ""
	}
	d := &c.drafts[id]
	path, within = c.valuePath(d.in)
	switch d.keyword {
	case "properties":
		return below(path, d.key), within
	case "items", "additionalProperties":
		return path + "[*]", within
	case "allOf", "anyOf", "oneOf", "not", unionsKeyword:
		branch := d.keyword
		if d.indexed {
			branch += "[" + strconv.Itoa(d.index) + "]"
		}
		return path, strings.TrimPrefix(within+" "+strings.TrimPrefix(path+" "+branch, " "), " ")
	}
	return path, within
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// valueOf returns the value of a keyword as text, and whether the schema has the keyword.
func valueOf(d keyword.Dialect, s *spec.Schema, name string) (value string, written bool) {
	switch name {
	case "type":
		return strings.Join(d.Types(s), ", "), true
	case "enum":
		text, err := json.Marshal(s.Enum)
		return string(text), err == nil && len(s.Enum) > 0
	case "minimum":
		return bound(s, "minimum", "exclusiveMinimum", "above "), s.Minimum != nil
	case "maximum":
		return bound(s, "maximum", "exclusiveMaximum", "below "), s.Maximum != nil
	case "additionalProperties":
		return "false", true
	case "required", "uniqueItems", "allOf", "anyOf", "oneOf", "not", "x-kubernetes-embedded-resource", unionsKeyword:
		return "", true
	}
	value = declared.Text(s, name)
	return value, value != ""
}

// bound returns the text of a bound. An exclusive bound has a word before it.
func bound(s *spec.Schema, inclusive, exclusive, word string) string {
	if text := declared.Text(s, inclusive); text != "" {
		return text
	}
	return word + declared.Text(s, exclusive)
}
