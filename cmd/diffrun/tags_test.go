package main

import (
	"flag"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/idl"
	schemas "github.com/diffrun/diffrun/backends/declarative/kubernetes"
	"github.com/diffrun/diffrun/backends/declarative/tally"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/testing/slowtest"
)

var updateTags = flag.Bool("update-tags", false, "write docs/tags.md and docs/tags-disagreements.md anew")

// TestTagsPages checks the pages that list how many lines of k8s.io/api with +k8s: tags our schemas
// express, how many a case breaks, and where the hand-written validators, upstream's generated ones and
// our schemas disagree. "make tags" writes it.
func TestTagsPages(t *testing.T) {
	slowtest.Skip(t)
	api := apiFolder(t)
	lines := readTagLines(t, api)
	made := map[string]tagSchemas{"default": makeTagSchemas(t, api, nil), "gated": makeTagSchemas(t, api, schemas.TagOptions())}
	for _, set := range made {
		set.express(lines)
	}
	run := runTagSuites(t)
	for of, counted := range run.coverage {
		made[of.set].count(lines, of.version, counted.Places())
	}
	for name, page := range map[string]string{"tags.md": drawTagsPage(lines), "tags-disagreements.md": drawDisagreements(run)} {
		path := filepath.Join(root, "docs", name)
		if *updateTags {
			if err := os.WriteFile(path, []byte(page), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		stored, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(strings.Split(string(stored), "\n"), strings.Split(page, "\n")); diff != "" {
			t.Errorf("docs/%s is stale; \"make tags\" writes it (-stored +made):\n%s", name, diff)
		}
	}
}

// apiFolder returns the folder with the sources of k8s.io/api.
func apiFolder(t *testing.T) string {
	t.Helper()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-m", "-f", "{{.Dir}}", "k8s.io/api").Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

// tagSchemas are the schemas made of tags, and the lines that their places come from.
type tagSchemas struct {
	api string
	*idl.Result
}

func makeTagSchemas(t *testing.T, api string, options []string) tagSchemas {
	t.Helper()
	reading := idl.Reading{IgnoreUnknown: true, Stage: idl.StageAlpha, Options: options}
	dialect, err := idl.NewK8s(reading)
	if err != nil {
		t.Fatal(err)
	}
	var roots []idl.TypeName
	for _, version := range schemas.TaggedKinds() {
		roots = append(roots, idl.TypeName{Package: schemas.TaggedPackage(version), Name: version.Kind})
	}
	result, err := idl.Generate(idl.Config{Roots: roots, Dialects: []idl.Dialect{dialect}, Optional: true, Reading: reading})
	if err != nil {
		t.Fatal(err)
	}
	return tagSchemas{api, result}
}

// at returns a place of k8s.io/api, such as "resource/v1/types.go".
func (s tagSchemas) at(file string) string {
	return filepath.ToSlash(strings.TrimPrefix(file, s.api+string(filepath.Separator)))
}

// express records the lines that made a place of a schema, and those that no schema can express.
func (s tagSchemas) express(lines tagLines) {
	for _, at := range s.Origins {
		if line := lines.at(s.at(at.File), at.Line); line != nil {
			line.expressed = true
		}
	}
	for _, no := range s.Unexpressed {
		if line := lines.at(s.at(no.File), no.Line); line != nil {
			line.unexpressed = no.Why
		}
	}
	for name := range s.Definitions {
		lines.reach(name)
	}
}

// count records which lines were reached and broken.
func (s tagSchemas) count(lines tagLines, version schema.GroupVersionKind, places []tally.Place) {
	root := "definitions[" + idl.TypeName{Package: schemas.TaggedPackage(version), Name: version.Kind}.Definition() + "]"
	for _, place := range places {
		for _, declared := range place.Declared {
			if !strings.HasPrefix(declared, "definitions[") {
				declared = root + "." + declared
			}
			if place.Keyword == "required" {
				declared = declared[:strings.LastIndex(declared, ".required[")] + ".properties[" +
					place.Path[strings.LastIndex(place.Path, ".")+1:] +
					"].required"
			}
			at, known := s.Origins[declared]
			line := lines.at(s.at(at.File), at.Line)
			if !known || line == nil {
				continue
			}
			line.reached = line.reached || place.Reached > 0
			line.broken = line.broken || place.Failed > 0
		}
	}
}

// tagRun is the result of the two suites of tags.
type tagRun struct {
	coverage map[setVersion]*tally.Coverage
	// results by case, target and set: of the generated validators and our schemas, and of the
	// hand-written and the generated validators.
	results map[string]map[string]harness.Result
	order   []string
}

type setVersion struct {
	set     string
	version schema.GroupVersionKind
}

func runTagSuites(t *testing.T) *tagRun {
	t.Helper()
	disk := &cases.Files{FS: os.DirFS("../.."), OnDisk: false}
	plan, err := cases.Load([]cases.Location{
		{Files: disk, Name: "cases/tags/generated/suite.yaml"},
		{Files: disk, Name: "cases/tags/handwritten/suite.yaml"},
	},
		cases.Options{Builtins: builtins(), Now: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC), Tags: idl.Reading{Stage: idl.StageAlpha}})
	if err != nil {
		t.Fatal(err)
	}
	run := &tagRun{
		coverage: map[setVersion]*tally.Coverage{},
		results:  map[string]map[string]harness.Result{"tags-generated": {}, "tags-handwritten": {}},
	}
	for _, suite := range plan.Suites {
		leave, err := suite.Enter()
		if err != nil {
			t.Fatal(err)
		}
		options := cases.JobOptions{
			Harness: harness.Options{Rules: suite.Rules, Exceptions: suite.Exceptions, Compare: suite.Scope("")},
			Coverage: func(version schema.GroupVersionKind, _ []string) *tally.Coverage {
				of := setVersion{suite.Set, version}
				if run.coverage[of] == nil {
					run.coverage[of] = &tally.Coverage{}
				}
				return run.coverage[of]
			},
		}
		err = harness.Run(t.Context(), suite.Jobs(options), harness.RunOptions{Parallel: 1}, func(r harness.Result) error {
			key := suite.Set + " " + apiname.Target(r.Version) + " " + r.Case.ID
			run.results[suite.Of()][key] = r
			if suite.Of() == "tags-generated" {
				run.order = append(run.order, key)
			}
			return nil
		})
		leave()
		if err != nil {
			t.Fatal(err)
		}
	}
	return run
}

// TestTagLines checks that each line with a tag belongs to a type.
func TestTagLines(t *testing.T) {
	lines := readTagLines(t, apiFolder(t))
	if len(lines) < 753 {
		t.Errorf("%d lines with tags, want at least 753", len(lines))
	}
	for _, place := range slices.Sorted(maps.Keys(lines)) {
		if lines[place].owner == "" {
			t.Errorf("%s: %s belongs to no type", place, lines[place].text)
		}
	}
}
