package overlay

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// TestNoTextTwice checks that the overlays of Kubernetes do not repeat themselves: if two rules, messages or
// expressions share this much text, it belongs in a set or a named expression.
func TestNoTextTwice(t *testing.T) {
	const longest, fewest = 100, 700
	type text struct{ at, text string }
	var texts []text
	for _, overlay := range filesOfKubernetes(t) {
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

// TestNoRuleTwice checks that the overlays of Kubernetes do not declare the same rule with the same message
// twice, however short it is. The field that the error is reported at does not count: it is a parameter of a
// set.
func TestNoRuleTwice(t *testing.T) {
	const fewest = 700
	reported := regexp.MustCompile(`,\s*(field="[^"]*"|reason=\w+|optionalOldSelf=true)`)
	first, found := map[string]strictyaml.Position{}, 0
	for _, overlay := range filesOfKubernetes(t) {
		for _, each := range linesWritten(overlay) {
			_, rule, isRule := strings.Cut(each.text, "validationRule=")
			if !isRule {
				continue
			}
			found++
			rule = strings.Join(strings.Fields(reported.ReplaceAllString(rule, "")), " ")
			other, again := first[rule]
			if again && other != each.at { // a YAML alias is on the same line
				t.Errorf("%s is the rule of %s: %s", each.at, other, rule)
			}
			first[rule] = each.at
		}
	}
	if found < fewest {
		t.Fatalf("%d rules; the test reads less than it did", found)
	}
}

// filesOfKubernetes reads the overlays of the built-in kinds.
func filesOfKubernetes(t *testing.T) []*File {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", "..", "kubernetes", "overlays", "*.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var overlays []*File
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		overlay, err := Read(filepath.Base(file), data)
		if err != nil {
			t.Fatal(err)
		}
		overlays = append(overlays, overlay)
	}
	return overlays
}

// linesWritten returns the lines of an overlay as written, including those of its sets.
func linesWritten(o *File) []writtenLine {
	var lines []writtenLine
	for _, each := range o.Types {
		lines = append(lines, each.written...)
		for _, field := range each.Fields {
			lines = append(lines, field.written...)
		}
	}
	for _, set := range o.sets {
		lines = append(lines, set.written...)
	}
	slices.SortFunc(lines, func(a, b writtenLine) int { return cmp.Compare(a.at.Line, b.at.Line) })
	return lines
}

// textsOf returns the quoted arguments of the markers of an overlay and its expressions, each once,
// by place.
func textsOf(o *File) map[string][]string {
	texts := map[string][]string{}
	for _, each := range linesWritten(o) {
		if texts[each.at.String()] == nil {
			texts[each.at.String()] = quotedIn(each)
		}
	}
	for _, each := range o.expressions {
		texts[each.at.String()] = []string{each.cel}
	}
	return texts
}

func quotedIn(written writtenLine) []string {
	var found []string
	for _, name := range slices.Sorted(maps.Keys(written.arguments)) {
		found = append(found, written.arguments[name])
	}
	_, rest, _ := strings.Cut(written.text, "=")
	for rest != "" {
		var token string
		token, rest, _ = marker.NextToken(rest)
		if value, quoted := marker.Unquote(token); quoted {
			found = append(found, value)
		}
	}
	return found
}
