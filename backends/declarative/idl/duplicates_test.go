package idl

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestNoTextTwice holds that the overlays of Kubernetes say nothing twice: a rule, a message or an
// expression that shares this much text with another one belongs into a set or an expression.
func TestNoTextTwice(t *testing.T) {
	const longest, fewest = 100, 700
	type text struct{ at, text string }
	var texts []text
	files, err := filepath.Glob(filepath.Join("kubernetes", "overlays", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay, err := ReadOverlay(filepath.Base(file), data)
		if err != nil {
			t.Fatal(err)
		}
		for at, written := range textsOf(overlay) {
			for _, each := range written {
				texts = append(texts, text{at, strings.Join(strings.Fields(each), " ")})
			}
		}
	}
	if len(texts) < fewest {
		t.Fatalf("%d texts; the test reads less than it did", len(texts))
	}
	slices.SortFunc(texts, func(a, b text) int { return strings.Compare(a.at+a.text, b.at+b.text) })
	first := map[string]int{}
	for i, each := range texts {
		for start := 0; start+longest <= len(each.text); start++ {
			part := each.text[start : start+longest]
			if other, again := first[part]; again && other != i {
				t.Errorf("%s says what %s says: %s", each.at, texts[other].at, part)
				break
			}
			first[part] = i
		}
	}
}

// textsOf returns the quoted arguments of the markers of an overlay and its expressions, each once,
// by place.
func textsOf(o *Overlay) map[string][]string {
	texts := map[string][]string{}
	add := func(written []overlayLine) {
		for _, each := range written {
			if texts[each.at.String()] == nil {
				texts[each.at.String()] = quotedIn(each)
			}
		}
	}
	for _, each := range o.types {
		add(each.written)
		for _, field := range each.fields {
			add(field.written)
		}
	}
	for _, set := range o.sets {
		add(set.written)
	}
	for _, each := range o.expressions {
		texts[each.at.String()] = []string{each.cel}
	}
	return texts
}

func quotedIn(written overlayLine) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(written.arguments)) {
		found = append(found, written.arguments[name])
	}
	_, rest, _ := strings.Cut(written.text, "=")
	for rest != "" {
		var token string
		token, rest, _ = nextToken(rest)
		if value, quoted := unquoted(token); quoted {
			found = append(found, value)
		}
	}
	return found
}
