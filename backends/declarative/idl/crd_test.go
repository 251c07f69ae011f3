package idl_test

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"sigs.k8s.io/controller-tools/pkg/crd"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"

	"github.com/diffrun/diffrun/backends/declarative/idl"
)

// written maps file names to the contents that controller-gen writes.
type written map[string]*bytes.Buffer

func (w written) Open(_ *loader.Package, path string) (io.WriteCloser, error) {
	w[path] = &bytes.Buffer{}
	return closer{w[path]}, nil
}

type closer struct{ io.Writer }

func (closer) Close() error { return nil }

// controllerGen runs controller-gen's generator over packages as its command does.
func controllerGen(t *testing.T, dir string, patterns ...string) map[string]string {
	t.Helper()
	var generator genall.Generator = crd.Generator{}
	generators := genall.Generators{&generator}
	working, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	if dir != "" { // the command has no flag for it
		if err := os.Chdir(dir); err != nil {
			t.Fatal(err)
		}
		defer func() {
			if err := os.Chdir(working); err != nil {
				t.Fatal(err)
			}
		}()
	}
	runtime, err := generators.ForRoots(patterns...)
	if err != nil {
		t.Fatal(err)
	}
	out := written{}
	runtime.OutputRules.Default = out
	if runtime.Run() {
		t.Fatalf("controller-gen has mistakes in %v", patterns)
	}
	files := map[string]string{}
	for name, content := range out {
		files[name] = content.String()
	}
	return files
}

// toolVersion matches the line that names the program.
var toolVersion = regexp.MustCompile(`(?m)^    controller-gen\.kubebuilder\.io/version: .*$`)

func sameDefinition(t *testing.T, want, got string) {
	t.Helper()
	if diff := cmp.Diff(toolVersion.ReplaceAllString(want, ""), toolVersion.ReplaceAllString(got, "")); diff != "" {
		t.Errorf("-controller-gen +ours:\n%s", diff)
	}
}

// TestCRDAsControllerGen: a package without our markers is written byte for byte as by controller-gen.
func TestCRDAsControllerGen(t *testing.T) {
	in := testdata + "kubebuilder/"
	want := controllerGen(t, "", in+"v1alpha1", in+"v1")
	result, err := idl.CRD(idl.CRDConfig{Packages: []string{in + "v1alpha1", in + "v1"}, Type: "Widget"})
	if err != nil {
		t.Fatal(err)
	}
	sameDefinition(t, want["example.com_widgets.yaml"], string(result.YAML))
}

// TestControllerToolsRelease: definitions name the release that is linked in.
func TestControllerToolsRelease(t *testing.T) {
	module, err := os.ReadFile("../../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	release := regexp.MustCompile(`sigs\.k8s\.io/controller-tools (\S+)`).FindSubmatch(module)
	result, err := idl.CRD(idl.CRDConfig{Packages: []string{testdata + "kubebuilder/v1alpha1"}, Type: "Widget"})
	if err != nil {
		t.Fatal(err)
	}
	if release == nil || !strings.Contains(string(result.YAML), "controller-gen.kubebuilder.io/version: "+string(release[1])+"\n") {
		t.Errorf("go.mod has %q; the definition says %s", release, toolVersion.FindString(string(result.YAML)))
	}
}

// TestCRDsOfProjects does the same for the projects in an environment variable: DIR=PACKAGE:TYPE,…,
// separated by spaces. Several packages are joined by "+".
func TestCRDsOfProjects(t *testing.T) {
	projects := os.Getenv("DIFFRUN_KUBEBUILDER_PROJECTS")
	if projects == "" {
		t.Skip("DIFFRUN_KUBEBUILDER_PROJECTS names no project")
	}
	for _, project := range strings.Fields(projects) {
		dir, kinds, _ := strings.Cut(project, "=")
		for _, each := range strings.Split(kinds, ",") {
			of, kind, _ := strings.Cut(each, ":")
			patterns := strings.Split(of, "+")
			t.Run(filepath.Base(dir)+"/"+kind, func(t *testing.T) {
				result, err := idl.CRD(idl.CRDConfig{Dir: dir, Packages: patterns, Type: kind, Reading: idl.Reading{IgnoreUnknown: true}})
				if err != nil {
					t.Fatal(err)
				}
				for _, want := range controllerGen(t, dir, patterns...) {
					if strings.Contains(want, "\n    kind: "+kind+"\n") {
						sameDefinition(t, want, string(result.YAML))
						return
					}
				}
				t.Errorf("controller-gen makes no definition of %s", kind)
			})
		}
	}
}

// TestCRDWithMarkers adds our markers to the output of controller-gen.
func TestCRDWithMarkers(t *testing.T) {
	dir := source(t, `// Package p has markers of three dialects.
// +groupName=example.com
package p

import (
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// +kubebuilder:object:root=true
type Widget struct {
	metav1.TypeMeta   `+"`json:\",inline\"`"+`
	metav1.ObjectMeta `+"`json:\"metadata,omitempty\"`"+`
	Spec Spec `+"`json:\"spec\"`"+`
}

// +mutually_exclusive=a;b
type Spec struct {
	// +kubebuilder:validation:MaxLength=9
	// +minLength=2
	// +k8s:alpha(since: "1.36")=+k8s:neq="no"
	A string `+"`json:\"a,omitempty\"`"+`
	// +format=dns1035label
	B string `+"`json:\"b,omitempty\"`"+`
	// +immutable
	Policy corev1.PullPolicy `+"`json:\"policy,omitempty\"`"+`
	// +items:format=dns1123label
	Names []string `+"`json:\"names,omitempty\"`"+`
}
`)
	result, err := idl.CRD(idl.CRDConfig{
		Dir:      dir,
		Packages: []string{sourcePackage},
		Type:     "Widget",
		Reading:  idl.Reading{Stage: idl.StageAlpha},
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"maxLength: 9\n", "minLength: 2\n", "rule: self != 'no'", "rule: '!format.dns1035Label().validate(self).hasValue()'",
		"message: 'may set at most one of: a, b'", "message: field is immutable", "format: k8s-short-name",
	} {
		if !strings.Contains(string(result.YAML), want) {
			t.Errorf("%q is missing in:\n%s", want, result.YAML)
		}
	}
	for _, never := range []string{"strip-zero", "IfNotPresent"} { // controller-gen treats markers of other modules
		if strings.Contains(string(result.YAML), never) {
			t.Errorf("%q is in:\n%s", never, result.YAML)
		}
	}
}

// TestCRDMistakes: the mistakes that controller-tools finds and those that we find have file and line.
func TestCRDMistakes(t *testing.T) {
	text := "// +groupName=example.com\npackage p\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n" +
		"type Widget struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"
	for _, row := range []struct {
		why, fields string
		want        map[int]string
	}{
		{"controller-tools", "\t// +kubebuilder:validation:Minimum=a\n\tA int32 `json:\"a\"`\n",
			map[int]string{9: `+kubebuilder:validation:Minimum: invalid minimum value: strconv.ParseFloat: parsing "a": invalid syntax`}},
		{"controller-tools and ours at once", "\t// +kubebuilder:validation:Minimum=a\n\tA int32 `json:\"a\"`\n\t// " +
			"+maximun=1\n\tB int32 `json:\"b\"`\n\t// +kubebuilder:default=x\n\tC string `json:\"c\"`\n",
			map[int]string{
				9:  `+kubebuilder:validation:Minimum: invalid minimum value: strconv.ParseFloat: parsing "a": invalid syntax`,
				11: "unknown marker +maximun; did you mean +maximum?",
			}},
		{"ours", "\t// +kubebuilder:validation:Minimun=1\n\tA int32 `json:\"a\"`\n\t// +maximun=1\n\tB int32 `json:\"b\"`\n",
			map[int]string{
				9:  "unknown marker +kubebuilder:validation:Minimun; did you mean +kubebuilder:validation:Minimum?",
				11: "unknown marker +maximun; did you mean +maximum?",
			}},
	} {
		t.Run(row.why, func(t *testing.T) {
			_, err := idl.CRD(idl.CRDConfig{Dir: source(t, text+row.fields+"}\n"), Packages: []string{sourcePackage}, Type: "Widget"})
			if diff := cmp.Diff(row.want, mistakesByLine(t, err)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

// TestKubebuilderTypos: a marker that looks like one of controller-gen is known, or a mistake.
func TestKubebuilderTypos(t *testing.T) {
	checkRows(t, []markerRow{
		{"a typo", "+kubebuilder:validation:MinLenght=3", "", "unknown marker +kubebuilder:validation:MinLenght; did you mean " +
			"+kubebuilder:validation:MinLength?"},
		{"lower case", "+kubebuilder:validation:minLength=3", "", "unknown marker +kubebuilder:validation:minLength; " +
			"did you mean +kubebuilder:validation:MinLength?"},
		{"a typo in the prefix", "+kubebuilder:validaton:MinLength=3", "", "unknown marker +kubebuilder:validaton:MinLength; " +
			"did you mean +kubebuilder:validation:MinLength?"},
		{"no prefix", "+validation:MinLength=3", "",
			"unknown marker +validation:MinLength; did you mean +kubebuilder:validation:MinLength?"},
		{"an argument that there is not", `+kubebuilder:validation:XValidation:rule="true",mesage="x"`, "",
			`+kubebuilder:validation:XValidation: unknown argument "mesage"; accepted: fieldPath, message, messageExpression, ` +
				`optionalOldSelf, reason, rule`},
		{"an argument that does not fit", "+kubebuilder:validation:MaxLength=many", "",
			`+kubebuilder:validation:MaxLength: expected integer, got "many"`},
		{"the wrong kind of field", "+kubebuilder:validation:MaxLength=3", "int32", "+kubebuilder:validation:MaxLength: " +
			"must apply maxlength to a textual value, found type \"integer\""},
		{"a marker for types on a field", "+kubebuilder:validation:AtMostOneOf=a;b", "*Inner",
			"+kubebuilder:validation:AtMostOneOf is for types"},
		{"a colon before the equals sign", "+kubebuilder:validation:MaxLength:=3", "", ""},
		{"a different generator of kubebuilder", "+kubebuilder:rbac:groups=apps,resources=deployments,verbs=get", "", ""},
		{"spaces", "+ kubebuilder:validation:MaxLength=3", "", "a marker has no space after the plus sign; did you mean " +
			"+kubebuilder:validation:MaxLength=3?"},
	}, idl.Config{})
}

// TestCRDOfNoType: a package need not compile, and the message names the missing type.
func TestCRDOfNoType(t *testing.T) {
	dir := source(t, `// Package p does not compile.
// +groupName=example.com
package p

// +kubebuilder:object:root=true
type Widget struct {
	Size Nothing `+"`json:\"size\"`"+`
}
`)
	_, err := idl.CRD(idl.CRDConfig{Dir: dir, Packages: []string{sourcePackage}, Type: "Gadget"})
	if err == nil || !strings.Contains(err.Error(), "has no type Gadget; it has Widget") {
		t.Errorf("got %v", err)
	}
}

// TestGroupName: packages of k8s.io/api have a constant for their group, which the marker and those of controller-gen go before.
func TestGroupName(t *testing.T) {
	const constant = "\n\nconst GroupName = \"example.com\"\n"
	for text, want := range map[string]string{
		"package p" + constant:                                       "example.com",
		"// +groupName=other.example.com\npackage p" + constant:      "other.example.com",
		"// +kubebuilder:object:generate=true\npackage p" + constant: "",
		"package p\n": "",
	} {
		found, err := idl.FindPackage(source(t, text), sourcePackage)
		if err != nil {
			t.Fatal(err)
		}
		if found.GroupVersion.Group != want {
			t.Errorf("%q: group %q, want %q", text, found.GroupVersion.Group, want)
		}
	}
}

// TestCRDOverlays: the markers of an overlay apply to a definition, including those that controller-tools
// knows: it does not read overlays.
func TestCRDOverlays(t *testing.T) {
	dir := source(t, "// +groupName=example.com\npackage p\n\nimport metav1 \"k8s.io/apimachinery/pkg/apis/meta/v1\"\n\n"+
		"type Widget struct {\n\tmetav1.TypeMeta `json:\",inline\"`\n\tmetav1.ObjectMeta `json:\"metadata,omitempty\"`\n"+
		"\t// +kubebuilder:validation:Maximum=9\n\tA int32 `json:\"a,omitempty\"`\n\tB []string `json:\"b,omitempty\"`\n}\n")
	found, err := idl.FindPackages(dir, []string{sourcePackage})
	if err != nil {
		t.Fatal(err)
	}
	made := func(a, b string) (*idl.CRDResult, error) {
		t.Helper()
		overlay, err := idl.ReadOverlay("o.yaml",
			[]byte("package: "+found[0].Path+"\ntypes:\n  Widget:\n    fields:\n      a: ["+a+"]\n      b: ["+b+"]\n"))
		if err != nil {
			t.Fatal(err)
		}
		return idl.CRD(idl.CRDConfig{Dir: dir, Packages: []string{sourcePackage}, Type: "Widget", Overlays: []*idl.Overlay{overlay}})
	}
	result, err := made("+kubebuilder:validation:Minimum=3, +kubebuilder:validation:Maximum=7, +required, +default=5",
		"+listType=set, '+kubebuilder:validation:MaxItems=3'")
	if err != nil {
		t.Fatal(err)
	}
	root := result.CRD.Spec.Versions[0].Schema.OpenAPIV3Schema
	a, b := root.Properties["a"], root.Properties["b"]
	if a.Minimum == nil || *a.Minimum != 3 || a.Maximum == nil || *a.Maximum != 7 || len(a.AllOf) > 0 || a.Default == nil ||
		string(a.Default.Raw) != "5" {
		t.Errorf("a is %+v", a)
	}
	if b.MaxItems == nil || *b.MaxItems != 3 || b.XListType == nil || *b.XListType != "set" {
		t.Errorf("b is %+v", b)
	}
	if !slices.Contains(root.Required, "a") {
		t.Errorf("required is %v", root.Required)
	}
	_, err = made("-kubebuilder:validation:Maximum", "+listType=atomic")
	want := map[int]string{5: "-kubebuilder:validation:Maximum: controller-gen makes the definition and has applied the " +
		"marker, so an overlay cannot remove it"}
	if diff := cmp.Diff(want, mistakesByLine(t, err)); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
