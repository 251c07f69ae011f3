package compare

import (
	"fmt"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"

	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/schema/diff"
)

// The kinds of changes of a definition outside of its schemas.
const (
	kindDefinition  = "definition"    // the definition was added or removed
	kindGroup       = "group"         // spec.group
	kindScope       = "scope"         // spec.scope
	kindNames       = "names"         // kind, listKind, plural
	kindShortNames  = "shortNames"    // singular, shortNames, categories: what kubectl takes
	kindVersion     = "version"       // a version was added, removed, or is no longer served
	kindStored      = "storedVersion" // a version that objects are stored in was removed
	kindStorage     = "storage"       // another version is stored
	kindLost        = "lost"          // a field of a served version that the stored version does not have
	kindConversion  = "conversion"    // spec.conversion.strategy
	kindSubresource = "subresource"   // status, scale
	kindSelectable  = "selectableFields"
	kindPreserve    = "preserveUnknownFields"
)

func definitionKinds() []string {
	return []string{
		kindDefinition, kindGroup, kindScope, kindNames, kindShortNames, kindVersion, kindStored, kindStorage,
		kindLost, kindConversion, kindSubresource, kindSelectable, kindPreserve,
	}
}

// mildKinds are warnings by default, because every request that was accepted still is.
func mildKinds() []string { return []string{kindShortNames, kindStorage} }

type definitionChanges []diff.Change

func (all *definitionChanges) add(effect diff.Effect, kind, path, format string, args ...any) {
	*all = append(*all, diff.Change{Effect: effect, Kind: kind, Path: path, What: fmt.Sprintf(format, args...)})
}

// ofDefinition returns the changes of a definition outside of its schemas.
func ofDefinition(a, b *definitions.Definition) []diff.Change {
	var all definitionChanges
	from, to := &a.CRD.Spec, &b.CRD.Spec
	all.text(kindGroup, "spec.group", from.Group, to.Group)
	all.text(kindScope, "spec.scope", string(from.Scope), string(to.Scope))
	all.names(from.Names, to.Names)
	all.versions(a.CRD, b.CRD)
	if old, now := strategy(from), strategy(to); old != now {
		all.add(diff.Other, kindConversion, "spec.conversion.strategy", "%s → %s", old, now)
	}
	if from.PreserveUnknownFields != to.PreserveUnknownFields {
		effect := diff.Narrower
		if to.PreserveUnknownFields {
			effect = diff.Wider
		}
		all.add(effect, kindPreserve, "spec.preserveUnknownFields", "%v → %v", from.PreserveUnknownFields, to.PreserveUnknownFields)
	}
	return all
}

func (all *definitionChanges) text(kind, path, from, to string) {
	if from != to {
		all.add(diff.Other, kind, path, "%s → %s", none(from), none(to))
	}
}

func none(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

func (all *definitionChanges) names(from, to apiextensionsv1.CustomResourceDefinitionNames) {
	all.text(kindNames, "spec.names.kind", from.Kind, to.Kind)
	all.text(kindNames, "spec.names.listKind", listKind(from), listKind(to))
	all.text(kindNames, "spec.names.plural", from.Plural, to.Plural)
	all.text(kindShortNames, "spec.names.singular", singular(from), singular(to))
	all.listed(kindShortNames, "spec.names.shortNames", from.ShortNames, to.ShortNames)
	all.listed(kindShortNames, "spec.names.categories", from.Categories, to.Categories)
}

// listKind returns the list kind, with the default that the API server sets.
func listKind(n apiextensionsv1.CustomResourceDefinitionNames) string {
	if n.ListKind == "" {
		return n.Kind + "List"
	}
	return n.ListKind
}

func singular(n apiextensionsv1.CustomResourceDefinitionNames) string {
	if n.Singular == "" {
		return strings.ToLower(n.Kind)
	}
	return n.Singular
}

// listed compares lists whose order does not matter.
func (all *definitionChanges) listed(kind, path string, from, to []string) {
	for _, name := range slices.Sorted(slices.Values(from)) {
		if !slices.Contains(to, name) {
			all.add(diff.Narrower, kind, path, "no longer %s", name)
		}
	}
	for _, name := range slices.Sorted(slices.Values(to)) {
		if !slices.Contains(from, name) {
			all.add(diff.Wider, kind, path, "new: %s", name)
		}
	}
}

func strategy(s *apiextensionsv1.CustomResourceDefinitionSpec) string {
	if s.Conversion == nil || s.Conversion.Strategy == "" {
		return string(apiextensionsv1.NoneConverter)
	}
	return string(s.Conversion.Strategy)
}

// versions compares which versions are served and stored, and their subresources.
func (all *definitionChanges) versions(a, b *apiextensionsv1.CustomResourceDefinition) {
	for i := range a.Spec.Versions {
		old := &a.Spec.Versions[i]
		path := "spec.versions[" + old.Name + "]"
		now := findVersion(b, old.Name)
		switch {
		case now == nil && slices.Contains(storedIn(a), old.Name):
			all.add(diff.Narrower, kindStored, path, "the version is gone, and objects may be stored in it: the API server refuses "+
				"the definition while status.storedVersions names it")
		case now == nil:
			all.add(diff.Narrower, kindVersion, path, "the version is gone")
		case old.Served && !now.Served:
			all.add(diff.Narrower, kindVersion, path, "no longer served")
		case !old.Served && now.Served:
			all.add(diff.Wider, kindVersion, path, "served again")
		}
		if now != nil {
			all.subresources(path, old, now)
		}
	}
	for i := range b.Spec.Versions {
		if now := &b.Spec.Versions[i]; findVersion(a, now.Name) == nil {
			what := "new version"
			if !now.Served {
				what = "new version, not served"
			}
			all.add(diff.Wider, kindVersion, "spec.versions["+now.Name+"]", "%s", what)
		}
	}
	if old, now := storage(a), storage(b); old != now {
		all.add(diff.Other, kindStorage, "spec.versions[*].storage", "%s → %s: objects stay stored as they are until somebody "+
			"writes them", none(old), none(now))
	}
}

func findVersion(of *apiextensionsv1.CustomResourceDefinition, name string) *apiextensionsv1.CustomResourceDefinitionVersion {
	for i := range of.Spec.Versions {
		if of.Spec.Versions[i].Name == name {
			return &of.Spec.Versions[i]
		}
	}
	return nil
}

// storedIn returns the versions that objects may be stored in: those in the status, and the current
// one.
func storedIn(of *apiextensionsv1.CustomResourceDefinition) []string {
	return append(slices.Clone(of.Status.StoredVersions), storage(of))
}

func storage(of *apiextensionsv1.CustomResourceDefinition) string {
	for _, version := range of.Spec.Versions {
		if version.Storage {
			return version.Name
		}
	}
	return ""
}

func (all *definitionChanges) subresources(path string, a, b *apiextensionsv1.CustomResourceDefinitionVersion) {
	from, to := a.Subresources, b.Subresources
	if from == nil {
		from = &apiextensionsv1.CustomResourceSubresources{}
	}
	if to == nil {
		to = &apiextensionsv1.CustomResourceSubresources{}
	}
	switch at := path + ".subresources.status"; {
	case from.Status != nil && to.Status == nil:
		all.add(diff.Narrower, kindSubresource, at, "no longer a subresource; writes to the resource set the status now")
	case from.Status == nil && to.Status != nil:
		all.add(diff.Other, kindSubresource, at, "a subresource now; writes to the resource leave the status as it is")
	}
	switch at := path + ".subresources.scale"; {
	case from.Scale != nil && to.Scale == nil:
		all.add(diff.Narrower, kindSubresource, at, "no longer a subresource")
	case from.Scale == nil && to.Scale != nil:
		all.add(diff.Wider, kindSubresource, at, "a subresource now")
	case from.Scale != nil:
		all.text(kindSubresource, at+".specReplicasPath", from.Scale.SpecReplicasPath, to.Scale.SpecReplicasPath)
		all.text(kindSubresource, at+".statusReplicasPath", from.Scale.StatusReplicasPath, to.Scale.StatusReplicasPath)
		all.text(kindSubresource, at+".labelSelectorPath", dereferenced(from.Scale.LabelSelectorPath),
			dereferenced(to.Scale.LabelSelectorPath))
	}
	all.listed(kindSelectable, path+".selectableFields", selectable(a), selectable(b))
}

func dereferenced(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

func selectable(v *apiextensionsv1.CustomResourceDefinitionVersion) []string {
	var paths []string
	for _, field := range v.SelectableFields {
		paths = append(paths, field.JSONPath)
	}
	return paths
}
