// Gen writes the schemas of Kubernetes' kinds (../schemas/*.json) and the lines that made them
// (../origins.json), from the Go types in k8s.io/api and the markers in ../overlays/*.yaml. It also
// writes ../tags/*/*.json from upstream's tags "+k8s:…" alone. It only needs the module cache. With
// -count it instead prints how many validations each overlay declares, and with -list the
// validations themselves.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

func main() {
	count := flag.Bool("count", false, "print how many validations each overlay declares, and write nothing")
	list := flag.Bool("list", false, "print each declared validation with its place, and write nothing")
	dir := flag.String("dir", ".", "the folder that holds overlays and schemas")
	flag.Parse()
	result, err := generate(*dir)
	switch {
	case err != nil:
	case *count:
		printCount(os.Stdout, result.Declared)
	case *list:
		printList(os.Stdout, result.Declared)
	default:
		err = write(*dir, result)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// generated is the result of the overlays and types.
type generated struct {
	*idl.Result
	overlays []*idl.Overlay
	// gates has the definitions that change when a gate is not in its default state, by its name.
	gates map[string]map[string]*spec.Schema
}

func write(dir string, result *generated) error {
	origins, err := renderOrigins(result.Origins, result.overlays)
	if err != nil {
		return err
	}
	if err := errors.Join(writeSchemas(dir, result.Definitions), writeGates(dir, result.gates),
		outfile.Write(filepath.Join(dir, "origins.json"), origins)); err != nil {
		return err
	}
	tags, err := tagFiles(dir)
	if err != nil {
		return err
	}
	return writeTags(dir, tags)
}

func generate(dir string) (*generated, error) {
	overlays, err := readOverlays(dir)
	if err != nil {
		return nil, err
	}
	result, err := generateWith(dir, overlays, kubernetes.DefaultOptions())
	if err != nil {
		return nil, err
	}
	gates, err := changedByGates(dir, overlays, result)
	return &generated{result, overlays, gates}, err
}

// generateWith makes the schemas with these options enabled.
func generateWith(dir string, overlays []*idl.Overlay, options []string) (*idl.Result, error) {
	// The overlays express the hand-written validators. Upstream's tags repeat a part of them, in
	// stages that the API server does not enforce yet. Where tags are read, overlays have the rest.
	dialect, err := idl.NewKEP4153()
	if err != nil {
		return nil, err
	}
	tags, err := idl.NewK8s(idl.Reading{Stage: idl.StageAlpha, Options: options})
	if err != nil {
		return nil, err
	}
	dialects := []idl.Dialect{dialect, idl.Only(kubernetes.PackagesWithTags(), tags)}
	// k8s.io/api has markers above fields that are commented out.
	reading := idl.Reading{Options: options, IgnoreUnknown: true}
	return idl.Generate(idl.Config{Dir: dir, Roots: roots(), Overlays: overlays, Dialects: dialects, Reading: reading})
}

func printCount(out io.Writer, declared []idl.Declaration) {
	var files []string
	lines, uses := map[string]int{}, map[string]int{}
	for _, each := range declared {
		if lines[each.File] == 0 {
			files = append(files, each.File)
		}
		lines[each.File]++
		uses[each.File] += len(each.Packages)
	}
	totalLines, totalUses := 0, 0
	for _, file := range files {
		fmt.Fprintf(out, "%5d validations, %5d over all versions  %s\n", lines[file], uses[file], file)
		totalLines, totalUses = totalLines+lines[file], totalUses+uses[file]
	}
	fmt.Fprintf(out, "%5d validations, %5d over all versions  in all\n", totalLines, totalUses)
}

func printList(out io.Writer, declared []idl.Declaration) {
	for _, each := range declared {
		at := each.Position.String()
		if each.Used.Line > 0 {
			at = each.Used.String() + " (" + at + ")"
		}
		fmt.Fprintf(out, "%s\t%s\n", at, each.Text)
	}
}
