package mutate

import (
	"encoding/json"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/openapi"
)

// weaker is a weaker form of a keyword or of one of its elements. apply changes a copy of the schema, but
// nothing that the copy shares with others.
type weaker struct {
	keyword string
	at      *field.Path // below the schema that has it
	text    string      // for people: "maximum 5 → 6"
	index   int         // of the element: a name of required, a rule
	apply   func(*spec.Schema)
	// retypes is true if rules see values of another type.
	retypes bool
}

// weaken returns the weaker forms of all keywords of one schema, but not of the schemas inside it.
func weaken(s *spec.Schema) []weaker {
	return slices.Concat(bounds(s), checks(s), junctors(s), required(s), rules(s))
}

// bounds moves each bound by one.
func bounds(s *spec.Schema) []weaker {
	var all []weaker
	for _, k := range openapi.Keywords() {
		by := 1.0
		if strings.HasPrefix(k.Name, "min") {
			by = -1
		}
		switch {
		case k.Size != nil && *k.Size(s) != nil:
			bound := **k.Size(s)
			if moved := bound + int64(by); moved >= 0 {
				all = append(all, weaker{
					keyword: k.Name,
					text:    arrow(k.Name, strconv.FormatInt(bound, 10), strconv.FormatInt(moved, 10)),
					apply:   func(s *spec.Schema) { *k.Size(s) = &moved },
				})
			}
		case k.Number != nil && *k.Number(s) != nil && k.Name != "multipleOf":
			bound := **k.Number(s)
			moved := bound + by
			if moved == bound { // it is too large to change by one
				moved = math.Nextafter(bound, bound+by*math.Abs(bound))
			}
			if !holds(s, moved) {
				continue // nothing of the type lies beyond the bound
			}
			all = append(all, weaker{
				keyword: k.Name,
				text:    arrow(k.Name, number(bound), number(moved)),
				apply:   func(s *spec.Schema) { *k.Number(s) = &moved },
			})
		}
	}
	return all
}

// holds reports whether the type and format of a schema have a number. A bound outside of them is an error.
func holds(s *spec.Schema, n float64) bool {
	switch {
	case s.Format == "int32":
		return n >= math.MinInt32 && n <= math.MaxInt32
	case slices.Contains(s.Type, "integer"):
		return n > math.MinInt64 && n < math.MaxInt64
	}
	return true
}

// checks drops keywords that have no weaker form, and adds a value to an enum.
func checks(s *spec.Schema) []weaker {
	var all []weaker
	drop := func(has bool, keyword, value string, apply func(*spec.Schema)) {
		if has {
			retypes := keyword != "pattern" && keyword != "uniqueItems" && keyword != "multipleOf"
			all = append(all, weaker{keyword: keyword, text: strings.TrimSpace(keyword+" "+value) + " dropped", apply: apply,
				retypes: retypes})
		}
	}
	drop(s.Pattern != "", "pattern", s.Pattern, func(s *spec.Schema) { s.Pattern = "" })
	drop(s.Format != "", "format", s.Format, func(s *spec.Schema) { s.Format = "" })
	drop(s.UniqueItems, "uniqueItems", "", func(s *spec.Schema) { s.UniqueItems = false })
	if s.MultipleOf != nil {
		drop(true, "multipleOf", number(*s.MultipleOf), func(s *spec.Schema) { s.MultipleOf = nil })
	}
	closed := s.AdditionalProperties != nil && !s.AdditionalProperties.Allows && s.AdditionalProperties.Schema == nil
	drop(closed, "additionalProperties", "false", func(s *spec.Schema) { s.AdditionalProperties = nil })
	for _, keyword := range []string{openapi.XEmbeddedResource, openapi.XUnions, openapi.XListType} {
		value, has := s.Extensions[keyword]
		text, isText := value.(string)
		if !isText {
			text = ""
		}
		drop(has, keyword, text, func(s *spec.Schema) { s.Extensions = without(s.Extensions, keyword) })
	}
	if more, found := newMember(s); found {
		text, _ := json.Marshal(more) // of a string or a number
		all = append(all, weaker{
			keyword: "enum",
			text:    "enum with " + string(text) + " more",
			apply:   func(s *spec.Schema) { s.Enum = append(slices.Clone(s.Enum), more) },
		})
	}
	return all
}

// without removes an extension; with the type of a list it also removes the keys.
func without(extensions spec.Extensions, keyword string) spec.Extensions {
	left := maps.Clone(extensions)
	delete(left, keyword)
	if keyword == openapi.XListType {
		delete(left, openapi.XListMapKeys)
	}
	return left
}

// junctors drops each junctor.
func junctors(s *spec.Schema) []weaker {
	var all []weaker
	for _, keyword := range []string{"allOf", "anyOf", "oneOf", "not"} {
		if k, _ := openapi.KeywordNamed(keyword); k.Has(s) {
			all = append(all, weaker{keyword: keyword, text: keyword + " dropped", apply: k.Clear})
		}
	}
	return all
}

// required drops each name in turn.
func required(s *spec.Schema) []weaker {
	var all []weaker
	for i, name := range s.Required {
		all = append(all, weaker{
			keyword: "required", index: i, at: field.NewPath("required").Index(i), text: "required without " + name,
			apply: func(s *spec.Schema) { s.Required = slices.Delete(slices.Clone(s.Required), i, i+1) },
		})
	}
	return all
}

// rules makes each rule true in turn.
func rules(s *spec.Schema) []weaker {
	declared := rulesOf(s)
	var all []weaker
	for i := range declared {
		text, _ := declared[i]["rule"].(string)
		all = append(all, weaker{
			keyword: openapi.XValidations, index: i, at: field.NewPath(openapi.XValidations).Index(i),
			text: arrow("rule", strings.TrimSpace(text), "true"),
			apply: func(s *spec.Schema) {
				changed := rulesOf(s) // a new copy
				changed[i]["rule"] = "true"
				if changed[i]["optionalOldSelf"] == true {
					changed[i]["rule"] = "true || oldSelf.hasValue()" // optionalOldSelf is a mistake unless the rule uses oldSelf
				}
				s.Extensions = maps.Clone(s.Extensions)
				s.Extensions[openapi.XValidations] = changed
			},
		})
	}
	return all
}

// rulesOf reads the rules of a schema. Rules that cannot be read do not compile.
func rulesOf(s *spec.Schema) []map[string]any {
	written, has := s.Extensions[openapi.XValidations]
	if !has {
		return nil
	}
	data, err := json.Marshal(written)
	var read []map[string]any
	if err != nil || json.Unmarshal(data, &read) != nil {
		return nil
	}
	return read
}

func arrow(keyword, from, to string) string { return keyword + " " + from + " → " + to }

func number(n float64) string { return strconv.FormatFloat(n, 'f', -1, 64) }
