package scaffold_test

import (
	"encoding/base64"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/files/kustomization/render"
	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// TestValidateMethods: methods Validate of knative, and those that return an error, validate the objects of their type.
func TestValidateMethods(t *testing.T) {
	root := unpack(t, "testdata/methods.txtar")
	module, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	sums, err := os.ReadFile("../../go.sum")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^\s*k8s.io/apimachinery (v\S+)`).FindSubmatch(module)
	for name, text := range map[string]string{
		"go.mod": "module example.com/operator\n\ngo 1.26\n\nrequire k8s.io/apimachinery " + string(version[1]) +
			"\n\nrequire knative.dev/pkg v0.0.0\n\nreplace knative.dev/pkg => ./knative\n" +
			"\nrequire sigs.k8s.io/controller-runtime v0.0.0\n\nreplace sigs.k8s.io/controller-runtime => ./runtime\n",
		"go.sum": string(sums),
	} {
		if err := os.WriteFile(filepath.Join(root, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	project, err := scaffold.Find(root, "diffrun", render.Folder)
	if err != nil {
		t.Fatal(err)
	}
	validators := project.Unserved(nil)
	var found []string
	for _, v := range validators {
		found = append(found, v.Kind+" "+string(v.Create[0].Returns))
	}
	if diff := cmp.Diff([]string{"Task knative", "Run plain", "Gate warned", "Lock warned", "Ramp "}, found); diff != "" {
		t.Fatalf("validators (-want +got):\n%s", diff)
	}
	draft, err := project.Draft("diffrun", nil)
	const open = "hooks/gate.go:17: nothing here registers GateValidator, so diffrun/validators/main.go calls it with zero fields " +
		"(Least): set those that it needs there"
	if err != nil || !slices.Contains(draft.Open, open) {
		t.Errorf("left open: %q, %v", draft.Open, err)
	}
	suite := string(draft.Files["diffrun/gates/suite.yaml"])
	if !strings.Contains(suite, "  mutate:\n    exec: {command: [go, run, ../validators, -defaults, Gate]}\n") {
		t.Errorf("the suite has no defaults:\n%s", suite)
	}
	program, err := project.FunctionProgram("diffrun", validators)
	if err != nil {
		t.Fatal(err)
	}
	writeProgram(t, project, "diffrun/validators/", program)
	slowtest.Skip(t)
	for _, row := range []struct{ kind, objects, want string }{
		{"Task", `"object":{"steps":1,"mode":"once"}`, `"allowed":true`},
		{"-defaults Task", `"object":{"steps":1}`, `"patch":"` + base64.StdEncoding.EncodeToString(
			[]byte(`[{"op":"add","path":"/mode","value":"once"}]`)) + `","patchType":"JSONPatch"`},
		{"-defaults Task", `"object":{"steps":1,"mode":"x"}`, `"allowed":true,"uid":"a"`},
		{"Gate", `"object":{"spec":{"width":1}}`, `"allowed":true`},
		{
			"Gate", `"object":{"metadata":{"name":"a"}}`, `{"causes":[{"field":"spec.width","message":"Required value: a gate is wide",` +
				`"reason":"FieldValueRequired"}]}`,
		},
		{"Gate", `"object":{"spec":{"width":1}},"oldObject":{"spec":{"width":2}}`, `"message":"gates do not change"`},
		{"Gate", `"object":{},"oldObject":{}`, `"allowed":true`},
		{"-defaults Gate", `"object":{"spec":{"width":1}}`, `"patch":"` + base64.StdEncoding.EncodeToString(
			[]byte(`[{"op":"add","path":"/spec/way","value":"in"}]`)) + `"`},
		{"-defaults Gate", `"object":{"spec":{"width":-1}}`, `"message":"no gate is that narrow"`},
		{
			"Ramp", `"object":{"spec":{"slope":11}}`, `"causes":[{"field":"spec.slope","message":"Invalid value: 11: too steep",` +
				`"reason":"FieldValueInvalid"}]`,
		},
		{"Ramp", `"object":{"spec":{"slope":1}},"oldObject":{"spec":{"slope":2}}`, `"message":"spec: Forbidden: ramps stay"`},
		{"Lock", `"object":{"keys":1},"oldObject":{"keys":2}`, `"message":"keys stay"`},
		{"-defaults Lock", `"object":{}`, `"patchType":"JSONPatch"`},
		{
			"Task", `"object":{}`, `{"field":"steps","message":"Required value: missing field(s)","reason":"FieldValueRequired"}`,
		},
		{
			"Task", `"object":{"steps":1,"mode":"twice"}`,
			`{"field":"mode","message":"Invalid value: invalid value: twice\nonly once","reason":"FieldValueInvalid"}`,
		},
		{"Task", `"object":{"steps":1,"mode":"once"},"oldObject":{"steps":2}`, `"message":"tasks do not change"`},
		{"Run", `"object":{"name":"a"}`, `"allowed":true`},
		{"Run", `"object":{}`, `"message":"a run has a name"`},
		{
			"Run", `"object":{"name":"two"}`, `{"causes":[{"field":"size","message":"Required value","reason":"FieldValueRequired"}]},` +
				`"message":"[size: Required value, no run is called so]"`,
		},
	} {
		serve := exec.Command("go", "run", "-mod=mod", "./diffrun/validators")
		serve.Args = append(serve.Args, strings.Fields(row.kind)...)
		serve.Dir, serve.Stdin = root, strings.NewReader(`{"apiVersion":"admission.k8s.io/v1","request":{"uid":"a",`+row.objects+"}}\n")
		var failed strings.Builder
		serve.Stderr = &failed
		out, err := serve.Output()
		if err != nil || !strings.Contains(string(out), row.want) {
			t.Errorf("%s %s: %v\n%s\n%s", row.kind, row.objects, err, out, &failed)
		}
	}
	serve := exec.Command("go", "run", "-mod=mod", "./diffrun/validators", "Job")
	serve.Dir = root
	const kinds = "name one of these kinds: -defaults Gate, -defaults Lock, -defaults Task, Gate, Lock, Ramp, Run, Task\n"
	if out, err := serve.CombinedOutput(); err == nil || !strings.Contains(string(out), kinds) {
		t.Errorf("an unknown kind: %v\n%s", err, out)
	}
}
