package main

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/staging"
)

// render writes the functions as they are recorded: the release, and a line for each.
func (f *functions) render() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s %s\n", staging.Kubernetes, f.release)
	for _, name := range slices.Sorted(maps.Keys(f.digests)) {
		fmt.Fprintf(&b, "%s %s\n", name, f.digests[name])
	}
	return b.String()
}

// readRecord reads what render wrote.
func readRecord(file string) (*functions, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	recorded := &functions{digests: map[string]string{}}
	for i, line := range strings.Split(strings.TrimSpace(string(data)), "\n") {
		name, digest, ok := strings.Cut(line, " ")
		switch {
		case !ok:
			return nil, fmt.Errorf("%s:%d: %q is no name and digest; write the file with -record", file, i+1, line)
		case name == staging.Kubernetes:
			recorded.release = digest
		default:
			recorded.digests[name] = digest
		}
	}
	return recorded, nil
}

// changes returns a line for each function whose source is not the recorded one.
func (f *functions) changes(recorded *functions) (decisions []string) {
	all := maps.Clone(recorded.digests)
	maps.Copy(all, f.digests)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		was, now := recorded.digests[name], f.digests[name]
		places := strings.Join(f.at(split(name)), ", ")
		switch {
		case was == now:
		case places == "":
			decisions = append(decisions, "no overlay names it any more: "+name)
		case now == "":
			decisions = append(decisions, fmt.Sprintf("gone since %s: %s, named in %s", recorded.release, name, places))
		case was == "":
			decisions = append(decisions, fmt.Sprintf("not recorded at %s: %s, named in %s", recorded.release, name, places))
		default:
			decisions = append(decisions, fmt.Sprintf("changed since %s: %s, named in %s", recorded.release, name, places))
		}
	}
	return decisions
}

// misplaced returns a line for each function that its comment places where there is none.
func (f *functions) misplaced() (decisions []string) {
	known := map[string]bool{}
	for recorded := range f.digests {
		folder, name := split(recorded)
		known[folder+"."+name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(f.places)) {
		for _, p := range f.places[name] {
			if p.folder != "" && !known[p.folder+"."+name] {
				decisions = append(decisions, fmt.Sprintf("%s: no function %s in %s", p.line, name, p.folder))
			}
		}
	}
	return decisions
}

// split returns the folder below its module, and the name, of a function as it is recorded.
func split(recorded string) (folder, name string) {
	dot := strings.LastIndex(recorded, ".")
	for module := range sources {
		if below, is := strings.CutPrefix(recorded[:dot], module+"/"); is {
			folder = below
		}
	}
	return folder, recorded[dot+1:]
}
