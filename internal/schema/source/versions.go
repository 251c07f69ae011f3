package source

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/userfile"
)

// Difference is a marker that not all versions of an API have.
type Difference struct {
	userfile.Position
	// API is the group, or else the folder of the versions.
	API string
	// Versions are the newest version that has the type or field, and the one that differs.
	Versions []string
	// Place is the Go type, or the type with the JSON name of a field, such as "WidgetSpec.size".
	Place string
	What  string
}

// Differences compares the markers of each type and field with those in the newest version that has
// it. Markers of two dialects that mean the same, such as +minimum=1 and
// +kubebuilder:validation:Minimum=1, are equal. The result is sorted by place.
func Differences(packages []idl.Package, marked []idl.Marked) []Difference {
	of := map[string]release{}
	for _, p := range packages {
		of[p.Path] = releaseOf(p)
	}
	type place struct{ key, place string }
	places := map[place][]side{}
	for _, each := range marked {
		r := of[each.Package]
		if r.key == "" {
			continue
		}
		at := place{r.key, strings.TrimSuffix(each.Type+"."+each.Field, ".")}
		places[at] = append(places[at], side{r, each})
	}
	var all []Difference
	for at, sides := range places {
		slices.SortFunc(sides, func(a, b side) int { return version.CompareKubeAwareVersionStrings(b.version, a.version) })
		for _, older := range sides[1:] {
			for _, found := range differences(sides[0], older) {
				found.API, found.Place, found.Versions = older.api, at.place, []string{sides[0].version, older.version}
				all = append(all, found)
			}
		}
	}
	slices.SortFunc(all, func(a, b Difference) int {
		return cmp.Or(strings.Compare(a.API, b.API), strings.Compare(a.Place, b.Place), slices.Compare(a.Versions, b.Versions),
			strings.Compare(a.What, b.What))
	})
	return all
}

// release is the API and version of a package. Packages of one API have the same key.
type release struct{ key, api, version string }

// versionFolder is the name of a folder that has a version of an API.
var versionFolder = regexp.MustCompile(`^v\d+((alpha|beta)\d+)?$`)

// releaseOf returns the release that a package belongs to. Packages of one API have the same group
// and paths that differ only in the folder of the version, such as "api/v1alpha1" and "api/v1". The
// release is empty if the package is not a version of an API.
func releaseOf(p idl.Package) release {
	steps := strings.Split(p.Path, "/")
	at := -1
	for i, step := range steps {
		if versionFolder.MatchString(step) && i > 0 {
			at = i
		}
	}
	group := p.GroupVersion.Group
	switch {
	case at < 0 && group == "":
		return release{}
	case at < 0:
		return release{group + " " + path.Dir(p.Path), group, p.GroupVersion.Version}
	}
	folder := strings.Join(steps[:at], "/")
	key := group + " " + folder + " " + strings.Join(steps[at+1:], "/")
	return release{key, cmp.Or(group, folder), cmp.Or(p.GroupVersion.Version, steps[at])}
}

// side is a type or field in one version.
type side struct {
	release
	idl.Marked
}

// differences returns how the markers of an older version differ from those of the newest.
func differences(newest, older side) []Difference {
	var all []Difference
	onlyNew, onlyOld := without(newest.Markers, older.Markers), without(older.Markers, newest.Markers)
	if isPresence := func(m idl.WrittenMarker) bool {
		return m.Name == "presence"
	}; !slices.ContainsFunc(newest.Markers, isPresence) || !slices.ContainsFunc(older.Markers, isPresence) {
		onlyNew, onlyOld = slices.DeleteFunc(onlyNew, isPresence), slices.DeleteFunc(onlyOld, isPresence) // one of them is unknown
	}
	for _, marker := range onlyNew {
		at := slices.IndexFunc(onlyOld, func(other idl.WrittenMarker) bool { return sameKeyword(marker, other) })
		what := fmt.Sprintf("%s has %s, but %s has no such marker", newest.version, brief(marker), older.version)
		if at >= 0 {
			what = fmt.Sprintf("%s has %s, and %s has %s", newest.version, brief(marker), older.version, brief(onlyOld[at]))
			onlyOld = slices.Delete(onlyOld, at, at+1)
		}
		all = append(all, Difference{Position: marker.Position, What: what})
	}
	for _, marker := range onlyOld {
		all = append(all, Difference{
			Position: marker.Position,
			What:     fmt.Sprintf("%s has %s, but %s has no such marker", older.version, brief(marker), newest.version),
		})
	}
	return all
}

// without returns the markers of one list whose meaning the other list lacks.
func without(markers, other []idl.WrittenMarker) []idl.WrittenMarker {
	return slices.DeleteFunc(slices.Clone(markers), func(m idl.WrittenMarker) bool {
		return slices.ContainsFunc(other, func(o idl.WrittenMarker) bool { return o.Meaning == m.Meaning })
	})
}

// sameKeyword reports whether two markers set the same keyword. A field may have several rules, so
// rules never set the same keyword.
func sameKeyword(a, b idl.WrittenMarker) bool {
	return a.Name == b.Name && !strings.HasSuffix(a.Name, "validationRule")
}

// brief returns a marker on one line.
func brief(m idl.WrittenMarker) string { return strings.Join(strings.Fields(m.Text), " ") }
