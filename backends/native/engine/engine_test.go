package engine_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	admissionv1 "k8s.io/api/admission/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/native/engine"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
)

// built returns an engine whose program may be built here, or skips: a build takes minutes.
func built(t *testing.T, name string) engine.Options {
	t.Helper()
	if !slices.Contains(strings.Fields(os.Getenv("DIFFRUN_ENGINES")), name) {
		t.Skipf("the engine takes minutes to build; DIFFRUN_ENGINES=%s runs this test", name)
	}
	of, ok := engine.Named(name)
	if !ok {
		t.Fatalf("there is no engine %q", name)
	}
	return engine.Options{Engine: of, Version: of.Example, Dir: filepath.Join("testdata", name), Building: func(doing string) func() {
		t.Log(doing)
		return func() {}
	}}
}

// denials returns what an engine says of the creation of an object, beside which the cluster has others.
func denials(t *testing.T, options engine.Options, object map[string]any, cluster ...map[string]any) (string, error) {
	t.Helper()
	backend, err := engine.New(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := backend.Close(); err != nil {
			t.Error(err)
		}
	}()
	errs, fault := backend.Validate(t.Context(), &harness.Input{
		Request: harness.Request{Version: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}, Operation: admissionv1.Create},
		Object:  contract.NewView(object),
		Cluster: cluster,
	})
	if len(errs) == 0 {
		return "", fault
	}
	return errs.ToAggregate().Error(), fault
}

// object reads an object.
func object(t *testing.T, text []byte) map[string]any {
	t.Helper()
	var read map[string]any
	if err := yaml.Unmarshal(text, &read); err != nil {
		t.Fatal(err)
	}
	return read
}

// TestGatekeeper: the Rego of a template decides, and enforcementAction its consequence.
func TestGatekeeper(t *testing.T) {
	options := built(t, "gatekeeper")
	read := func(name string) []byte {
		text, err := os.ReadFile(filepath.Join("testdata", "gatekeeper", "hostports", name))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}
	template, constraint := string(read("template.yaml")), string(read("constraint.yaml"))
	conflict := strings.Replace(template, "          outside(port) { port < input.parameters.min }\n",
		"          outside(port) = true { port < input.parameters.min }\n          outside(port) = false { port < 100 }\n", 1)
	withAction := func(action string) string {
		return strings.Replace(constraint, "spec:\n", "spec:\n  enforcementAction: "+action+"\n", 1)
	}
	for _, row := range []struct{ why, template, constraint, file, want, fault string }{
		{"a port in the range", template, constraint, "allowed.yaml", "", ""},
		{"a port outside of the range", template, constraint, "disallowed.yaml",
			"[unprivileged] host port 80 is not from 8000 to 9000", ""},
		{"a warning denies nothing", template, withAction("warn"), "disallowed.yaml", "", ""},
		{"nor does a dry run", template, withAction("dryrun"), "disallowed.yaml", "", ""},
		{"an error in Rego is no decision", conflict, constraint, "disallowed.yaml", "", "eval_conflict_error"},
	} {
		t.Run(row.why, func(t *testing.T) {
			options.Dir = t.TempDir()
			options.Files = []string{"template.yaml", "constraint.yaml"}
			for name, text := range map[string]string{"template.yaml": row.template, "constraint.yaml": row.constraint} {
				if err := os.WriteFile(filepath.Join(options.Dir, name), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			got, fault := denials(t, options, object(t, read(row.file)))
			if !strings.Contains(got, row.want) || row.want == "" && got != "" {
				t.Errorf("denied with %q, want %q", got, row.want)
			}
			if (fault == nil) != (row.fault == "") || fault != nil && !strings.Contains(fault.Error(), row.fault) {
				t.Errorf("fault: %v, want %q", fault, row.fault)
			}
		})
	}
}

// TestKyverno: a policy decides the same as patterns and in CEL, whether it enforces or audits.
func TestKyverno(t *testing.T) {
	options := built(t, "kyverno")
	for _, row := range []struct{ why, file, image, want, fault string }{
		{"a pattern that fits", "pattern.yaml", "web@sha256:1", "", ""},
		{"a pattern that does not", "pattern.yaml", "web:1", "images need a checksum", ""},
		{"an expression that holds", "cel.yaml", "web@sha256:1", "", ""},
		{"an expression that does not", "cel.yaml", "web:1", "images need a checksum", ""},
		{"a rule that reads a ConfigMap of another file", "configmap.yaml", "web:1", "", "no file has the ConfigMap shop/images"},
	} {
		t.Run(row.why, func(t *testing.T) {
			options.Files = []string{row.file}
			got, fault := denials(t, options, object(t, []byte("apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop}\n"+
				"spec: {containers: [{name: web, image: '"+row.image+"'}]}\n")))
			if !strings.Contains(got, row.want) || row.want == "" && got != "" {
				t.Errorf("denied with %q, want %q", got, row.want)
			}
			if (fault == nil) != (row.fault == "") || fault != nil && !strings.Contains(fault.Error(), row.fault) {
				t.Errorf("fault: %v, want %q", fault, row.fault)
			}
		})
	}
}

// TestKyvernoParameters: a parameter would be read from a cluster.
func TestKyvernoParameters(t *testing.T) {
	options := built(t, "kyverno")
	text, err := os.ReadFile(filepath.Join(options.Dir, "cel.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	options.Dir, options.Files = t.TempDir(), []string{"policy.yaml"}
	with := strings.Replace(string(text), "      cel:\n",
		"      cel:\n        paramKind: {apiVersion: v1, kind: ConfigMap}\n        paramRef: {name: images}\n", 1)
	if err := os.WriteFile(filepath.Join(options.Dir, "policy.yaml"), []byte(with), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := engine.New(t.Context(), options); err == nil || !strings.Contains(err.Error(), "have parameters (paramKind)") {
		t.Errorf("%v, want one about parameters", err)
	}
}

// TestNamespaces: a policy selects Namespaces by the labels of those of the case, else of the files, else by the label that all
// have.
func TestNamespaces(t *testing.T) {
	read := func(names ...string) (text string) {
		for _, name := range names {
			file, err := os.ReadFile(filepath.Join("testdata", name))
			if err != nil {
				t.Fatal(err)
			}
			text += "---\n" + string(file)
		}
		return text
	}
	for name, policies := range map[string]string{
		"gatekeeper": strings.Replace(read("gatekeeper/hostports/template.yaml", "gatekeeper/hostports/constraint.yaml"), "match: {",
			"match: {namespaceSelector: {matchLabels: {LABEL}}, ", 1),
		"kyverno": strings.Replace(read("kyverno/pattern.yaml"), "resources: {",
			"resources: {namespaceSelector: {matchLabels: {LABEL}}, ", 1),
	} {
		const shop = "{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: a}}}"
		for _, row := range []struct {
			why, label, file, cluster string
			denied                    bool
		}{
			{"a Namespace that is not known", "team: a", "", "", false},
			{"the label that all have", "kubernetes.io/metadata.name: shop", "", "", true},
			{"also those of the files", "kubernetes.io/metadata.name: shop", shop, "", true},
			{"a Namespace of the files", "team: a", shop, "", true},
			{"one in a list", "team: a", "{apiVersion: v1, kind: List, items: [" + shop + "]}", "", true},
			{"one of the case", "team: a", "", shop, true},
			{"that of the case before that of the files", "team: a", shop,
				"{apiVersion: v1, kind: Namespace, metadata: {name: shop, labels: {team: b}}}", false},
		} {
			t.Run(name+"/"+row.why, func(t *testing.T) {
				options := built(t, name)
				options.Dir, options.Files = t.TempDir(), []string{"policies.yaml"}
				text := strings.Replace(policies, "LABEL", row.label, 1) + "\n---\n" + row.file
				if err := os.WriteFile(filepath.Join(options.Dir, "policies.yaml"), []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				var cluster []map[string]any
				if row.cluster != "" {
					cluster = append(cluster, object(t, []byte(row.cluster)))
				}
				pod := object(t, []byte(read("gatekeeper/hostports/disallowed.yaml")))
				if got, fault := denials(t, options, pod, cluster...); fault != nil || (got != "") != row.denied {
					t.Errorf("denied with %q, fault %v", got, fault)
				}
			})
		}
	}
}

// TestGenerate: the generated policies have the rules of the policies, and bindings that deny.
func TestGenerate(t *testing.T) {
	for name, row := range map[string]struct{ files, want []string }{
		"kyverno": {[]string{"cel.yaml"}, []string{
			"name: cpol-checksums\n", "name: cpol-checksums-binding", "- Deny", "- pods\n", "contains('@')",
		}},
		"gatekeeper": {[]string{"hostports/template.yaml", "hostports/constraint.yaml"}, []string{
			"name: gatekeeper-hostports\n", "kind: ValidatingAdmissionPolicyBinding", "kind: HostPorts", "max: 9000",
		}},
	} {
		t.Run(name, func(t *testing.T) {
			options := built(t, name)
			options.Files = row.files
			text, err := engine.Generate(t.Context(), options)
			if err != nil {
				t.Fatal(err)
			}
			for _, want := range row.want {
				if !strings.Contains(string(text), want) {
					t.Errorf("no %q in:\n%s", want, text)
				}
			}
		})
	}
}

// TestFiles: what an engine refuses in the files is one mistake when the suite is loaded, and no fault of each case.
func TestFiles(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return filepath.Join(dir, name)
	}
	broken := file("broken.yaml", "kind: [\n")
	policy := "apiVersion: kyverno.io/v1\nkind: ClusterPolicy\nmetadata: {name: team}\nspec:\n  rules:\n  - name: team\n" +
		"    match: {any: [{resources: {kinds: [Pod]}}]}\n    mutate: {patchStrategicMerge: {metadata: {labels: {team: a}}}}\n"
	for _, row := range []struct {
		why, engine, want string
		files             []string
	}{
		{"a file that is not there", "gatekeeper", "open none.yaml: no such file", []string{"none.yaml"}},
		{"a file that is no YAML", "gatekeeper", broken + ": document 1: ", []string{broken}},
		{"a template without a constraint", "gatekeeper",
			"1 ConstraintTemplates and 0 constraints in the files; at least one of each is needed", []string{"hostports/template.yaml"}},
		{"a constraint without its template", "gatekeeper", "0 ConstraintTemplates and 1 constraints",
			[]string{"hostports/constraint.yaml"}},
		{"policies that validate nothing", "kyverno", "no rule of the policies validates", []string{file("mutates.yaml", policy)}},
		{"a kind that would be ignored", "kyverno", "document 1: PolicyException: this kind is not compared",
			[]string{"pattern.yaml", file("exception.yaml", "apiVersion: kyverno.io/v2\nkind: PolicyException\n")}},
	} {
		t.Run(row.why, func(t *testing.T) {
			options := built(t, row.engine)
			options.Files = row.files
			if _, err := engine.New(t.Context(), options); err == nil || !strings.Contains(err.Error(), row.want) {
				t.Errorf("%v, want %q", err, row.want)
			}
		})
	}
}

// TestVersions: a version is exact, so that a suite asks the same engine tomorrow.
func TestVersions(t *testing.T) {
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOMODCACHE", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	kyverno, _ := engine.Named("kyverno")
	for version, want := range map[string]string{
		"1.19.1":    `"1.19.1" is not a version of Kyverno; accepted: vMAJOR.MINOR.PATCH, as in v1.19.1`,
		"v1.19":     `"v1.19" is not a version of Kyverno`,
		"latest":    `"latest" is not a version of Kyverno`,
		"v2.0.0":    `Kyverno v2.0.0 is not supported; accepted: versions v1, as in v1.19.1`,
		"v1.19.999": `Kyverno v1.19.999 cannot be downloaded: `,
	} {
		_, err := engine.New(t.Context(), engine.Options{Engine: kyverno, Version: version, Files: []string{"a.yaml"}})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", version, err, want)
		}
	}
}

// TestRules: the webhook of an engine sees some subresources, and Kyverno's those that a policy names.
func TestRules(t *testing.T) {
	for _, row := range []struct {
		why, engine, kind string
		want              []string
	}{
		{"those of its deployment", "gatekeeper", "", []string{"*", "pods/exec", "deployments/scale"}},
		{"a kind", "kyverno", "Pod", nil},
		{"a kind of a group", "kyverno", "apps/v1/Deployment", nil},
		{"a kind of a version", "kyverno", "v1/Pod", nil},
		{"a kind of any version", "kyverno", "*/Pod", nil},
		{"a subresource", "kyverno", "Pod/exec", []string{"*/exec"}},
		{"a subresource behind a dot", "kyverno", "Pod.exec", []string{"*/exec"}},
		{"with a version", "kyverno", "v1/Pod/exec", []string{"*/exec"}},
		{"with a group and a version", "kyverno", "apps/v1/Deployment/scale", []string{"*/scale"}},
		{"any subresource of a kind", "kyverno", "Pod/*", []string{"*/*"}},
		{"any of all kinds", "kyverno", "*/*", []string{"*/*"}},
	} {
		of, _ := engine.Named(row.engine)
		policy := "spec: {rules: [{match: {any: [{resources: {kinds: ['" + row.kind + "']}}]}}]}"
		rules := of.Rules([]map[string]any{object(t, []byte(policy))})
		if len(rules) != 1 {
			t.Fatalf("%s: %v", row.why, rules)
		}
		got := rules[0].Resources
		if of.Name == "kyverno" {
			if !slices.Equal(got, append([]string{"*", "pods/ephemeralcontainers"}, row.want...)) {
				t.Errorf("%s: %v, want %v", row.why, got, row.want)
			}
			continue
		}
		for _, want := range row.want {
			if !slices.Contains(got, want) {
				t.Errorf("%s: no %q in %v", row.why, want, got)
			}
		}
		if slices.Contains(got, "pods/status") {
			t.Errorf("%s: sees updates of the status: %v", row.why, got)
		}
	}
}

// TestOfGroup: each group of an engine is found.
func TestOfGroup(t *testing.T) {
	got := map[string]string{}
	for _, group := range []string{"kyverno.io", "policies.kyverno.io", "templates.gatekeeper.sh", "admissionregistration.k8s.io"} {
		if of, is := engine.OfGroup(group); is {
			got[group] = of.Name
		}
	}
	want := map[string]string{"kyverno.io": "kyverno", "policies.kyverno.io": "kyverno", "templates.gatekeeper.sh": "gatekeeper"}
	if !maps.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}
