package capture

import (
	"errors"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// goCommand matches the names of the go command: go, or go1.26.1.
var goCommand = regexp.MustCompile(`^go[0-9.]*(\.exe)?$`)

// testCommand is a parsed "go test" command.
type testCommand struct {
	// program is the go command.
	program string
	// build are the flags that also affect "go list"; others are the rest.
	build, others []string
	packages      []string
	// args is -args and everything after it.
	args []string
	// overlay and modfile are the values of these flags. counted means that there is a -count.
	overlay, modfile string
	counted          bool
}

// withoutValue returns the flags of "go test" that take a value only after "=".
func withoutValue() []string {
	return []string{
		"a", "n", "race", "msan", "asan", "v", "x", "cover", "c", "json", "short", "failfast", "benchmem", "trimpath",
		"modcacherw", "linkshared", "work", "i", "fullpath", "artifacts", "buildvcs",
	}
}

// buildFlags returns the flags that decide which packages exist and which files they have.
func buildFlags() []string {
	return []string{"C", "tags", "mod", "modfile", "race", "msan", "asan", "overlay", "compiler", "installsuffix", "modcacherw", "buildvcs"}
}

// parseCommand parses a command. The error says what is accepted.
func parseCommand(command []string) (*testCommand, error) {
	const want = `; name the command that runs your tests after "--", such as "-- go test ./..."`
	if len(command) == 0 {
		return nil, errors.New("there is no command" + want)
	}
	if len(command) < 2 || !goCommand.MatchString(filepath.Base(command[0])) || command[1] != "test" {
		return nil, fmt.Errorf("%q is not a go test command"+want, strings.Join(command, " "))
	}
	t := &testCommand{program: command[0]}
	rest := command[2:]
	for len(rest) > 0 {
		flag, isFlag := strings.CutPrefix(rest[0], "-")
		if !isFlag || flag == "" {
			t.packages = append(t.packages, rest[0])
			rest = rest[1:]
			continue
		}
		name, value, hasValue := strings.Cut(strings.TrimPrefix(flag, "-"), "=")
		if name == "args" {
			t.args = rest
			break
		}
		taken := 1
		if !hasValue && !slices.Contains(withoutValue(), strings.TrimPrefix(name, "test.")) {
			if len(rest) < 2 {
				return nil, fmt.Errorf("the flag %s of go test has no value", rest[0])
			}
			value, taken = rest[1], 2
		}
		t.flag(name, value, rest[:taken])
		rest = rest[taken:]
	}
	return t, nil
}

// flag adds a flag.
func (t *testCommand) flag(name, value string, words []string) {
	switch name {
	case "overlay":
		t.overlay = value
		return
	case "modfile":
		t.modfile = value
		return
	case "vet":
		return
	case "count", "test.count":
		t.counted = true
	}
	if slices.Contains(buildFlags(), name) {
		t.build = append(t.build, words...)
		return
	}
	t.others = append(t.others, words...)
}

// arguments returns the arguments of the command with another overlay and, unless modfile is empty,
// another go.mod. -count=1 prevents cached results, which would call nothing. -vet=off is set because
// go vet would read rewritten sources, and needs the folders of packages to exist.
func (t *testCommand) arguments(overlay, modfile string) []string {
	all := append([]string{"test"}, t.build...)
	if modfile != "" {
		all = append(all, "-modfile="+modfile)
	}
	all = append(all, "-overlay="+overlay, "-vet=off")
	all = append(all, t.others...)
	if !t.counted {
		all = append(all, "-count=1")
	}
	return slices.Concat(all, t.packages, t.args)
}

// list returns the arguments of a "go list" with the same flags.
func (t *testCommand) list(modfile string, flags ...string) []string {
	all := append([]string{"list"}, t.build...)
	if modfile != "" {
		all = append(all, "-modfile="+modfile)
	}
	if t.overlay != "" {
		all = append(all, "-overlay="+t.overlay)
	}
	return slices.Concat(all, flags)
}
