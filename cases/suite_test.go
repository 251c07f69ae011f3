package cases_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cases/admissionpolicies"
	"github.com/diffrun/diffrun/harness"
)

// widgets are the native validators of one kind in two versions; documents stay unchanged.
type widgets struct{}

var widget = schema.GroupKind{Group: "example.com", Kind: "Widget"}

func (widgets) Kinds() []schema.GroupKind { return []schema.GroupKind{widget} }

func (widgets) Target(kind schema.GroupKind) (*harness.Target, error) {
	if kind != widget {
		return nil, fmt.Errorf("no native validator for %s", kind)
	}
	target := &harness.Target{Kind: kind, Scheme: asIs{}}
	for _, version := range []string{"v1", "v1beta1"} {
		target.Versions = append(target.Versions,
			harness.Version{GroupVersionKind: kind.WithVersion(version), Native: always{name: "native"}})
	}
	return target, nil
}

type asIs struct{}

func (asIs) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return document, nil
}

func (asIs) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (asIs) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

type always struct {
	name string
	errs field.ErrorList
}

func (a always) Name() string { return a.name }

func (a always) Validate(context.Context, *harness.Input) (field.ErrorList, error) {
	return a.errs, nil
}

// options has the widgets, and schemas for v1 only.
func options() cases.Options {
	return cases.Options{
		Now:      time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC),
		Policies: admissionpolicies.Load,
		Cluster: func(of cases.ClusterOptions) (cases.Cluster, error) {
			return cluster.New(cluster.Options{Kubeconfig: of.Kubeconfig, Context: of.Context, Namespace: of.Namespace})
		},
		Builtins: map[string]cases.Builtin{
			"widgets": {Natives: widgets{}, Declaratives: func(version schema.GroupVersionKind) (harness.Backend, error) {
				if version.Version != "v1" {
					panic("the compiler has a bug")
				}
				return always{name: "declarative"}, nil
			}},
			"schemas": {Declaratives: func(schema.GroupVersionKind) (harness.Backend, error) { return always{name: "declarative"}, nil }},
		},
	}
}

const widgetSuite = `name: widgets
native: {builtin: widgets}
declarative: {builtin: widgets}
cases: [cases/*]
`

// load reads the suite at s/suite.yaml.
func load(t *testing.T, files map[string]string) (*cases.Suite, error) {
	t.Helper()
	plan, err := loadAll(files, "s/suite.yaml")
	if err != nil {
		return nil, err
	}
	return plan.Suites[0], nil
}

func loadAll(files map[string]string, names ...string) (*cases.Plan, error) {
	fsys := &cases.Files{FS: mapFS(files)}
	var places []cases.Location
	for _, name := range names {
		places = append(places, cases.Location{Files: fsys, Name: name})
	}
	return cases.Load(places, options())
}

// TestDirectoryWithBrackets: the directory name of a suite is not a pattern.
func TestDirectoryWithBrackets(t *testing.T) {
	for _, dir := range []string{"s[1]", "s[", `s\1`, "s*"} {
		plan, err := loadAll(map[string]string{
			dir + "/suite.yaml":   widgetSuite,
			dir + "/cases/a.yaml": "target: example.com/v1 Widget\ncases: [{name: a, object: {}}]\n",
		}, dir+"/suite.yaml")
		if err != nil {
			t.Errorf("%s: %v", dir, err)
			continue
		}
		if count, _ := plan.Suites[0].Count(); count != 1 {
			t.Errorf("%s: %d cases, want 1", dir, count)
		}
	}
}

func mapFS(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, content := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(content)}
	}
	return fsys
}

func TestLoadMistakes(t *testing.T) {
	const oneCase = "cases: [{name: a, object: {}}]\n"
	const types = "FieldValueDuplicate, FieldValueForbidden, FieldValueInvalid, FieldValueNotFound, FieldValueNotSupported, " +
		"FieldValueRequired, FieldValueTooFew, FieldValueTooLong, FieldValueTooMany, FieldValueTooShort, " +
		"FieldValueTypeInvalid, InternalError"
	const natives = "{builtin: NAME} with the names widgets; {exec: {command: [PROGRAM, ARGUMENT…]}}; {webhook: {url: URL, " +
		"caFile: …, certFile: …, keyFile: …, tokenFile: …}}; {cluster: {kubeconfig: …, context: …, namespace: …}}; {kubernetes: " +
		"RELEASE}; {recorded: FILES}; a world with some of the keys builtin or crd, version, mutate, policies, kyverno or gatekeeper, then"
	for _, tc := range []struct {
		why   string
		files map[string]string
		want  string
	}{
		{"no such suite", nil, "s/suite.yaml: cannot be read: file does not exist"},
		{"no YAML", map[string]string{"s/suite.yaml": "name: ["}, "s/suite.yaml:1: not YAML: did not find expected node content"},
		{
			"unknown keys, with the accepted ones, and missing keys",
			map[string]string{"s/suite.yaml": "nmae: x\nnative: {exec: {comand: [v]}, webhook: {uri: x}, grpc: x}\n"},
			`s/suite.yaml:1: the suite has no declarative validator; accepted: {builtin: NAME} with the names schemas, widgets; ` +
				`{crd: FILE, version: …}; {openapi: {file: FILE, definition: NAME}}; {go: {package: PATH, type: NAME}}; {kubernetes: ` +
				`RELEASE}; a world with some of the keys builtin, crd, openapi or go, version, mutate, policies, kyverno or gatekeeper, then
s/suite.yaml:1: the suite has no name
s/suite.yaml:1: the suite names no cases; list files or patterns under "cases"
s/suite.yaml:1: unknown key "nmae"; did you mean "name"? accepted: name, native, declarative, compare, cases, rules, exceptions, matrix
s/suite.yaml:2: native must name one validator; accepted: {builtin: NAME} with the names widgets; {exec: {command: ` +
				`[PROGRAM, ARGUMENT…]}}; {webhook: {url: URL, caFile: …, certFile: …, keyFile: …, tokenFile: …}}; {cluster: ` +
				`{kubeconfig: …, context: …, namespace: …}}; {kubernetes: RELEASE}; {recorded: FILES}; a world with some of the keys ` +
				`builtin or crd, version, mutate, policies, kyverno or gatekeeper, then
s/suite.yaml:2: unknown key "comand"; did you mean "command"? accepted: command
s/suite.yaml:2: unknown key "uri"; did you mean "url"? accepted: url, caFile, serverName, certFile, keyFile, tokenFile
s/suite.yaml:2: unknown key "grpc"; accepted: builtin, exec, webhook, cluster, kubernetes, gates, emulates, recorded, ` +
				`crd, kind, version, mutate, policies, kyverno, gatekeeper, generated, then, as`,
		},
		{
			"the message about an empty suite lists everything that is missing",
			map[string]string{"s/suite.yaml": "{}\n"},
			`s/suite.yaml:1: the suite has no declarative validator; accepted: {builtin: NAME} with the names schemas, widgets; ` +
				`{crd: FILE, version: …}; {openapi: {file: FILE, definition: NAME}}; {go: {package: PATH, type: NAME}}; {kubernetes: ` +
				`RELEASE}; a world with some of the keys builtin, crd, openapi or go, version, mutate, policies, kyverno or gatekeeper, then
s/suite.yaml:1: the suite has no name
s/suite.yaml:1: the suite has no native validator; accepted: ` + natives + `
s/suite.yaml:1: the suite names no cases; list files or patterns under "cases"`,
		},
		{
			"a builtin without natives cannot be the native side",
			map[string]string{
				"s/suite.yaml": "name: x\nnative: {builtin: schemas}\ndeclarative: {builtin: gadgets}\ncases: [a.yaml]\n",
				"s/a.yaml":     oneCase,
			},
			`s/suite.yaml:2: no builtin "schemas" for native; accepted: widgets
s/suite.yaml:3: no builtin "gadgets" for declarative; accepted: schemas, widgets`,
		},
		{
			"a builtin with both sides is one mistake",
			map[string]string{
				"s/suite.yaml": "name: x\nnative: {webhook: {url: \"http://x/\"}}\ndeclarative: {builtin: gadgets}\ncases: [a.yaml]\n",
				"s/a.yaml":     oneCase,
			},
			`s/suite.yaml:3: no builtin "gadgets" for declarative; accepted: schemas, widgets`,
		},
		{
			"files that are not there, at the line that names them",
			map[string]string{
				"s/suite.yaml": strings.Replace(widgetSuite, "cases: [cases/*]", "cases:\n- none/*.yaml\n- '[a'\nrules: "+
					"[r.yaml]\nexceptions: ../e.yaml", 1),
			},
			`s/suite.yaml:5: no file matches "none/*.yaml"; looked for s/none/*.yaml
s/suite.yaml:6: "[a" is not a pattern: syntax error in pattern; use *, ? and [a-z] within a name
s/suite.yaml:7: r.yaml cannot be read: file does not exist; looked for s/r.yaml
s/suite.yaml:8: ../e.yaml cannot be read: file does not exist; looked for e.yaml; create it with "diffrun accept" ` +
				`from the report of a run, or remove "exceptions"`,
		},
		{
			"a file of the suite itself has no cases, and a pattern may match it among others",
			map[string]string{
				"s/suite.yaml": strings.Replace(widgetSuite, "cases: [cases/*]", "cases: ['[c-r]*.yaml', rules.yaml, 'r*.yaml', "+
					"suite.yaml]\nrules: [rules.yaml]", 1),
				"s/cases.yaml": oneCase,
				"s/rules.yaml": "# none\n",
			},
			`s/suite.yaml:4: "r*.yaml" is not a file of cases: the suite uses it for something else
s/suite.yaml:4: "rules.yaml" is not a file of cases: the suite uses it for something else
s/suite.yaml:4: "suite.yaml" is not a file of cases: the suite uses it for something else`,
		},
		{
			"a file that can hold no cases",
			map[string]string{"s/suite.yaml": widgetSuite, "s/cases/a.txt": ""},
			"s/cases/a.txt: is not a file of cases; accepted extensions: .yaml, .yml, .json, .jsonl",
		},
		{
			"case files, several at once",
			map[string]string{
				"s/suite.yaml":   widgetSuite,
				"s/cases/a.yaml": "case: []\n",
				"s/cases/b.yaml": "cases: []\n",
				"s/cases/c.yaml": "target: v1\ncases: [\n",
				"s/cases/d.yaml": `target: Widget
objects: {valid: {}, list: []}
cases:
- name: a
  object: vaild
  want: [{type: Invalid, field: x}, {field: y}]
- name: a
  object: valid
  patch: {a: 1}
  jsonPatch: []
  old: {patch: {}}
- object: [1]
  jsonPatch: {}
- {name: 3, object: valid}
- {name: "", object: valid, old: 3}
- {nmae: e, object: valid, want: [3]}
- 3
`,
				"s/cases/e.yaml": "cases: [null]\n",
			},
			`s/cases/a.yaml:1: the file has no cases; list them under "cases"
s/cases/a.yaml:1: unknown key "case"; did you mean "cases"? accepted: target, objects, cases
s/cases/b.yaml:1: the file has no cases; list them under "cases"
s/cases/c.yaml:2: not YAML: did not find expected node content
s/cases/d.yaml:1: "Widget" names no target; write it as "apps/v1 Deployment"
s/cases/d.yaml:2: objects.list must be a mapping
s/cases/d.yaml:4: an error under "want" has no type; accepted: ` + types + `
s/cases/d.yaml:5: no object "vaild" under "objects"; accepted: list, valid
s/cases/d.yaml:6: unknown error type "Invalid"; accepted: ` + types + `
s/cases/d.yaml:7: case "a" is defined twice; first in line 4
s/cases/d.yaml:7: old has no object; write old: {object: …}, with one, or with the name of one under "objects"
s/cases/d.yaml:7: patch and jsonPatch exclude each other
s/cases/d.yaml:12: the case has no name
s/cases/d.yaml:12: cases[2].object must be a mapping, or the name of one under "objects"
s/cases/d.yaml:13: cases[2].jsonPatch must be a list of JSON patch operations (RFC 6902)
s/cases/d.yaml:14: cases[3].name must be text, not 3; put it in quotes
s/cases/d.yaml:15: must not be empty; reports identify it by its name
s/cases/d.yaml:15: cases[4].old must be a mapping with the keys object, patch, jsonPatch, not 3
s/cases/d.yaml:16: the case has no name
s/cases/d.yaml:16: unknown key "nmae"; did you mean "name"? accepted: name, why, target, object, patch, jsonPatch, old, ` +
				`operation, request, subresource, cluster, user, want
s/cases/d.yaml:16: want[0] must be a mapping with the keys type, field, detail, not 3
s/cases/d.yaml:17: cases[6] must be a mapping with the keys name, why, target, object, patch, jsonPatch, old, operation, ` +
				`request, subresource, cluster, user, want, not 3
s/cases/e.yaml:1: cases[0] must be a mapping with the keys name, why, target, object, patch, jsonPatch, old, operation, ` +
				`request, subresource, cluster, user, want, not null`,
		},
		{
			"a mistake that shows only once the whole case file is read",
			map[string]string{"s/suite.yaml": widgetSuite, "s/cases/a.yaml": `objects: {valid: {}, other: {}}
cases:
- name: a
  object: vaild
  want: [{field: y}]
- name: a
  object: valid
  patch: {a: 1}
  jsonPatch: []
  old: {patch: {}}
- object: {}
- name: b
`},
			`s/cases/a.yaml:3: an error under "want" has no type; accepted: ` + types + `
s/cases/a.yaml:4: no object "vaild" under "objects"; accepted: other, valid
s/cases/a.yaml:6: case "a" is defined twice; first in line 3
s/cases/a.yaml:6: old has no object; write old: {object: …}, with one, or with the name of one under "objects"
s/cases/a.yaml:6: patch and jsonPatch exclude each other
s/cases/a.yaml:11: the case has no name
s/cases/a.yaml:12: the case has no object; add one, or the name of one under "objects"`,
		},
		{
			"mistakes in rules and exceptions are reported with those of the suite",
			map[string]string{
				"s/suite.yaml": strings.Replace(widgetSuite, "cases/*", "'*.yaml'", 1) +
					"rules: [rules.yaml]\nexceptions: ../exceptions.yaml\n",
				"s/rules.yaml":    "a: b\n",
				"s/a.yaml":        oneCase,
				"exceptions.yaml": "a: b\n",
			},
			`exceptions.yaml:1: the file must be a list of mappings with the keys id, target, operations, subresources, class, ` +
				`field, native, declarative, why, owner, issue, expires, maxHits, not a mapping
s/rules.yaml:1: the file must be a list of mappings with the keys name, why, target, type, nativeType, declarativeType, ` +
				`native, declarative, field, nativeField, declarativeField, unordered, schema, value, amount, text, hides, joins, ` +
				`separator, repeats, examples, not a mapping`,
		},
	} {
		t.Run(tc.why, func(t *testing.T) {
			_, err := load(t, tc.files)
			if err == nil {
				t.Fatal("no mistake was found")
			}
			if diff := cmp.Diff(tc.want, err.Error()); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}
