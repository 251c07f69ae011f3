package policysets

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// gatorSuite is a suite of gator, the test runner of Gatekeeper.
type gatorSuite struct {
	file  string
	tests []gatorTest
}

// gatorTest is a template with a constraint and samples. Its files are relative to the root.
type gatorTest struct {
	name, template, constraint string
	denies                     bool // some sample must have violations
}

// readGator reads a suite.
func readGator(file string, object map[string]any) gatorSuite {
	suite := gatorSuite{file: file}
	tests, _ := object["tests"].([]any)
	for _, item := range tests {
		test, _ := item.(map[string]any)
		text := func(key string) string { value, _ := test[key].(string); return value }
		suite.tests = append(suite.tests, gatorTest{
			name: text("name"), template: path.Join(path.Dir(file), text("template")),
			constraint: path.Join(path.Dir(file), text("constraint")), denies: denies(test),
		})
	}
	return suite
}

// denies reports whether some sample of a test must have violations. Without any, a comparison proves nothing.
func denies(test map[string]any) bool {
	cases, _ := test["cases"].([]any)
	for _, item := range cases {
		one, _ := item.(map[string]any)
		assertions, _ := one["assertions"].([]any)
		for _, assertion := range assertions {
			fields, _ := assertion.(map[string]any)
			switch violations := fields["violations"]; violations {
			case false, "no", int64(0):
			default:
				return true
			}
		}
	}
	return false
}

// hasCEL reports whether a ConstraintTemplate has its rule in CEL, too.
func hasCEL(template map[string]any) bool {
	spec, _ := template["spec"].(map[string]any)
	targets, _ := spec["targets"].([]any)
	for _, item := range targets {
		target, _ := item.(map[string]any)
		code, _ := target["code"].([]any)
		for _, item := range code {
			if source, _ := item.(map[string]any); source["engine"] == "K8sNativeValidation" {
				return true
			}
		}
	}
	return false
}

// gator makes a pair of each test whose template has both languages.
func (f *finder) gator() {
	without := 0
	for _, hasCEL := range f.templates {
		if !hasCEL {
			without++
		}
	}
	if without > 0 {
		f.open("in Rego alone, so that Gatekeeper generates no policy: %s", plaintext.Count(without, "ConstraintTemplate"))
	}
	var lacking []string
	for _, suite := range f.originals() {
		for _, test := range suite.tests {
			name := path.Base(path.Dir(suite.file)) + "-" + test.name
			hasCEL, found := f.templates[test.template]
			switch {
			case !found:
				lacking = append(lacking, fmt.Sprintf("%s of %s, which names %s", test.name, suite.file, test.template))
			case !hasCEL:
			case !test.denies:
				f.open("%s: %s: no sample of it must be denied, so a comparison would prove nothing", suite.file, test.name)
			default:
				files := []string{test.template, test.constraint}
				f.Pairs = append(f.Pairs, Pair{
					name, "Rego, and the policy that Gatekeeper generates of the CEL in the same template",
					Side{"gatekeeper", false, files}, Side{"gatekeeper", true, files}, []string{suite.file + "#" + test.name},
				})
			}
		}
	}
	if len(lacking) > 0 {
		f.open("left out, because their file of the template has no ConstraintTemplate: %s, such as %s",
			plaintext.Count(len(lacking), "test")+" of gator", lacking[0])
	}
}

// originals returns the suites that are no copies. The copy of a suite is in a folder with the same path below some other
// folder, or below it in a folder with a version: artifacthub/library/general/repos/1.0.2 is a copy of library/general/repos.
func (f *finder) originals() []gatorSuite {
	slices.SortStableFunc(f.gatorSuites, func(a, b gatorSuite) int {
		return cmp.Or(cmp.Compare(strings.Count(a.file, "/"), strings.Count(b.file, "/")), strings.Compare(a.file, b.file))
	})
	var kept []gatorSuite
	var copies []string
	for _, suite := range f.gatorSuites {
		at := "/" + withoutVersions(suite.file)
		isCopy := func(other gatorSuite) bool { return strings.HasSuffix(at, "/"+withoutVersions(other.file)) }
		if path.Dir(suite.file) != "." && slices.ContainsFunc(kept, isCopy) {
			copies = append(copies, suite.file)
			continue
		}
		kept = append(kept, suite)
	}
	if len(copies) > 0 {
		f.open("copies of other suites of gator, not used: %s, such as %s", plaintext.Number(len(copies)), copies[0])
	}
	return kept
}

var versionFolder = regexp.MustCompile(`/v?[0-9]+\.[0-9.]+/`)

// withoutVersions returns the name of a file without the folders of versions.
func withoutVersions(file string) string { return versionFolder.ReplaceAllString(file, "/") }
