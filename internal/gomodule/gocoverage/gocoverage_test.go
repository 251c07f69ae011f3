package gocoverage_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/gomodule/gocoverage"
)

// command runs a go command in a directory.
func command(t *testing.T, directory string, env []string, name string, args ...string) string {
	t.Helper()
	run := exec.Command(name, args...)
	run.Dir, run.Env = directory, append(os.Environ(), append(env, "GOFLAGS=", "GOWORK=off")...)
	out, err := run.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

// runs returns a GOCOVERDIR directory with two runs of the program, and the same data as the go command
// writes it.
func runs(t *testing.T, mode string) (directory, profile string) {
	t.Helper()
	directory = t.TempDir()
	program := filepath.Join(t.TempDir(), "counted")
	command(t, "testdata/counted", nil, "go", "build", "-cover", "-covermode="+mode, "-coverpkg=./...", "-o", program, ".")
	for _, points := range [][]string{{"35", "120"}, {"0", "99", "99"}} {
		command(t, ".", []string{"GOCOVERDIR=" + directory}, program, points...)
	}
	profile = filepath.Join(t.TempDir(), "profile.txt")
	command(t, ".", nil, "go", "tool", "covdata", "textfmt", "-i="+directory, "-o="+profile)
	return directory, profile
}

// TestAgreesWithGo: for each position of the program, the files of GOCOVERDIR have the same counts as the
// output of "go tool covdata".
func TestAgreesWithGo(t *testing.T) {
	for _, mode := range []string{"atomic", "set"} {
		directory, text := runs(t, mode)
		ours, err := gocoverage.ReadProfile(directory)
		if err != nil {
			t.Fatal(err)
		}
		theirs, err := gocoverage.ReadProfile(text)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]int{}
		for _, file := range []string{"main.go", "rules/rules.go"} {
			source, err := os.ReadFile(filepath.Join("testdata/counted", file))
			if err != nil {
				t.Fatal(err)
			}
			for line, text := range strings.Split(string(source), "\n") {
				for column := range len(text) + 1 {
					at := gocoverage.Position{Line: line + 1, Column: column + 1}
					ran, known := ours.Ran("example.com/counted/"+file, at)
					ranToo, knownToo := theirs.Ran("example.com/counted/"+file, at)
					if ran != ranToo || !known || !knownToo {
						t.Errorf("%s, %s:%d:%d: ran %t, the go command %t; known %t and %t", mode, file, at.Line, at.Column, ran, ranToo,
							known, knownToo)
					}
					seen[fmt.Sprint(ran)]++
				}
			}
		}
		if seen["true"] == 0 || seen["false"] == 0 {
			t.Errorf("%s: nothing was told apart: %v", mode, seen)
		}
	}
}

// TestRan: lines of the program that did and did not run, found by hand.
func TestRan(t *testing.T) {
	directory, _ := runs(t, "atomic")
	profile, err := gocoverage.ReadProfile(directory)
	if err != nil {
		t.Fatal(err)
	}
	source, err := os.ReadFile("testdata/counted/rules/rules.go")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(source), "\n")
	for text, want := range map[string]bool{
		`"too many"`: true, `"good"`: false, `"bad"`: true, `"too few"`: false, `"none"`: true, `points -= 10`: true, `return ""`: false,
	} {
		line := slices.IndexFunc(lines, func(l string) bool { return strings.Contains(l, text) })
		ran, known := profile.Ran("example.com/counted/rules/rules.go", gocoverage.Position{
			Line:   line + 1,
			Column: strings.Index(lines[line], text) + 1,
		})
		if ran != want || !known {
			t.Errorf("%s: ran %t, want %t; known %t", text, ran, want, known)
		}
	}
	if _, known := profile.Ran("example.com/other/file.go", gocoverage.Position{Line: 1, Column: 1}); known {
		t.Error("a file that the program does not have is known")
	}
}

// TestMistakes: files that are not coverage data, or damaged, are an error.
func TestMistakes(t *testing.T) {
	if _, err := gocoverage.ReadProfile(t.TempDir()); !errors.Is(err, gocoverage.ErrNoCoverage) {
		t.Errorf("an empty directory: %v", err)
	}
	if _, err := gocoverage.ReadProfile("gocoverage_test.go"); err == nil || !strings.Contains(err.Error(), "go test -coverprofile") {
		t.Errorf("a file that is no profile: %v", err)
	}
	directory, _ := runs(t, "atomic")
	files, err := filepath.Glob(filepath.Join(directory, "cov*"))
	if err != nil || len(files) != 3 {
		t.Fatalf("%v, %v", files, err)
	}
	for _, file := range files {
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for length := 0; length < len(whole)-20; length += 7 { // the last bytes do not matter
			write(t, file, whole[:length])
			if _, err := gocoverage.ReadProfile(directory); err == nil {
				t.Errorf("%s of %d bytes, cut after %d, is read", filepath.Base(file), len(whole), length)
			}
		}
		whole[4] = 9
		write(t, file, whole)
		if _, err := gocoverage.ReadProfile(directory); err == nil || !strings.Contains(err.Error(), "version 9") {
			t.Errorf("%s of version 9: %v", filepath.Base(file), err)
		}
		whole[4] = 1
		write(t, file, whole)
	}
}

func write(t *testing.T, file string, data []byte) {
	t.Helper()
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
}
