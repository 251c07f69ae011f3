package idl

import (
	"maps"
	"slices"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/overlay"
	"github.com/diffrun/diffrun/userfile"
)

// An Overlay adds markers to the types of packages that cannot be edited. The reference
// (docs/reference/overlays.md) describes the file format.
type Overlay struct {
	File     string
	Packages []string
	// Bundled means that the overlay is about types that a root may have as fields, not about those
	// of the packages of the roots. A line without effect is not a mistake, one that does not fit is
	// in Result.Unexpressed, and other overlays replace its markers.
	Bundled bool
	content *overlay.File
}

// ReadOverlay parses an overlay file. The error is a userfile.Mistakes. Generate checks that its
// types, fields and markers exist.
func ReadOverlay(file string, data []byte) (*Overlay, error) {
	content, err := overlay.Read(file, data)
	if content == nil {
		return nil, err
	}
	return &Overlay{File: file, Packages: content.Packages, content: content}, err
}

// Marks returns the positions of the lines of the overlay by a name that stays the same when other
// lines are added or moved. Generated files refer to lines by this name.
func (o *Overlay) Marks() map[string]userfile.Position { return o.content.Marks() }

// named returns the content with the exported fields, which callers may have changed.
func (o *Overlay) named() *overlay.File {
	file := *o.content
	file.Name, file.Packages, file.Bundled = o.File, o.Packages, o.Bundled
	return &file
}

// entries returns the entries of overlays for a type.
func (b *builder) entries(t *gotypes.Type) overlay.Entries {
	return b.overlays.Entries(t.Package.Path, t.Spec.Name.Name, t.Package.IsRoot)
}

// withoutUnreached returns the overlays without the bundled ones for packages that no root imports,
// directly or not. They have no effect, and parsing their rules would take most of the time that the
// schema of a small module needs.
func withoutUnreached(all []*overlay.File, reached map[string]bool) []*overlay.File {
	return slices.DeleteFunc(all, func(o *overlay.File) bool {
		return o.Bundled && len(o.Types) > 0 && !slices.ContainsFunc(slices.Collect(maps.Keys(reached)), o.AppliesTo)
	})
}
