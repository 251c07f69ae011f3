package reports

import (
	"bytes"
	"flag"
	"net/url"
	"os"
	"path/filepath"
	"runtime/debug"
	"sync"
	"testing"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/reports/record"
)

// reportVariable is the environment variable that makes go test write reports.
const reportVariable = "DIFFRUN_REPORT"

// longestTestName limits the names of packages and tests in a file name.
const longestTestName = 200

// InTests is an option of harness.For. If the environment variable DIFFRUN_REPORT is set, the
// results of the test are written as JSON, in the format of "diffrun run -o json", and "diffrun
// exceptions" can read them. The variable is the absolute path of an existing directory. Each test
// writes its own file there, because go test runs packages at the same time, each in its own
// directory.
//
//	both := harness.For(t, target, reports.InTests(t))
func InTests(t testing.TB) harness.ForOption {
	t.Helper()
	directory := os.Getenv(reportVariable)
	if directory == "" {
		return harness.WithSink(func(harness.Result) {})
	}
	info, err := os.Stat(directory)
	if !filepath.IsAbs(directory) || err != nil || !info.IsDir() {
		t.Fatalf("%s=%q is not the absolute path of a directory; make one and set %s=$PWD/…, because go test runs each package "+
			"in its own", reportVariable, directory, reportVariable)
	}
	program := testProgram()
	name := url.PathEscape(program + "." + t.Name())
	recorder := recorderOf(filepath.Join(directory, name[:min(len(name), longestTestName)]+".json"),
		record.Suite{Name: program, Source: t.Name()})
	t.Cleanup(func() {
		if err := recorder.write(); err != nil {
			t.Errorf("%s: the report was not written: %v", reportVariable, err)
		}
	})
	return harness.WithSink(recorder.add)
}

// testProgram returns the import path of the test's package, followed by ".test".
func testProgram() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Path != "" {
		return info.Path
	}
	return filepath.Base(os.Args[0])
}

// testRecorder keeps the results of a test. A test may create several harnesses.
type testRecorder struct {
	file    string
	suite   record.Suite
	mu      sync.Mutex
	results []harness.Result
}

// testRecorders are the recorders of this process, by file. A second call from the same test
// continues its recorder.
var testRecorders sync.Map

func recorderOf(file string, suite record.Suite) *testRecorder {
	recorder, _ := testRecorders.LoadOrStore(file, &testRecorder{file: file, suite: suite})
	return recorder.(*testRecorder)
}

func (r *testRecorder) add(result harness.Result) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if result.Suite == "" {
		result.Suite = r.suite.Name
	}
	r.results = append(r.results, result)
}

// write writes all results so far as one report.
func (r *testRecorder) write() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out bytes.Buffer
	reporter := newJSON(&out, Options{})
	if err := reporter.Begin(Header{Version: moduleVersion(), Suites: []record.Suite{r.suite}}); err != nil {
		return err
	}
	footer := Footer{Narrowings: chosenTests()}
	for _, result := range r.results {
		footer.Summary.Add(result)
		if err := reporter.Result(result); err != nil {
			return err
		}
	}
	if err := reporter.End(footer); err != nil {
		return err
	}
	return outfile.Write(r.file, out.Bytes())
}

// chosenTests returns the flags of go test that leave out tests.
func chosenTests() []record.Narrowing {
	var all []record.Narrowing
	for _, word := range []string{"run", "skip"} {
		if chosen := flag.Lookup("test." + word); chosen != nil && chosen.Value.String() != "" {
			all = append(all, record.Narrowing{Flag: "go test -" + word + " " + chosen.Value.String(), What: "not all tests"})
		}
	}
	return all
}

// moduleVersion returns the version of diffrun that a test uses.
func moduleVersion() string {
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == "github.com/diffrun/diffrun" {
				return module.Version
			}
		}
	}
	return "(devel)"
}
