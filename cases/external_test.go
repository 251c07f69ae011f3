package cases_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// disk is a file system as the command uses it: names are paths.
type disk struct{}

func (disk) Open(name string) (fs.File, error) { return os.Open(name) }

// A suite may name a webhook, and files for it next to the suite. The webhook validates the kinds of the
// builtin, in each of their versions.
func TestWebhookSuite(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review admissionv1.AdmissionReview
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			t.Error(err)
			return
		}
		said := "[version: Forbidden: " + review.Request.Kind.Version + ", token: Forbidden: " + r.Header.Get("Authorization") + "]"
		review.Response = &admissionv1.AdmissionResponse{UID: review.Request.UID, Result: &metav1.Status{Message: said}}
		if err := json.NewEncoder(w).Encode(review); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	dir := t.TempDir()
	for name, content := range map[string]string{
		"suite.yaml": "name: w\nnative: {webhook: {url: '" + server.URL + "', tokenFile: secret/token}}\ndeclarative: " +
			"{builtin: widgets}\ncases: [cases.yaml]\n",
		"cases.yaml":   "cases: [{name: a, object: {apiVersion: example.com/v1, kind: Widget}}]\n",
		"secret/token": "t0k3n\n",
		"bad/suite.yaml": "name: w\nnative:\n  webhook:\n    url: ''\n    certFile: none\ndeclarative: {builtin: widgets}\ncases: " +
			"[../cases.yaml]\n",
	} {
		file := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	files := &cases.Files{FS: disk{}, OnDisk: true}
	plan, err := cases.Load([]cases.Location{{Files: files, Name: dir + "/suite.yaml"}}, options())
	if err != nil {
		t.Fatal(err)
	}
	said := checked(t, plan.Suites[0], nativeText)
	want := []string{
		"[token: Forbidden: Bearer t0k3n, version: Forbidden: v1]",
		"[token: Forbidden: Bearer t0k3n, version: Forbidden: v1beta1]",
	}
	if diff := cmp.Diff(want, said); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := plan.Close(); err != nil {
		t.Error(err)
	}
	_, err = cases.Load([]cases.Location{{Files: files, Name: dir + "/bad/suite.yaml"}}, options())
	wantMistakes := strings.Join([]string{
		dir + "/bad/suite.yaml:4: webhook: certFile needs a keyFile",
		dir + "/bad/suite.yaml:4: webhook: url is missing; set the URL of the webhook, for instance https://127.0.0.1:9443/validate",
	}, "\n")
	if err == nil || err.Error() != wantMistakes {
		t.Errorf("mistakes:\n%v\nwant:\n%s", err, wantMistakes)
	}
}

func nativeText(_ *testing.T, result harness.Result) string {
	if result.Native.Fault != nil {
		return result.Native.Fault.Error()
	}
	return result.Native.Errors.ToAggregate().Error()
}

// Suites that are embedded in the command have no directory to start programs in.
func TestOutsideOfABundle(t *testing.T) {
	const rest = "declarative: {builtin: widgets}\ncases: [a.yaml]\n"
	_, err := loadAll(map[string]string{
		"a/suite.yaml": "name: a\nnative: {exec: {command: [sh]}}\n" + rest,
		"b/suite.yaml": "name: b\nnative: {webhook: {url: 'https://localhost/', caFile: ca.pem}}\n" + rest,
		"a/a.yaml":     "cases: [{name: a, object: {}}]\n",
		"b/a.yaml":     "cases: [{name: a, object: {}}]\n",
	}, "a/suite.yaml", "b/suite.yaml")
	want := "a/suite.yaml:2: only a suite on disk can start a process\n" +
		"b/suite.yaml:2: only a suite on disk can name files of a webhook"
	if err == nil || err.Error() != want {
		t.Errorf("mistakes:\n%v\nwant:\n%s", err, want)
	}
}
