package actionrun

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
)

// values are what expressions name, by their names: "inputs.suites".
type values map[string]string

func (v values) with(prefix string, more map[string]string) values {
	all := maps.Clone(v)
	for name, value := range more {
		all[prefix+name] = value
	}
	return all
}

var (
	expression = regexp.MustCompile(`\$\{\{ ([\w.-]+) \}\}`)
	comparison = regexp.MustCompile(`^([\w.-]+) (==|!=) '([^']*)'$`)
)

// expand replaces the expressions of a text.
func (v values) expand(text string) (string, error) {
	var failed error
	expanded := expression.ReplaceAllStringFunc(text, func(found string) string {
		name := expression.FindStringSubmatch(found)[1]
		value, known := v[name]
		if !known {
			failed = fmt.Errorf("%s names nothing; known: %q", found, slices.Sorted(maps.Keys(v)))
		}
		return value
	})
	return expanded, failed
}

// expandAll replaces the expressions of each text.
func (v values) expandAll(texts map[string]string) (map[string]string, error) {
	expanded := map[string]string{}
	for name, text := range texts {
		value, err := v.expand(text)
		if err != nil {
			return nil, err
		}
		expanded[name] = value
	}
	return expanded, nil
}

// holds says whether a step with this condition runs.
func (v values) holds(condition string, failed bool) (bool, error) {
	switch condition {
	case "":
		return !failed, nil
	case "always()":
		return true, nil
	}
	parts := comparison.FindStringSubmatch(condition)
	if parts == nil {
		return false, fmt.Errorf("the condition %q is not understood", condition)
	}
	value, known := v[parts[1]]
	if !known {
		return false, fmt.Errorf("the condition %q names nothing that is known", condition)
	}
	return !failed && (value == parts[3]) == (parts[2] == "=="), nil
}
