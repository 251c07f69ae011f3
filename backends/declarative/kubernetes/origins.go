package kubernetes

import (
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	openapiutil "k8s.io/kube-openapi/pkg/util"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/userfile"
)

// originsFile maps the places of each definition to their origins: a line of a Go file
// ("k8s.io/api/batch/v1/types.go:45", or ":45" in the file of the type), or a line of an overlay by
// its name ("batch.yaml#1a2b3c4d", see idl.Overlay.Marks).
//
//go:embed origins.json
var originsFile []byte

// Declared returns the line of an overlay or of k8s.io/api that made a place of the schema of a kind,
// such as "properties[spec].minimum", or a place of a definition that it refers to. The file of an
// overlay is one of the folder overlays. It is empty for a kind that [Kinds] does not list.
func Declared(gvk schema.GroupVersionKind, place string) userfile.Position {
	goPackage := GoPackage(gvk)
	if goPackage == "" {
		return userfile.Position{}
	}
	if !strings.HasPrefix(place, "definitions[") {
		root := "definitions[" + openapiutil.ToRESTFriendlyName(goPackage+"."+gvk.Kind) + "]"
		place = strings.TrimSuffix(root+"."+place, ".")
	}
	at, _ := origins().At(place)
	return at
}

// withLines prefixes each mistake in the schema of a kind with the line of an overlay or of k8s.io/api
// that made the place, so that readers know which rule of which file to fix.
func withLines(gvk schema.GroupVersionKind, err error) error {
	var wrong *declarative.SchemaError
	if !errors.As(err, &wrong) {
		return err
	}
	var all []error
	for _, one := range wrong.Errors {
		if at := Declared(gvk, one.Field); at.Line > 0 {
			all = append(all, fmt.Errorf("%s: %w", at, one))
			continue
		}
		all = append(all, one)
	}
	return errors.Join(all...)
}

// origins reads originsFile and finds the lines of the overlays. Both are embedded, so tests find
// mistakes in them.
var origins = sync.OnceValue(func() idl.Origins {
	var read map[string]map[string]string
	if err := json.Unmarshal(originsFile, &read); err != nil {
		panic("kubernetes: origins.json: " + err.Error())
	}
	overlays, err := Overlays()
	if err != nil {
		panic("kubernetes: " + err.Error())
	}
	marks := map[string]userfile.Position{}
	for _, overlay := range overlays {
		file := strings.TrimPrefix(overlay.File, bundledPrefix)
		for name, at := range overlay.Marks() {
			marks[file+"#"+name] = userfile.Position{File: "overlays/" + file, Line: at.Line, Column: at.Column}
		}
	}
	all := idl.Origins{}
	for name, places := range read {
		of, _, _ := strings.Cut(places[""], ":")
		for place, origin := range places {
			if at := position(origin, of, marks); at.Line > 0 {
				all["definitions["+name+"]"+dotted(place)] = at
			}
		}
	}
	return all
})

func dotted(place string) string {
	if place == "" {
		return ""
	}
	return "." + place
}

// position parses an origin. of is the file of the type.
func position(origin, of string, marks map[string]userfile.Position) userfile.Position {
	if strings.Contains(origin, "#") {
		return marks[origin]
	}
	file, line, _ := strings.Cut(origin, ":")
	if file == "" {
		file = of
	}
	n, _ := strconv.Atoi(line)
	return userfile.Position{File: file, Line: n}
}
