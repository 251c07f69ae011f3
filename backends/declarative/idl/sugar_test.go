package idl_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/structured-merge-diff/v6/value"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/backends/declarative/idl"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// sugared is a package with a type for each shorthand.
const sugared = `package p

import corev1 "k8s.io/api/core/v1"

type Root struct {
	// +immutable
	Fixed *string ` + "`json:\"fixed,omitempty\"`" + `
	// +immutable
	Namespace string ` + "`json:\"namespace,omitempty\"`" + `
	Frozen *Frozen ` + "`json:\"frozen,omitempty\"`" + `
	Exclusive *Exclusive ` + "`json:\"exclusive,omitempty\"`" + `
	// +mutually_exclusive=fixed;frozen
	Lonely *string ` + "`json:\"lonely,omitempty\"`" + `
	Strategy *Strategy ` + "`json:\"strategy,omitempty\"`" + `
	Source *Source ` + "`json:\"source,omitempty\"`" + `
	Plain *Plain ` + "`json:\"plain,omitempty\"`" + `
	// +default=ref(k8s.io/api/core/v1.TerminationMessagePathDefault)
	Path string ` + "`json:\"path,omitempty\"`" + `
	// +default=ref(corev1.NamespaceDefault)
	Space string ` + "`json:\"space,omitempty\"`" + `
	Used corev1.URIScheme ` + "`json:\"used,omitempty\"`" + `
}

// +immutable
type Frozen struct {
	A int32 ` + "`json:\"a,omitempty\"`" + `
}

// +mutually_exclusive=a;b;c
type Exclusive struct {
	A *string ` + "`json:\"a,omitempty\"`" + `
	B *string ` + "`json:\"b,omitempty\"`" + `
	C *string ` + "`json:\"c,omitempty\"`" + `
}

type Strategy struct {
	Type string ` + "`json:\"type,omitempty\"`" + `
	// +contextual:field=type,value=RollingUpdate;Mixed,required=true
	RollingUpdate *Frozen ` + "`json:\"rollingUpdate,omitempty\"`" + `
}

// +union
type Source struct {
	// +unionDiscriminator
	// +required
	Kind SourceKind ` + "`json:\"kind\"`" + `
	Git *Frozen ` + "`json:\"git,omitempty\"`" + `
	// +unionMember
	HTTP *Frozen ` + "`json:\"http,omitempty\"`" + `
	// +unionMember=ObjectStore
	Bucket *Frozen ` + "`json:\"bucket,omitempty\"`" + `
}

// +enum
type SourceKind string

const (
	HTTP SourceKind = "HTTP"
	Store SourceKind = "ObjectStore"
)

// +union
type Plain struct {
	A *string ` + "`json:\"a,omitempty\"`" + `
	B *string ` + "`json:\"b,omitempty\"`" + `
}
`

// TestSugar validates objects and updates with the schemas of the shorthands.
func TestSugar(t *testing.T) {
	root := roots(sourcePackage, "Root")
	result, err := idl.Generate(idl.Config{Dir: source(t, sugared), Roots: root})
	if err != nil {
		t.Fatal(err)
	}
	validator := compiled(t, result, root[0])
	for _, row := range []struct {
		why, object, old string
		want             []string
	}{
		{"all at once, and nothing wrong", `{fixed: a, exclusive: {b: x}, strategy: {type: Mixed, rollingUpdate: {}}, source: ` +
			`{kind: HTTP, http: {}}, plain: {a: x}}`, "", nil},
		{"an immutable field is set at creation", `{fixed: a}`, "", nil},
		{"and stays", `{fixed: a}`, `{fixed: a}`, nil},
		{"it does not change", `{fixed: b}`, `{fixed: a}`, []string{"FieldValueInvalid fixed field is immutable"}},
		{"it is not set later", `{fixed: b}`, `{}`, []string{"FieldValueInvalid fixed field is immutable"}},
		{"it is not taken away", `{}`, `{fixed: b}`, []string{"FieldValueInvalid fixed field is immutable"}},
		{"a word that CEL escapes", `{namespace: b}`, `{namespace: a}`, []string{"FieldValueInvalid namespace field is immutable"}},
		{"an immutable type holds wherever it is used", `{frozen: {a: 2}}`, `{frozen: {a: 1}}`,
			[]string{"FieldValueInvalid frozen field is immutable"}},
		{"two of a type's mutually exclusive fields", `{exclusive: {a: x, c: x}}`, "",
			[]string{"FieldValueInvalid exclusive may set at most one of: a, b, c"}},
		{"a field that excludes others", `{lonely: x, fixed: z}`, "",
			[]string{"FieldValueForbidden lonely may not be specified when `fixed` is set"}},
		{"a field that does not apply", `{strategy: {type: Recreate, rollingUpdate: {}}}`, "",
			[]string{"FieldValueForbidden strategy.rollingUpdate may only be specified when `type` is RollingUpdate or Mixed"}},
		{"a context without its field", `{strategy: {type: RollingUpdate}}`, "",
			[]string{"FieldValueRequired strategy.rollingUpdate must be specified when `type` is RollingUpdate or Mixed"}},
		{"no context", `{strategy: {}}`, "", nil},
		{"a union: the wrong member", `{source: {kind: HTTP, http: {}, bucket: {}}}`, "",
			[]string{"FieldValueForbidden source.bucket may only be specified when `kind` is ObjectStore"}},
		{"a union: the member is missing", `{source: {kind: ObjectStore}}`, "",
			[]string{"FieldValueRequired source.bucket must be specified when `kind` is ObjectStore"}},
		{"a field of a union's struct that is not a member", `{source: {kind: HTTP, http: {}, git: {}}}`, "", nil},
		{"a union without a discriminator: none", `{plain: {}}`, "", []string{"FieldValueInvalid plain must set exactly one of: a, b"}},
		{"a union without a discriminator: two", `{plain: {a: x, b: x}}`, "",
			[]string{"FieldValueInvalid plain must set exactly one of: a, b"}},
	} {
		t.Run(row.why, func(t *testing.T) {
			if diff := cmp.Diff(row.want, validate(t, validator, row.object, row.old)); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	properties := plain(t, result.Definitions)["Root"].(map[string]any)["properties"].(map[string]any)
	for name, want := range map[string]string{"path": "/dev/termination-log", "space": "default"} {
		if got := properties[name].(map[string]any)["default"]; got != want {
			t.Errorf("default of %s: %v, want the constant %q", name, got, want)
		}
	}
}

func compiled(t *testing.T, result *idl.Result, root idl.TypeName) *declarative.Validator {
	t.Helper()
	validator, err := declarative.Compile(result.Definitions[root.Definition()], declarative.Options{
		Definitions: result.Definitions, WithoutEstimation: true,
	})
	if err != nil {
		t.Fatal(err)
	}
	return validator
}

// validate returns type, field and detail of each error. If the old object is empty, it validates a create.
func validate(t *testing.T, validator *declarative.Validator, object, old string) []string {
	t.Helper()
	var before value.Value
	if old != "" {
		before = value.NewValueInterface(served.Object(t, old))
	}
	return said(validator.Validate(t.Context(), value.NewValueInterface(served.Object(t, object)), before))
}

func said(errs field.ErrorList) []string {
	var all []string
	for _, each := range errs {
		all = append(all, string(each.Type)+" "+each.Field+" "+each.Detail)
	}
	return all
}

func TestSugarMistakes(t *testing.T) {
	checkRows(t, []markerRow{
		{"the KEP's own typo", "+mutally_exclusive=a", "*string", "unknown marker +mutally_exclusive; did you mean +mutually_exclusive?"},
		{"no names", "+mutually_exclusive", "*string", "+mutually_exclusive needs an argument: +mutually_exclusive=…"},
		{"a name that is not a field", "+mutually_exclusive=nothing", "*string", `+mutually_exclusive: no field "nothing" here; ` +
			`accepted: f0, f1, f10, f11, f12, f13, f2, f3, f4, f5, f6, f7, f8, f9`},
		{"itself", "+mutually_exclusive=f3", "*string", "+mutually_exclusive=f3: lists the field itself"},
		{"an argument", "+immutable=true", "*string", `+immutable takes no argument, got "true"`},
		{"no context", "+contextual", "*string", "+contextual needs an argument: +contextual:field=discriminator,value=A;B,required=true"},
		{"a context that is no field", "+contextual:field=type,value=A", "*string",
			`+contextual: no field "type" here; accepted: f0, f1, f10, f11, f12, f13, f2, f3, f4, f5, f6, f7, f8, f9`},
		{"a discriminator without a union", "+unionDiscriminator", "string", "+unionDiscriminator needs +union on the struct"},
		{"a discriminator that is no text", "+unionDiscriminator", "int32", "+unionDiscriminator applies to text; this is a number"},
		{"a union on a field", "+union", "string", "+union applies to structs; this is text"},
		{"an unknown constant by import path", "+default=ref(k8s.io/api/core/v1.Nothing)", "string",
			"+default: package k8s.io/api/core/v1 has no constant Nothing"},
		{"a package that is not there", "+default=ref(example.com/nothing/v1.X)", "string",
			"+default: there is no package example.com/nothing/v1"},
		{"a word similar to one of the KEP", "+imutable", "string", "unknown marker +imutable; did you mean +immutable?"},
		{"upper case", "+Union", "Inner", "unknown marker +Union; did you mean +union?"},
	}, idl.Config{})
}
