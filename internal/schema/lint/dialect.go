package lint

import (
	"fmt"
	"strconv"
	"strings"
)

// dialect is a syntax of markers.
type dialect int

const (
	noSource dialect = iota
	ofKEP            // KEP-4153
	ofKubebuilder
	ofKubernetes // +k8s:
)

// dialect returns the dialect of the markers at the place of a proposal, or else of the marker of
// the rule.
func (v *visit) dialect(r *rule, p proposal) dialect {
	at := v.at
	if p.field != "" {
		at = at.Child("properties").Key(p.field)
	}
	for _, keyword := range []string{
		"required",
		"minimum",
		"maximum",
		"minLength",
		"maxLength",
		"pattern",
		"enum",
		"format",
		"minItems",
		"maxItems",
	} {
		if made := dialectOf(v.marker(text(at.Child(keyword)))); made != noSource {
			return made
		}
	}
	return dialectOf(v.marker(text(r.at)))
}

func (v *visit) marker(at string) string {
	if v.w.opts.Marker == nil {
		return ""
	}
	return v.w.opts.Marker(at)
}

func dialectOf(marker string) dialect {
	switch {
	case marker == "":
		return noSource
	case strings.Contains(marker, "+kubebuilder:"):
		return ofKubebuilder
	case strings.Contains(marker, "+k8s:"):
		return ofKubernetes
	}
	return ofKEP
}

// text returns a proposal as it is written in a dialect.
func (p proposal) text(of dialect) string {
	prefix := map[dialect]string{ofKEP: "+", ofKubebuilder: "+kubebuilder:validation:", ofKubernetes: "+k8s:"}[of]
	name := p.keyword
	switch {
	case of == noSource && p.keyword == "required":
		return name
	case of == noSource:
		return name + ": " + asJSON(p.value)
	case of == ofKubebuilder:
		name = strings.ToUpper(name[:1]) + name[1:]
	case of == ofKubernetes && (p.keyword == "pattern" || p.keyword == "enum"):
		prefix = "+" // no tag of upstream takes this argument
	}
	switch value := p.value.(type) {
	case nil:
		return prefix + name
	case string:
		return prefix + name + "=" + quoted(value)
	case []any:
		var values []string
		for _, one := range value {
			values = append(values, quotedWord(fmt.Sprint(one)))
		}
		return prefix + name + "=" + strings.Join(values, ";")
	}
	return prefix + name + "=" + fmt.Sprint(p.value)
}

func quoted(text string) string {
	if strings.Contains(text, "`") {
		return strconv.Quote(text)
	}
	return "`" + text + "`"
}

// quotedWord quotes a value unless it is a plain word.
func quotedWord(word string) string {
	plain := word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && r != '-' && r != '.' && r != '/'
	})
	if _, err := strconv.ParseFloat(word, 64); plain && err != nil && word != "true" && word != "false" {
		return word
	}
	return strconv.Quote(word)
}
