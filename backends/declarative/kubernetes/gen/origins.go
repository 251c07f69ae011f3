package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// renderOrigins writes which line made each place, in the form that package kubernetes reads.
func renderOrigins(origins idl.Origins, overlays []*idl.Overlay) ([]byte, error) {
	names := map[strictyaml.Position]string{}
	for _, overlay := range overlays {
		for name, at := range overlay.Marks() {
			name = filepath.Base(overlay.File) + "#" + name
			if known := names[at]; known == "" || name < known { // several types can share an alias of YAML
				names[at] = name
			}
		}
	}
	all := map[string]map[string]string{}
	for place, at := range origins {
		if strings.HasSuffix(place, ".required") {
			continue // the elements, such as required[0], have the lines
		}
		definition, inside, _ := strings.Cut(strings.TrimPrefix(place, "definitions["), "]")
		if all[definition] == nil {
			all[definition] = map[string]string{}
		}
		origin := names[at]
		if origin == "" {
			file, err := importPath(at.File)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", place, err)
			}
			origin = file + ":" + strconv.Itoa(at.Line)
		}
		all[definition][strings.TrimPrefix(inside, ".")] = origin
	}
	for _, places := range all {
		of, _, _ := strings.Cut(places[""], ":")
		for place, origin := range places {
			if rest, same := strings.CutPrefix(origin, of+":"); same && place != "" {
				places[place] = ":" + rest
			}
		}
	}
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetIndent("", " ")
	err := encoder.Encode(all)
	return out.Bytes(), err
}

// inModule matches a file of a Kubernetes module in the module cache or in a vendor directory.
var inModule = regexp.MustCompile(`(?:^|/)(k8s\.io/[^/@]+)(?:@[^/]+)?/(.+)$`)

// importPath returns the name of a file that begins with the import path of its package.
func importPath(file string) (string, error) {
	found := inModule.FindStringSubmatch(file)
	if found == nil {
		return "", fmt.Errorf("%s is neither an overlay nor a file of k8s.io", file)
	}
	return found[1] + "/" + found[2], nil
}
