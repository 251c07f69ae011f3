// Gen writes the schemas of Kubernetes' kinds: ../schemas/*.json, from the Go
// types in k8s.io/api and the markers in ../overlays/*.yaml. It works from the
// module cache alone. With -count it prints how many validations each overlay
// declares instead, with -list the validations themselves.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"

	"github.com/diffrun/diffrun/backends/declarative/idl"
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
		err = writeSchemas(*dir, result.Definitions)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func generate(dir string) (*idl.Result, error) {
	overlays, err := readOverlays(dir)
	if err != nil {
		return nil, err
	}
	// The overlays say what the hand-written validators do; upstream's tags, most of which the
	// API server does not enforce yet, say it again.
	dialect, err := idl.NewKEP4153()
	if err != nil {
		return nil, err
	}
	return idl.Generate(idl.Config{Dir: dir, Roots: roots(), Overlays: overlays, Dialects: []idl.Dialect{dialect}})
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
