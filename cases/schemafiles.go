package cases

import (
	"context"
	"errors"
	"path"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/kustomization"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/gosource"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// define sets the kinds that a file defines. If the file has mistakes there are no kinds, and the
// suite does not run.
func (l *loader) define(made *resources, err error) {
	l.shared.mistakes.Merge(l.Name, err)
	if err != nil {
		made = newResources()
	}
	l.resources = made
	l.suite.declaratives = made.backend
}

// bound returns the validators of a builtin for its own kinds, or for the kinds that a file of the
// suite defines.
func (l *loader) bound(builtin Builtin) Natives {
	if l.resources == nil {
		return builtin.Natives
	}
	return boundNatives{l.resources, builtin}
}

// loadCRD loads a CustomResourceDefinition. The error is a userfile.Mistakes.
func (l *loader) loadCRD(side *suitefile.Schemas) (*resources, error) {
	made := newResourcesAs(l.loadKEPs(side))
	d, err := l.readDefinition(side.CRD, side.Kind)
	if d == nil || err != nil {
		return made, err
	}
	picked, err := d.Pick(side.Version)
	if err != nil {
		return made, err
	}
	l.suite.addPositions(picked)
	said, err := made.addDefinition(picked, nil)
	return made, l.checkDefinition(d, said, err)
}

// readDefinition reads a CustomResourceDefinition, or makes it of a Go type. Kind picks one of several; empty: there must
// be one. Nil without an error: that is a mistake already. The error is a userfile.Mistakes.
func (l *loader) readDefinition(crd suitefile.Reference, kind string) (*definitions.Definition, error) {
	switch {
	case schemasource.IsGoType(crd.Path) && kind != "":
		l.shared.mistakes.Addf(l.at(crd), "%s is one Go type; kind picks one of several definitions of a file or a folder", crd.Path)
		return nil, nil
	case schemasource.IsGoType(crd.Path):
		return l.makeDefinition(crd)
	}
	if l.Files.OnDisk && l.shared.options.Kustomize != nil && kustomization.Has(filepath.FromSlash(l.resolve(crd))) {
		return l.renderDefinition(crd, kind)
	}
	data, ok := l.read(crd)
	if !ok {
		return nil, nil
	}
	if kind == "" {
		return definitions.ReadOne(l.resolve(crd), data)
	}
	all, err := definitions.Read(l.resolve(crd), data)
	if err != nil {
		return nil, err
	}
	return l.pick(crd, all, kind), nil
}

// pick returns the definition of a kind. Nil: that is a mistake already.
func (l *loader) pick(crd suitefile.Reference, all []*definitions.Definition, kind string) *definitions.Definition {
	found, why := definitions.OfKind(all, kind)
	if found == nil {
		l.shared.mistakes.Addf(l.at(crd), "%s: %s", crd.Path, why)
	}
	return found
}

// renderDefinition reads a definition as a kustomization deploys it. Its lines are those of no file, so positions are
// that of the folder.
func (l *loader) renderDefinition(crd suitefile.Reference, kind string) (*definitions.Definition, error) {
	name := l.resolve(crd)
	data, err := l.shared.options.Kustomize(filepath.FromSlash(name))
	if err != nil {
		l.shared.mistakes.Addf(l.at(crd), "%s cannot be rendered: %v", crd.Path, err)
		return nil, nil
	}
	l.shared.digest.add(name, data)
	all, err := definitions.Rendered(name, data)
	if err != nil {
		return nil, err
	}
	picked := l.pick(crd, all, kind)
	if picked != nil {
		l.suite.addRendered(path.Join(name, picked.CRD.Name+".yaml"), picked)
	}
	return picked, nil
}

// makeDefinition makes the definition of a Go type, as "go:./api/v1.Widget". The go command finds
// the package from the directory of the suite.
func (l *loader) makeDefinition(crd suitefile.Reference) (*definitions.Definition, error) {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(l.at(crd), "only a suite on disk can name a Go package")
		return nil, nil
	}
	finder := schemasource.Finder{
		Go:          gosource.Config{Dir: l.goDir(), Reading: l.shared.options.Markers},
		Unexpressed: l.warnOfUnexpressed,
	}
	found, err := finder.ReadFile(crd.Path)
	if wrong := (strictyaml.Mistakes)(nil); errors.As(err, &wrong) {
		for i := range wrong {
			if wrong[i].File == crd.Path { // it is about the argument, not about a source
				wrong[i].Position, wrong[i].Message = l.at(crd), crd.Path+": "+wrong[i].Message
			}
		}
		return nil, wrong.Err()
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

// loadDefinition loads the CustomResourceDefinition of a world with all its versions, and compiles
// the named version, or all served versions. The error is a userfile.Mistakes.
func (l *loader) loadDefinition(crd suitefile.Reference, kind, version string, keps apiresource.KEPs) (*apiresource.Definition, error) {
	d, err := l.readDefinition(crd, kind)
	if d == nil || err != nil {
		return nil, err
	}
	picked, err := d.Pick(version)
	if err != nil {
		return nil, err
	}
	l.suite.addPositions(picked)
	made, said, err := compiledDefinition(d.Versions, picked, keps)
	l.warnOfConversion(d, picked)
	return made, l.checkDefinition(d, said, err)
}

// warnOfConversion warns about versions of a world that are not stored, if a webhook converts objects: it is not asked.
func (l *loader) warnOfConversion(d *definitions.Definition, picked []*definitions.Version) {
	var others []string
	for _, version := range picked {
		if d.ConvertedByWebhook() && version != d.Storage() {
			others = append(others, version.Version)
		}
	}
	if len(others) > 0 {
		const what = "a webhook converts objects of %s to the version that they are stored in, and is not asked: what they lose " +
			"there is not compared"
		l.shared.warnings.Addf(d.At("spec.conversion.strategy"), what, plaintext.List(others))
	}
}

// checkDefinition adds the reasons why the API server would reject a definition. said has the
// places that are already reported.
func (l *loader) checkDefinition(d *definitions.Definition, said map[wrongPlace]bool, err error) error {
	var mistakes strictyaml.Mistakes
	mistakes.Merge(d.File, err)
	whenNew, wrong := refusals(d, said, l.isBesideBuiltinKinds())
	mistakes.Merge(d.File, wrong)
	l.shared.warnings = append(l.shared.warnings, whenNew...)
	return mistakes.Err()
}

// refusals returns why the API server would reject a definition, as diffrun schema check says it.
// What it rejects only in a new definition is returned separately, because the suite may compare
// one that is stored. Places in said are skipped, because both checks look at the same rules.
// A definition that replaces the schema of a built-in kind may have the group of that kind.
func refusals(d *definitions.Definition, said map[wrongPlace]bool, ofBuiltinKind bool) (whenNew strictyaml.Mistakes, wrong error) {
	errs, err := structural.CheckCRD(context.Background(), d.CRD)
	if err != nil {
		return nil, d.Mistake("spec.versions", "%v", err)
	}
	var mistakes strictyaml.Mistakes
	for _, err := range errs {
		path, what := d.Path(err.Field), "definition"
		if strings.Contains(path, ".openAPIV3Schema.") {
			what = "schema"
		}
		switch {
		case ofBuiltinKind && isReservedGroup(err):
		case openapi.IsCost(err):
			whenNew.Addf(d.At(path), "the API server would refuse this schema in a new definition: %v", plaintext.Error(err))
		case preservesUnknownFields(err):
			whenNew.Addf(d.At(path), "the API server would refuse this in a new definition, and keeps it in one that was stored "+
				"as v1beta1: %v", plaintext.Error(err))
		case !said[wrongPlace{path, err.Type}]:
			mistakes.Addf(d.At(path), "the API server would not store this %s: %v", what, plaintext.Error(err))
		}
	}
	if condition := structural.Condition(d.CRD); condition != nil && len(errs) == 0 && len(said) == 0 {
		mistakes.Addf(d.At("spec"), "the API server would set the condition %s of this definition: %s", condition.Type, condition.Message)
	}
	return whenNew, mistakes.Err()
}

// isBesideBuiltinKinds reports whether the native side validates kinds that the API server serves
// itself. A definition beside it is a schema that is tried out and never stored.
func (l *loader) isBesideBuiltinKinds() bool {
	native := l.file.Native
	return native != nil && native.Builtin != "" && l.shared.options.Builtins[native.Builtin].Typed
}

// isReservedGroup reports whether an error says that a group is one of Kubernetes itself.
func isReservedGroup(err *field.Error) bool {
	return err.Field == "spec.group" && strings.HasPrefix(err.Detail, "should be a domain") ||
		err.Field == "metadata.annotations[api-approved.kubernetes.io]"
}

// preservesUnknownFields reports whether an error says that spec.preserveUnknownFields is set.
// A definition that was stored as v1beta1 may keep it, and tells a native side how to read objects.
func preservesUnknownFields(err *field.Error) bool {
	return err.Field == "spec.preserveUnknownFields" && strings.HasPrefix(err.Detail, "cannot set to true")
}

// loadOpenAPI loads an OpenAPI document. The error is a userfile.Mistakes.
func (l *loader) loadOpenAPI(wanted *suitefile.OpenAPI) (*resources, error) {
	made := newResourcesAs(l.loadKEPs(l.file.Declarative))
	if !wanted.File.Given() || wanted.Definition == "" {
		var mistakes strictyaml.Mistakes
		mistakes.Addf(wanted.Position, "openapi must name a file and a definition in it")
		return made, mistakes
	}
	data, ok := l.read(wanted.File)
	if !ok {
		return made, nil
	}
	document, err := readOpenAPI(l.resolve(wanted.File), data)
	if err != nil {
		return made, err
	}
	kind, err := made.addOpenAPI(document, wanted)
	l.suite.addPosition(kind, func(place string) strictyaml.Position { return document.at(wanted.Definition, place) })
	return made, err
}
