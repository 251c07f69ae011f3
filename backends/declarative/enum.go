package declarative

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

// enumCheck is the keyword "enum". Strings are looked up; anything else is
// compared one by one.
type enumCheck struct {
	site
	texts  map[string]bool
	others []view.View
	detail func() string // of all values, made once: there may be many
}

func compileEnum(c *compiler, n *node, s schemaSite) {
	if s.schema.Enum == nil || (len(s.schema.Enum) == 0 && c.opts.Semantics == CustomResources) {
		return // the API server takes an empty one for none
	}
	if len(s.schema.Enum) == 0 {
		c.mistake(s.where(), s.schema.Enum, "must have at least one value")
		return
	}
	check := &enumCheck{site: s.site(), texts: map[string]bool{}}
	var shown []string
	for i, raw := range s.schema.Enum {
		x, err := plain(raw)
		if err != nil {
			c.mistake(s.where().Index(i), fmt.Sprint(raw), "is no JSON value: %v", err)
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
		n.on(check, k)
	}
}

// plain gives a value of a schema as JSON data with int64 and float64 for
// numbers: schemas that were made in Go or converted from apiextensions carry
// other types (apiextensions.JSON, int, json.RawMessage). A float without a fraction is
// an integer, as in a definition that the API server has stored: it writes 2.0 as 2.
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

func (c *enumCheck) check(w *walk, f *frame) {
	if !c.fits(w, f.val) && w.failed() {
		w.report(f, &c.site, field.Error{Type: field.ErrorTypeNotSupported, BadValue: f.val.JSON(), Detail: c.detail()})
	}
}

func (c *enumCheck) fits(w *walk, v view.View) bool {
	if v.Kind() == view.String {
		return c.names(v.Str())
	}
	if v.Kind() == view.Int && w.opts.Semantics == CustomResources && c.names(codePoint(v.Int())) {
		return true
	}
	return c.matches(w, v)
}

// codePoint is what the API server compares with texts where a value is an integer: Go
// converts one to the text with that code point.
func codePoint(i int64) string {
	if int64(rune(i)) != i {
		return string(utf8.RuneError)
	}
	return string(rune(i))
}

func (c *enumCheck) names(text string) bool { return c.texts[text] }

// matches compares numbers by value, because an enum that was read from JSON may
// hold 1 as a float. A null matches nothing, as in kube-openapi.
func (c *enumCheck) matches(w *walk, v view.View) bool {
	if v.Kind() == view.Null {
		return false
	}
	for _, allowed := range c.others {
		if number(v) && number(allowed) {
			if c.sameNumber(w, v, allowed) {
				return true
			}
		} else if w.read.Equal(v, allowed) {
			return true
		}
	}
	return false
}

func number(v view.View) bool { return v.Kind() == view.Int || v.Kind() == view.Float }

// sameNumber compares a number with a member. The API server cuts the fraction off
// a number before it compares it with an integer, so that 2.5 is a member of 1, 2.
func (c *enumCheck) sameNumber(w *walk, v, allowed view.View) bool {
	if allowed.Kind() == view.Int {
		switch {
		case v.Kind() == view.Int:
			return v.Int() == allowed.Int()
		case w.opts.Semantics == CustomResources && math.Abs(v.Float()) < math.MaxInt64:
			return int64(v.Float()) == allowed.Int()
		}
	}
	return v.Float() == allowed.Float()
}
