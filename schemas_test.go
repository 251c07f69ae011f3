package diffrun_test

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// TestPublishedSchemasAccept checks that the JSON Schemas for editors accept the files of the repository, and
// reject an unknown key in each of them. Packages that decode a file compare its schema with their types.
func TestPublishedSchemasAccept(t *testing.T) {
	schemas := map[string]*jsonschema.Schema{}
	for _, name := range []string{"suite", "cases", "rules", "exceptions"} {
		compiler := jsonschema.NewCompiler()
		data, err := jsonschema.UnmarshalJSON(bytes.NewReader(readFile(t, "schemas/"+name+".schema.json")))
		if err != nil {
			t.Fatal(err)
		}
		if err := compiler.AddResource(strictyaml.SchemaURL(name), data); err != nil {
			t.Fatal(err)
		}
		if schemas[name], err = compiler.Compile(strictyaml.SchemaURL(name)); err != nil {
			t.Fatal(err)
		}
	}
	looked := map[string]int{}
	for path, name := range publishedFiles(t) {
		data := readFile(t, path)
		check := func(data []byte) error {
			var document any
			if err := yaml.Unmarshal(data, &document); err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			return schemas[name].Validate(document)
		}
		looked[name]++
		if err := check(data); err != nil {
			t.Errorf("%s: %v", path, err)
		}
		unknown := "\nno-such-key: 1\n"
		if name == "rules" || name == "exceptions" {
			unknown = "\n- no-such-key: 1\n"
		}
		if check(append(bytes.TrimSpace(data), unknown...)) == nil {
			t.Errorf("%s: its schema accepts the key no-such-key", path)
		}
	}
	for name := range schemas {
		if looked[name] == 0 {
			t.Errorf("no file for the schema %s was found", name)
		}
	}
}

// publishedFiles returns the files of the repository that have a published schema. Those that examples fetch
// into upstream belong to others.
func publishedFiles(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{"exceptions.yaml": "exceptions"}
	for _, folder := range []string{"cases", "examples", "equivalence/rules"} {
		err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
			if err != nil || entry.IsDir() || filepath.Ext(path) != ".yaml" || strings.Contains(path, "testdata") ||
				strings.Contains(path, "/upstream/") {
				return err
			}
			data, err := os.ReadFile(path)
			begins := func(key string) bool {
				return bytes.HasPrefix(data, []byte(key)) || bytes.Contains(data, []byte("\n"+key))
			}
			switch path = filepath.ToSlash(path); {
			case strings.HasPrefix(path, "equivalence/rules/"):
				files[path] = "rules"
			case strings.HasSuffix(path, "exceptions.yaml"):
				files[path] = "exceptions"
			case begins("native:") && begins("cases:"):
				files[path] = "suite"
			case begins("cases:\n"):
				files[path] = "cases"
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	return files
}
