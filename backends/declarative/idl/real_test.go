package idl_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/k8s"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/kep4153"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// TestTagsOfKubernetes makes schemas of the packages of k8s.io/api that have the most tags of validation-gen,
// in all stages. Each schema compiles, and the only markers that schemas cannot express are the known ones.
func TestTagsOfKubernetes(t *testing.T) {
	var names []idl.TypeName
	for _, each := range []struct{ group, kinds string }{
		{"resource/v1", "ResourceClaim ResourceClaimTemplate ResourceSlice DeviceClass"},
		{"certificates/v1", "CertificateSigningRequest"},
		{"flowcontrol/v1", "FlowSchema PriorityLevelConfiguration"},
		{"storage/v1", "StorageClass"},
		{"apps/v1", "Deployment"},
	} {
		for _, kind := range strings.Fields(each.kinds) {
			names = append(names, idl.TypeName{Package: "k8s.io/api/" + each.group, Name: kind})
		}
	}
	upstream, err := idl.NewK8s(idl.Reading{Stage: idl.StageAlpha})
	if err != nil {
		t.Fatal(err)
	}
	structure, err := kep4153.New()
	if err != nil {
		t.Fatal(err)
	}
	result, err := idl.Generate(idl.Config{
		Roots: names, Dialects: []idl.Dialect{idl.CustomDialect(withoutUnions{structure}), upstream},
		// A comment of resource/v1 has the tags of a field that is no more. TestEveryTagOfKubernetes finds unknown tags.
		Reading: idl.Reading{Stage: idl.StageAlpha, IgnoreUnknown: true},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, each := range names {
		_, err := declarative.Compile(result.Definitions[each.Definition()], declarative.Options{
			Definitions: result.Definitions, Root: true, WithoutEstimation: true,
		})
		if err != nil {
			t.Errorf("%s: %v", each.Definition(), err)
		}
	}
	for _, each := range result.Unexpressed {
		t.Logf("%s %s: %s", each.Position, each.Text, each.Why)
		if !strings.Contains(each.Text, "k8s:customUnique") && !strings.Contains(each.Text, "k8s:customValidation") {
			t.Errorf("%s: %s is not expressed: %s", each.Position, each.Text, each.Why)
		}
	}
	if len(result.Unexpressed) == 0 {
		t.Error("every tag is said to be expressed, also +k8s:customUnique")
	}
}

// withoutUnions ignores +union in k8s.io/api: upstream's tags repeat it.
type withoutUnions struct{ target.Dialect }

func (w withoutUnions) Parse(text string) (*target.Marker, error) {
	if strings.HasPrefix(text, "+union") {
		return &target.Marker{Name: text, Repeats: true, Apply: func(*target.Target) error { return nil }}, nil
	}
	return w.Dialect.Parse(text)
}

// TestEveryTagOfKubernetes parses every line of k8s.io/api that has a tag of validation-gen.
func TestEveryTagOfKubernetes(t *testing.T) {
	found, err := loader.LoadRoots("k8s.io/api/core/v1")
	if err != nil {
		t.Fatal(err)
	}
	api := filepath.Dir(filepath.Dir(filepath.Dir(found[0].CompiledGoFiles[0])))
	dialect, err := k8s.New(k8s.Options{Alpha: true})
	if err != nil {
		t.Fatal(err)
	}
	lines := 0
	err = filepath.WalkDir(api, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasPrefix(entry.Name(), "zz_") ||
			strings.HasPrefix(entry.Name(), "generated") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		for _, group := range file.Comments {
			for _, comment := range group.List {
				text := strings.TrimSpace(strings.TrimPrefix(comment.Text, "//"))
				if !strings.HasPrefix(text, "+k8s:") {
					continue
				}
				marker, err := dialect.Parse(text)
				switch {
				case err != nil:
					t.Errorf("%s: %s: %v", path, text, err)
				case marker != nil:
					lines++
				case !ofOtherGenerators(text):
					t.Errorf("%s: %s is not known", path, text)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d lines with tags", lines)
	const inV036 = 753
	if lines < inV036 {
		t.Errorf("%d lines with tags, want at least %d", lines, inV036)
	}
}

func ofOtherGenerators(text string) bool {
	for _, each := range []string{
		"deepcopy",
		"conversion-gen",
		"defaulter-gen",
		"openapi",
		"protobuf-gen",
		"prerelease-lifecycle-gen",
		"validation-gen",
		"register-gen",
		"deprecated",
	} {
		if strings.HasPrefix(text, "+k8s:"+each) {
			return true
		}
	}
	return false
}
