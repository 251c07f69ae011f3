package proposal

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/internal/openapi"
)

// markers returns the markers of Go types.
func MarkersOf(r *Rule) []string {
	var all []string
	switch {
	case r.Required != "":
		return []string{"+required", "+k8s:required"}
	case r.Validation != nil:
		parts := []string{"rule=" + fmt.Sprintf("%q", r.Validation.Rule)}
		if r.Validation.Message != "" {
			parts = append(parts, "message="+fmt.Sprintf("%q", r.Validation.Message))
		}
		if r.Validation.FieldPath != "" {
			parts = append(parts, "fieldPath="+fmt.Sprintf("%q", r.Validation.FieldPath))
		}
		if r.Validation.Reason != nil {
			parts = append(parts, "reason="+*r.Validation.Reason)
		}
		if r.Validation.OptionalOldSelf != nil {
			parts = append(parts, "optionalOldSelf=true")
		}
		all = append(all, "+kubebuilder:validation:XValidation:"+strings.Join(parts, ","))
		if r.Validation.Rule == "self == oldSelf" {
			all = append(all, "+k8s:immutable")
		}
		return all
	}
	for _, name := range slices.Sorted(maps.Keys(r.Keywords)) {
		all = append(all, keywordMarkers(name, r.Keywords[name])...)
	}
	return all
}

// plainWord is a text that controller-tools reads as one without quotes.
var plainWord = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// markerWord returns a value of an enum in a marker.
func markerWord(value any) string {
	word, isText := value.(string)
	if !isText || plainWord.MatchString(word) && word != "true" && word != "false" {
		return fmt.Sprint(value)
	}
	return strconv.Quote(word)
}

// keywordMarkers returns the markers of a keyword.
func keywordMarkers(name string, value any) []string {
	switch name {
	case "enum":
		var words []string
		for _, one := range value.([]any) {
			words = append(words, markerWord(one))
		}
		return []string{"+kubebuilder:validation:Enum=" + strings.Join(words, ";")}
	case "pattern":
		return []string{fmt.Sprintf("+kubebuilder:validation:Pattern=`%s`", value)}
	case openapi.XListType:
		return []string{fmt.Sprintf("+listType=%s", value), fmt.Sprintf("+k8s:listType=%s", value)}
	case openapi.XListMapKeys:
		var keys []string
		for _, key := range value.([]any) {
			keys = append(keys, fmt.Sprintf("+listMapKey=%s", key), fmt.Sprintf("+k8s:listMapKey=%s", key))
		}
		return keys
	}
	all := []string{fmt.Sprintf("+kubebuilder:validation:%s%s=%v", strings.ToUpper(name[:1]), name[1:], value)}
	switch name {
	case "minimum", "maximum", "maxLength", "minLength", "maxItems", "minItems":
		all = append(all, fmt.Sprintf("+k8s:%s=%v", name, value))
	}
	return all
}
