package declared

import (
	"strconv"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/internal/fieldpath"
	"github.com/diffrun/diffrun/internal/openapi"
)

// Keyword returns the values of a keyword at a field, one for each schema with the keyword that a value
// there must meet; see equivalence.Declarations for the form. An unknown keyword has no values.
func (s Schema) Keyword(path, keyword string) []string { return keywordOf(s.at, path, keyword) }

// keywordOf is Keyword with a function that returns the schemas at a path.
func keywordOf(at func(path string) []*spec.Schema, path, keyword string) []string {
	if keyword == listType || keyword == listMapKeys {
		path = listOf(path)
	}
	nodes := at(path)
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

// Text returns the value of a keyword in a schema, in the form of Keyword, or "".
func Text(s *spec.Schema, keyword string) string {
	switch keyword {
	case "type":
		return strings.Join(s.Type, ",")
	case "format":
		return s.Format
	case "pattern":
		return s.Pattern
	case listType:
		text, _ := s.Extensions.GetString(listType)
		return text
	case listMapKeys:
		keys, _ := s.Extensions.GetStringSlice(listMapKeys)
		return strings.Join(keys, ",")
	case intOrString:
		if both, _ := s.Extensions.GetBool(intOrString); both {
			return "true"
		}
		return ""
	}
	k, _ := openapi.KeywordNamed(keyword)
	return bound(s, k, strings.HasPrefix(keyword, "exclusive"))
}

// bound returns a bound in decimal. It is "" if a schema has none, or if only the other one of the
// inclusive and the exclusive bound.
func bound(s *spec.Schema, k openapi.Keyword, exclusive bool) string {
	switch {
	case k.Size != nil && *k.Size(s) != nil:
		return strconv.FormatInt(**k.Size(s), 10)
	case k.Number != nil && *k.Number(s) != nil && k.Exclusive(s) == exclusive:
		return strconv.FormatFloat(**k.Number(s), 'f', -1, 64)
	}
	return ""
}
