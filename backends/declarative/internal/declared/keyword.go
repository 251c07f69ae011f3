package declared

import (
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Keyword returns the values of a keyword at a field, one for each schema with the keyword that a value
// there must meet; see equivalence.Declarations for the form. An unknown keyword has no values.
func (s Schema) Keyword(path, keyword string) []string {
	nodes := s.at(path)
	if keyword == listType || keyword == listMapKeys {
		nodes = s.at(listOf(path))
	}
	var values []string
	for _, node := range nodes {
		if value := Text(node, keyword); value != "" {
			values = append(values, value)
		}
	}
	return values
}

// listOf returns the path of the list of an item. It returns any other path unchanged.
func listOf(path string) string {
	steps := fieldpath.Split(path)
	if len(steps) == 0 || !steps[len(steps)-1].Bracket {
		return path
	}
	return strings.TrimSuffix(path, "["+steps[len(steps)-1].Text+"]")
}

// keywords returns the text of each keyword of a schema, or "".
func keywords() map[string]func(*spec.Schema) string {
	return map[string]func(*spec.Schema) string{
		"type":             func(s *spec.Schema) string { return strings.Join(s.Type, ",") },
		"format":           func(s *spec.Schema) string { return s.Format },
		"pattern":          func(s *spec.Schema) string { return s.Pattern },
		"multipleOf":       func(s *spec.Schema) string { return number(s.MultipleOf, true) },
		"minimum":          func(s *spec.Schema) string { return number(s.Minimum, !s.ExclusiveMinimum) },
		"exclusiveMinimum": func(s *spec.Schema) string { return number(s.Minimum, s.ExclusiveMinimum) },
		"maximum":          func(s *spec.Schema) string { return number(s.Maximum, !s.ExclusiveMaximum) },
		"exclusiveMaximum": func(s *spec.Schema) string { return number(s.Maximum, s.ExclusiveMaximum) },
		"minLength":        func(s *spec.Schema) string { return count(s.MinLength) },
		"maxLength":        func(s *spec.Schema) string { return count(s.MaxLength) },
		"minItems":         func(s *spec.Schema) string { return count(s.MinItems) },
		"maxItems":         func(s *spec.Schema) string { return count(s.MaxItems) },
		"minProperties":    func(s *spec.Schema) string { return count(s.MinProperties) },
		"maxProperties":    func(s *spec.Schema) string { return count(s.MaxProperties) },
		listType:           func(s *spec.Schema) string { text, _ := s.Extensions.GetString(listType); return text },
		listMapKeys:        mapKeys,
		intOrString:        func(s *spec.Schema) string { return isTrue(s, intOrString) },
	}
}

func mapKeys(s *spec.Schema) string {
	keys, _ := s.Extensions.GetStringSlice(listMapKeys)
	return strings.Join(keys, ",")
}

func isTrue(s *spec.Schema, extension string) string {
	if is, _ := s.Extensions.GetBool(extension); is {
		return "true"
	}
	return ""
}

// number returns a bound in decimal, or "" if it is missing or not the wanted one.
func number(bound *float64, meant bool) string {
	if bound == nil || !meant {
		return ""
	}
	return strconv.FormatFloat(*bound, 'f', -1, 64)
}

func count(limit *int64) string {
	if limit == nil {
		return ""
	}
	return strconv.FormatInt(*limit, 10)
}

// Text returns the value of a keyword in a schema, in the form of Keyword, or "".
func Text(s *spec.Schema, keyword string) string {
	read := keywords()[keyword]
	if read == nil {
		return ""
	}
	return read(s)
}
