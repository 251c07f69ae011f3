package release

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	osexec "os/exec"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/process"
)

// Options selects a release and how its program runs.
type Options struct {
	// Version is the release, as in v1.33.13; v1.33 is its last patch.
	Version string
	// Gates are feature gates that differ from the defaults of the release.
	Gates map[string]bool
	// Emulates is the version that the API server emulates, as in 1.33; empty: its own.
	Emulates string
	// Declarative is set if the backend is the declarative side of a comparison.
	Declarative bool
	// Converted is set to add the stored object as the other versions of its kind return it (contract.Notes.Converted):
	// those that the release serves by default.
	Converted bool
	// Cache is the folder for built programs; empty: diffrun/kubernetes in the cache folder of the user.
	Cache string
	// Building is called before a download or a build, with a description such as "building Kubernetes v1.33.13".
	// It returns a function that is called when this has ended. It is optional.
	Building func(doing string) (ended func())
	// Parallel is how many copies of the program may run at once; zero: one per core.
	Parallel int
	// StartTimeout is how long the program may take from its start to its first answer; zero:
	// contract.DefaultStartTimeout.
	StartTimeout time.Duration
}

// Resource is a resource of a release, or a subresource, in a version.
type Resource struct {
	Group       string   `json:"group"`
	Version     string   `json:"version"`
	Kind        string   `json:"kind"`
	Resource    string   `json:"resource"`
	Subresource string   `json:"subresource"`
	Namespaced  bool     `json:"namespaced"`
	Operations  []string `json:"operations"`
	// Removed is set if the release has the version to read stored objects and does not serve it.
	Removed bool `json:"removed"`
	// Off is set if the API server of the release serves the version only with --runtime-config.
	Off bool `json:"off"`
}

// GroupVersionKind returns the kind of the objects that requests carry.
func (r Resource) GroupVersionKind() schema.GroupVersionKind {
	return schema.GroupVersionKind{Group: r.Group, Version: r.Version, Kind: r.Kind}
}

// Backend validates as the API server of a release does. It implements harness.Backend and io.Closer.
type Backend struct {
	version     string
	declarative bool
	resources   []Resource
	program     *exec.Backend
}

// New returns a backend. It downloads and builds the release if no program of it is in the cache, which takes
// minutes. The error describes a release or a feature gate that does not exist, or a failed build.
func New(ctx context.Context, options Options) (*Backend, error) {
	program, version, err := build(ctx, options)
	if err != nil {
		return nil, err
	}
	command := []string{program}
	if options.Emulates != "" {
		command = append(command, "-emulate="+options.Emulates)
	}
	resources, err := listResources(ctx, command)
	if err != nil {
		return nil, fmt.Errorf("the program of Kubernetes %s: %w", version, err)
	}
	for _, gate := range slices.Sorted(maps.Keys(options.Gates)) {
		command = append(command, fmt.Sprintf("%s=%t", gate, options.Gates[gate]))
	}
	if len(options.Gates) > 0 { // so that a wrong gate is a mistake, and not a fault of each case
		if _, err := process.Output(osexec.CommandContext(ctx, command[0], append(command[1:], "-kinds")...)); err != nil {
			return nil, &GatesError{version, err}
		}
	}
	if options.Converted {
		command = append(command, "-converted")
	}
	asked, err := exec.New(exec.Options{Command: command, Parallel: options.Parallel, StartTimeout: options.StartTimeout})
	if err != nil {
		return nil, err
	}
	return &Backend{version: version, declarative: options.Declarative, resources: resources, program: asked}, nil
}

// GatesError is the error of feature gates that a release does not have.
type GatesError struct {
	// Version is the release.
	Version string
	Err     error
}

func (e *GatesError) Error() string {
	return fmt.Sprintf("feature gates of Kubernetes %s: %v", e.Version, e.Err)
}

// Unwrap returns what the release says.
func (e *GatesError) Unwrap() error { return e.Err }

// listResources asks a program for the resources of its release.
func listResources(ctx context.Context, command []string) ([]Resource, error) {
	output, err := process.Output(osexec.CommandContext(ctx, command[0], append(slices.Clip(command[1:]), "-kinds")...))
	if err != nil {
		return nil, err
	}
	var all []Resource
	for lines := bufio.NewScanner(bytes.NewReader(output)); lines.Scan(); {
		var one Resource
		if err := json.Unmarshal(lines.Bytes(), &one); err != nil {
			return nil, fmt.Errorf("%s -kinds: %w", command[0], err)
		}
		all = append(all, one)
	}
	return all, nil
}

// Version returns the release with its patch, as in v1.33.13.
func (b *Backend) Version() string { return b.version }

// Resources returns the resources that the release has, by group, version and name.
func (b *Backend) Resources() []Resource { return b.resources }

// Serves reports whether the release takes creates of a kind in a version.
func (b *Backend) Serves(kind schema.GroupVersionKind) bool {
	return slices.ContainsFunc(b.resources, func(r Resource) bool {
		return r.Subresource == "" && !r.Removed && r.GroupVersionKind() == kind && slices.Contains(r.Operations, "CREATE")
	})
}

// Off reports whether the API server serves a version of a kind only with --runtime-config.
func (b *Backend) Off(kind schema.GroupVersionKind) bool {
	return slices.ContainsFunc(b.resources, func(r Resource) bool {
		return r.Subresource == "" && r.Off && r.GroupVersionKind() == kind
	})
}

// WhyOff describes that a version of a kind is off by default, for people.
func (b *Backend) WhyOff(kind schema.GroupVersionKind) string {
	return fmt.Sprintf("Kubernetes %s serves %s only if %s enables it", b.version, kind.GroupVersion(), EnablingFlag)
}

// EnablingFlag is the flag of the API server that enables versions that are off by default.
const EnablingFlag = "--runtime-config"

// Name is that of the side of the comparison.
func (b *Backend) Name() string {
	if b.declarative {
		return contract.DeclarativeName
	}
	return contract.NativeName
}

// Capabilities implements contract.Capable. The registry decodes and defaults the document of a case itself.
func (b *Backend) Capabilities() contract.Capabilities {
	return contract.Capabilities{RawDocuments: !b.declarative, ServesRequests: true}
}

// Validate returns the errors of the release, and adds the object that it would store (contract.Notes). The error is
// a fault: the release does not serve the version, its code panicked, or the program failed.
func (b *Backend) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	stored, errs, err := b.program.Mutate(ctx, in)
	if b.Off(in.Version) {
		contract.AddNotes(ctx, contract.Notes{Warnings: []string{b.WhyOff(in.Version)}})
	}
	if err == nil && stored != nil && len(errs) == 0 {
		contract.AddNotes(ctx, contract.Notes{Stored: stored})
	}
	return errs, err
}

// Close stops the program.
func (b *Backend) Close() error { return b.program.Close() }
