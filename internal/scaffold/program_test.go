package scaffold_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/scaffold"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

// TestProgramNames: packages of a project whose names the program uses, or which are words of Go, get others.
func TestProgramNames(t *testing.T) {
	project := &scaffold.Project{}
	for _, base := range []string{"cache", "klog", "masters", "allow", "error", "switch", "widgets"} {
		project.Setups = append(project.Setups, scaffold.Setup{Import: "example.com/operator/" + base, Name: "Setup", Source: base})
	}
	files, err := project.Program("diffrun")
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for line := range strings.Lines(string(files["main.go"])) {
		if strings.Contains(line, `"example.com/operator/`) {
			got = append(got, strings.TrimSpace(line))
		}
	}
	var want []string
	for _, base := range []string{"allow", "cache", "error", "klog", "masters", "switch"} {
		want = append(want, base+`2 "example.com/operator/`+base+`"`)
	}
	if diff := cmp.Diff(append(want, `"example.com/operator/widgets"`), got); diff != "" {
		t.Errorf("imports (-want +got):\n%s", diff)
	}
}

// TestProgram: the program compiles, answers a webhook's SubjectAccessReview by the objects of the case, and says in its answer
// what was asked.
func TestProgram(t *testing.T) {
	slowtest.Skip(t)
	files, err := (&scaffold.Project{}).Program("diffrun")
	if err != nil {
		t.Fatal(err)
	}
	if files["setup.go"], err = os.ReadFile("testdata/setup.go.txt"); err != nil {
		t.Fatal(err)
	}
	arguments, root := []string{"run"}, t.TempDir()
	for name, source := range files {
		arguments = append(arguments, filepath.Join(root, name))
		if err := os.WriteFile(filepath.Join(root, name), source, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	serve := exec.Command("go", append(arguments, "/validate")...) // with the libraries of this module
	const review = `{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","request":{"uid":"UID","userInfo":{` +
		`"username":"alice"},"object":{}},"cluster":[OBJECTS]}` + "\n"
	const role = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"reader"},"rules":[{` +
		`"apiGroups":[""],"resources":["pods"],"verbs":["get"]}]}`
	const binding = `{"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding","metadata":{"name":"reader"}` +
		`,"roleRef":{"kind":"ClusterRole","name":"reader"},"subjects":[{"kind":"User","name":"alice"}]}`
	var sent, failed strings.Builder
	for uid, objects := range []string{role + "," + binding, role, ""} {
		sent.WriteString(strings.NewReplacer("UID", string(rune('a'+uid)), "OBJECTS", objects).Replace(review))
	}
	serve.Stdin, serve.Stderr = strings.NewReader(sent.String()), &failed
	out, err := serve.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, &failed)
	}
	const asked = `"auditAnnotations":{"diffrun/access-reviews":"[{\"user\":\"alice\",\"verb\":\"get\",\"group\":\"\",` +
		`\"resource\":\"pods\",\"allowed\":ALLOWED}]"}`
	want := []string{
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":true,` +
			strings.Replace(asked, "ALLOWED", "true", 1) + `,"status":{"code":200,"message":"allowed: true","metadata":{}},"uid":"a"}}`,
		`{"apiVersion":"admission.k8s.io/v1","kind":"AdmissionReview","response":{"allowed":false,` +
			strings.Replace(asked, "ALLOWED", "false", 1) +
			`,"status":{"code":403,"message":"allowed: false","metadata":{},"reason":"Forbidden"},"uid":"b"}}`,
		`{"apiVersion":"v1","kind":"Status","message":"the webhook asks the cluster for POST /apis/authorization.k8s.io/v1/` +
			`subjectaccessreviews: whether \"alice\" may get pods is not known; write ClusterRoles, Roles and their bindings into ` +
			`the key cluster of the case","status":"Failure"}`,
	}
	if diff := cmp.Diff(want, strings.Split(strings.TrimSpace(string(out)), "\n")); diff != "" {
		t.Errorf("the answers (-want +got):\n%s", diff)
	}
}
