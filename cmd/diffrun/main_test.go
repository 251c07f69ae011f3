package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/testscript"
	"gocloud.dev/blob"

	"github.com/diffrun/diffrun"
	"github.com/diffrun/diffrun/backends/native/engine"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/run"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

var update = flag.Bool("update", false, "write the expected output in the scripts anew")

func TestMain(m *testing.M) {
	// The processes of scripts and pages are short: collecting garbage costs them more than memory does.
	if _, set := os.LookupEnv("GOGC"); !set {
		if err := os.Setenv("GOGC", "400"); err != nil {
			panic(err)
		}
	}
	// Scripts mostly wait for other processes and for time to pass. The flag -parallel has the last word.
	if err := flag.Set("test.parallel", strconv.Itoa(2*runtime.GOMAXPROCS(0))); err != nil {
		panic(err)
	}
	testscript.Main(m, map[string]func(){"diffrun": func() {
		withWidgets := builtins()
		maps.Copy(withWidgets, widgetBuiltins())
		command := program{Environment: run.Environment{
			Console: &terminal.Console{Stdin: os.Stdin, Stdout: terminal.New(reserveStdout()), Stderr: terminal.New(os.Stderr)},
			Bundle: fstest.MapFS{
				"cases/widgets/suite.yaml": {
					Data: []byte("name: widgets\nnative: {builtin: widgets}\ndeclarative: {builtin: widgets}\ncases: [cases.yaml]\n"),
				},
				"cases/widgets/cases.yaml": {Data: []byte("target: example.com/v1 Widget\ncases: [{name: too big, object: {size: 11}}]\n")},
			},
			Builtins: withWidgets, Policies: policyLoader(), Cluster: openCluster, Kustomize: kustomize, LeftOut: leftOut,
			Now: func() time.Time { return time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC) },
		}}
		if os.Getenv(documentedCommand) != "" {
			command.Bundle, command.Builtins = diffrun.Bundle(), builtins()
		}
		os.Exit(command.execute(context.Background(), os.Args[1:]))
	}, "validator": answerReviews, "mutator": answerMutations})
}

// The command line as users call it: each script is a directory of suites and
// the commands to run there, exit statuses included.
func TestScripts(t *testing.T) {
	t.Parallel()
	runScripts(t, "testdata/script")
}

// TestSlowScripts runs the scripts that take long: they build programs, infer rules, or compile many schemas.
func TestSlowScripts(t *testing.T) {
	slowtest.Skip(t)
	runScripts(t, "testdata/slowscript")
}

func runScripts(t *testing.T, dir string) {
	testscript.Run(t, testscript.Params{
		Dir:                 dir,
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			listener, err := net.Listen("tcp", "127.0.0.1:0")
			if err != nil {
				return err
			}
			env.Setenv("METRICS", listener.Addr().String()) // an address that is free
			env.Setenv("GOGC", os.Getenv("GOGC"))
			for name, value := range goEnvironment() {
				env.Setenv(name, value)
			}
			return listener.Close()
		},
		Condition: condition,
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits":     exits,
			"timeless":  timeless,
			"seal":      seal,
			"apiserver": startAPIServer,
		},
	})
}

// condition is true for "buckets" if the command was built with the drivers of clouds, and for an engine of policies if
// DIFFRUN_ENGINES names it, because the engine takes minutes to build.
func condition(name string) (bool, error) {
	if name == "buckets" {
		return blob.DefaultURLMux().ValidBucketScheme("s3"), nil
	}
	if _, is := engine.Named(name); is {
		return slices.Contains(strings.Fields(os.Getenv("DIFFRUN_ENGINES")), name), nil
	}
	return false, fmt.Errorf("unknown condition %q", name)
}

// goEnvironment is what scripts that build programs of this repository need.
var goEnvironment = sync.OnceValue(func() map[string]string {
	out, err := exec.Command("go", "env", "-json", "GOCACHE", "GOMODCACHE", "GOPROXY").Output()
	found := map[string]string{}
	if err := errors.Join(err, json.Unmarshal(out, &found)); err != nil {
		panic(err)
	}
	repository, err := filepath.Abs("../..")
	if err != nil {
		panic(err)
	}
	found["REPO"] = repository
	return found
})

// exits runs a command and checks its exit status: "exits 2 diffrun run".
// Its output can then be looked at with stdout and stderr.
func exits(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) < 2 {
		ts.Fatalf("usage: exits STATUS COMMAND [ARG...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		exited := (*exec.ExitError)(nil)
		if !errors.As(err, &exited) {
			ts.Check(err)
		}
		got = exited.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit status %d, want %d", got, want)
	}
}
