package reports_test

import (
	"bytes"
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/findings/gate"
	"github.com/diffrun/diffrun/reports"
)

// compile reads a published schema from the working tree.
func compile(t *testing.T, name string) *jsonschema.Schema {
	t.Helper()
	compiler := jsonschema.NewCompiler()
	const base = "https://github.com/diffrun/diffrun/reports/"
	for _, file := range []string{"run.schema.json", "lines.schema.json"} {
		if err := compiler.AddResource(base+file, readJSON(t, file)); err != nil {
			t.Fatal(err)
		}
	}
	schema, err := compiler.Compile(base + name)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func readJSON(t *testing.T, path string) any {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return parse(t, data)
}

func parse(t *testing.T, data []byte) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatalf("%v in:\n%.500s", err, data)
	}
	return document
}

func played(t *testing.T, format string) []byte {
	t.Helper()
	var out bytes.Buffer
	reporter, err := reports.New(format, &out, reports.Options{})
	if err != nil {
		t.Fatal(err)
	}
	recordedRun().play(t, reporter)
	return out.Bytes()
}

func TestJSONFollowsItsSchema(t *testing.T) {
	if err := compile(t, "run.schema.json").Validate(parse(t, played(t, "json"))); err != nil {
		t.Error(err)
	}
}

func TestJSONLinesFollowTheirSchema(t *testing.T) {
	schema := compile(t, "lines.schema.json")
	for line := range bytes.Lines(played(t, "jsonl")) {
		if err := schema.Validate(parse(t, line)); err != nil {
			t.Errorf("%v in %.200s", err, line)
		}
	}
}

// A schema that accepts anything would check nothing: each added or removed key must be noticed.
func TestSchemaNoticesEveryKey(t *testing.T) {
	schema := compile(t, "run.schema.json")
	changes := 0
	document := parse(t, played(t, "json"))
	eachObject(document, func(path string, object map[string]any) {
		if strings.HasSuffix(path, ".badValue") {
			return
		}
		for key, value := range object {
			changes++
			delete(object, key)
			if schema.Validate(document) == nil {
				t.Errorf("the schema does not miss %s.%s", path, key)
			}
			object[key] = value
		}
		object["surprise"] = true
		if schema.Validate(document) == nil {
			t.Errorf("the schema does not notice a key that is new in %s", path)
		}
		delete(object, "surprise")
	})
	if changes < 50 {
		t.Errorf("only %d keys were tried; the recorded run is too small", changes)
	}
}

// eachObject visits one object of each form: the items of a list have the same form.
func eachObject(document any, visit func(path string, object map[string]any)) {
	var walk func(path string, value any)
	seen := map[string]bool{}
	walk = func(path string, value any) {
		switch value := value.(type) {
		case map[string]any:
			if !seen[path] {
				seen[path] = true
				visit(path, value)
			}
			for key, child := range value {
				walk(path+"."+key, child)
			}
		case []any:
			for _, item := range value {
				walk(path+"[]", item)
			}
		}
	}
	walk("", document)
}

func TestSchemaListsTheClosedSets(t *testing.T) {
	run := readJSON(t, "run.schema.json")
	var verdicts, effects, classes, operations []string
	for _, effect := range words.Effects() {
		effects = append(effects, string(effect))
	}
	slices.Sort(effects)
	for _, verdict := range words.Verdicts() {
		verdicts = append(verdicts, string(verdict))
	}
	for _, class := range difference.Classes() {
		classes = append(classes, string(class))
	}
	for _, operation := range apiname.Operations() {
		operations = append(operations, string(operation))
	}
	for _, row := range []struct {
		why  string
		path []string
		want []string
	}{
		{"a verdict that is new must be published", []string{"$defs", "result", "properties", "verdict", "enum"}, verdicts},
		{"so must an effect; undecided results have none", []string{"$defs", "result", "properties", "effect", "enum"},
			append([]string{""}, effects...)},
		{"so must a word of the gate", []string{"$defs", "failOn", "items", "enum"}, gate.Words()},
		{"each effect is counted", []string{"$defs", "effectCounts", "required"}, effects},
		{"so must an operation", []string{"$defs", "result", "properties", "operation", "enum"}, operations},
		{"so must a class; a rule leaves it empty", []string{"$defs", "difference", "properties", "class", "enum"},
			append([]string{""}, classes...)},
		{"each class is counted", []string{"$defs", "summary", "properties", "classes", "required"}, classes},
	} {
		if diff := cmp.Diff(row.want, texts(at(run, row.path))); diff != "" {
			t.Errorf("%s: %v (-want +got):\n%s", row.why, row.path, diff)
		}
	}
	counted := texts(at(run, []string{"$defs", "summary", "required"}))
	for _, verdict := range verdicts {
		if !slices.Contains(counted, verdict) {
			t.Errorf("the summary does not count verdict %s", verdict)
		}
	}
}

func at(document any, path []string) any {
	for _, key := range path {
		document = document.(map[string]any)[key]
	}
	return document
}

func texts(list any) []string {
	var texts []string
	for _, item := range list.([]any) {
		texts = append(texts, item.(string))
	}
	return texts
}

// The document and the lines are two forms of the same.
func TestJSONAndJSONLinesSayTheSame(t *testing.T) {
	var document map[string]any
	if err := json.Unmarshal(played(t, "json"), &document); err != nil {
		t.Fatal(err)
	}
	fromLines := map[string]any{}
	var results []any
	for line := range bytes.Lines(played(t, "jsonl")) {
		var object map[string]any
		if err := json.Unmarshal(line, &object); err != nil {
			t.Fatal(err)
		}
		if _, isResult := object["case"]; isResult {
			results = append(results, object)
			continue
		}
		for key, value := range object {
			fromLines[key] = value
		}
	}
	fromLines["results"] = results
	if !reflect.DeepEqual(document, fromLines) {
		t.Error(cmp.Diff(document, fromLines))
	}
}
