package scaffold

import (
	"bytes"
	"cmp"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/documents"
)

// manifest is a text with objects.
type manifest struct {
	name     string
	line     int // of the text in the file
	text     []byte
	template bool
	// rendered is set if the name is the folder of a kustomization, and the text what kustomize makes of it.
	rendered bool
}

// wantedKinds are the kinds of which objects are read even from templates.
var wantedKinds = []string{definitionKind, "ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "ValidatingAdmissionPolicy"}

// wantedKind matches them in a text that cannot be parsed.
var wantedKind = regexp.MustCompile(`\bkind["']?\s*:\s*["']?(` + strings.Join(wantedKinds, "|") + `)`)

// manifestReader collects objects of manifests, of which several files may have different ones.
type manifestReader struct {
	*Project
	served         map[string]served
	sources        map[string]bool // the files that manifests were rendered from
	definitions    [][]*candidate  // those of one kind
	policies       [][]*candidate  // those of one name
	configurations []*configuration
	others         []Sample
	workloads      []startedContainer
}

// finishManifests reads all objects: first the definitions, so that the samples of their kinds are known.
func (p *Project) finishManifests(all []manifest, of *deployments) {
	slices.SortStableFunc(all, func(a, b manifest) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(len(a.name), len(b.name)), strings.Compare(a.name, b.name))
	})
	r := &manifestReader{Project: p, served: of.files(p, all)}
	made, sources := of.render(p, r.served)
	for _, m := range made {
		r.served[m.name] = served{rendered, of.kustomizations[m.name].name}
	}
	r.sources = sources
	for _, m := range slices.Concat(all, made) {
		r.read(m)
	}
	for _, candidates := range r.definitions {
		p.Definitions = append(p.Definitions, p.choose(candidates).definition)
	}
	for _, candidates := range r.policies {
		p.Policies = append(p.Policies, p.choose(candidates).policy)
	}
	r.addWebhooks()
	r.start(p.Production)
	for _, sample := range r.others {
		if p.definition(sample.Kind.GroupKind()) != nil {
			p.Samples = append(p.Samples, sample)
		}
	}
}

// read reads the objects of a manifest.
func (r *manifestReader) read(m manifest) {
	text := m.text
	if m.template {
		isWanted := slices.ContainsFunc(wantedKinds, func(kind string) bool { return bytes.Contains(text, []byte(kind)) })
		if !isWanted && !workload.Match(text) {
			return
		}
		text = []byte(withoutActions(string(text)))
	}
	found := slices.Collect(documents.Manifest(m.name, text))
	for _, document := range found {
		switch {
		case document.Err != nil && wantedKind.Match(text):
			r.unreadable(m, document.Err)
		case document.Err != nil, document.Object == nil: // such as values.yaml of a chart
		default:
			r.readObject(m, document, (len(found) == 1 && !m.template || m.rendered) && r.Access == nil)
		}
	}
}

// rank orders files: those that a cluster gets first, those of tests last.
func rank(m manifest) int {
	folders := strings.Split(path.Dir(m.name), "/")
	has := func(names ...string) bool {
		return slices.ContainsFunc(folders, func(folder string) bool { return slices.Contains(names, folder) })
	}
	switch {
	case isTest(path.Dir(m.name)):
		return 4
	case has("docs", "site"):
		return 3
	case m.template:
		return 2
	case has("bases", "samples"):
		return 0
	default:
		return 1
	}
}

// readObject reads an object of interest. Other objects may be samples.
func (r *manifestReader) readObject(m manifest, document documents.Document, alone bool) {
	object := document.Object
	apiVersion, _ := object["apiVersion"].(string)
	kind, _ := object["kind"].(string)
	version, err := schema.ParseGroupVersion(apiVersion)
	if err != nil || kind == "" || version.Version == "" {
		return
	}
	line := m.line + document.Line - 1
	isGuard := version.Group == "admissionregistration.k8s.io"
	switch {
	case isGuard && r.sources[m.name]: // kustomize may rename it
	case kind == definitionKind && version.Group == "apiextensions.k8s.io":
		r.readDefinition(m, document, alone)
	case isGuard && strings.HasSuffix(kind, "WebhookConfiguration"):
		r.readConfiguration(m, line, kind, object)
	case isGuard && strings.HasPrefix(kind, "ValidatingAdmissionPolicy"):
		r.readPolicy(m, Policy{m.name, line, object})
	case version.Group == "apps" && (kind == "Deployment" || kind == "StatefulSet"):
		r.readWorkload(m, object)
	case !m.template && !m.rendered && path.Ext(m.name) != ".go":
		r.others = append(r.others, Sample{m.name, line, version.WithKind(kind), object})
	}
}

// readDefinition keeps a definition that can be read.
func (r *manifestReader) readDefinition(m manifest, document documents.Document, alone bool) {
	if spec, _ := document.Object["spec"].(map[string]any); spec["group"] == nil {
		return // a patch of kustomize
	}
	unknown := slices.DeleteFunc(templated(document.Object, ""), func(at string) bool {
		isRelevant := strings.HasPrefix(at, "spec.group") || strings.HasPrefix(at, "spec.names") || strings.HasPrefix(at, "spec.versions")
		return !isRelevant || strings.HasSuffix(at, ".description")
	})
	read, err := definitions.ReadDocument(m.name, document)
	switch {
	case len(unknown) > 0:
		r.openTemplate(m, m.line+document.Line-1, document.Object, unknown, "keep the result in the repository")
		return
	case err != nil:
		r.unreadable(m, err)
		return
	case len(read.Versions) == 0:
		r.unreadable(m, read.Mistake("spec.versions", "no version of this CustomResourceDefinition has a schema"))
		return
	}
	spec := maps.Clone(document.Object["spec"].(map[string]any))
	delete(spec, "conversion") // kustomize adds it, so that a chart has it and the file does not
	delete(spec, "preserveUnknownFields")
	c := &candidate{
		kind: definitionKind, name: read.CRD.Name, manifest: m, served: r.served[m.name],
		content: contentOf(spec), definition: &Definition{read, m.name, alone, m.rendered},
	}
	c.versions = c.definition.served()
	for _, version := range read.CRD.Spec.Versions {
		if version.Storage {
			c.stored = version.Name
		}
	}
	r.definitions = addCandidate(r.definitions, c, func(other *candidate) bool {
		of, with := c.definition.CRD.Spec, other.definition.CRD.Spec
		return of.Group == with.Group && of.Names.Kind == with.Names.Kind
	})
}

// addCandidate adds a candidate to those of the same object.
func addCandidate(all [][]*candidate, added *candidate, same func(*candidate) bool) [][]*candidate {
	if i := slices.IndexFunc(all, func(of []*candidate) bool { return same(of[0]) }); i >= 0 {
		all[i] = append(all[i], added)
		return all
	}
	return append(all, []*candidate{added})
}

// openTemplate leaves an object open, of which a template writes values.
func (p *Project) openTemplate(m manifest, line int, object map[string]any, places []string, do string) {
	if isTest(path.Dir(m.name)) {
		return
	}
	p.open("%s:%d: %s: %s: the template writes this, so its value is not known; render it (helm template) and %s",
		m.name, line, object["kind"], strings.Join(places, ", "), do)
}

// unreadable leaves a file open that should have objects of interest.
func (p *Project) unreadable(m manifest, err error) {
	why, _, _ := strings.Cut(err.Error(), "\n")
	if !strings.HasPrefix(why, m.name) {
		why = m.name + ": " + why
	}
	switch {
	case isTest(path.Dir(m.name)):
	case m.template:
		p.open("%s (without the actions of the template); render it (helm template) and keep the result in the repository", why)
	default:
		p.open("%s", why)
	}
}

// readPolicy keeps a policy whose expressions can be read.
func (r *manifestReader) readPolicy(m manifest, policy Policy) {
	if places := templated(policy.Object, ""); len(places) > 0 {
		r.openTemplate(m, policy.Line, policy.Object, places, "name the file under policies")
		return
	}
	kind, _ := policy.Object["kind"].(string)
	apiVersion, _ := policy.Object["apiVersion"].(string)
	c := &candidate{
		kind: kind, name: nameOf(policy.Object), manifest: m, served: r.served[m.name],
		content: contentOf(policy.Object["spec"]), policy: policy, versions: []string{path.Base(apiVersion)},
	}
	r.policies = addCandidate(r.policies, c, func(other *candidate) bool { return other.kind == c.kind && other.name == c.name })
}

// templated returns the places below spec whose value a template writes.
func templated(value any, at string) (places []string) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, placeholder) && strings.HasPrefix(at, ".spec") {
			return []string{strings.TrimPrefix(at, ".")}
		}
	case map[string]any:
		for _, key := range sortedKeys(value) {
			places = append(places, templated(value[key], at+"."+key)...)
		}
	case []any:
		for i, item := range value {
			places = append(places, templated(item, at+index(i))...)
		}
	}
	return places
}

func nameOf(object map[string]any) string {
	metadata, _ := object["metadata"].(map[string]any)
	name, _ := metadata["name"].(string)
	return name
}

// definition returns the definition of a kind, or nil.
func (p *Project) definition(kind schema.GroupKind) *Definition {
	for _, d := range p.Definitions {
		if d.CRD.Spec.Group == kind.Group && d.CRD.Spec.Names.Kind == kind.Kind {
			return d
		}
	}
	return nil
}
