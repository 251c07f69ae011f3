package suitefile

import (
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

func TestSideNames(t *testing.T) {
	for _, tt := range []struct {
		why, native, declarative string
		first, second            string // as sentences have them
	}{
		{"built-in sides are called after what they are", "builtin: kubernetes", "builtin: kubernetes",
			"the native validator", "the schema"},
		{"a schema beside a program", "exec: {command: [./v]}", "builtin: kubernetes", "the validator", "the schema"},
		{"code beside a definition", "builtin: escapes", "crd: crd.yaml", "the native validator", "the definition"},
		{"a webhook that runs", "webhook: {url: 'https://x'}", "crd: crd.yaml", "the webhook", "the definition"},
		{"two definitions have the names of their files", "crd: a/old.yaml", "crd: a/new.yaml", "old.yaml", "new.yaml"},
		{"their folders, if the files have one name", "crd: old/crd.yaml", "crd: new/crd.yaml", "old/crd.yaml", "new/crd.yaml"},
		{"their versions, if it is one file", "crd: crd.yaml, version: v1", "crd: crd.yaml, version: v2", "crd.yaml v1", "crd.yaml v2"},
		{"nothing tells them apart", "crd: crd.yaml", "crd: crd.yaml", "the native definition", "the declarative definition"},
		{"a guard tells two worlds of one definition apart", "crd: crd.yaml, then: {webhook: {url: 'https://x'}}", "crd: crd.yaml",
			"the webhook", "the definition"},
		{"a new definition in place of a webhook", "crd: old.yaml, then: {webhook: {url: 'https://x'}}", "crd: new.yaml", "the webhook",
			"the definition"},
		{"a file of policies in place of a webhook", "crd: crd.yaml, then: {webhook: {url: 'https://x'}}",
			"crd: crd.yaml, policies: [p/policy.yaml]", "the webhook", "policy.yaml"},
		{"the webhook on both sides tells nothing", "then: {webhook: {url: 'https://x'}}",
			"policies: [policy.yaml], then: {webhook: {url: 'https://x'}}", "the webhook", "policy.yaml"},
		{"several files of policies", "builtin: kubernetes", "builtin: kubernetes, policies: [a.yaml, b.yaml]",
			"Kubernetes", "the policy set"},
		{"an engine of policies", "kyverno: v1.19.1, policies: [p.yaml]", "policies: [vap.yaml]", "Kyverno v1.19.1", "vap.yaml"},
		{"what the engine generates", "kyverno: v1.19.1, policies: [p.yaml]", "kyverno: v1.19.1, policies: [p.yaml], generated: true",
			"Kyverno v1.19.1", "Kyverno v1.19.1 (generated)"},
		{"two engines", "gatekeeper: v3.23.1, policies: [p.yaml]", "kyverno: v1.19.1, policies: [q.yaml]",
			"Gatekeeper v3.23.1", "Kyverno v1.19.1"},
		{"two releases", "kubernetes: v1.33.13", "kubernetes: v1.36.1", "Kubernetes v1.33.13", "Kubernetes v1.36.1"},
		{"a release that emulates another", "kubernetes: v1.36.1", "kubernetes: v1.36.1, emulates: '1.33'", "Kubernetes v1.36.1",
			"Kubernetes v1.36.1 as 1.33"},
		{"a cluster", "cluster: {}", "crd: crd.yaml", "the cluster", "the definition"},
		{"recorded errors", "recorded: a.jsonl", "go: {package: ./api, type: Widget}", "the recorded validator", "the schema"},
		{"names of the suite", "crd: a.yaml, as: v1.33", "crd: b.yaml, as: v1.36", "v1.33", "v1.36"},
		{"a noun gets an article", "exec: {command: [./v]}, as: webhook", "crd: b.yaml", "the webhook", "the definition"},
		{"a name of the suite comes before a default", "webhook: {url: 'https://x'}", "crd: b.yaml, as: webhook",
			"the native webhook", "the webhook"},
		{"too long a path lends no name", "crd: old/" + strings.Repeat("x", 40), "crd: new/" + strings.Repeat("x", 40),
			"the native definition", "the declarative definition"},
	} {
		file, err := decodeSides(tt.native, tt.declarative)
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		names, mistake, _ := file.SideNames()
		first, second := names.Title("native"), names.Title("declarative")
		if mistake != "" || first != tt.first || second != tt.second {
			t.Errorf("%s: %q and %q, %s; want %q and %q", tt.why, first, second, mistake, tt.first, tt.second)
		}
		if err := names.Check(); err != nil {
			t.Errorf("%s: %v", tt.why, err)
		}
	}
}

func decodeSides(native, declarative string) (*File, error) {
	var file File
	text := "name: sides\nnative: {" + native + "}\ndeclarative: {" + declarative + "}\ncases: [c.yaml]\n"
	err := strictyaml.Decode("suite.yaml", []byte(text), &file)
	return &file, err
}

func TestSideNameMistakes(t *testing.T) {
	for _, tt := range []struct{ why, as, want string }{
		{"a number needs quotes", "1.36", `suite.yaml:2: native.as must be a text in quotes, as in "1.36"`},
		{"several lines", `"two\nlines"`, "native.as must be one line of at most 40 printable characters"},
		{"escapes of a terminal", `"\u001b[31m"`, "native.as must be one line"},
		{"hidden characters", `"a\u200bb"`, "native.as must be one line"},
		{"spaces around it", `" v1 "`, "without spaces around them"},
		{"too long", strings.Repeat("x", 41), "at most 40"},
		{"nothing", `""`, "must be a name for the side, or be left out"},
		{"the key of the other side", "declarative", `as: "declarative" is the key of the other side; give this one another name`},
		{"that of the other side", "new", `as: both sides are called "new"; reports tell them apart by their names, so give them two`},
	} {
		file, err := decodeSides("crd: a.yaml, as: "+tt.as, "crd: b.yaml, as: new")
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			_, got, _ = file.SideNames()
		}
		if !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q; want %q", tt.why, got, tt.want)
		}
	}
	if _, _, line := mustDecode(t, "crd: a.yaml, as: new", "crd: b.yaml, as: new").SideNames(); line != 3 {
		t.Errorf("the mistake is at line %d, not at that of the second name", line)
	}
}

func mustDecode(t *testing.T, native, declarative string) *File {
	t.Helper()
	file, err := decodeSides(native, declarative)
	if err != nil {
		t.Fatal(err)
	}
	return file
}
