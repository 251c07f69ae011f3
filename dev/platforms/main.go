// Platforms type-checks a command and all that it imports for each platform that is named, from source: a tenth of
// what compiling it costs.
//
//	platforms -C .. -tags buckets ./cmd/diffrun linux_amd64 windows_amd64
package main

import (
	"flag"
	"fmt"
	"os"
	"strings"

	"golang.org/x/tools/go/packages"
)

func main() {
	dir := flag.String("C", ".", "the folder of the module")
	tags := flag.String("tags", "", "build tags")
	flag.Parse()
	if flag.NArg() < 2 {
		fmt.Fprintln(os.Stderr, "platforms: name a package, and platforms such as linux_amd64")
		os.Exit(2)
	}
	wrong := 0
	for _, platform := range flag.Args()[1:] {
		checked, mistakes, err := check(*dir, flag.Arg(0), *tags, platform)
		if err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", platform, err)
			os.Exit(2)
		}
		for _, m := range mistakes {
			fmt.Printf("%s: %s\n", platform, m)
		}
		wrong += len(mistakes)
		fmt.Printf("%s: %d packages checked, %d mistakes\n", platform, checked, len(mistakes))
	}
	if wrong > 0 {
		os.Exit(1)
	}
}

// check type-checks what pattern names in a module, and what that imports, without cgo, as releases are built. It returns how many
// packages those are, and what does not compile.
func check(dir, pattern, tags, platform string) (int, []string, error) {
	system, architecture, is := strings.Cut(platform, "_")
	if !is {
		return 0, nil, fmt.Errorf("no platform; name it as linux_amd64")
	}
	loaded, err := packages.Load(&packages.Config{
		Dir: dir,
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedDeps | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Env:        append(os.Environ(), "CGO_ENABLED=0", "GOOS="+system, "GOARCH="+architecture),
		BuildFlags: []string{"-tags=" + tags},
	}, pattern)
	if err != nil {
		return 0, nil, err
	}
	checked, mistakes := 0, []string(nil)
	packages.Visit(loaded, nil, func(p *packages.Package) {
		checked++
		for _, e := range p.Errors {
			mistakes = append(mistakes, e.Error())
		}
	})
	return checked, mistakes, nil
}
