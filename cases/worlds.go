package cases

import (
	"cmp"
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// isOfWorlds reports whether a side of the suite is a world.
func (l *loader) isOfWorlds() bool {
	native, declarative := l.file.Native, l.file.Declarative
	asksCluster := native != nil && native.Cluster != nil && declarative != nil && declarative.CRD.Given()
	return native != nil && native.IsWorld() || declarative != nil && declarative.Admission.Given() || asksCluster
}

// loadWorlds loads the two worlds.
func (l *loader) loadWorlds() {
	native, declarative := l.file.Native, l.file.Declarative
	if !l.areWorlds(native, declarative) {
		return
	}
	named := len(l.shared.mistakes)
	versions := l.comparedVersions(native, declarative)
	today := l.world(native.CRD, native.Version, native.Admission, customresource.KEPs{})
	var external harness.Backend
	if native.IsExternal() {
		external, _ = l.native(native)
		if native.Cluster == nil {
			today.Then.Backend = external
		}
	}
	tomorrow := l.world(declarative.CRD, declarative.Version, declarative.Admission, l.loadKEPs(declarative))
	for _, side := range []struct {
		of   suitefile.Admission
		made world.World
	}{{native.Admission, today}, {declarative.Admission, tomorrow}} {
		read := cmp.Or(side.made.Definition, today.Definition, tomorrow.Definition)
		l.checkReach("mutate", side.of.Mutate, side.made.Mutate.Match, read)
		l.checkReach("then", side.of.Then, side.made.Then.Match, read)
	}
	today.Policies = l.policies(native.Admission, cmp.Or(today.Definition, tomorrow.Definition))
	tomorrow.Policies = l.policies(declarative.Admission, cmp.Or(tomorrow.Definition, today.Definition))
	l.resources = newResources()
	if len(l.shared.mistakes) > named {
		return
	}
	target, err := targetOf(today, tomorrow, external, native.Cluster != nil, versions)
	if err != nil {
		l.shared.mistakes.Addf(native.Position, "%v", err)
		return
	}
	l.suite.guards = [2][]harness.Guard{today.Guards(), tomorrow.Guards()}
	if native.Cluster != nil {
		l.suite.guards[0] = nil // the cluster has its own
	}
	both := worlds{target}
	l.suite.natives, l.suite.declaratives = both, both.declarative
}

// targetOf returns the target for two worlds, or for a cluster and the world of tomorrow. Like a
// world, a cluster gets the documents that clients send.
func targetOf(today, tomorrow world.World, cluster harness.Backend, asksCluster bool, versions []string) (*harness.Target, error) {
	if asksCluster {
		return world.Beside(cluster, tomorrow, versions...)
	}
	return world.NewTarget(today, tomorrow, versions...)
}

// areWorlds reports mistakes that prevent a comparison of worlds.
func (l *loader) areWorlds(native *suitefile.Native, declarative *suitefile.Schemas) bool {
	before := len(l.shared.mistakes)
	switch {
	case l.said("native") || native == nil && l.unread["native"]:
		return false
	case native == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no native validator; accepted: %s", l.acceptedNatives())
	case !native.IsOne():
		l.shared.mistakes.Addf(native.Position, "native must name one validator; accepted: %s", l.acceptedNatives())
	case native.Builtin != "":
		l.shared.mistakes.Addf(native.Position, "declarative is a world, so native must be a world, exec or webhook, not a builtin")
	case native.Version != "" && !native.CRD.Given():
		l.shared.mistakes.Addf(native.Position, "version is accepted only with crd, and native names no crd")
	}
	switch {
	case l.said("declarative") || declarative == nil && l.unread["declarative"]:
		return false
	case declarative == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no declarative validator; accepted: %s", l.acceptedSchemas())
	case declarative.Builtin != "" || declarative.OpenAPI != nil || declarative.Go != nil:
		l.shared.mistakes.Addf(declarative.Position, "native is a world, so declarative must be one too: %s", acceptedWorld)
	case declarative.Version != "" && !declarative.CRD.Given():
		l.shared.mistakes.Addf(declarative.Position, "version is accepted only with crd, and declarative names no crd")
	case native != nil && !native.CRD.Given() && !declarative.CRD.Given():
		l.shared.mistakes.Addf(declarative.Position, "neither native nor declarative names a crd; at least one is needed to read the objects")
	}
	return len(l.shared.mistakes) == before
}

// comparedVersions returns the versions that a side names, or nil for all.
func (l *loader) comparedVersions(native *suitefile.Native, declarative *suitefile.Schemas) []string {
	switch {
	case native.Version == "" && declarative.Version == "":
		return nil
	case native.Version == "":
		return []string{declarative.Version}
	case declarative.Version != "" && native.Version != declarative.Version:
		l.shared.mistakes.Addf(native.Position, "native names the version %s and declarative the version %s; both get the same document, so name one version", native.Version, declarative.Version)
	}
	return []string{native.Version}
}

// world loads the world that a side describes.
func (l *loader) world(crd suitefile.Reference, version string, of suitefile.Admission, keps customresource.KEPs) world.World {
	var made world.World
	if crd.Given() {
		definition, err := l.loadDefinition(crd, version, keps)
		l.shared.mistakes.Merge(l.Name, err)
		made.Definition = definition
	}
	if backend, ok := l.hook("mutate", of.Mutate); ok {
		made.Mutate = world.Mutating{Mutator: backend, Match: l.matches(of.Mutate), Guard: of.Mutate.Guard("mutate", harness.ToChange)}
	}
	if backend, ok := l.hook("then", of.Then); ok {
		made.Then = world.Validating{Backend: backend, Match: l.matches(of.Then), Guard: of.Then.Guard("then", harness.ToRefuse)}
	}
	return made
}

// worlds is the one kind that two worlds validate.
type worlds struct{ target *harness.Target }

// Kinds returns the one kind.
func (w worlds) Kinds() []schema.GroupKind { return []schema.GroupKind{w.target.Kind} }

// Target returns the kind with the native worlds.
func (w worlds) Target(kind schema.GroupKind) (*harness.Target, error) {
	if kind != w.target.Kind {
		return nil, fmt.Errorf("the worlds are of %s, not of %s", w.target.Kind, kind)
	}
	target := *w.target
	target.Versions = slices.Clone(target.Versions)
	return &target, nil
}

func (w worlds) declarative(version schema.GroupVersionKind) (harness.Backend, error) {
	for _, of := range w.target.Versions {
		if of.GroupVersionKind == version {
			return of.Declarative, nil
		}
	}
	return nil, fmt.Errorf("the worlds do not serve %s", apiname.Target(version))
}
