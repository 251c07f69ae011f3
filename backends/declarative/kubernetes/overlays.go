package kubernetes

import (
	"embed"
	"io/fs"
	"path"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

//go:embed overlays/*.yaml
var overlayFiles embed.FS

// bundledPrefix begins the names of embedded files.
const bundledPrefix = "diffrun:"

// Overlays returns the markers of the built-in types, for user types that have them as fields. They
// are for k8s.io/api v0.37. Lines that do not fit the release in use are in Result.Unexpressed.
func Overlays() ([]*idl.Overlay, error) {
	names, err := fs.Glob(overlayFiles, "overlays/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []*idl.Overlay
	for _, name := range names {
		data, err := fs.ReadFile(overlayFiles, name)
		if err != nil {
			return nil, err
		}
		overlay, err := idl.ReadOverlay(bundledPrefix+path.Base(name), data)
		if err != nil {
			return nil, err
		}
		overlay.Bundled = true
		all = append(all, overlay)
	}
	return all, nil
}
