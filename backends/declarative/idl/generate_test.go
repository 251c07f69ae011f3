package idl_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

var update = flag.Bool("update", false, "write the golden files anew")

const testdata = "github.com/diffrun/diffrun/backends/declarative/idl/testdata/"

func roots(in string, names ...string) []idl.TypeName {
	var all []idl.TypeName
	for _, name := range names {
		all = append(all, idl.TypeName{Package: in, Name: name})
	}
	return all
}

// generate returns the definitions by the names of their Go types.
func generate(t *testing.T, in string, names ...string) map[string]any {
	t.Helper()
	result, err := idl.Generate(idl.Config{Roots: roots(in, names...)})
	if err != nil {
		t.Fatal(err)
	}
	return plain(t, result.Definitions)
}

func plain(t *testing.T, definitions map[string]*spec.Schema) map[string]any {
	t.Helper()
	short := map[string]any{}
	for name, definition := range definitions {
		data, err := json.Marshal(definition)
		if err != nil {
			t.Fatal(err)
		}
		short[name[strings.LastIndex(name, ".")+1:]] = parse(t, string(data))
	}
	return short
}

func parse(t *testing.T, text string) any {
	t.Helper()
	var value any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	return value
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	file := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("%s (-want +got; -update writes it):\n%s", file, diff)
	}
}

// TestExamplesOfTheKEP compares the schemas of the examples of KEP-4153 with a file that readers can compare
// with the proposal.
func TestExamplesOfTheKEP(t *testing.T) {
	got := generate(t, testdata+"kep", "Widget", "Contraption", "FizzBuzzSpec", "DeploymentSpec", "ExampleSpec", "PodSpec", "Rule")
	delete(got, "ObjectMeta")
	delete(got, "OwnerReference")
	delete(got, "ManagedFieldsEntry")
	delete(got["ExampleSpec"].(map[string]any)["properties"].(map[string]any)["spelled"].(map[string]any), "properties")
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(got); err != nil {
		t.Fatal(err)
	}
	golden(t, "kep.json", out.Bytes())
}

func TestSameBytesEachTime(t *testing.T) {
	var first []byte
	for range 5 {
		data, err := json.Marshal(generate(t, testdata+"markers", "Values", "Aimed", "Zero"))
		if err != nil {
			t.Fatal(err)
		}
		if first == nil {
			first = data
		}
		if !bytes.Equal(first, data) {
			t.Fatal("two runs over the same source differ")
		}
	}
}

func TestUnionsAndCyclesOfAPIExtensions(t *testing.T) {
	got := generate(t, "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1", "JSONSchemaProps")
	properties := got["JSONSchemaProps"].(map[string]any)["properties"].(map[string]any)
	for name, want := range map[string]string{
		"not": `{"$ref": "#/definitions/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"}`,
		"properties": `{"type": "object", "x-kubernetes-strip-zero": true, "additionalProperties": {"$ref": ` +
			`"#/definitions/io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps"}}`,
		"items": `{"x-kubernetes-preserve-unknown-fields": true}`,
	} {
		if diff := cmp.Diff(parse(t, want), properties[name]); diff != "" {
			t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

// inTestdata returns the part of a path that is the same on every machine.
var inTestdata = regexp.MustCompile(`(?:github\.com)?/\S*/testdata/`)

func mistakesOf(t *testing.T, err error) []byte {
	t.Helper()
	var mistakes strictyaml.Mistakes
	if !errors.As(err, &mistakes) {
		t.Fatalf("want mistakes, got %v", err)
	}
	return append(inTestdata.ReplaceAll([]byte(mistakes.Error()), nil), '\n')
}

func TestMistakesInSource(t *testing.T) {
	_, err := idl.Generate(idl.Config{Roots: roots(testdata+"mistakes", "Mistakes")})
	golden(t, "mistakes-source.txt", mistakesOf(t, err))
}

func TestMistakesOfTheCaller(t *testing.T) {
	for _, row := range []struct {
		why  string
		root idl.TypeName
		want string
	}{
		{"the message about a missing type lists the types of the package", idl.TypeName{Package: testdata + "kep", Name: "Gadget"},
			"has no type Gadget; it has Container, "},
		{"a package that cannot be found", idl.TypeName{Package: "k8s.io/api/nothing/v1", Name: "Pod"}, "k8s.io/api/nothing/v1"},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := idl.Generate(idl.Config{Roots: []idl.TypeName{row.root}})
			if err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("got %v, want an error with %q", err, row.want)
			}
		})
	}
}
