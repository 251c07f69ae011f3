package cases

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// release returns the backend of a release of Kubernetes. It is built here, if no program of it is in the cache:
// the release says which kinds it has.
func (l *loader) release(options release.Options, at strictyaml.Position) (*release.Backend, bool) {
	if !l.downloadRelease(options, at) {
		return nil, false
	}
	of := l.shared.options
	options.Parallel, options.StartTimeout, options.Building = of.Parallel, of.StartTimeout, of.Starting
	backend, err := release.New(context.Background(), options)
	if err == nil {
		l.suite.closers = append(l.suite.closers, backend)
	}
	key := "kubernetes"
	if wrong := (*release.GatesError)(nil); errors.As(err, &wrong) {
		key = "gates"
	}
	return opened(l, at, key, backend, err)
}

// downloadRelease downloads a release of Kubernetes that is not built yet, and reports whether this succeeded.
func (l *loader) downloadRelease(options release.Options, at strictyaml.Position) bool {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(at, "only a suite on disk can build a release of Kubernetes")
		return false
	}
	options.Building = l.shared.options.Starting
	_, ok := opened(l, at, "kubernetes", struct{}{}, release.Download(context.Background(), options))
	return ok
}

// bundledKinds is the builtin with the kinds of Kubernetes.
const bundledKinds = "kubernetes"

// loadReleases loads a suite whose declarative side is a release of Kubernetes: the native side is another
// release, or a cluster. Both get the documents as they are written.
func (l *loader) loadReleases() {
	native, declarative := l.file.Native, l.file.Declarative
	switch {
	case native == nil || !native.IsOne():
		l.loadNative() // says what is wrong
		return
	case native.Kubernetes == "" && native.Cluster == nil:
		l.shared.mistakes.Addf(native.Position, "declarative is a release of Kubernetes, which is compared with another release "+
			"or a cluster; accepted here: {kubernetes: RELEASE}, {cluster: {kubeconfig: …, context: …, namespace: …}}")
		return
	}
	newer := release.Options{
		Version:     declarative.Kubernetes,
		Gates:       declarative.Gates,
		Emulates:    declarative.Emulates,
		Declarative: true,
		Converted:   native.Cluster == nil,
	}
	older := release.Options{Version: native.Kubernetes, Gates: native.Gates, Emulates: native.Emulates, Converted: true}
	// A build takes minutes, so a release that does not exist is reported before the other one is built.
	downloaded := l.downloadRelease(newer, declarative.Position)
	if native.Cluster == nil && !l.downloadRelease(older, native.Position) || !downloaded || len(l.shared.mistakes) > 0 {
		return
	}
	to, ok := l.release(newer, declarative.Position)
	sides, other := &releases{to: to}, false
	if native.Cluster != nil {
		sides.native, other = l.native(native)
	} else if sides.from, other = l.release(older, native.Position); other {
		sides.native = sides.from
	}
	if !ok || !other { // the mistakes of both are said
		return
	}
	l.suite.natives, l.suite.declaratives = sides, sides.declarative
	// A release has no schemas. The explorer makes objects from those of the bundled kinds.
	l.suite.worldSchemas = l.shared.options.Builtins[bundledKinds].Declaratives
	l.suite.releases = true
}

// releases are the kinds of two releases, or of a cluster and a release. It implements Natives.
type releases struct {
	native harness.Backend
	// from is the release of native; nil: it is a cluster.
	from, to *release.Backend
}

// resources returns the resources of both releases.
func (r *releases) resources() []release.Resource {
	all := r.to.Resources()
	if r.from != nil {
		all = slices.Concat(r.from.Resources(), all)
	}
	return all
}

// Kinds returns the kinds that one of the releases has.
func (r *releases) Kinds() []schema.GroupKind {
	var kinds []schema.GroupKind
	for _, one := range r.resources() {
		if kind := one.GroupVersionKind().GroupKind(); one.Subresource == "" && !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

// Target returns a kind in each version that one of the releases has. A release without a version refuses its
// objects.
func (r *releases) Target(kind schema.GroupKind) (*harness.Target, error) {
	target := &harness.Target{Kind: kind, Scheme: writtenVersion{}}
	for _, one := range r.resources() {
		version := one.GroupVersionKind()
		known := slices.ContainsFunc(target.Versions, func(v harness.Version) bool { return v.GroupVersionKind == version })
		if one.Subresource != "" || version.GroupKind() != kind || known {
			continue
		}
		native := r.native
		if r.from != nil {
			native = served(r.from, nil, version, contract.NativeName)
		}
		target.Versions = append(target.Versions, harness.Version{GroupVersionKind: version, Resource: one.Resource, Native: native})
	}
	if len(target.Versions) == 0 {
		return nil, fmt.Errorf("neither release has the kind %s", kind)
	}
	return target, nil
}

// declarative returns the backend of the declarative side.
func (r *releases) declarative(version schema.GroupVersionKind) (harness.Backend, error) {
	return served(r.to, r.from, version, contract.DeclarativeName), nil
}

// served returns a release, or a backend that refuses all objects of a version that it does not serve. A version that is
// off by default counts as served unless before, the release of the cluster, serves it by default: its objects exist.
func served(by, before *release.Backend, version schema.GroupVersionKind, side string) harness.Backend {
	switch {
	case !by.Serves(version):
		// The text does not name the release: two that do not serve the version say the same.
		return notServed{side, fmt.Sprintf("Kubernetes does not serve %s in this release", version.GroupVersion())}
	case by.Off(version) && before != nil && before.Serves(version) && !before.Off(version):
		return notServed{side, by.WhyOff(version)}
	}
	return by
}

// notServed refuses the objects of a version.
type notServed struct{ name, why string }

func (n notServed) Name() string { return n.name }

// Validate refuses the object. An object that is stored is served in another version, so it is not stuck.
func (n notServed) Validate(_ context.Context, in *harness.Input) (field.ErrorList, error) {
	if in.Stored != "" {
		return nil, nil
	}
	return field.ErrorList{field.NotFound(field.NewPath("apiVersion"), n.why)}, nil
}

// writtenVersion is a Scheme that leaves documents as they are, and compares each in its own version alone.
type writtenVersion struct{ harness.Documents }

// Capabilities implements contract.CapableScheme.
func (writtenVersion) Capabilities() contract.SchemeCapabilities {
	return contract.SchemeCapabilities{WrittenOnly: true}
}
