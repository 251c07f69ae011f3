package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
)

// gossip is a webhook whose messages quote everything in an object, in each position of a message, and
// never in quotes.
func gossip(w http.ResponseWriter, r *http.Request) {
	var review struct {
		APIVersion string `json:"apiVersion"`
		Kind       string `json:"kind"`
		Request    struct {
			UID       string         `json:"uid"`
			Object    map[string]any `json:"object"`
			OldObject map[string]any `json:"oldObject"`
		} `json:"request"`
	}
	_ = json.NewDecoder(r.Body).Decode(&review)
	var causes []map[string]any
	tell := func(at, message string) {
		causes = append(causes, map[string]any{"reason": "FieldValueInvalid", "field": at, "message": message})
	}
	var look func(at string, value any)
	look = func(at string, value any) {
		switch value := value.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(value)) {
				tell(at+"."+key, "the key "+key+" is taken")
				tell(at+"["+key+"]", "a"+key+"b is glued")
				look(at+"."+key, value[key])
			}
		case []any:
			for i, item := range value {
				look(fmt.Sprintf("%s[%d]", at, i), item)
			}
		default:
			text := fmt.Sprint(value)
			tell(at, "the value "+text+" of "+strings.ToUpper(text)+" is taken, and so is "+text[:len(text)*3/4]+"…")
			tell(text, fmt.Sprintf("%v, %x, %q", value, text, []string{text}))
			if data, err := base64.StdEncoding.DecodeString(text); err == nil {
				tell(at, "decoded it is "+string(data))
			}
		}
	}
	look("spec", review.Request.Object["spec"])
	look("old.spec", review.Request.OldObject["spec"])
	look("metadata", review.Request.Object["metadata"])
	tell("", fmt.Sprint("all of it is ", review.Request.Object, review.Request.OldObject))
	if fmt.Sprint(review.Request.Object["spec"].(map[string]any)["size"]) == "4" {
		http.Error(w, fmt.Sprint("broken by ", review.Request.Object), http.StatusInternalServerError)
		return
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"apiVersion": review.APIVersion, "kind": review.Kind, "response": map[string]any{
		"uid": review.Request.UID, "allowed": false, "status": map[string]any{
			"message": fmt.Sprint("no ", review.Request.Object),
			"details": map[string]any{"causes": causes},
		},
	}})
}

// canaryDefinition declares fields of each kind, two of which have the names that keys have, too.
const canaryDefinition = `
apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: cages.example.com}
spec:
  group: example.com
  names: {plural: cages, singular: cage, kind: Cage, listKind: CageList}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    subresources: {status: {}}
    schema:
      openAPIV3Schema:
        type: object
        properties:
          spec:
            type: object
            properties:
              size: {type: integer}
              depth: {type: integer, maximum: 3}
              mode: {type: string, enum: [Always, Never]}
              birds: {type: array, items: {type: object, properties: {species: {type: string}}}}
              tags: {type: object, additionalProperties: {type: string}}
              open: {type: object, x-kubernetes-preserve-unknown-fields: true}
              pod: {type: object, x-kubernetes-embedded-resource: true, x-kubernetes-preserve-unknown-fields: true}
              data: {type: string, format: byte}
            x-kubernetes-validations:
            - {rule: "self.depth < 3", messageExpression: "'the cage ' + self.mode + ' is deep'"}
          status: {type: object, properties: {phase: {type: string}}}
`

// canary returns a cage in which each text that is not a word of the schema is a canary.
func canary(size int, name string) string {
	inside := base64.StdEncoding.EncodeToString([]byte("canaryEncoded with canaryMore"))
	return fmt.Sprintf(`{"apiVersion":"example.com/v1","kind":"Cage","metadata":{"name":%q,"namespace":"canary-namespace",
		"labels":{"canary.example.com/key":"canary-label","size":"mode"},"annotations":{"canaryAnnotation":"a text with a `+
		`canaryWord, {\"spec\":{\"canaryJSON\":1}}"},
		"ownerReferences":[{"apiVersion":"canary.example.com/v1","kind":"CanaryKind","name":"canary-owner","uid":"canary-uid"}],
		"managedFields":[{"manager":"canary-manager","operation":"Update","apiVersion":"example.com/v1","fieldsV1":{"f:canaryField":{}}}],
		"finalizers":["canary.example.com/finalizer"]},
		"spec":{"size":%d,"depth":918273645,"mode":"CanaryMode","birds":[{"species":"canary bird of ☃☃☃canary"}],"tags":{`+
		`"canaryTag":"canaryValue","species":"phase"},
		"open":{"canaryKeyInOpen":"canary\n\"in\" open","deep":[{"canaryDeep":91827.3645,"other":918273645918273}]},
		"pod":{"apiVersion":"v1","kind":"CanaryPod","metadata":{"name":"canary-pod"},"spec":{"canaryPodField":"x"}},"data":%q}`+
		`,"status":{"phase":"canaryPhase"}}`, name, size, inside)
}

// canaryLines are requests in each form that stdin accepts, valid and invalid ones.
func canaryLines() []string {
	flat := func(text string) string { return strings.NewReplacer("\n", "", "\t", "").Replace(text) }
	one, two, broken := flat(canary(1, "canary-name")), flat(canary(2, "canary-older")), flat(canary(4, "canary-broken"))
	unknown := strings.Replace(one, `"spec":`, `"canaryUnknown":{"canaryBelow":1},"spec":`, 1)
	return []string{
		`{"id":"canary-id","object":` + one + `}`,
		`{"id":"canary-id-2","object":` + unknown + `}`,
		`{"id":"canary-fault","object":` + broken + `}`,
		`{"id":"canary-sub","subresource":"canarySub","object":` + one + `,"oldObject":` + two + `}`,
		`{"id":"canary-status","subresource":"status","object":` + one + `,"oldObject":` + two + `}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"canary-audit",` +
			`"stage":"ResponseComplete","verb":"create","user":{"username":"canary-user","groups":["canary-group"]},` +
			`"sourceIPs":["canary"],"objectRef":{"resource":"cages","namespace":"canary-ns","apiGroup":"example.com",` +
			`"apiVersion":"v1","name":"canary-ref"},"requestObject":` + one + `,"responseObject":` + one + `}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","level":"RequestResponse","auditID":"canary-audit",` +
			`"stage":"ResponseComplete","verb":"create","objectRef":{"resource":"cages","subresource":"canarySubresource",` +
			`"apiGroup":"example.com","apiVersion":"v1","name":"canary-ref"},"requestObject":` + one + `}`,
		`{"kind":"Event","apiVersion":"audit.k8s.io/v1","stage":{"canary":"canary-stage"}}`,
		flat(reviewOf("canary-request", "CREATE", one)), flat(reviewOf("canary-operation", "CANARY", one)),
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"canary-update","operation":"UPDATE",` +
			`"userInfo":{"username":"canary-user"},"object":` + one + `,"oldObject":` + two + `}}`,
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/v1","request":{"uid":"canary-text","operation":"CREATE",` +
			`"object":"canary"}}`,
		`{"kind":"AdmissionReview","apiVersion":"admission.k8s.io/canary","request":{}}`,
		`{"id":"canary-kind","object":{"apiVersion":"canary.example.com/v1","kind":"CanaryThing"}}`,
		`{"id":"canary-version","object":{"apiVersion":"example.com/canary","kind":"Cage"}}`,
		`{"id":"canary-api","object":{"apiVersion":"a/canary/b","kind":"Cage"}}`,
		`{"id":"canary-none","object":{"canary":"canary"}}`,
		`{"id":"canary-twice","object":{"canaryTwice":1,"canaryTwice":2},"canaryKey":"canary"}`,
		`{"id":"canary-types","object":{"apiVersion":"example.com/v1","kind":"Cage","metadata":"canary-metadata","spec":["canary-spec"]}}`,
		`{"id":"canary-names","object":{"apiVersion":"example.com/v1","kind":"Cage","metadata":{"name":["canary"],"labels":{` +
			`"canary":{"canary":1}}}}}`,
		`{"id":"canary-number","object":{"canaryKey":9182736459182736459182736459}}`,
		`{"id":"canary-big","object":{"canaryKey":{"canaryBelow":9.18273645e999}}}`,
		`{"id":"canary","operation":"CanaryOperation","object":` + one + `}`,
		`{"id":"canary-deep","object":{"apiVersion":"canary.example.com/v1","kind":"CanaryDeep","canary":` +
			strings.Repeat(`{"canary":`, 1200) + `1` + strings.Repeat(`}`, 1200) + `}}`,
		`{"id":"canary-deep","object":{"apiVersion":"example.com/v1","kind":"Cage","canary":` + strings.Repeat(`[`, 1200) +
			strings.Repeat(`]`, 1200) + `}}`,
		`["canary"]`, `canary is no JSON`, `{"id":"canary","object":{"canary":canary}}`, "{\"id\":\"canary\xff\"}", `{"id":{"canary":1}}`,
	}
}

// canaries matches text that a redacted output must not have. Numbers in objects have these digits.
var canaries = regexp.MustCompile(`(?i)canar|Y2FuYXJ5|63616e617279|918273|☃`)

// holdsNoCanary reports canaries in an output.
func holdsNoCanary(t *testing.T, what, text string) (holds bool) {
	t.Helper()
	for _, line := range strings.Split(text, "\n") {
		if at := canaries.FindStringIndex(line); at != nil {
			t.Errorf("%s has %.200q", what, line[max(0, at[0]-60):])
			return false
		}
	}
	return true
}

// holdsNoCanaryBelow reports canaries in the names and contents of all files of a directory.
func holdsNoCanaryBelow(t *testing.T, dir string) {
	t.Helper()
	files := 0
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		files++
		data, err := os.ReadFile(path)
		if !holdsNoCanary(t, "the name of a file", strings.TrimPrefix(path, dir)) || !holdsNoCanary(t, path, string(data)) {
			return fs.SkipAll // one of many
		}
		return err
	})
	if err != nil || files < 20 {
		t.Errorf("%d files below %s, %v", files, dir, err)
	}
}

// cages makes a directory with a suite whose native side is gossip.
func cages(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	server := httptest.NewServer(http.HandlerFunc(gossip))
	t.Cleanup(server.Close)
	for name, text := range map[string]string{
		"crd.yaml":   canaryDefinition,
		"suite.yaml": "name: cages\nnative: {webhook: {url: \"" + server.URL + "\"}}\ndeclarative: {crd: crd.yaml, version: v1}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// openMetrics scrapes with exemplars.
func openMetrics(t *testing.T, url string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Accept", "application/openmetrics-text; version=1.0.0")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRedactedSoak checks that no output of a redacted soak has a text of an object.
func TestRedactedSoak(t *testing.T) {
	t.Parallel()
	dir := cages(t)
	soak := exec.CommandContext(t.Context(), "diffrun", "soak", "--stdin", "--redact", "--addr", "127.0.0.1:0", "--folder",
		"found", "suite.yaml")
	var out, said bytes.Buffer
	soak.Dir, soak.Stdout = dir, &out
	in, err := soak.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	stderr, err := soak.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := soak.Start(); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(in, strings.Join(canaryLines(), "\n")+"\n")
	serving := make([]byte, 200)
	n, _ := stderr.Read(serving)
	said.Write(serving[:n])
	url := regexp.MustCompile(`http://[^/]+/metrics`).FindString(said.String())
	ready := strings.TrimSuffix(url, "metrics") + "readyz"
	metrics := ""
	for range 100 {
		if metrics = openMetrics(t, url); strings.Contains(metrics, `verdict="different"`) &&
			strings.Contains(openMetrics(t, ready), "ok") {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	_ = in.Close()
	_, _ = io.Copy(&said, stderr)
	_ = soak.Wait() // the output says how
	holdsNoCanary(t, "/metrics", metrics)
	holdsNoCanary(t, "stdout", out.String())
	holdsNoCanary(t, "stderr", said.String())
	holdsNoCanaryBelow(t, filepath.Join(dir, "found"))
	for what, text := range map[string]string{
		"a difference":           "new: too-loose (none): example.com/v1 Cage spec.tags[*]",
		"a fault of the webhook": "new: fault of the webhook",
	} {
		if !strings.Contains(out.String(), text) {
			t.Errorf("stdout does not have %s, %q:\n%s", what, text, &out)
		}
	}
}

// TestRedactedShadow checks the same for a redacted shadow.
func TestRedactedShadow(t *testing.T) {
	t.Parallel()
	dir := cages(t)
	s := startShadow(t, dir, nil, "--redact", "--print-cases", "--folder", "found", "suite.yaml")
	answers := ""
	for _, line := range canaryLines() {
		answer := s.send(t, line)
		answers += regexp.MustCompile(`"uid":"[^"]*"`).ReplaceAllString(answer, "") + "\n" // the protocol wants it
	}
	var metrics string
	for range 100 {
		if metrics = openMetrics(t, s.plain+"/metrics"); strings.Contains(metrics, `verdict="different"`) {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		t.Fatal(err)
	}
	<-s.read
	_ = s.cmd.Wait()
	holdsNoCanary(t, "an answer", answers)
	holdsNoCanary(t, "/metrics", metrics)
	holdsNoCanary(t, "stdout", s.out.String())
	holdsNoCanary(t, "stderr", s.said.String())
	holdsNoCanaryBelow(t, filepath.Join(dir, "found"))
	if !strings.Contains(s.out.String(), "new: too-loose (none): example.com/v1 Cage spec.tags[*]") {
		t.Errorf("stdout has no difference:\n%s", &s.out)
	}
}
