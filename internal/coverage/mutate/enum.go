package mutate

import (
	"encoding/json"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/schema/proof"
)

// newMember returns a value that an enum does not have and the other keywords of the schema accept, or false
// if there is none. It prefers a text that differs from the first one in case, because cases try such texts.
func newMember(s *spec.Schema) (any, bool) {
	if len(s.Enum) == 0 {
		return nil, false
	}
	for _, one := range candidates(s) {
		only := *s
		only.Enum = []any{one}
		has := slices.ContainsFunc(s.Enum, func(other any) bool { return asJSON(other) == asJSON(one) })
		if !has && !proof.Impossible(proof.Of(proof.Schema{Schema: &only}), declarative.NativeTypes) {
			return one, true
		}
	}
	return nil, false
}

// candidates returns values like those of an enum, in the order of preference.
func candidates(s *spec.Schema) []any {
	var texts, others, below []any
	for _, member := range s.Enum {
		var plain any
		if json.Unmarshal([]byte(asJSON(member)), &plain) != nil {
			continue
		}
		switch plain := plain.(type) {
		case string:
			texts = append(texts, strings.ToLower(plain), strings.ToUpper(plain), plain+"x", plain+plain, "x"+plain)
			if len(plain) > 1 {
				texts = append(texts, plain[:len(plain)-1], plain[1:])
			}
		case float64:
			others, below = append(others, plain+1), append(below, plain-1)
		case bool:
			others = append(others, !plain)
		}
	}
	return slices.Concat(texts, others, below)
}

func asJSON(value any) string {
	text, err := json.Marshal(value)
	if err != nil {
		return ""
	}
	return string(text)
}
