package policysets

import (
	"bytes"
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Side is a side of a suite: files, and what evaluates the policies in them.
type Side struct {
	// Engine is the key of an engine; empty: the API server evaluates the policies.
	Engine string
	// Generated is set for the policies that the engine generates.
	Generated bool
	// Files are relative to the root.
	Files []string
}

// Pair is a policy and what succeeds it.
type Pair struct {
	// Name is that of the suite and of its folder.
	Name string
	// What says for people what the two sides are.
	What              string
	Policy, Successor Side
	// Cases are files of tests, relative to the root; one of a gator suite has a fragment with the test.
	Cases []string
}

// Set is what was found. Names of files are relative to Root, with slashes.
type Set struct {
	Root string
	// Counts are the objects that were found, by kind.
	Counts map[string]int
	Pairs  []Pair
	// Open lists policies that cannot be compared, with the reason.
	Open []string
}

// finder collects the policies of a repository.
type finder struct {
	*Set
	policies    []policy
	bindings    map[string]string // files of bindings, by the name of their policy
	templates   map[string]bool   // files with a ConstraintTemplate that has CEL, by name
	gatorSuites []gatorSuite
}

// ignored are folders that belong to others or are made by tools.
var ignored = []string{"vendor", "node_modules", ".git", ".github"}

// Find searches a directory. skip is a folder in it to leave out, such as the one that is written.
func Find(root, skip string) (*Set, error) {
	f := &finder{Set: &Set{Root: root, Counts: map[string]int{}}, bindings: map[string]string{}, templates: map[string]bool{}}
	err := filepath.WalkDir(root, func(name string, entry fs.DirEntry, err error) error {
		relative, _ := filepath.Rel(root, name)
		relative = filepath.ToSlash(relative)
		switch {
		case err != nil:
			return nil // scaffold.Find names it
		case entry.IsDir() && (relative == skip || slices.Contains(ignored, entry.Name())):
			return fs.SkipDir
		case entry.IsDir() || path.Ext(relative) != ".yaml" && path.Ext(relative) != ".yml":
			return nil
		}
		f.file(relative)
		return nil
	})
	if err != nil {
		return nil, err
	}
	f.pair()
	return f.Set, nil
}

// groups are in each file of interest.
var groups = [][]byte{[]byte("kyverno.io/"), []byte("admissionregistration.k8s.io/"), []byte("gatekeeper.sh/")}

// file reads the policies of a file. Those of tests are resources of a test, and no policies of the repository.
func (f *finder) file(name string) {
	data, err := os.ReadFile(filepath.Join(f.Root, filepath.FromSlash(name)))
	isWanted := slices.ContainsFunc(groups, func(group []byte) bool { return bytes.Contains(data, group) })
	if err != nil || !isWanted || isTest(path.Dir(name)) {
		return
	}
	for document := range documents.Manifest(name, data) {
		object := document.Object
		if document.Err != nil || object == nil {
			continue
		}
		kind, _ := object["kind"].(string)
		apiVersion, _ := object["apiVersion"].(string)
		found, isPolicy := read(name, object)
		switch {
		case isPolicy:
			f.policies = append(f.policies, found)
			f.Counts[found.kind]++
		case kind == "ValidatingAdmissionPolicyBinding":
			spec, _ := object["spec"].(map[string]any)
			of, _ := spec["policyName"].(string)
			f.bindings[of] = name
		case kind == "ConstraintTemplate" && strings.HasPrefix(apiVersion, "templates.gatekeeper.sh/"):
			f.Counts[kind]++
			f.templates[name] = hasCEL(object)
		case kind == "Suite" && strings.HasPrefix(apiVersion, "test.gatekeeper.sh/"):
			f.Counts["gator suite"]++
			f.gatorSuites = append(f.gatorSuites, readGator(name, object))
		}
	}
}

// isTest reports whether a folder is one of tests.
func isTest(folder string) bool {
	return slices.ContainsFunc(strings.Split(folder, "/"), func(part string) bool {
		return strings.HasPrefix(part, ".chainsaw") || strings.HasPrefix(part, ".kyverno-test")
	})
}

// pair makes the pairs.
func (f *finder) pair() {
	slices.SortFunc(f.policies, func(a, b policy) int { return strings.Compare(a.file, b.file) })
	succeeded := map[string]bool{}
	none := 0
	for _, p := range f.policies {
		switch p.language {
		case patterns:
			continue
		case other:
			none++
			continue
		}
		before, found := f.before(p)
		if found {
			succeeded[before.file] = true
		}
		f.succeed(before, p, found)
	}
	f.gator()
	if none > 0 {
		f.open("not compared, because no rule of it validates: %s", plaintext.Count(none, "policy"))
	}
	alone := 0
	for _, p := range f.policies {
		if p.language == patterns && !succeeded[p.file] {
			alone++
		}
	}
	if alone > 0 {
		f.open("in patterns, without a policy in CEL of the same name or place: %s", plaintext.Count(alone, "policy"))
	}
	f.unique()
}

// unique makes the names of the pairs names of folders, sorts the pairs by them, and numbers those of the same name.
// Case does not tell them apart, as in many file systems.
func (f *finder) unique() {
	used := map[string]bool{ExceptionsFile: true} // false: a pair has this name itself
	for i := range f.Pairs {
		f.Pairs[i].Name = folderName(f.Pairs[i].Name)
		key := strings.ToLower(f.Pairs[i].Name)
		used[key] = key == ExceptionsFile
	}
	slices.SortStableFunc(f.Pairs, func(a, b Pair) int { return strings.Compare(a.Name, b.Name) })
	for i := range f.Pairs {
		name := f.Pairs[i].Name
		isTaken := used[strings.ToLower(name)]
		for n := 2; isTaken; n++ {
			f.Pairs[i].Name = fmt.Sprintf("%s-%d", name, n)
			_, isTaken = used[strings.ToLower(f.Pairs[i].Name)]
		}
		used[strings.ToLower(f.Pairs[i].Name)] = true
	}
}

// notInFolder matches what a name of a folder does not have.
var notInFolder = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// folderName returns a name as that of a folder, which is not hidden and leads nowhere else.
func folderName(name string) string {
	return cmp.Or(strings.TrimLeft(notInFolder.ReplaceAllString(name, "-"), ".-"), "policy")
}

// before returns the policy in patterns that a policy succeeds: the one at its place, or else the only one of its name.
func (f *finder) before(of policy) (policy, bool) {
	var named []policy
	for _, p := range f.policies {
		switch {
		case p.language != patterns || p.file == of.file:
		case p.place() == of.place():
			return p, true
		case p.name != "" && plain(p.name) == plain(of.name):
			named = append(named, p)
		}
	}
	if len(named) == 1 {
		return named[0], true
	}
	return policy{}, false
}

func (f *finder) open(format string, args ...any) {
	f.Open = append(f.Open, fmt.Sprintf(format, args...))
}

// succeed makes the pairs of a policy in CEL, and of the one before it if there is one.
func (f *finder) succeed(before, p policy, hasBefore bool) {
	tests := f.tests(p)
	if hasBefore {
		if own := f.tests(before); len(own) > 0 {
			tests = own
		}
	}
	add := func(suffix, what string, policy, successor Side) {
		f.Pairs = append(f.Pairs, Pair{plain(p.name) + suffix, what, policy, successor, tests})
	}
	side := func(of policy, generated bool) Side {
		return Side{Engine: "kyverno", Generated: generated, Files: []string{of.file}}
	}
	switch {
	case len(tests) == 0:
		f.open("%s: %s has no tests beside it (kyverno-test.yaml or chainsaw-test.yaml), so there are no samples to compare with",
			p.file, p.name)
	case p.language == cel && hasBefore:
		add("-cel-engine", "patterns, and the same in CEL, both as Kyverno evaluates them", side(before, false), side(p, false))
		add("-cel-policy", "patterns, and the policy that Kyverno generates of the same in CEL", side(before, false), side(p, true))
	case p.language == cel:
		add("-cel-policy", "CEL as Kyverno evaluates it, and the policy that it generates of it", side(p, false), side(p, true))
	case p.language == validating && hasBefore:
		add("-vpol-policy", "patterns, and the policy that Kyverno generates of a ValidatingPolicy", side(before, false), side(p, true))
	case p.language == admission && hasBefore:
		files := []string{p.file}
		if binding, bound := f.bindings[p.name]; bound && binding != p.file {
			files = append(files, binding)
		}
		add("-vap", "patterns, and a ValidatingAdmissionPolicy", side(before, false), Side{Files: files})
	case p.language == validating:
		f.open("%s: %s has no policy in patterns of the same name or place", p.file, p.name)
	}
}

// tests returns the files of tests in the folder of a policy.
func (f *finder) tests(of policy) []string {
	var tests []string
	for _, name := range []string{".chainsaw-test/chainsaw-test.yaml", ".kyverno-test/kyverno-test.yaml", "kyverno-test.yaml",
		"chainsaw-test.yaml"} {
		name = path.Join(path.Dir(of.file), name)
		if info, err := os.Stat(filepath.Join(f.Root, filepath.FromSlash(name))); err == nil && info.Mode().IsRegular() {
			tests = append(tests, name)
		}
	}
	return tests
}
