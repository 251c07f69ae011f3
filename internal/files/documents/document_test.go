package documents_test

import (
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/documents"
)

const pod = `# a comment
---
apiVersion: v1
kind: Pod
metadata:
  labels: &labels
    app: web
    example.com/tier: front
    a.b: x
    a: y
  annotations:
    <<: *labels
    own: z
spec:
  containers:
  - name: a
    image: nginx
  -
    name: b
`

func TestLineOf(t *testing.T) {
	for _, test := range []struct {
		path string
		line int
		why  string
	}{
		{"", 3, "an error of the object as a whole"},
		{"<nil>", 3, "apimachinery's text of no path at all"},
		{"kind", 4, "a field of the object"},
		{"metadata.labels", 6, "a mapping: the line of its key, not of what follows"},
		{"metadata.labels[example.com/tier]", 8, "a key in brackets"},
		{"metadata.labels.example.com/tier", 8, "a key with a dot, written like a field"},
		{"metadata.labels.a.b", 9, "the longest key that fits"},
		{"metadata.labels.a", 10, "the key that another one begins with"},
		{"metadata.annotations.own", 13, "a key beside merged ones"},
		{"metadata.annotations.app", 7, "a merged key stands where it is written"},
		{"spec.containers[0].image", 17, "a field of an item"},
		{"spec.containers[1]", 19, "an item: where its content begins"},
		{"spec.containers[1].name", 19, "an item whose dash stands alone"},
		{"spec.containers[1].image", 19, "a field that is not there: what it is missing in"},
		{"spec.containers[7].name", 15, "an item that is not there"},
		{"spec.replicas.deep[3]", 14, "nothing of the rest is there"},
		{".spec.containers", 15, "errors of scale begin with a dot"},
		{"speci", 3, "a key that only begins so is another one"},
		{"spec[containers][x]", 15, "an index that is no number"},
	} {
		for document := range documents.YAML("pod.yaml", []byte(pod)) {
			if document.Err != nil {
				t.Fatal(document.Err)
			}
			if line := document.LineOf(test.path); line != test.line {
				t.Errorf("%q: line %d, want %d: %s", test.path, line, test.line, test.why)
			}
		}
	}
}

func TestLineOfJSON(t *testing.T) {
	list := `{"kind": "List",
 "items": [
  {"kind": "Pod",
   "spec": {
    "containers": [{"name": "\ud83d\ude00"},
      {"name": "b"}]}},

  {"kind":
     "Job"}
 ]
}`
	var all []documents.Document
	for document := range documents.Manifest("list.json", []byte(list)) {
		all = append(all, document)
	}
	if len(all) != 2 {
		t.Fatalf("%d objects, want 2", len(all))
	}
	for _, test := range []struct {
		object int
		path   string
		line   int
		why    string
	}{
		{0, "", 3, "where the object begins"},
		{0, "spec.containers[0].name", 5, "several on one line"},
		{0, "spec.containers[1].name", 6, "an item on a line of its own"},
		{0, "spec.containers[1].image", 6, "what is not there"},
		{1, "kind", 8, "the line of the key, not of the value"},
	} {
		if line := all[test.object].LineOf(test.path); line != test.line {
			t.Errorf("object %d, %q: line %d, want %d: %s", test.object, test.path, line, test.line, test.why)
		}
	}
}

const passedOver = "kubectl does not read this, because the document has ended; begin another document with a line ---, " +
	"and end lines with LF or CRLF"

func TestStream(t *testing.T) {
	for _, test := range []struct {
		text string
		want []string
		why  string
	}{
		{"\n {\"a\": 1} {\"a\": 2}", []string{"2 map[a:1]", "2 map[a:2]"}, "a brace begins JSON"},
		{"a: 1\n---\na: 2\n", []string{"1 map[a:1]", "3 map[a:2]"}, "all else is YAML"},
		{"a: &x [*x]\n---\na: 2\n", []string{"1 !1: nested deeper than 1000 levels", "3 map[a:2]"},
			"an endless alias hides no other document"},
		{"---\n---\na: 1\na: 2\n", []string{"3 !4: key \"a\" is set twice; first in line 3"}, "lines are those of the file"},
		{"---\n---\na: 1\n b: 2\n", []string{"2 !4: not YAML: mapping values are not allowed in this context"},
			"of a syntax error as well"},
		{"---\n# nothing\n", nil, "comments are no document"},
		{"null\n---\n~ # off\n---\na: 1\n--- null\n", []string{"5 map[a:1]"}, "and neither is null"},
		{"{\"a\": 1}\nnull\n{\"a\": 2} null", []string{"1 map[a:1]", "3 map[a:2]"}, "of JSON as well"},
		{"\ufeff{\"a\": 1}\n{\"a\": 2}", []string{"1 map[a:1]", "2 map[a:2]"}, "a byte order mark begins JSON"},
		{"\ufeff---\na: 1\n", []string{"2 map[a:1]"}, "and YAML"},
		{"{\"a\": [1, {\"b\": 1e400}]}", []string{"1 !no JSON object: a[1].b must be a number up to 1.8e308, not 1e400"},
			"a number out of range is named by its path"},
		{"kind: List\nitems: [null]\n", []string{"2 map[]"}, "but an item should be an object"},
		{"{\"a\": 1}\n---\na: 2\n", []string{"1 map[a:1]", "3 map[a:2]"}, "after one value of JSON the rest may be YAML"},
		{"\n{a: 1}\n---\na: 2\n", []string{"2 map[a:1]", "4 map[a:2]"}, "and a brace may begin YAML"},
		{"{\"a\": 1} x\n", []string{"1 map[a:1]", "1 !1: the object must be a mapping, not the text \"x\""},
			"what stands behind a value is not passed over"},
		{"{\"a\": 1} {\"a\": 2}\n---\na: 3\n", []string{
			"1 map[a:1]",
			"1 map[a:2]",
			"2 !the document that begins here is not JSON: invalid character '-' in numeric literal",
		}, "after two values all is JSON"},
		{"{\"a\": 1}}", []string{
			"1 map[a:1]",
			"1 !the document that begins here is not JSON: invalid character '}' looking for beginning of value",
		}, "a brace too many"},
		{"a: 1\n...\nb: 2\n---\nc: 3\n", []string{"1 map[a:1]", "3 !3: " + passedOver, "5 map[c:3]"},
			"kubectl reads nothing between the end of a document and the next mark"},
		{"a: 1\n...\n# b\n", []string{"1 map[a:1]"}, "where a comment is nothing"},
		{"a: 1\n...\nb: [\n", []string{"1 map[a:1]", "3 !3: " + passedOver}, "nor what is no YAML"},
		{"# no JSON\n{\"a\": 1}\n{\"a\": 2}\n", []string{"2 map[a:1]", "3 !3: " + passedOver},
			"a second value is no second document of YAML"},
		{"a: 1\r---\ra: 2\r", []string{"1 map[a:1]", "3 !3: " + passedOver}, "a mark must begin a line that kubectl knows"},
		{"# a\ra: 1\r", []string{"2 map[a:1]"}, "a comment ends where YAML says so"},
		{"a: 1\r\n---\r\na: 2\r\n", []string{"1 map[a:1]", "3 map[a:2]"}, "lines of Windows"},
		{"a: 1\n--- # two\na: 2\n", []string{"1 map[a:1]", "3 map[a:2]"}, "a comment behind a mark"},
		{"a: 1\n--- {a: 2}\n---\na: 3\n", []string{
			"1 map[a:1]",
			"2 !2: kubectl does not read a document that begins on the line of its mark; write nothing except a comment after ---, " +
				"and end lines with LF or CRLF",
			"4 map[a:3]",
		}, "but no document"},
		{"a: 1\n----\nb: 2\n", []string{
			"1 map[a:1]",
			"2 !2: kubectl does not read a document that begins on the line of its mark; write nothing except a comment after ---, " +
				"and end lines with LF or CRLF",
		}, "four dashes are no mark"},
		{"kind: List\napiVersion: v1\nitems:\n- kind: List\n  items:\n  - {a: 1}\n- {a: 2}\n", []string{"6 map[a:1]", "7 map[a:2]"},
			"a list in a list"},
		{"{\"items\":[\n{\"items\":[\n{\"a\":1}]},{\"a\":2}]}", []string{"3 map[a:1]", "3 map[a:2]"}, "of JSON, too"},
		{"{\"items\":[{\"a\":1},{\"kind\":\"Pod\"}],\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\"}",
			[]string{"1 map[a:1 apiVersion:v1 kind:ConfigMap]", "1 map[kind:Pod]"},
			"items are of the type of their list, unless they say another"},
		{"kind: PodList\napiVersion: v1\nitems:\n- a: 1\n", []string{"4 map[a:1 apiVersion:v1 kind:Pod]"}, "of YAML, too"},
		{"kind: PodList\napiVersion: v1\nitems: null\n", nil, "an API server writes an empty list so"},
		{"{\"kind\":\"PodList\",\"items\":null}", nil, "and JSON"},
		{"kind: List\nx: &a\n- {kind: Pod}\nitems: *a\n", []string{"3 map[kind:Pod]"}, "a list of another name"},
	} {
		var got []string
		for document := range documents.Stream("-", []byte(test.text)) {
			text := fmt.Sprint(document.Line, " ", document.Object)
			if document.Err != nil {
				text = fmt.Sprint(document.Line, " !", strings.TrimPrefix(document.Err.Error(), "-:"))
			}
			got = append(got, text)
			document.LineOf("a[0][0]") // must end
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s: -want +got\n%s", test.why, diff)
		}
	}
}

func TestIsManifest(t *testing.T) {
	for text, want := range map[string]bool{
		"apiVersion: v1\n":                  true,
		"\ufeffapiVersion: v1\n":            true,
		"\ufeff{\"kind\": Pod}\n":           true,
		"\ufeff---\nkind: Pod\n":            true,
		"target: v1 Pod\n---\nkind: Pod\n":  false,
		"\ufefftarget: v1 Pod\ncases: []\n": false,
	} {
		if got := documents.IsManifest([]byte(text)); got != want {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

func TestLineReader(t *testing.T) {
	long := strings.Repeat("x", documents.MaxLine+1)
	lines := documents.NewLineReader(strings.NewReader("\ufeff a \r\n\n" + long + "\n\ufefflast"))
	for _, want := range []string{"1 a", "2 ", "3 !" + documents.ErrLongLine.Error(), "4 \ufefflast"} {
		data, err := lines.Next()
		got := fmt.Sprint(lines.Number(), " ", string(data))
		if err != nil {
			got = fmt.Sprint(lines.Number(), " !", err)
		}
		if got != want {
			t.Fatalf("got %.100q, want %q", got, want)
		}
	}
	if _, err := lines.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("got %v at the end", err)
	}
}

func TestCheckBounds(t *testing.T) {
	nest := func(levels int) (value any) {
		for range levels {
			value = []any{value}
		}
		return value
	}
	for _, test := range []struct {
		value any
		want  string
		why   string
	}{
		{nest(documents.MaxDepth), "", "as deep as can be"},
		{nest(documents.MaxDepth + 1), "is nested deeper than 1000 levels", "a level too deep"},
		{strings.Repeat("x", documents.MaxSize-2), "", "as large as can be, quotes counted"},
		{strings.Repeat("x", documents.MaxSize-1), "is larger than 3 MiB, the most that the API server takes", "a byte too large"},
	} {
		got := ""
		if err := documents.CheckBounds(test.value); err != nil {
			got = err.Error()
		}
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.why, got, test.want)
		}
	}
}

// Reading a file always ends, whatever its contents, and so does looking up lines.
func FuzzDocuments(f *testing.F) {
	f.Add([]byte(pod), "metadata.labels[a]")
	f.Add([]byte(`{"items": [{"a": [1, {"b": null}]}, 3]} {`), "a[1].b")
	f.Add([]byte("a: &x {<<: *x, b: [*x]}\n--- [*x]\n"), "b[0].a")
	f.Fuzz(func(t *testing.T, data []byte, path string) {
		lines := 1 + len(data) // YAML knows line breaks of five kinds
		for _, file := range []string{"a.yaml", "a.json"} {
			for document := range documents.Manifest(file, data) {
				if line := document.LineOf(path); line < 1 || line > lines {
					t.Errorf("line %d of %d", line, lines)
				}
			}
		}
	})
}
