package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// mistake is a change of a schema or policy that somebody could have made.
type mistake struct {
	family, place, what string
	apply               func()
}

// families are the families of mistakes, in the order in which they are planted.
var families = []string{"bound", "enum", "pattern", "required", "immutability", "uniqueness", "union", "order", "literal", "rule", "policy"}

// planter collects the mistakes that fit into a schema.
type planter struct {
	random *rand.Rand
	found  []mistake
}

// mistakes returns all mistakes that fit into a schema or policies, which each changes in place.
func mistakes(random *rand.Rand, in content) []mistake {
	p := planter{random: random}
	for _, policy := range in.policies {
		spec, name := objectOf(objectOf(policy)["spec"]), fmt.Sprint(objectOf(objectOf(policy)["metadata"])["name"])
		of := func(map[string]any, string) string { return "policy" }
		p.rules(spec, "validations", "expression", name, of)
		p.rules(spec, "matchConditions", "expression", name+" matchConditions", of)
		p.rules(spec, "variables", "expression", name+" variables", of)
	}
	for _, name := range slices.Sorted(maps.Keys(in.schemas)) {
		if !strings.Contains(name, "meta.v1") {
			p.visit(objectOf(in.schemas[name]), name[strings.LastIndex(name, ".")+1:], 0)
		}
	}
	return p.found
}

func (p *planter) add(family, place, what string, apply func()) {
	p.found = append(p.found, mistake{family, place, what, apply})
}

// visit collects the mistakes of a schema and of the schemas below it.
func (p *planter) visit(s map[string]any, at string, depth int) {
	if depth > 14 {
		return
	}
	p.bounds(s, at)
	p.values(s, at)
	p.fields(s, at)
	p.lists(s, at)
	p.junctors(s, at)
	p.rules(s, "x-kubernetes-validations", "rule", at, familyOf)
	for _, name := range slices.Sorted(maps.Keys(objectOf(s["properties"]))) {
		if depth > 0 || name != "metadata" && name != "apiVersion" && name != "kind" {
			p.visit(objectOf(objectOf(s["properties"])[name]), at+"."+name, depth+1)
		}
	}
	for _, keyword := range []string{"items", "additionalProperties"} {
		if below, ok := s[keyword].(map[string]any); ok {
			p.visit(below, at+"[*]", depth+1)
		}
	}
}

func objectOf(value any) map[string]any {
	object, _ := value.(map[string]any)
	return object
}

// bounds moves a bound by one, or takes it out.
func (p *planter) bounds(s map[string]any, at string) {
	for _, keyword := range []string{
		"minimum",
		"maximum",
		"minLength",
		"maxLength",
		"minItems",
		"maxItems",
		"minProperties",
		"maxProperties",
	} {
		limit, err := strconv.ParseInt(fmt.Sprint(s[keyword]), 10, 64)
		if err != nil || limit > 300 || limit < -300 {
			continue
		}
		by := int64(1 - 2*p.random.IntN(2))
		if limit+by < 0 && keyword != "minimum" && keyword != "maximum" {
			by = 1
		}
		p.add("bound", at, fmt.Sprintf("%s %d -> %d", keyword, limit, limit+by), func() { s[keyword] = limit + by })
		if limit != 0 || keyword == "minimum" {
			p.add("bound", at, fmt.Sprintf("%s %d dropped", keyword, limit), func() { delete(s, keyword) })
		}
	}
}

// values takes out or adds an enum value, and weakens patterns and formats.
func (p *planter) values(s map[string]any, at string) {
	if enum, ok := s["enum"].([]any); ok && len(enum) > 1 {
		gone := p.random.IntN(len(enum))
		p.add("enum", at, fmt.Sprintf("enum value %v taken out", enum[gone]), func() {
			s["enum"] = slices.Delete(slices.Clone(enum), gone, gone+1)
		})
		if first, isText := enum[0].(string); isText {
			p.add("enum", at, "enum value "+first+"2 added", func() { s["enum"] = append(slices.Clone(enum), first+"2") })
		}
	}
	for _, keyword := range []string{"pattern", "format"} {
		if text, ok := s[keyword].(string); ok && text != "int32" && text != "int64" && text != "date-time" {
			p.add("pattern", at, keyword+" "+text+" dropped", func() { delete(s, keyword) })
		}
	}
	if pattern, ok := s["pattern"].(string); ok && strings.Contains(pattern, "0-9]") {
		p.add("pattern", at, "pattern "+pattern+" without 9", func() { s["pattern"] = strings.Replace(pattern, "0-9]", "0-8]", 1) })
	}
}

// fields requires an optional field, or requires one no longer.
func (p *planter) fields(s map[string]any, at string) {
	required, _ := s["required"].([]any)
	for i, name := range required {
		p.add("required", at, fmt.Sprintf("%v no longer required", name), func() {
			s["required"] = slices.Delete(slices.Clone(required), i, i+1)
		})
	}
	for _, name := range slices.Sorted(maps.Keys(objectOf(s["properties"]))) {
		if !slices.Contains(required, any(name)) && at != "" {
			p.add("required", at, name+" required", func() { s["required"] = append(slices.Clone(required), name) })
			break
		}
	}
}

// lists makes the items of a list no longer unique.
func (p *planter) lists(s map[string]any, at string) {
	if kind := s["x-kubernetes-list-type"]; kind == "map" || kind == "set" {
		p.add("uniqueness", at, fmt.Sprintf("list of type %v is atomic", kind), func() {
			s["x-kubernetes-list-type"] = "atomic"
			delete(s, "x-kubernetes-list-map-keys")
		})
	}
	if s["uniqueItems"] == true {
		p.add("uniqueness", at, "uniqueItems dropped", func() { delete(s, "uniqueItems") })
	}
}

// junctors takes out a branch of a junctor.
func (p *planter) junctors(s map[string]any, at string) {
	for _, keyword := range []string{"oneOf", "anyOf", "allOf"} {
		branches, _ := s[keyword].([]any)
		if len(branches) < 2 || s["x-kubernetes-int-or-string"] == true {
			continue
		}
		gone := p.random.IntN(len(branches))
		p.add("union", at, fmt.Sprintf("branch %d of %s taken out", gone, keyword), func() {
			s[keyword] = slices.Delete(slices.Clone(branches), gone, gone+1)
		})
	}
}

var (
	numberLiteral = regexp.MustCompile(`\b[0-9]{1,5}\b`)
	textLiteral   = regexp.MustCompile(`'([A-Za-z][A-Za-z0-9]{2,30})'`)
	unionRule     = regexp.MustCompile(`(?i)exactly one|at most one|more than (1|one)|only one|mutually exclusive|may not ` +
		`be .* (if|when) |specified together`)
)

// familyOf returns the family of a dropped rule.
func familyOf(rule map[string]any, text string) string {
	switch message := fmt.Sprint(rule["message"]); {
	case strings.Contains(text, "oldSelf"):
		return "immutability"
	case strings.Contains(text, "distinct()") || strings.Contains(message, "unique"):
		return "uniqueness"
	case unionRule.MatchString(message):
		return "union"
	}
	return "rule"
}

// rules drops rules and changes their literals and operators. They are the texts of a key in the entries
// of a list.
func (p *planter) rules(s map[string]any, list, key, at string, family func(rule map[string]any, text string) string) {
	rules, _ := s[list].([]any)
	for i := range rules {
		rule := objectOf(rules[i])
		text, _ := rule[key].(string)
		of := family(rule, text)
		p.add(of, at, "rule dropped: "+short(text), func() { s[list] = slices.Delete(slices.Clone(rules), i, i+1) })
		change := func(changed, what, to string) {
			if of == "policy" {
				changed = of
			}
			p.add(changed, at, what+": "+short(text), func() { rule[key] = to })
		}
		if m := numberLiteral.FindStringIndex(text); m != nil && !strings.Contains(text, "matches") {
			n, _ := strconv.Atoi(text[m[0]:m[1]])
			change("literal", fmt.Sprintf("%d -> %d", n, n+1), text[:m[0]]+strconv.Itoa(n+1)+text[m[1]:])
		}
		if all := textLiteral.FindAllStringSubmatchIndex(text, -1); len(all) > 0 && !strings.Contains(text, "matches") {
			m := all[p.random.IntN(len(all))]
			change("literal", text[m[0]:m[1]]+" misspelt", text[:m[2]]+text[m[2]:m[3]-1]+text[m[3]:])
		}
		for _, one := range [][2]string{{" <= ", " < "}, {" < ", " <= "}, {" >= ", " > "}, {" > ", " >= "}, {" && ", " || "}} {
			if strings.Contains(text, one[0]) {
				change("order", one[0]+"->"+one[1], strings.Replace(text, one[0], one[1], 1))
				break
			}
		}
	}
}

func short(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	return text[:min(len(text), 110)]
}
