package scaffold

import (
	"cmp"
	"fmt"
	"maps"
	"path"
	"reflect"
	"slices"
	"strings"

	"golang.org/x/mod/semver"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/version"
)

// definitionKind is the kind of a definition.
const definitionKind = "CustomResourceDefinition"

// PassedOver is an object that a file has and that is not used, because a different one of another file is.
type PassedOver struct {
	// Kind and Name are those of the object.
	Kind, Name string
	// Source is the file that has it, and Chosen the one whose object is used.
	Source, Chosen string
	// Why compares the two.
	Why string
}

// PassedOverText returns a line for each object that was passed over, and one for several of a folder.
func PassedOverText(all []PassedOver) []string {
	type group struct{ folder, kind, name, chosen string }
	of := func(over PassedOver) group { return group{path.Dir(over.Source), over.Kind, over.Name, over.Chosen} }
	counts := map[group]int{}
	for _, over := range all {
		counts[of(over)]++
	}
	const few = 3
	var lines []string
	for _, over := range all {
		switch n := counts[of(over)]; {
		case n > few:
			lines = append(lines, fmt.Sprintf("%d files of %s: %s %s, which differs from that of %s: %s", n, path.Dir(over.Source),
				over.Kind, over.Name, over.Chosen, over.Why))
			counts[of(over)] = 0
		case n > 0:
			lines = append(lines, fmt.Sprintf("%s: %s %s, which differs from that of %s: %s", over.Source, over.Kind, over.Name,
				over.Chosen, over.Why))
		}
	}
	return lines
}

// PassedOverFor returns what was passed over for the definition and the policies of a suite.
func (p *Project) PassedOverFor(s *Suite) (found []PassedOver) {
	for _, over := range p.PassedOver {
		isPolicy := func(policy Policy) bool {
			return policy.Source == over.Chosen && policy.Object["kind"] == over.Kind && nameOf(policy.Object) == over.Name
		}
		isDefinition := over.Kind == definitionKind && over.Chosen == s.Definition.Source && over.Name == s.Definition.CRD.Name
		if isDefinition || slices.ContainsFunc(s.Policies, isPolicy) {
			found = append(found, over)
		}
	}
	return found
}

// candidate is an object that several files may have.
type candidate struct {
	kind, name string
	manifest   manifest
	served     served
	// content is what has to differ, so that the object is not a copy.
	content any
	// versions are the served ones, stored is the stored one; for policies, both are the version of their API.
	versions   []string
	stored     string
	policy     Policy // unless it is a definition
	definition *Definition
}

// criterion says which of two candidates is to be used: it is negative for the first one, and 0 if it cannot tell. why is
// the reason if it is the first one.
type criterion func(a, b *candidate) (order int, why string)

// criteria are what decides, most important first.
func (p *Project) criteria() []criterion {
	return []criterion{byService, byAside, byVersions, byGenerator, p.byGoTypes, byFields, byRelease, byForm}
}

// choose returns the candidate to use of those of one object, which are in the order of the files. It notes the
// others, unless they are copies.
func (p *Project) choose(all []*candidate) *candidate {
	best := p.best(all)
	if best.manifest.rendered {
		unchanged := slices.DeleteFunc(slices.Clone(all), func(c *candidate) bool { return !best.isLike(c) })
		if len(unchanged) > 0 {
			best = p.best(unchanged) // a file has lines
		}
	}
	for _, other := range all {
		if other == best || reflect.DeepEqual(other.content, best.content) {
			continue
		}
		order, why := p.compare(best, other)
		if order >= 0 {
			why = "nothing shows which one is newer"
			p.open("%s has a different %s %s than %s, and nothing shows which one is newer; the suite uses %[4]s: "+
				"name the other one there if it is the one in use",
				other.manifest.name, other.kind, other.name, best.manifest.name)
		}
		p.PassedOver = append(p.PassedOver, PassedOver{best.kind, best.name, other.manifest.name, best.manifest.name, why})
	}
	return best
}

func (p *Project) best(all []*candidate) *candidate {
	best := all[0]
	for _, other := range all[1:] {
		if order, _ := p.compare(best, other); order > 0 {
			best = other
		}
	}
	return best
}

// isLike reports whether a definition of a file is the same as this one of a kustomization.
func (c *candidate) isLike(other *candidate) bool {
	return c.definition != nil && !other.manifest.rendered && other.definition.Alone && reflect.DeepEqual(other.content, c.content)
}

func (p *Project) compare(a, b *candidate) (order int, why string) {
	for _, by := range p.criteria() {
		if order, why = by(a, b); order != 0 {
			return order, why
		}
	}
	return 0, ""
}

// byService prefers what is deployed.
func byService(a, b *candidate) (order int, why string) {
	if a.served.service == rendered {
		return cmp.Compare(b.served.service, a.served.service), fmt.Sprintf("%s changes it before it is deployed", a.served.by)
	}
	verb := map[service]string{listed: "lists", deployed: "deploys"}[a.served.service]
	return cmp.Compare(b.served.service, a.served.service), fmt.Sprintf("%s %s %s", a.served.by, verb, a.manifest.name)
}

// byAside prefers files that are not set aside.
func byAside(a, b *candidate) (order int, why string) {
	other := asideOf(b.manifest.name)
	means := map[asideLevel]string{copied: "a copy or an example", formerRelease: "a former release", tested: "for tests"}[other.level]
	order = cmp.Compare(asideOf(a.manifest.name).level, other.level)
	return order, fmt.Sprintf("%s is %s, as the name %q says", b.manifest.name, means, other.name)
}

// byVersions prefers the newer served version, and then the newer stored one.
func byVersions(a, b *candidate) (order int, why string) {
	newest := func(names []string) string {
		return slices.MaxFunc(append([]string{""}, names...), version.CompareKubeAwareVersionStrings)
	}
	verb, of, other := "serves", newest(a.versions), newest(b.versions)
	switch {
	case a.definition == nil:
		verb = "is written in"
	case of == other:
		verb, of, other = "stores", a.stored, b.stored
	}
	why = fmt.Sprintf("%s %s %s, and %s only %s", a.manifest.name, verb, of, b.manifest.name, cmp.Or(other, "no version"))
	return version.CompareKubeAwareVersionStrings(other, of), why
}

// byGenerator prefers what a newer controller-gen wrote.
func byGenerator(a, b *candidate) (order int, why string) {
	of, other := a.generator(), b.generator()
	if !semver.IsValid(of) || !semver.IsValid(other) {
		return 0, ""
	}
	return semver.Compare(other, of), fmt.Sprintf("controller-gen %s wrote %s, and %s wrote "+
		"%s", of, a.manifest.name, other, b.manifest.name)
}

// generator returns the version of controller-gen that wrote a definition, or "".
func (c *candidate) generator() string {
	if c.definition == nil {
		return ""
	}
	return c.definition.CRD.Annotations["controller-gen.kubebuilder.io/version"]
}

// byGoTypes prefers the definition whose fields are those of the Go types of the repository.
func (p *Project) byGoTypes(a, b *candidate) (order int, why string) {
	onlyA, onlyB := differing(a, b)
	mistakes := map[*candidate]int{}
	count := func(only []fieldOf, has, lacks *candidate) {
		known := map[schema.GroupVersionKind]map[string]bool{}
		for _, f := range only {
			if _, read := known[f.kind]; !read {
				known[f.kind] = p.goTypes.of(f.kind)
			}
			names := known[f.kind]
			switch {
			case names == nil:
			case names[f.name]:
				mistakes[lacks]++
				if lacks == b {
					why = cmp.Or(why, fmt.Sprintf("the Go types have the field %s, which is missing in %s", f.path, b.manifest.name))
				}
			default:
				mistakes[has]++
				if has == b {
					why = cmp.Or(why, fmt.Sprintf("the Go types have no field %s, which %s has", f.path, b.manifest.name))
				}
			}
		}
	}
	count(onlyA, a, b)
	count(onlyB, b, a)
	return cmp.Compare(mistakes[a], mistakes[b]), why
}

// byFields prefers the definition that has all fields of the other one.
func byFields(a, b *candidate) (order int, why string) {
	onlyA, onlyB := differing(a, b)
	switch {
	case len(onlyA) > 0 && len(onlyB) == 0:
		return -1, fmt.Sprintf("%s also has the field %s", a.manifest.name, onlyA[0].path)
	case len(onlyB) > 0 && len(onlyA) == 0:
		return 1, ""
	}
	return 0, ""
}

// byRelease prefers the later of two releases.
func byRelease(a, b *candidate) (order int, why string) {
	of, other := releaseOf(a.manifest.name), releaseOf(b.manifest.name)
	if of == "" || other == "" {
		return 0, ""
	}
	return semver.Compare(other, of), fmt.Sprintf("%s is of release %s, and %s of %s", a.manifest.name, of, b.manifest.name, other)
}

// byForm prefers files as controller-gen writes them: in a folder called bases, and with a single object. Templates
// come last.
func byForm(a, b *candidate) (order int, why string) {
	for _, by := range []struct {
		has func(*candidate) bool
		why string
	}{
		{func(c *candidate) bool { return !c.manifest.template }, b.manifest.name + " is a template"},
		{
			func(c *candidate) bool { return path.Base(path.Dir(c.manifest.name)) == "bases" },
			a.manifest.name + " is in the folder in which controller-gen writes",
		},
		{
			func(c *candidate) bool { return c.definition == nil || c.definition.Alone },
			b.manifest.name + " has several objects, as files do that tools put together",
		},
	} {
		switch of, other := by.has(a), by.has(b); {
		case of && !other:
			return -1, by.why
		case other && !of:
			return 1, ""
		}
	}
	return 0, ""
}

// fieldOf is a field of a version of a definition.
type fieldOf struct {
	kind schema.GroupVersionKind
	path string
	name string
}

// differing returns the fields that only one of two definitions has, in the versions that both have.
func differing(a, b *candidate) (onlyA, onlyB []fieldOf) {
	if a.definition == nil || b.definition == nil {
		return nil, nil
	}
	for _, of := range a.definition.Versions {
		for _, other := range b.definition.Versions {
			if of.Version == other.Version {
				inA, inB := fieldsOf(of.Schema), fieldsOf(other.Schema)
				onlyA = append(onlyA, without(of.GroupVersionKind, inA, inB)...)
				onlyB = append(onlyB, without(of.GroupVersionKind, inB, inA)...)
			}
		}
	}
	return onlyA, onlyB
}

func without(kind schema.GroupVersionKind, all, other map[string]string) (only []fieldOf) {
	for _, at := range slices.Sorted(maps.Keys(all)) {
		if _, has := other[at]; !has {
			only = append(only, fieldOf{kind, at, all[at]})
		}
	}
	return only
}

// contentOf returns a part of an object without texts for people, and without what differs between a file and the chart
// that has a copy of it.
func contentOf(value any) any {
	switch value := value.(type) {
	case map[string]any:
		made := map[string]any{}
		for key, part := range value {
			if _, isText := part.(string); !isText || key != "description" {
				made[key] = contentOf(part)
			}
		}
		return made
	case []any:
		made := make([]any, len(value))
		for i, part := range value {
			made[i] = contentOf(part)
		}
		return made
	case string:
		return strings.TrimSpace(value)
	}
	return value
}
