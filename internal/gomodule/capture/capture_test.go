package capture_test

import (
	"bytes"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/internal/gomodule/capture"
	"github.com/diffrun/diffrun/internal/gomodule/capture/corpus"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

const root = "../../.."

// widgets copies the module of testdata, with the dependencies of this project.
func widgets(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if err := os.CopyFS(dir, os.DirFS("testdata/widgets")); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"go.mod", "go.sum"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(module(t, name, "example.com/widgets")), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// tree returns the contents of all files in a folder.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		data, err := os.ReadFile(filepath.Join(dir, name))
		files[name] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// record runs go test with these arguments in a folder.
func record(t *testing.T, dir string, options capture.Options,
	arguments ...string) (recording *capture.Recording, stdout string, err error) {
	t.Helper()
	var out, problems bytes.Buffer
	options.Command = append([]string{"go", "test"}, arguments...)
	options.Dir, options.Env, options.Stdout, options.Stderr = dir, os.Environ(), &out, &problems
	recording, err = capture.Run(t.Context(), options)
	t.Logf("stderr: %s", problems.Bytes())
	return recording, out.String(), err
}

// timeless removes times, addresses and stacks from the output of tests.
func timeless(output string) string {
	for _, r := range [][2]string{
		{`\b\d+\.\d+s\b`, "TIME"},
		{`\(0x[^\n]*`, "("},
		{`(?m)^goroutine \d+ [^\n]*`, "goroutine"},
		{`in goroutine \d+`, "in goroutine"},
		{` \+0x[0-9a-f]+`, ""},
		{`\{0x[^\n]*`, ""},
	} {
		output = regexp.MustCompile(r[0]).ReplaceAllString(output, r[1])
	}
	return output
}

// TestRun: the tests of a module print the same output as without capture and leave the module unchanged.
// Their calls are recorded, however the tests end, in the same bytes each time.
func TestRun(t *testing.T) {
	slowtest.Skip(t)
	dir := widgets(t)
	before := tree(t, dir)
	recording, stdout, err := record(t, dir, capture.Options{}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, tree(t, dir)); diff != "" {
		t.Errorf("the user's files have changed:\n%s", diff)
	}
	if recording.Status != 1 {
		t.Errorf("the exit status is %d", recording.Status)
	}
	plain := exec.CommandContext(t.Context(), "go", "test", "-count=1", "./...")
	plain.Dir = dir
	want, _ := plain.Output()           // it fails
	cut := func(output string) string { // a panic has a stack with more frames
		head, _, _ := strings.Cut(timeless(output), "goroutine")
		return head
	}
	if diff := cmp.Diff(cut(string(want)), cut(stdout)); diff != "" {
		t.Errorf("the tests print something else (-plain +recorded):\n%s", diff)
	}
	calls := map[string]int{}
	for _, line := range recording.Lines {
		calls[strings.TrimPrefix(line.Function, "example.com/widgets/")]++
	}
	wantCalls := map[string]int{
		"crash.Validate": 3, "killed.Validate": 3, "exits.ValidateStatusUpdate": 2,
		"validation.ValidateWidget": 7, "validation.ValidateWidgetUpdate": 1, "validation.ValidateAny": 1,
		"webhook.WidgetValidator.ValidateCreate": 3, "webhook.WidgetValidator.ValidateUpdate": 1,
		"webhook.WidgetValidator.ValidateDelete": 1,
		"webhook.Admit":                          1, "webhook.Server.ServeHTTP": 2, "webhook.New.handler1": 1,
	}
	if diff := cmp.Diff(wantCalls, calls); diff != "" {
		t.Errorf("calls (-want +got):\n%s", diff)
	}
	again, _, err := record(t, dir, capture.Options{}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	first, second := t.TempDir(), t.TempDir()
	for folder, from := range map[string]*capture.Recording{first: recording, second: again} {
		made := corpus.New(from.Lines, corpus.Options{Versions: from.Versions})
		if err := made.Write(folder, corpus.Lines); err != nil {
			t.Fatal(err)
		}
		if len(made.Unusable) > 0 {
			t.Errorf("unusable: %v", made.Unusable)
		}
	}
	files := tree(t, first)
	if diff := cmp.Diff(files, tree(t, second)); diff != "" {
		t.Errorf("a second capture differs:\n%s", diff)
	}
	lines := files["widget.v1.widgets.example.com.jsonl"]
	for _, want := range []string{
		`"panicked":true`, `"subresource":"status"`,
		`"test":"TestWidget/big_allowed","source":"validation/validation_test.go:19","arguments":{"opts":{"AllowBig":true,` +
			`"hidden":0}},"errors":[]`,
		`"receiver":{"Strict":true},"unrecorded":["receiver.Client: a sync.Mutex is a lock` + ``,
		`"test":"TestServe/true","source":"webhook/server_test.go:23","receiver":{"Deny":true,"locks":null},` +
			`"unrecorded":["receiver.Next: a func cannot be written as JSON"],"errors":[{"type":"FieldValueInvalid",` +
			`"field":"spec.size","detail":"too big","badValue":3}]`,
		`"function":"example.com/widgets/webhook.New.handler1","test":"TestServer","source":"webhook/server.go:47","errors":[]`,
		`"test":"FuzzWidget/seed#0"`, `"operation":"DELETE"`, `"field":"spec.size","detail":"too big","badValue":3`,
	} {
		if !strings.Contains(lines, want) {
			t.Errorf("no line has %s", want)
		}
	}
	if t.Failed() {
		t.Log(lines)
	}
}

// TestCount compares the number of recorded calls with the counters of go test -cover, which are independent
// of the recorder.
func TestCount(t *testing.T) {
	slowtest.Skip(t)
	dir := widgets(t)
	recording, _, err := record(t, dir, capture.Options{Functions: []string{"example.com/widgets/validation.*"}, Nested: true},
		"./validation", "./webhook")
	if err != nil {
		t.Fatal(err)
	}
	recorded := 0
	for _, line := range recording.Lines {
		if strings.HasSuffix(line.Function, ".ValidateWidget") {
			recorded++
		}
	}
	profile := filepath.Join(t.TempDir(), "profile")
	cover := exec.CommandContext(t.Context(), "go", "test", "-count=1", "-covermode=count",
		"-coverpkg=example.com/widgets/validation", "-coverprofile="+profile, "./validation", "./webhook")
	cover.Dir = dir
	if out, err := cover.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	data, err := os.ReadFile(profile)
	if err != nil {
		t.Fatal(err)
	}
	counted := 0
	for _, found := range regexp.MustCompile(`(?m)validation\.go:13\.\S+ \d+ (\d+)$`).FindAllSubmatch(data, -1) {
		n, err := strconv.Atoi(string(found[1]))
		if err != nil {
			t.Fatal(err)
		}
		counted += n
	}
	if recorded != counted || counted == 0 {
		t.Errorf("%d calls of ValidateWidget are recorded, and %d counted", recorded, counted)
	}
}

// TestAdapters: functions whose results are not field errors are recorded if they are named, and what is recorded is
// known before anything runs.
func TestAdapters(t *testing.T) {
	var announced []string
	options := capture.Options{Functions: []string{"example.com/widgets/named.*", "example.com/widgets/named.Problems"}}
	options.Announce = func(recording *capture.Recording) {
		for _, function := range recording.Functions {
			announced = append(announced, function.Name)
		}
	}
	recording, _, err := record(t, widgets(t), options, "./named")
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"example.com/widgets/named.Problems", "example.com/widgets/named.causes", "example.com/widgets/named.validate"}
	if diff := cmp.Diff(want, announced); diff != "" {
		t.Errorf("announced (-want +got):\n%s", diff)
	}
	files := map[string]bool{}
	made := corpus.New(recording.Lines, corpus.Options{Versions: recording.Versions})
	var errs []string
	for _, c := range made.Cases {
		files[c.Target()] = true
		for _, err := range c.Recorded.Errors {
			errs = append(errs,
				strings.TrimPrefix(c.Recorded.Function, "example.com/widgets/named.")+": "+string(err.Type)+" "+err.Field+" "+
					err.Detail)
		}
	}
	wantErrs := []string{
		"Problems: FieldValueInvalid spec.size too big",
		"causes: FieldValueInvalid spec.size too big",
		"validate: FieldValueInvalid  the widget is too big",
	}
	if diff := cmp.Diff(wantErrs, errs); diff != "" {
		t.Errorf("recorded of %v (-want +got):\n%s", files, diff)
	}
}

func TestMistakes(t *testing.T) {
	dir := widgets(t)
	if err := os.WriteFile(filepath.Join(dir, "exits", "broken_test.go"),
		[]byte("package exits\n\nimport \"testing\"\n\nvar x int = true\n\nfunc TestX(t *testing.T) {}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		why       string
		options   capture.Options
		arguments []string
		want      string
	}{
		{why: "no package", arguments: []string{"./none/..."}, want: "matches no package"},
		{why: "a pattern that matches nothing", options: capture.Options{Functions: []string{"example.com/widgets/validation.Valid"}},
			arguments: []string{"./validation"}, want: "matches no function"},
		{why: "a pattern of something other than a validator",
			options: capture.Options{Functions: []string{"example.com/widgets/api/v1.Widget.*"}}, arguments: []string{"./validation"},
			want: "none of the functions that --func matches is a validator, such as example.com/widgets/api/v1.Widget."},
		{why: "a package without validators", arguments: []string{"./api/..."}, want: "have no exported validator"},
		{why: "only validators with other results", arguments: []string{"./named"},
			want: `nothing would be recorded, so nothing was built: 2 functions nearly qualify, such as example.com/widgets/` +
				`named.causes: it returns []metav1.StatusCause, which is recorded only if --func names the function; for instance ` +
				`--func 'example.com/widgets/named.causes'`},
		{why: "no test calls it", arguments: []string{"./unused"}, want: `"go test ./unused" would record nothing, ` +
			`so nothing was built: no test uses one of the 1 functions that can be recorded, nor a function that does (example.com/` +
			`widgets/unused.Check)`},
		{why: "no test", options: capture.Options{Functions: []string{"example.com/widgets/api/v1.*"}},
			arguments: []string{"./api/v1"}, want: "none of the functions"},
		{why: "the whole name of a function that no test calls",
			options: capture.Options{Functions: []string{"example.com/widgets/unused.Check"}}, arguments: []string{"./unused"},
			want: "no call was recorded"},
		{why: "tests that do not compile", arguments: []string{"./exits"}, want: "exits with status 1, and no call was recorded"},
		{why: "an invalid scheme", options: capture.Options{Schemes: []string{"scheme"}}, arguments: []string{"./validation"},
			want: "write import/path.Variable"},
		{why: "tests that call nothing", arguments: []string{"-run", "None", "./validation"}, want: "no call was recorded"},
	} {
		_, _, err := record(t, dir, tt.options, tt.arguments...)
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v", tt.why, err)
		}
	}
	var problems bytes.Buffer
	_, _ = capture.Run(t.Context(), capture.Options{
		Command: []string{"go", "test", "./exits"},
		Dir:     dir,
		Env:     os.Environ(),
		Stderr:  &problems,
	})
	if want := "exits/broken_test.go:5:13: cannot use true"; !strings.Contains(problems.String(), "\n"+want) ||
		strings.Contains(problems.String(), "overlay") {
		t.Errorf("the compiler says %s", problems.Bytes())
	}
	_, said, _ := record(t, dir, capture.Options{}, "-json", "./exits")
	if strings.Contains(said, "overlay") || !strings.Contains(said, `"exits/broken_test.go:5:13: cannot use true`) {
		t.Errorf("the compiler says %s", said)
	}
	t.Setenv("PATH", t.TempDir())
	if _, err := capture.Run(t.Context(), capture.Options{Command: []string{"go", "test", "./exits"}, Dir: dir}); err == nil ||
		err.Error() != "the command go was not found: executable file not found in $PATH; install Go, or use the path of the go command" {
		t.Errorf("without Go: %v", err)
	}
	for _, command := range [][]string{nil, {"make", "test"}, {"go", "build"}, {"go", "test", "-run"}} {
		if _, err := capture.Run(t.Context(), capture.Options{Command: command}); err == nil ||
			!slices.ContainsFunc([]string{"-- go test ./...", "has no value"}, func(part string) bool {
				return strings.Contains(err.Error(), part)
			}) {
			t.Errorf("%q: %v", command, err)
		}
	}
}
