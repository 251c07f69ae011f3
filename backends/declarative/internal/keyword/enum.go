package keyword

import (
	"encoding/json"
	"fmt"
	"math"
	"sync"
	"unicode/utf8"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/internal/view"
)

// enumCheck is the keyword "enum". It looks up strings and compares other values one by one.
type enumCheck struct {
	site   Site
	cuts   bool // numbers and code points are compared as the API server does in custom resources
	texts  map[string]bool
	others []view.View
	detail func() string // of all values, made once: there may be many
}

// CompileEnum compiles enum.
func CompileEnum(s Source) {
	if s.Schema().Enum == nil || (len(s.Schema().Enum) == 0 && s.Dialect().CustomResource) {
		return // the API server takes an empty one for none
	}
	if len(s.Schema().Enum) == 0 {
		s.Mistakef("enum", s.Schema().Enum, "must have at least one value")
		return
	}
	check := &enumCheck{site: s.Site("enum"), cuts: s.Dialect().CustomResource, texts: map[string]bool{}}
	var shown []string
	for i, raw := range s.Schema().Enum {
		x, err := plain(raw)
		if err != nil {
			s.MistakeAtf("enum", i, fmt.Sprint(raw), "is not a JSON value: %v", err)
			continue
		}
		if text, ok := x.(string); ok {
			check.texts[text] = true
			shown = append(shown, text)
			continue
		}
		check.others = append(check.others, view.OfJSON(x))
		data, _ := json.Marshal(x)
		shown = append(shown, string(data))
	}
	check.detail = sync.OnceValue(func() string { return field.NotSupported(nil, nil, shown).Detail })
	for k := range view.Kinds {
		s.On(check, k)
	}
}

// plain converts a value of a schema to JSON data with int64 and float64 for numbers. Schemas
// that were made in Go or converted from apiextensions have other types (apiextensions.JSON,
// int, json.RawMessage). A float without a fraction becomes an integer, because the API server
// stores 2.0 as 2.
func plain(x any) (any, error) {
	switch x.(type) {
	case nil, string, bool, int64:
		return x, nil
	}
	data, err := json.Marshal(x)
	if err != nil {
		return nil, err
	}
	var plain any
	err = utiljson.Unmarshal(data, &plain)
	return plain, err
}

func (c *enumCheck) Check(s Subject) {
	if v := s.Value(); !c.fits(s.Reader(), v) && s.Failed(&c.site) {
		s.Report(&c.site, field.Error{Type: field.ErrorTypeNotSupported, BadValue: v.JSON(), Detail: c.detail()})
	}
}

func (c *enumCheck) fits(read *view.Reader, v view.View) bool {
	if v.Kind() == view.String {
		return c.names(v.Str())
	}
	if v.Kind() == view.Int && c.cuts && c.names(codePoint(v.Int())) {
		return true
	}
	return c.matches(read, v)
}

// codePoint converts an integer to the text with that code point, as Go does. The API server
// compares that text with the texts of an enum.
func codePoint(i int64) string {
	if int64(rune(i)) != i {
		return string(utf8.RuneError)
	}
	return string(rune(i))
}

func (c *enumCheck) names(text string) bool { return c.texts[text] }

// matches compares numbers by value, because an enum from JSON may hold 1 as a float. A null
// matches nothing, as in kube-openapi.
func (c *enumCheck) matches(read *view.Reader, v view.View) bool {
	if v.Kind() == view.Null {
		return false
	}
	for _, allowed := range c.others {
		if number(v) && number(allowed) {
			if c.sameNumber(v, allowed) {
				return true
			}
		} else if read.Equal(v, allowed) {
			return true
		}
	}
	return false
}

func number(v view.View) bool { return v.Kind() == view.Int || v.Kind() == view.Float }

// sameNumber compares a number with a member. The API server cuts off the fraction of a number
// before it compares it with an integer, so 2.5 is a member of 1, 2.
func (c *enumCheck) sameNumber(v, allowed view.View) bool {
	if allowed.Kind() == view.Int {
		switch {
		case v.Kind() == view.Int:
			return v.Int() == allowed.Int()
		case c.cuts && math.Abs(v.Float()) < math.MaxInt64:
			return int64(v.Float()) == allowed.Int()
		}
	}
	return v.Float() == allowed.Float()
}
