package overlay

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// A markerSet is a named list of markers, which types and fields use.
type markerSet struct {
	signature
	written []writtenLine
}

// An expression is a named part of CEL rules, written as "$name" in a rule.
type expression struct {
	signature
	cel string
}

// A signature is the key of a set or an expression: "name" or "name(a, b)".
type signature struct {
	at         strictyaml.Position
	name       string
	parameters []string
}

var signatureShape = regexp.MustCompile(`^([A-Za-z_][A-Za-z0-9_]*)(?:\(([^()]*)\))?$`)

// parseSignature parses the key of a set or an expression.
func parseSignature(key string, at strictyaml.Position, mistakes *strictyaml.Mistakes) signature {
	s := signature{at: at, name: key}
	found := signatureShape.FindStringSubmatch(key)
	if found == nil {
		mistakes.Addf(at, "%q: write name, or name(parameter, parameter)", key)
		return s
	}
	s.name = found[1]
	for _, each := range strings.Split(found[2], ",") {
		each = strings.TrimSpace(each)
		switch {
		case each == "" && !strings.Contains(found[2], ","):
		case !signatureShape.MatchString(each) || strings.Contains(each, "(") || each == "use" || each == "at":
			mistakes.Addf(at, "%q: %q cannot be the name of a parameter", key, each)
		case slices.Contains(s.parameters, each):
			mistakes.Addf(at, "%q: the parameter %s is named twice", key, each)
		default:
			s.parameters = append(s.parameters, each)
		}
	}
	return s
}

// checkArguments reports missing and unknown parameters of a use.
func (s *signature) checkArguments(given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(s.parameters, name) {
			continue
		}
		if len(s.parameters) == 0 {
			return fmt.Errorf("the set %s has no parameters, got %s", s.name, name)
		}
		return fmt.Errorf("the set %s has no parameter %s; %s", s.name, name, suggest(name, s.parameters))
	}
	for _, name := range s.parameters {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("the set %s needs the parameter %s", s.name, name)
		}
	}
	return nil
}

// suggest returns a hint for messages: the name that was probably meant, or all accepted names.
func suggest(name string, accepted []string) string {
	if near := marker.Nearest(name, accepted); near != "" {
		return "did you mean " + near + "?"
	}
	if len(accepted) == 0 {
		return "there are none"
	}
	return "accepted: " + strings.Join(slices.Sorted(slices.Values(accepted)), ", ")
}
