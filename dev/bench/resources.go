package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	structuralschema "k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/validation"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/value"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/defaulting"
	"github.com/diffrun/diffrun/backends/declarative/pruning"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/generate"
)

// sizes are the sizes of objects, in bytes of JSON.
func sizes() map[string]int { return map[string]int{"1KB": 1 << 10, "50KB": 50 << 10} }

// resources gives what makes the subjects of the CustomResourceDefinitions of a
// directory. The notes say what could not be measured.
func resources(f flags) (makers []func() (*subject, error), notes []string, err error) {
	files, err := filepath.Glob(filepath.Join(f.crds, "*.yaml"))
	if err != nil {
		return nil, nil, err
	}
	if len(files) == 0 {
		return nil, []string{fmt.Sprintf("no CustomResourceDefinitions in %s (-crds): only Kubernetes' own kinds were measured", f.crds)}, nil
	}
	for _, file := range files {
		for _, size := range []string{"1KB", "50KB"} {
			name := fmt.Sprintf("%s %s", filepath.Base(file[:len(file)-len(".yaml")]), size)
			if !f.only.MatchString(name) {
				continue
			}
			makers = append(makers, func() (*subject, error) {
				s, err := resourceSubject(name, file, sizes()[size], f.verbose)
				if err != nil {
					return nil, fmt.Errorf("%s: %w", name, err)
				}
				return s, nil
			})
		}
	}
	return makers, notes, nil
}

// resource is a schema of a CustomResourceDefinition in the forms that contenders
// want.
type resource struct {
	crd     apiextensionsv1.CustomResourceDefinition
	version *apiextensionsv1.CustomResourceDefinitionVersion
	full    *apiextensionsv1.JSONSchemaProps
	bare    *spec.Schema // without rules
}

func readResource(file string) (*resource, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	r := &resource{}
	if err := yaml.Unmarshal(data, &r.crd); err != nil {
		return nil, err
	}
	for i := range r.crd.Spec.Versions {
		if v := &r.crd.Spec.Versions[i]; v.Storage {
			r.version, r.full = v, v.Schema.OpenAPIV3Schema
		}
	}
	if r.full == nil {
		return nil, errors.New("no version is stored")
	}
	if r.bare, err = openapi.FromProps(r.full); err != nil {
		return nil, err
	}
	stripRules(r.bare)
	return r, nil
}

func compile(s *apiextensionsv1.JSONSchemaProps) (*declarative.Validator, error) {
	converted, err := openapi.FromProps(s)
	if err != nil {
		return nil, err
	}
	return declarative.Compile(converted, asResource())
}

func asResource() declarative.Options {
	return declarative.Options{Root: true, Semantics: declarative.CustomResources}
}

// object makes an object of a size. The declarative backend says on the way what is
// valid; the others are asked before they are measured.
func (r *resource) object(v *declarative.Validator, bytes int) (map[string]any, []byte, error) {
	obj, err := generate.Grow(generate.Seeded(1), r.full, generate.Growth{
		Bytes: bytes,
		Valid: func(obj map[string]any) bool {
			return len(v.Validate(context.Background(), value.NewValueInterface(obj), nil)) == 0
		},
		Object: generate.ObjectOptions{APIVersion: r.crd.Spec.Group + "/" + r.version.Name, Kind: r.crd.Spec.Names.Kind},
	})
	if err != nil {
		return nil, nil, err
	}
	data, err := json.Marshal(obj)
	return obj, data, err
}

func resourceSubject(name, file string, bytes int, verbose bool) (*subject, error) {
	r, err := readResource(file)
	if err != nil {
		return nil, err
	}
	whole, err := openapi.FromProps(r.full)
	if err != nil {
		return nil, err
	}
	full, err := declarative.Compile(whole, asResource())
	if err != nil {
		return nil, err
	}
	bare, err := declarative.Compile(r.bare, asResource())
	if err != nil {
		return nil, err
	}
	obj, data, err := r.object(full, bytes)
	if err != nil {
		return nil, err
	}
	s := &subject{name: name, bytes: len(data), verbose: verbose}
	ctx, val := context.Background(), value.NewValueInterface(obj)
	s.add(schemaOnly, func() { must(bare.Validate(ctx, val, nil)) })
	s.add(withRules, func() { must(full.Validate(ctx, val, nil)) })
	for goal, schema := range map[string]*spec.Schema{schemaOnly: r.bare, withRules: whole} {
		s.addWithout(goal, func() func() {
			v, err := declarative.Compile(schema, asResource())
			if err != nil {
				panic(err) // it compiled before
			}
			return func() { must(v.Validate(ctx, val, nil)) }
		})
	}
	s.addUpdates(full, obj)
	if err := r.reference(s, obj); err != nil {
		return nil, err
	}
	if err := r.santhosh(s, obj); err != nil {
		return nil, err
	}
	s.add(deepCopy, func() { runtime.DeepCopyJSON(obj) })
	s.add(decode, func() {
		var into map[string]any
		if err := utiljson.Unmarshal(data, &into); err != nil {
			panic(err)
		}
	})
	if err := r.stages(s, obj); err != nil {
		return nil, err
	}
	if bytes < 2<<10 { // compiling does not depend on the object
		r.compilations(s)
	}
	return s, nil
}

// addUpdates adds updates of an object: one that changes nothing, one of its status, one of its spec.
func (s *subject) addUpdates(full *declarative.Validator, obj map[string]any) {
	next, before := change(obj)
	for _, update := range []struct {
		name     string
		obj, old map[string]any
	}{{unchanged, obj, runtime.DeepCopyJSON(obj)}, {statusChanged, obj, withoutStatus(obj)}, {specChanged, next, before}} {
		val, old := value.NewValueInterface(update.obj), value.NewValueInterface(update.old)
		s.add(update.name, func() { must(full.Validate(context.Background(), val, old)) })
	}
}

func (s *subject) add(name string, do func()) {
	s.contenders = append(s.contenders, contender{name: name, do: do})
}

// must stops the run: what is measured is the validation of a valid object.
func must(errs field.ErrorList) {
	if len(errs) > 0 {
		panic(errs.ToAggregate())
	}
}

// structural is the form of the schema that the API server runs rules on.
func (r *resource) structural() (*structuralschema.Structural, *apiextensions.JSONSchemaProps, error) {
	var internal apiextensions.JSONSchemaProps
	if err := apiextensionsv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(r.full, &internal, nil); err != nil {
		return nil, nil, err
	}
	structural, err := structuralschema.NewStructural(&internal)
	return structural, &internal, err
}

// compileReference compiles what the API server compiles for a version.
func (r *resource) compileReference() (validation.SchemaValidator, *structuralschema.Structural, *cel.Validator, error) {
	structural, internal, err := r.structural()
	if err != nil {
		return nil, nil, nil, err
	}
	v, _, err := validation.NewSchemaValidator(internal)
	return v, structural, cel.NewValidator(structural, true, celconfig.PerCallLimit), err
}

// reference adds apiextensions-apiserver: its schema validation and its rules.
func (r *resource) reference(s *subject, obj map[string]any) error {
	schema, structural, rules, err := r.compileReference()
	if err != nil {
		return err
	}
	s.add(referenceOnly, func() { must(validation.ValidateCustomResource(nil, obj, schema)) })
	if rules == nil {
		return nil
	}
	ctx := context.Background()
	s.add(referenceCEL, func() {
		errs, _ := rules.Validate(ctx, nil, structural, obj, nil, celconfig.RuntimeCELCostBudget)
		must(errs)
	})
	return nil
}

// stages adds what comes before validation. Filling in defaults changes the object,
// so that after the first time there is nothing to fill in.
func (r *resource) stages(s *subject, obj map[string]any) error {
	schema, err := openapi.FromProps(r.full)
	if err != nil {
		return err
	}
	pruner, err := pruning.Compile(schema, pruning.Options{Root: true})
	if err != nil {
		return err
	}
	defaulter, err := defaulting.Compile(schema, defaulting.Options{})
	if err != nil {
		return err
	}
	own := runtime.DeepCopyJSON(obj)
	s.add(prunes, func() { pruner.Prune(own) })
	filled := runtime.DeepCopyJSON(obj)
	s.add(defaultFill, func() { defaulter.Default(filled) })
	return nil
}

func (r *resource) compilations(s *subject) {
	ours := func() any {
		v, err := compile(r.full)
		if err != nil {
			panic(err)
		}
		return v
	}
	theirs := func() any {
		schema, structural, rules, err := r.compileReference()
		if err != nil {
			panic(err)
		}
		return []any{schema, structural, rules}
	}
	name, reference := bareCompiling, refBare
	if slices.ContainsFunc(s.contenders, func(c contender) bool { return c.name == referenceCEL }) {
		name, reference = compiling, refCompiling
		s.addWithout(compiling, func() func() { return func() { ours() } })
	}
	s.contenders = append(s.contenders,
		contender{name: name, do: func() { ours() }, held: func() uint64 { return held(ours) }},
		contender{name: reference, do: func() { theirs() }, held: func() uint64 { return held(theirs) }},
	)
}
