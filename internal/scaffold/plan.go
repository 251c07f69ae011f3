package scaffold

import (
	"path"
	"reflect"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Plan is the list of files to write for a project.
type Plan struct {
	*Project
	// Folder is where it is written, relative to the root of the project.
	Folder string
	Suites []*Suite
}

// Suite compares what guards the objects of a definition today with the definition alone.
type Suite struct {
	Definition *Definition
	// Folder is relative to that of the plan; "." for the only suite.
	Folder string
	// Version is the one to compare; empty for all.
	Version string
	// Mutate and Then are webhooks that the program serves.
	Mutate, Then *Webhook
	Policies     []Policy
	Objects      []NamedObject
	Cases        []Case
}

// NeedsURL reports whether the URL of the webhook has to be written into the suite.
func (s *Suite) NeedsURL() bool { return s.Then != nil && s.Then.Elsewhere }

// NamedObject is a sample with the name that cases use.
type NamedObject struct {
	Name   string
	Sample Sample
}

// Paths returns the paths under which webhooks of the definitions may be served.
func (p *Project) Paths() (paths []string) {
	add := func(path string) {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, webhook := range p.Webhooks {
		add(webhook.Path)
	}
	for _, d := range p.Definitions {
		for _, version := range d.Versions {
			for _, path := range slices.Concat(usualPaths("/validate-", version.GroupVersionKind),
				usualPaths("/mutate-", version.GroupVersionKind)) {
				add(path)
			}
		}
	}
	return paths
}

// builderPath returns the path at which the builder of controller-runtime registers a webhook.
func builderPath(prefix string, kind schema.GroupVersionKind) string {
	return prefix + strings.ReplaceAll(kind.Group, ".", "-") + "-" + kind.Version + "-" + strings.ToLower(kind.Kind)
}

// usualPaths returns the paths at which projects register the webhook of a kind: that of the builder, and the same with the
// name of the group as it is.
func usualPaths(prefix string, kind schema.GroupVersionKind) []string {
	return []string{builderPath(prefix, kind), prefix + kind.Group + "-" + kind.Version + "-" + strings.ToLower(kind.Kind)}
}

// NewPlan returns the suites of a project. served are the paths that its program serves, and the kinds that the program
// of its functions serves.
func NewPlan(p *Project, folder string, served []string) *Plan {
	plan := &Plan{Project: p, Folder: folder}
	for _, d := range p.Definitions {
		s := &Suite{Definition: d}
		if p.Access == nil {
			s.Then, s.Mutate = plan.webhook(d, served, false), plan.webhook(d, served, true)
			s.Policies = p.policiesOf(d)
			if s.Then == nil {
				s.Then = p.functions(d, served)
				if s.Then != nil && s.Mutate == nil {
					s.Mutate = p.defaulting(d)
				}
			}
			if s.Then == nil && len(s.Policies) == 0 {
				s.Then = plan.elsewhere(d)
			}
		}
		if s.Then == nil && len(s.Policies) == 0 && (p.Access == nil || !p.guarded(d)) {
			continue
		}
		s.chooseVersion()
		plan.addSamples(s)
		if s.Version != "" {
			plan.open("%s is compared only in %s, because a conversion webhook is not asked; other served versions: %s",
				d.CRD.Name, s.Version,
				strings.Join(slices.DeleteFunc(d.served(), func(name string) bool { return name == s.Version }), ", "))
		}
		plan.Suites = append(plan.Suites, s)
	}
	for _, s := range plan.Suites {
		s.Folder = s.Definition.CRD.Spec.Names.Plural
		same := func(other *Suite) bool {
			return other != s && other.Definition.CRD.Spec.Names.Plural == s.Folder
		}
		if slices.ContainsFunc(plan.Suites, same) {
			s.Folder = s.Definition.CRD.Name
		}
	}
	if len(plan.Suites) == 1 {
		plan.Suites[0].Folder = "."
	}
	if p.Access == nil {
		plan.openWebhooks(served)
		plan.openFunctions()
		plan.openParameters()
		plan.openFields()
		if of := p.Production; of != nil && of.Listens && len(p.Webhooks) == 0 {
			plan.open("./%s answers AdmissionReviews, but no webhook configuration here names its paths and resources: write the one "+
				"that it creates into a manifest, and run diffrun init again", of.Command)
		}
	}
	return plan
}

// elsewhere returns a validating webhook of a definition that nothing here serves, or nil: it is not written in Go, or no
// function that registers it was found. A webhook for every group, such as that of a policy engine, is not about the kind.
func (plan *Plan) elsewhere(d *Definition) *Webhook {
	for i := range plan.Webhooks {
		w := &plan.Webhooks[i]
		isNamed := slices.ContainsFunc(w.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
			return slices.Contains(rule.APIGroups, d.CRD.Spec.Group)
		})
		if !w.Mutating && isNamed && !isTest(path.Dir(w.Source)) && w.matches(d.CRD.Spec.Group, d.CRD.Spec.Names.Plural) {
			found := *w
			found.Elsewhere = true
			plan.openSettings(&found)
			return &found
		}
	}
	return nil
}

// functions returns the functions that validate the objects of a definition, if their program serves them, or nil.
func (p *Project) functions(d *Definition, served []string) *Webhook {
	if v := p.validator(d); v != nil && slices.Contains(served, v.Kind) {
		return &Webhook{Kind: v.Kind, versions: []string{v.Version}}
	}
	return nil
}

// defaulting returns the functions that set the defaults of a definition's objects, or nil.
func (p *Project) defaulting(d *Definition) *Webhook {
	if v := p.validator(d); len(v.Defaults) > 0 {
		return &Webhook{Kind: v.Kind, Mutating: true, versions: []string{v.Version}}
	}
	return nil
}

// openFunctions lists functions that return field errors for kinds whose suite asks no webhook, if the suite does not
// call them either.
func (plan *Plan) openFunctions() {
	for i := range plan.Functions {
		f := &plan.Functions[i]
		if f.setsDefaults() {
			continue
		}
		ofKind := func(d *Definition) bool { return d.CRD.Spec.Names.Kind == f.Type }
		at := slices.IndexFunc(plan.Suites, func(s *Suite) bool { return s.Then != nil && ofKind(s.Definition) })
		if at >= 0 && (plan.Suites[at].Then.Kind == "" || plan.calls(plan.Suites[at].Definition, f)) ||
			!slices.ContainsFunc(plan.Definitions, ofKind) {
			continue
		}
		why := "its program does not serve it"
		switch {
		case !plan.isVisible(f.Import) || !plan.isVisible(f.TypeImport):
			why = "a program in " + plan.Folder + " cannot import its package"
		case !slices.ContainsFunc(plan.Definitions, func(d *Definition) bool {
			return ofKind(d) && slices.Contains(d.served(), path.Base(f.TypeImport))
		}):
			why = "its Go type is not that of a served version"
		case plan.sharesKind(f.Type):
			why = "several definitions have its kind"
		}
		plan.open("%s: %s returns field errors of a %s, and no webhook calls it; %s: record the calls of its tests with diffrun "+
			"capture, or compare it in go test with native.Func", f.Source, f.Name, f.Type, why)
	}
}

// sharesKind reports whether several definitions have a kind.
func (p *Project) sharesKind(kind string) bool {
	count := 0
	for _, d := range p.Definitions {
		if d.CRD.Spec.Names.Kind == kind {
			count++
		}
	}
	return count > 1
}

// openParameters lists functions that register webhooks with more than a manager.
func (plan *Plan) openParameters() {
	for _, s := range plan.Setups {
		if len(s.Parameters) > 0 && !strings.HasPrefix(s.Parameters[0], "...") {
			plan.open("%s: %s also takes %s; %s passes a zero value: pass one that fits if the webhook needs it", s.Source,
				s.Name, strings.Join(s.Parameters, ", "), path.Join(plan.Folder, ProgramFolder, "main.go"))
		}
	}
}

// calls reports whether the program of the functions calls a function for a definition, or one that calls it.
func (p *Project) calls(d *Definition, f *Function) bool {
	v := p.validator(d)
	return v != nil && slices.ContainsFunc(v.All(), func(served *Function) bool {
		return served == f || slices.Contains(served.calls, f.Name)
	})
}

// webhook returns the webhook of a definition that the program serves, or nil.
func (plan *Plan) webhook(d *Definition, served []string, mutating bool) *Webhook {
	var found []*Webhook
	for i := range plan.Webhooks {
		w := &plan.Webhooks[i]
		if w.Mutating == mutating && w.matches(d.CRD.Spec.Group, d.CRD.Spec.Names.Plural) && slices.Contains(served, w.Path) {
			found = append(found, w)
		}
	}
	if len(found) == 0 {
		prefix := "/validate-"
		if mutating {
			prefix = "/mutate-"
		}
		for _, version := range d.Versions {
			for _, at := range usualPaths(prefix, version.GroupVersionKind) {
				if slices.Contains(served, at) {
					plan.open("%s: no webhook configuration has %s; the suite asks it about objects that are created or updated",
						d.CRD.Name, at)
					return &Webhook{Path: at, Mutating: mutating, Rules: d.presumedRules()}
				}
			}
		}
		return nil
	}
	slices.SortStableFunc(found, func(a, b *Webhook) int { return a.isFor(d.stored()) - b.isFor(d.stored()) })
	for _, other := range found[1:] {
		if isTest(path.Dir(other.Source)) || reflect.DeepEqual(other.registration(), found[0].registration()) {
			continue
		}
		plan.open("%s: %s (%s) is one of several webhooks of %s, and the suite asks %s; to ask both, write then as a list", other.Source,
			other.Path, strings.Join(other.operations(), ", "), d.CRD.Name, found[0].Path)
	}
	plan.openSettings(found[0])
	return found[0]
}

// isFor returns 0 if the rules of a webhook have a version or all, else 1.
func (w *Webhook) isFor(version string) int {
	if slices.ContainsFunc(w.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		return slices.Contains(rule.APIVersions, version) || slices.Contains(rule.APIVersions, "*")
	}) {
		return 0
	}
	return 1
}

// operations returns the operations of the rules of a webhook, each once.
func (w *Webhook) operations() (all []string) {
	for _, rule := range w.Rules {
		for _, operation := range rule.Operations {
			if !slices.Contains(all, string(operation)) {
				all = append(all, string(operation))
			}
		}
	}
	return all
}

// openSettings names the settings of a webhook that its suite does not have.
func (plan *Plan) openSettings(of *Webhook) {
	if len(of.Unread) > 0 {
		plan.open("%s: a template writes %s of %s, so the webhook is asked about every request; add it to the suite", of.Source,
			strings.Join(of.Unread, " and "), of.Path)
	}
	if of.needsNamespace() {
		plan.open("%s: the suite leaves out the namespaceSelector %q of %s, because no case has a Namespace with such labels; add "+
			"both, the Namespace under cluster of the cases", of.Source, of.NamespaceSelector, of.Path)
	}
}

// presumedRules returns the rules of a webhook that no configuration registers: those that controller-runtime's markers
// have in most projects.
func (d *Definition) presumedRules() []admissionregistrationv1.RuleWithOperations {
	return []admissionregistrationv1.RuleWithOperations{{
		Operations: []admissionregistrationv1.OperationType{admissionregistrationv1.Create, admissionregistrationv1.Update},
		Rule: admissionregistrationv1.Rule{
			APIGroups:   []string{d.CRD.Spec.Group},
			APIVersions: []string{"*"},
			Resources:   []string{d.CRD.Spec.Names.Plural},
		},
	}}
}

// openWebhooks lists the webhooks that no suite asks.
func (plan *Plan) openWebhooks(served []string) {
	for i := range plan.Webhooks {
		w := &plan.Webhooks[i]
		if isTest(path.Dir(w.Source)) || slices.ContainsFunc(plan.Suites, func(s *Suite) bool { return s.asks(w) }) {
			continue
		}
		switch of, registered := plan.matched(w), slices.Contains(served, w.Path); {
		case of == nil && w.isOfKubernetes():
			plan.open("%s: webhook %s (%s) is asked about kinds of Kubernetes; a suite for it names builtin: kubernetes in place of a "+
				"crd, and the webhook under then or mutate", w.Source, w.Path, w.resources())
		case of == nil && len(plan.Definitions) > 0:
			plan.open("%s: webhook %s (%s): no CustomResourceDefinition of these resources was found", w.Source, w.Path, w.resources())
		case w.Mutating && !registered && slices.ContainsFunc(plan.Suites, func(s *Suite) bool { return s.Definition == of }):
			plan.open("%s: mutating webhook %s (%s): nothing here serves it, so the suite compares objects that it did "+
				"not change; run it and add mutate: {webhook: {url: \"https://…%s\"}} to both sides", w.Source, w.Path, w.resources(),
				w.Path)
		case w.Mutating:
		case !registered:
			plan.open("%s: webhook %s (%s): nothing here serves it; run it and add then: {webhook: {url: "+
				"%q}} to a suite", w.Source, w.Path, w.resources(), w.exampleURL())
		}
	}
}

// namedGroups are the groups of Kubernetes whose names have a dot (pkg/controlplane/instance.go of k8s.io/kubernetes), without
// their end. Other groups of k8s.io are those of definitions, such as gateway.networking.k8s.io.
var namedGroups = strings.Fields("admissionregistration apiextensions apiregistration authentication authorization certificates " +
	"coordination discovery events flowcontrol.apiserver internal.apiserver networking node rbac.authorization resource scheduling " +
	"storage storagemigration")

// isOfKubernetes reports whether a group is one of Kubernetes itself: those without a dot are.
func isOfKubernetes(group string) bool {
	name, hasEnd := strings.CutSuffix(group, ".k8s.io")
	return group != "*" && (!strings.Contains(group, ".") || hasEnd && slices.Contains(namedGroups, name))
}

// isOfKubernetes reports whether all groups of a webhook's rules are of Kubernetes itself.
func (w *Webhook) isOfKubernetes() bool {
	return len(w.Rules) > 0 && !slices.ContainsFunc(w.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		return slices.ContainsFunc(rule.APIGroups, func(group string) bool { return !isOfKubernetes(group) })
	})
}

// asks reports whether a suite asks the webhook at a path.
func (s *Suite) asks(w *Webhook) bool {
	asked := s.Then
	if w.Mutating {
		asked = s.Mutate
	}
	return asked != nil && asked.Path == w.Path
}

// matched returns the first definition that the rules of a webhook match, or nil.
func (plan *Plan) matched(w *Webhook) *Definition {
	for _, d := range plan.Definitions {
		if w.matches(d.CRD.Spec.Group, d.CRD.Spec.Names.Plural) {
			return d
		}
	}
	return nil
}

func (w *Webhook) matches(group, plural string) bool { return rulesMatch(w.Rules, group, plural) }

func rulesMatch(rules []admissionregistrationv1.RuleWithOperations, group, plural string) bool {
	return slices.ContainsFunc(rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		resource := slices.ContainsFunc(rule.Resources, func(r string) bool { return r == plural || r == "*" || r == "*/*" })
		return resource && (slices.Contains(rule.APIGroups, group) || slices.Contains(rule.APIGroups, "*"))
	})
}

// resources returns the resources of the rules of a webhook, for a message.
func (w *Webhook) resources() string {
	var all []string
	for _, rule := range w.Rules {
		for _, resource := range rule.Resources {
			for _, group := range rule.APIGroups {
				all = append(all, strings.Trim(resource+"."+group, "."))
			}
		}
	}
	return strings.Join(slices.Compact(all), ", ")
}

// stored returns the name of the stored version.
func (d *Definition) stored() string {
	for _, version := range d.CRD.Spec.Versions {
		if version.Storage {
			return version.Name
		}
	}
	return ""
}

// served returns the names of the served versions.
func (d *Definition) served() (names []string) {
	for _, version := range d.CRD.Spec.Versions {
		if version.Served {
			names = append(names, version.Name)
		}
	}
	return names
}

// chooseVersion names the version of the webhook, or the stored one, if there are several.
func (s *Suite) chooseVersion() {
	served := s.Definition.served()
	if len(served) < 2 {
		return
	}
	for _, version := range s.Definition.CRD.Spec.Versions {
		if version.Storage {
			s.Version = version.Name
		}
	}
	if s.Then == nil {
		return
	}
	if of := s.Then.versions; len(of) > 0 {
		s.Version = of[0]
	}
	if slices.ContainsFunc(s.Then.Rules, func(rule admissionregistrationv1.RuleWithOperations) bool {
		return slices.Contains(rule.APIVersions, s.Version)
	}) {
		return
	}
	for _, rule := range s.Then.Rules {
		if at := slices.IndexFunc(served, func(name string) bool { return slices.Contains(rule.APIVersions, name) }); at >= 0 &&
			!slices.Contains(rule.APIVersions, s.Version) {
			s.Version = served[at]
		}
	}
}

// schemaOf returns the schema of a served version that the suite compares, or nil.
func (s *Suite) schemaOf(version string) *spec.Schema {
	for _, v := range s.Definition.Versions {
		if v.Version == version && v.Served && (s.Version == "" || s.Version == version) {
			return v.Schema
		}
	}
	return nil
}
