package engine

import (
	"context"
	"fmt"
	osexec "os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/internal/built"
	"github.com/diffrun/diffrun/internal/process"
)

// Engine is an engine of policies.
type Engine struct {
	// Name is the key of a suite, and Title is for people.
	Name, Title string
	// Module is the Go module, without the suffix of its major version.
	Module string
	// Groups are the API groups of its policies.
	Groups []string
	// Example is a version that is known to work.
	Example string
}

// Engines returns all engines.
func Engines() []Engine {
	return []Engine{
		{
			Name: "gatekeeper", Title: "Gatekeeper", Module: "github.com/open-policy-agent/gatekeeper",
			Groups: []string{"templates.gatekeeper.sh", "constraints.gatekeeper.sh"}, Example: "v3.23.1",
		},
		{
			Name: "kyverno", Title: "Kyverno", Module: "github.com/kyverno/kyverno",
			Groups: []string{"kyverno.io", "policies.kyverno.io"}, Example: "v1.19.1",
		},
	}
}

// Named returns the engine of a name.
func Named(name string) (Engine, bool) {
	for _, one := range Engines() {
		if one.Name == name {
			return one, true
		}
	}
	return Engine{}, false
}

// OfGroup returns the engine whose policies are of an API group.
func OfGroup(group string) (Engine, bool) {
	for _, one := range Engines() {
		if slices.Contains(one.Groups, group) {
			return one, true
		}
	}
	return Engine{}, false
}

// CheckVersion returns why a text is not a version of the engine.
func (e Engine) CheckVersion(version string) error {
	switch {
	case !semver.IsValid(version) || semver.Canonical(version) != version:
		return fmt.Errorf("%q is not a version of %s; accepted: vMAJOR.MINOR.PATCH, as in %s", version, e.Title, e.Example)
	case semver.Major(version) != semver.Major(e.Example):
		return fmt.Errorf("%s %s is not supported; accepted: versions %s, as in %s", e.Title, version, semver.Major(e.Example), e.Example)
	}
	return nil
}

// modulePath returns the path of the module that has a version.
func (e Engine) modulePath(version string) string {
	if major := semver.Major(version); major != "v0" && major != "v1" {
		return e.Module + "/" + major
	}
	return e.Module
}

// Options selects an engine, its policies, and how its program runs.
type Options struct {
	Engine Engine
	// Version is that of the engine, as in v1.19.1.
	Version string
	// Files are the policies, and the objects that they read: Namespaces, ConfigMaps, constraints. They are found from Dir.
	Files []string
	Dir   string
	// Cache is the folder for built programs; empty: diffrun/engines in the cache folder of the user.
	Cache string
	// Building is called before a download or a build, with a description such as "building Kyverno v1.19.1".
	// It returns a function that is called when this has ended. It is optional.
	Building func(doing string) (ended func())
	// Parallel is how many copies of the program may run at once; zero: one per core.
	Parallel int
	// StartTimeout is how long the program may take from its start to its first answer; zero:
	// contract.DefaultStartTimeout.
	StartTimeout time.Duration
}

// Title names the engine with its version, as in "Kyverno v1.19.1".
func (o Options) Title() string { return o.Engine.Title + " " + o.Version }

// New returns a backend that answers as the validating webhook of the engine does with the policies. It downloads and builds
// the engine if no program of it is in the cache, which takes minutes. The error describes a version that does not exist,
// a failed build, or all mistakes that the engine finds in the files.
func New(ctx context.Context, options Options) (*exec.Backend, error) {
	if _, err := ask(ctx, options, "check"); err != nil {
		return nil, err
	}
	program, err := build(ctx, options)
	if err != nil {
		return nil, err
	}
	return exec.New(exec.Options{
		Command: append([]string{program.Path(), "serve"}, options.Files...), Dir: options.Dir,
		Parallel: options.Parallel, StartTimeout: options.StartTimeout,
	})
}

// Generate returns the ValidatingAdmissionPolicies, bindings and parameters that the engine makes of the policies, as
// documents of YAML. The error says which policies it cannot translate, and why.
func Generate(ctx context.Context, options Options) ([]byte, error) {
	return ask(ctx, options, "policies")
}

// ask runs a subcommand of the program with the files, and returns its output.
func ask(ctx context.Context, options Options, subcommand string) ([]byte, error) {
	program, err := build(ctx, options)
	if err != nil {
		return nil, err
	}
	command := osexec.CommandContext(ctx, program.Path(), append([]string{subcommand}, options.Files...)...)
	command.Dir = options.Dir
	out, err := process.Output(command)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", options.Title(), err)
	}
	return out, nil
}

// build returns the program of an engine, built.
func build(ctx context.Context, options Options) (built.Program, error) {
	if err := options.Engine.CheckVersion(options.Version); err != nil {
		return built.Program{}, err
	}
	cache, err := built.Cache(options.Cache, "engines")
	if err != nil {
		return built.Program{}, err
	}
	program := built.Program{
		Title: options.Title(), Name: options.Engine.Name,
		Folder: filepath.Join(cache, strings.Join([]string{options.Engine.Name, options.Version, digest(options.Engine)}, "-")),
	}
	if program.IsBuilt() {
		return program, nil
	}
	says := func(doing string) func() {
		if options.Building == nil {
			return func() {}
		}
		return options.Building(doing)
	}
	ended := says("downloading " + options.Title())
	module, err := download(ctx, options)
	ended()
	if err != nil {
		return built.Program{}, err
	}
	defer says("building " + options.Title() + ", which takes minutes the first time")()
	return program, program.Build(ctx, func(folder string) error { return writeModule(folder, options, module) })
}
