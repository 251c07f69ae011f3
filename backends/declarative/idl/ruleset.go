package idl

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// A ruleSet is a named list of markers of an overlay. Types and fields use it.
type ruleSet struct {
	signature
	written []overlayLine
}

// An expression is a named part of CEL rules. "$name" in a rule stands for it.
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

// signed parses the key of a set or an expression.
func signed(key string, at strictyaml.Position, mistakes *strictyaml.Mistakes) signature {
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

// checkArguments reports parameters that a use does not set or that the set does not have.
func (s *signature) checkArguments(given map[string]string) error {
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if slices.Contains(s.parameters, name) {
			continue
		}
		if len(s.parameters) == 0 {
			return fmt.Errorf("the set %s has no parameters, got %s", s.name, name)
		}
		return fmt.Errorf("the set %s has no parameter %s; %s", s.name, name, meant(name, s.parameters))
	}
	for _, name := range s.parameters {
		if _, ok := given[name]; !ok {
			return fmt.Errorf("the set %s needs the parameter %s", s.name, name)
		}
	}
	return nil
}

// meant says which of some names was probably meant, or else which there are.
func meant(name string, accepted []string) string {
	if near := nearestOf(name, accepted); near != "" {
		return "did you mean " + near + "?"
	}
	if len(accepted) == 0 {
		return "there are none"
	}
	return "accepted: " + strings.Join(slices.Sorted(slices.Values(accepted)), ", ")
}
