package idl

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/genall"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/gotypes"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
)

// CRDConfig selects the type to make a CustomResourceDefinition of.
type CRDConfig struct {
	// Dir is where the go command looks packages up; empty for the working directory.
	Dir string
	// Packages are import paths, or paths such as "./api/v1", one for each version.
	Packages []string
	// Type is the kind.
	Type string
	// Overlays add markers to types that cannot be edited.
	Overlays []*Overlay
	// Check compiles the schema of a version. Rules of bundled overlays that do not compile are
	// dropped and listed in CRDResult.Unexpressed. If nil, all rules are kept.
	Check func(*spec.Schema) field.ErrorList
	Reading
}

// CRDResult is a definition.
type CRDResult struct {
	CRD *apiextensionsv1.CustomResourceDefinition
	// YAML is the definition as controller-gen writes it.
	YAML []byte
	// Origins maps the places of the schema of each version to lines.
	Origins map[string]Origins
	// Foreign has the files of packages of other modules, as in Result.
	Foreign map[string]bool
	// Unexpressed lists the markers that a definition cannot express.
	Unexpressed []Unexpressed
}

// CRD makes the definition of a kind: controller-tools makes it, and our markers are added to
// the schemas of its versions. Without such markers, the bytes are those that controller-gen writes.
// The error is a userfile.Mistakes, unless the packages cannot be loaded. With mistakes in our markers
// the result lacks these markers; it is nil if controller-tools finds mistakes.
func CRD(config CRDConfig) (*CRDResult, error) {
	made, err := controllerGen(config)
	if err != nil {
		return nil, withOurMistakes(config, err)
	}
	result := &CRDResult{CRD: &made.crd, Origins: map[string]Origins{}}
	mistakes, err := addMarkers(config, made, result)
	if err != nil {
		return nil, err
	}
	if result.YAML, err = crdYAML(made.crd); err != nil {
		return nil, err
	}
	return result, mistakes.Err()
}

// withOurMistakes adds our mistakes in markers to those of controller-tools. If both report a line,
// only ours is kept, because it is easier to read.
func withOurMistakes(config CRDConfig, err error) error {
	var theirs strictyaml.Mistakes
	if !errors.As(err, &theirs) {
		return err
	}
	found, err := FindPackages(config.Dir, config.Packages)
	if err != nil {
		return theirs.Err()
	}
	all := Config{Dir: config.Dir, Overlays: config.Overlays, Reading: config.Reading}
	for _, p := range found {
		all.Roots = append(all.Roots, TypeName{Package: p.Path, Name: config.Type})
	}
	b, err := newBuilder(all)
	if err != nil {
		return theirs.Err()
	}
	for _, root := range all.Roots {
		if _, err := b.sources.Root(root.Package); err != nil {
			return theirs.Err()
		}
	}
	b.checkOverlayLines()
	b.checkSources()
	lines := map[strictyaml.Position]bool{}
	for _, each := range b.mistakes {
		lines[strictyaml.Position{File: each.File, Line: each.Line}] = true
	}
	for _, each := range theirs {
		if !lines[strictyaml.Position{File: each.File, Line: each.Line}] &&
			!lines[strictyaml.Position{File: each.File, Line: each.Line - 1}] {
			each.Message = inputPlace.ReplaceAllString(each.Message, "")
			b.mistakes = append(b.mistakes, each)
		}
	}
	return b.mistakes.Err()
}

// inputPlace matches the position that controller-tools adds to a message. It counts from the name of
// the marker, so it would confuse the reader.
var inputPlace = regexp.MustCompile(` \(at <input>:\d+:\d+\)$`)

// generated is a definition made by controller-tools.
type generated struct {
	crd apiextensionsv1.CustomResourceDefinition
	// paths are the import paths of the versions.
	paths map[string]string
}

// controllerGen makes a definition as controller-gen does.
func controllerGen(config CRDConfig) (*generated, error) {
	roots, err := gotypes.LoadPackages(&packages.Config{Dir: config.Dir}, config.Packages)
	if err != nil {
		return nil, err
	}
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	// Both options accept what controller-gen refuses by default. They do not change the output for
	// anything that it accepts.
	parser := &crd.Parser{
		Collector:           &markers.Collector{Registry: registry},
		Checker:             &loader.TypeChecker{NodeFilters: []loader.NodeFilter{crd.Generator{}.CheckFilter()}},
		AllowDangerousTypes: true, IgnoreUnexportedFields: true,
	}
	crd.AddKnownTypes(parser)
	made := &generated{paths: map[string]string{}}
	group := ""
	for _, root := range roots {
		parser.NeedPackage(root)
		version := parser.GroupVersions[root]
		_, declares := parser.Types[crd.TypeIdent{Package: root, Name: config.Type}]
		switch {
		case !declares && errorsOf(roots) != nil:
			return nil, errorsOf(roots)
		case !declares:
			return nil, fmt.Errorf("package %s has no type %s; it has %s", root.PkgPath, config.Type, typesOf(parser, root))
		case version.Group == "":
			return nil, fmt.Errorf("package %s has no marker +groupName, so there is no definition of %s", root.PkgPath, config.Type)
		case group != "" && group != version.Group:
			return nil, fmt.Errorf("package %s has group %s, but the others have %s", root.PkgPath, version.Group, group)
		}
		group = version.Group
		made.paths[version.Version] = root.PkgPath
	}
	kind := schema.GroupKind{Group: group, Kind: config.Type}
	parser.NeedCRDFor(kind, nil)
	if err := errorsOf(roots); err != nil {
		return nil, err
	}
	made.crd = parser.CustomResourceDefinitions[kind]
	if made.crd.Annotations == nil {
		made.crd.Annotations = map[string]string{}
	}
	made.crd.Annotations["controller-gen.kubebuilder.io/version"] = controllerToolsVersion()
	crd.FixTopLevelMetadata(made.crd)
	return made, nil
}

func typesOf(parser *crd.Parser, in *loader.Package) string {
	var names []string
	for ident := range parser.Types {
		if ident.Package == in {
			names = append(names, ident.Name)
		}
	}
	slices.Sort(names)
	return strings.Join(names, ", ")
}

// controllerToolsVersion returns the version of controller-tools that is linked in.
func controllerToolsVersion() string {
	const path = "sigs.k8s.io/controller-tools"
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, module := range info.Deps {
			if module.Path == path {
				return module.Version
			}
		}
	}
	return linkedControllerTools // a test binary has no build information
}

// linkedControllerTools is the version in go.mod; a test compares the two.
const linkedControllerTools = "v0.23.0"

// errorsOf returns the errors that controller-tools found in packages and their imports, as mistakes.
// As for controller-gen, a package need not compile.
func errorsOf(roots []*loader.Package) error {
	var mistakes strictyaml.Mistakes
	seen := map[*loader.Package]bool{}
	var visit func(p *loader.Package)
	visit = func(p *loader.Package) {
		if seen[p] {
			return
		}
		seen[p] = true
		for _, each := range p.Errors {
			if each.Kind != packages.TypeError {
				mistakes.Addf(gotypes.ErrorPosition(each.Pos), "%s", each.Msg)
			}
		}
		for _, imported := range p.Imports() {
			visit(imported)
		}
	}
	for _, root := range roots {
		visit(root)
	}
	return mistakes.Err()
}

// crdYAML writes a definition as controller-gen does.
func crdYAML(definition apiextensionsv1.CustomResourceDefinition) ([]byte, error) {
	version, err := crd.AsVersion(definition, apiextensionsv1.SchemeGroupVersion)
	if err != nil {
		return nil, err
	}
	out := &memory{}
	withoutStatus := func(object map[string]any) error {
		delete(object, "status")
		return nil
	}
	err = (&genall.GenerationContext{OutputRule: out}).WriteYAML("crd.yaml", "", []any{version},
		genall.WithTransform(withoutStatus), genall.WithTransform(genall.TransformRemoveCreationTimestamp))
	return out.Bytes(), err
}

// memory is the output of controller-tools.
type memory struct{ bytes.Buffer }

// Open implements genall.OutputRule.
func (m *memory) Open(*loader.Package, string) (io.WriteCloser, error) { return m, nil }

// Close implements io.Closer.
func (m *memory) Close() error { return nil }

// addMarkers applies our markers and overlays to the schemas of a definition. It returns the mistakes
// in markers.
func addMarkers(config CRDConfig, made *generated, result *CRDResult) (strictyaml.Mistakes, error) {
	all := Config{Dir: config.Dir, Overlays: config.Overlays, Reading: config.Reading}
	for _, each := range made.crd.Spec.Versions {
		all.Roots = append(all.Roots, TypeName{Package: made.paths[each.Name], Name: config.Type})
	}
	b, err := newBuilder(all)
	if err != nil {
		return nil, err
	}
	if b.applied, err = markersOfControllerGen(); err != nil {
		return nil, err
	}
	b.schemas.ForDefinition = true
	b.checkOverlayLines()
	walk := &crdWalk{builder: b, check: config.Check, inside: map[*gotypes.Type]bool{}}
	for i, root := range all.Roots {
		version := made.crd.Spec.Versions[i]
		if result.Origins[version.Name], err = walk.version(root, version.Schema.OpenAPIV3Schema); err != nil {
			return nil, err
		}
	}
	b.checkOverlaysUsed()
	b.checkSources()
	result.Unexpressed, result.Foreign = sortedPlaces(b.unexpressed), b.foreign()
	return b.mistakes, nil
}

// markersOfControllerGen returns the names of the markers that controller-gen applies.
func markersOfControllerGen() ([]string, error) {
	registry := &markers.Registry{}
	if err := crdmarkers.Register(registry); err != nil {
		return nil, err
	}
	var names []string
	for _, each := range registry.AllDefinitions() {
		names = append(names, each.Name)
	}
	return names, nil
}

// alreadyApplied returns a marker that only records its line at what controller-tools has written.
func alreadyApplied(found *target.Marker) *target.Marker {
	record := found.RecordOrigin
	if record == nil {
		record = func(t *target.Target) {
			if keyword := keywordNamed(found.Name); keyword != "" {
				target.SetOrigin(t.Node, keyword, t.At)
			}
		}
	}
	silent := *found
	silent.Repeats = true
	silent.Apply = func(t *target.Target) error {
		record(t)
		return nil
	}
	return &silent
}

// keywordNamed returns the keyword that a marker sets, for markers of controller-tools without a
// RecordOrigin.
func keywordNamed(marker string) string {
	return map[string]string{
		"default": "default", "nullable": "nullable", "required": "required", "kubebuilder:validation:Required": "required",
		"listType": openapi.XListType, "listMapKey": openapi.XListMapKeys, "mapType": openapi.XMapType, "structType": openapi.XMapType,
	}[marker]
}

// copyJSON converts between the Go types of a schema through JSON.
func copyJSON(from, to any) error {
	data, err := json.Marshal(from)
	if err != nil {
		return err
	}
	return json.Unmarshal(data, to)
}
