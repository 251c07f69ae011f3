package cases

import (
	"fmt"
	"slices"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// worldSide is a world of a suite, for all of its kinds.
type worldSide struct {
	world.World
	// kinds are those that the world validates; nil: it has only guards.
	kinds worldKinds
}

// reachesSubresource reports whether a guard of the world can see requests to a subresource.
func (s worldSide) reachesSubresource(resource serving.Description, subresource string) bool {
	resource.Versions = slices.Clone(resource.Versions)
	for i := range resource.Versions { // without requests to the resource itself
		resource.Versions[i].Carrier, resource.Versions[i].Subresources = resource.Versions[i].GroupVersion(), []string{subresource}
	}
	return s.reaches(resource)
}

// reaches reports whether a guard of the world can see a resource.
func (s worldSide) reaches(resource serving.Description) bool {
	reached := s.Mutate.Mutator != nil && s.Mutate.Reaches(resource) ||
		s.Mutations != nil && world.Match{Rules: s.Mutations.Rules()}.Reaches(resource) ||
		s.Policies != nil && world.Match{Rules: s.Policies.Rules()}.Reaches(resource)
	for _, then := range s.Then {
		reached = reached || then.Reaches(resource)
	}
	return reached
}

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
	both := &worlds{versions: l.comparedVersions(native, declarative), made: map[schema.GroupKind]*harness.Target{}}
	both.sides[0].kinds = l.kindsOf("native", native.Builtin, native.CRD, native.Kind, native.Version, native.Position,
		apiresource.KEPs{})
	if declarative.IsSchema() {
		both.sides[1].kinds = l.schemaKind(declarative)
	} else {
		both.sides[1].kinds = l.kindsOf("declarative", declarative.Builtin, declarative.CRD, declarative.Kind, declarative.Version,
			declarative.Position, l.loadKEPs(declarative))
	}
	l.shareKinds(both)
	if len(l.shared.mistakes) > named {
		return
	}
	both.external = l.besideGuards(native, &both.sides[0])
	positions := []strictyaml.Position{native.Position, declarative.Position}
	for i, of := range []suitefile.Admission{native.Admission, declarative.Admission} {
		kinds := both.sides[i].kinds
		if kinds == nil {
			kinds = both.sides[1-i].kinds
		}
		l.guard(&both.sides[i], of, positions[i], kinds.all())
	}
	l.resources = newResources()
	if len(l.shared.mistakes) > named {
		return
	}
	both.choose()
	l.suite.guards = [2][]contract.Guard{both.sides[0].Guards(), both.sides[1].Guards()}
	if native.Cluster != nil {
		l.suite.guards[0] = nil // the cluster has its own
	}
	l.suite.natives, l.suite.declaratives = both, both.declarative
	l.suite.unguarded, l.suite.updatedBy = both.unguarded, both.updatedBy
	if kinds, are := both.readers().(*builtinKinds); are {
		l.suite.worldSchemas = kinds.schemas
	}
	l.checkTargets(both)
}

// checkTargets reports why the target of a definition cannot be made. Targets of built-in kinds are
// made for the first case of the kind.
func (l *loader) checkTargets(both *worlds) {
	if both.areBuiltIn() {
		return
	}
	for _, kind := range both.kinds {
		if _, err := both.Target(kind); err != nil {
			l.shared.mistakes.Addf(l.file.Native.Position, "%v", err)
		}
	}
}

// kindsOf returns the kinds of a side that names a builtin or a definition.
func (l *loader) kindsOf(side, builtin string, crd suitefile.Reference, kind, version string, at strictyaml.Position,
	keps apiresource.KEPs) worldKinds {
	switch {
	case builtin != "":
		if of, ok := l.builtin(side+" with guards", at, builtin, Builtin.isServed); ok {
			return newBuiltinKinds(of)
		}
	case crd.Given():
		definition, err := l.loadDefinition(crd, kind, version, keps)
		l.shared.mistakes.Merge(l.Name, err)
		if definition != nil {
			return definedKind{definition}
		}
	}
	return nil
}

// shareKinds reads the objects of two sides that have only guards as the API server reads its own
// kinds, and reports sides that guard different kinds.
func (l *loader) shareKinds(both *worlds) {
	native, declarative := l.file.Native, l.file.Declarative
	isBuiltin := func(of worldKinds) bool { _, is := of.(*builtinKinds); return is }
	first, second := both.sides[0].kinds, both.sides[1].kinds
	switch names := names(l.shared.options.Builtins, Builtin.isServed); {
	case native.Builtin != "" && declarative.CRD.Given():
		l.shared.mistakes.Addf(declarative.Position, "native has the kinds of builtin: %s, and declarative the kind of crd: "+
			"%s; name the same source on both sides, or leave it out on the side that has only guards", native.Builtin,
			declarative.CRD.Path)
	case declarative.Builtin != "" && native.CRD.Given():
		l.shared.mistakes.Addf(native.Position, "native has the kind of crd: %s, and declarative the kinds of builtin: %s; "+
			"name the same source on both sides, or leave it out on the side that has only guards", native.CRD.Path, declarative.Builtin)
	case first == nil && second == nil && !native.CRD.Given() && !declarative.CRD.Given() && native.Builtin == "" &&
		declarative.Builtin == "" && !declarative.IsSchema():
		if len(names) == 0 {
			l.shared.mistakes.Addf(declarative.Position, "neither native nor declarative names a crd; at least one is needed "+
				"to read the objects")
			return
		}
		shared := newBuiltinKinds(l.shared.options.Builtins[names[0]])
		both.sides[0].kinds, both.sides[1].kinds = shared, shared
	case first == nil && isBuiltin(second):
		both.sides[0].kinds = second
	case second == nil && isBuiltin(first):
		both.sides[1].kinds = first
	}
}

// besideGuards returns the backend of a native side that is a cluster, or adds a program or webhook
// to the guards of the side: there, it is all of the hand-written validation.
func (l *loader) besideGuards(native *suitefile.Native, today *worldSide) harness.Backend {
	if !native.IsExternal() {
		return nil
	}
	external, ok := l.native(native)
	if !ok || native.Cluster != nil {
		return external
	}
	guard := contract.Guard{}
	if _, isBuiltin := today.kinds.(*builtinKinds); isBuiltin {
		guard = contract.Guard{Name: contract.NativeName, Where: native.Position.String(), Purpose: words.ToRefuse}
	}
	today.Then = []world.Validating{{Backend: external, Guard: guard}}
	return nil
}

// areWorlds reports mistakes that prevent a comparison of worlds.
func (l *loader) areWorlds(native *suitefile.Native, declarative *suitefile.Schemas) bool {
	before := len(l.shared.mistakes)
	switch {
	case l.said("native") || native == nil && l.unread["native"]:
		return false
	case native == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no native validator; accepted: %s", l.acceptedNatives())
	case native.Mixture() != "":
		l.shared.mistakes.Addf(native.Position, "%s", native.Mixture())
	case l.saidBelow("native"):
		return false
	case !native.IsOne():
		l.shared.mistakes.Addf(native.Position, "native must name one validator; accepted: %s", l.acceptedNatives())
	case native.Recorded.Given():
		l.shared.mistakes.Addf(native.Position, "declarative is a world, and recorded errors were not recorded around one; "+
			"native must be a world, exec, webhook or cluster")
	case native.WithoutCRD() != "":
		l.shared.mistakes.Addf(native.Position, "%s is accepted only with crd, and native names no crd", native.WithoutCRD())
	}
	switch {
	case l.said("declarative") || declarative == nil && l.unread["declarative"]:
		return false
	case declarative == nil:
		l.shared.mistakes.Addf(l.file.Position, "the suite has no declarative validator; accepted: %s", l.acceptedSchemas())
	case declarative.Mixture() != "":
		l.shared.mistakes.Addf(declarative.Position, "%s", declarative.Mixture())
	case l.saidBelow("declarative"):
		return false
	case !declarative.IsOne():
		l.shared.mistakes.Addf(declarative.Position, "declarative names neither guards nor what they guard; accepted: %s", acceptedNewWorld)
	case native != nil && native.Builtin != "" && declarative.IsSchema():
		l.shared.mistakes.Addf(declarative.Position, "native has builtin: %s beside guards, and declarative a schema; "+
			"beside guards, openapi and go are the schema of a custom kind: leave builtin out of native, or compare without guards",
			native.Builtin)
	case declarative.WithoutCRD() != "":
		l.shared.mistakes.Addf(declarative.Position, "%s is accepted only with crd, and declarative names no crd", declarative.WithoutCRD())
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
		l.shared.mistakes.Addf(native.Position, "native names the version %s and declarative the version %s; both get the same "+
			"document, so name one version", native.Version, declarative.Version)
	}
	return []string{native.Version}
}

// worlds are the kinds that two worlds guard. It implements Natives.
type worlds struct {
	// sides are the worlds of native and of declarative.
	sides    [2]worldSide
	external harness.Backend // a cluster in place of the native world; nil: none
	versions []string        // to compare; nil: all
	kinds    []schema.GroupKind

	mu   sync.Mutex
	made map[schema.GroupKind]*harness.Target
}

// areBuiltIn reports whether the kinds are built in.
func (w *worlds) areBuiltIn() bool {
	_, are := w.readers().(*builtinKinds)
	return are
}

// readers returns the kinds of a side.
func (w *worlds) readers() worldKinds {
	if w.sides[1].kinds != nil {
		return w.sides[1].kinds
	}
	return w.sides[0].kinds
}

// choose sets the kinds: that of a definition, or the built-in ones that a guard can see.
func (w *worlds) choose() {
	var seen []serving.Resource
	for _, resource := range w.readers().all() {
		described := resource.Describe()
		if !described.BuiltIn || w.sides[0].reaches(described) || w.sides[1].reaches(described) {
			seen = append(seen, resource)
		}
	}
	w.kinds = groupKinds(seen)
}

// unguarded reports whether a kind is one of those that the API server serves, and no guard can see
// its objects.
func (w *worlds) unguarded(kind schema.GroupKind) bool {
	if slices.Contains(w.kinds, kind) || !w.areBuiltIn() {
		return false
	}
	_, err := w.readers().find(kind)
	return err == nil
}

// updatedBy returns the subresources whose requests update objects of a built-in kind as a whole, and that a
// guard can see. Those of the status and the scale change what guards rarely look at.
func (w *worlds) updatedBy(kind schema.GroupKind) []string {
	resource, err := w.readers().find(kind)
	if err != nil || !w.areBuiltIn() || !slices.Contains(w.kinds, kind) {
		return nil
	}
	described := resource.Describe()
	var all []string
	for _, name := range described.Versions[0].Subresources {
		isWhole := described.Versions[0].Carrier.Empty() && name != subresource.StatusName && name != subresource.ScaleName
		if isWhole && (w.sides[0].reachesSubresource(described, name) || w.sides[1].reachesSubresource(described, name)) {
			all = append(all, name)
		}
	}
	return all
}

// scope returns what is compared unless the suite says so. Guards of built-in kinds refuse with a text
// of their own and without a field, so only the verdicts of two guards can be equal.
func (w *worlds) scope() words.Compare {
	if !w.areBuiltIn() {
		return ""
	}
	return words.CompareVerdict
}

// Kinds returns the kinds.
func (w *worlds) Kinds() []schema.GroupKind { return w.kinds }

// Target returns a kind with the worlds.
func (w *worlds) Target(kind schema.GroupKind) (*harness.Target, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	target := w.made[kind]
	if target == nil {
		var err error
		if target, err = w.target(kind); err != nil {
			return nil, err
		}
		w.made[kind] = target
	}
	copied := *target
	copied.Versions = slices.Clone(target.Versions)
	return &copied, nil
}

// target makes the target of a kind. Like a world, a cluster gets the documents that clients send.
func (w *worlds) target(kind schema.GroupKind) (*harness.Target, error) {
	if !slices.Contains(w.kinds, kind) {
		return nil, fmt.Errorf("the worlds are of other kinds than %s", kind)
	}
	today, tomorrow := w.sides[0].World, w.sides[1].World
	for i, of := range []*world.World{&today, &tomorrow} {
		if kinds := w.sides[i].kinds; kinds != nil {
			resource, err := kinds.find(kind)
			if err != nil {
				return nil, err
			}
			of.Definition = resource
		}
	}
	if w.external != nil {
		today = world.World{Definition: tomorrow.Definition}
	}
	target, err := world.NewTarget(today, tomorrow, w.versions...)
	if err == nil && w.external != nil {
		for i := range target.Versions {
			target.Versions[i].Native = w.external
		}
	}
	return target, err
}

func (w *worlds) declarative(version schema.GroupVersionKind) (harness.Backend, error) {
	target, err := w.Target(version.GroupKind())
	if err != nil {
		return nil, err
	}
	for _, of := range target.Versions {
		if of.GroupVersionKind == version {
			return of.Declarative, nil
		}
	}
	return nil, fmt.Errorf("the worlds do not serve %s", apiname.Target(version))
}
