package declarative_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// TestSchemaErrors checks that compiling a schema finds every mistake in it, with its place.
func TestSchemaErrors(t *testing.T) {
	for _, tt := range []struct {
		name, why, schema string
		opts              declarative.Options
		want              []string // prefixes of the messages, in order
	}{
		{name: "all at once", why: "one compile names every mistake, sorted by place",
			schema: `{properties: {b: {type: strin}, a: {type: string, pattern: '('}, c: {$ref: "#/definitions/None"}}}`,
			want: []string{
				`properties[a].pattern: Invalid value: "(": is not a regular expression`,
				`properties[b].type: Invalid value: "strin": unknown type; accepted are object, array,`,
				`properties[c].$ref: Invalid value: "#/definitions/None": there is no definition of this name`,
			}},
		{name: "empty type", why: "it is no type, also where one without was compiled before",
			schema: `{properties: {a: {}, b: {type: ''}, c: {type: ''}}}`,
			want: []string{
				`properties[b].type: Invalid value: "": unknown type; accepted are object, array,`,
				`properties[c].type: Invalid value: "": unknown type; accepted are object, array,`,
			}},
		{name: "empty enum", why: "nor is it none, where one without was compiled before",
			schema: `{properties: {a: {type: string}, b: {type: string, enum: []}, c: {type: string, enum: []}}}`,
			want: []string{
				`properties[b].enum: Invalid value: []: must have at least one value`,
				`properties[c].enum: Invalid value: []: must have at least one value`,
			}},
		{name: "a property without a name", why: "has its place, too", schema: `{properties: {"": {type: strin}}}`,
			want: []string{`properties[].type: Invalid value: "strin": unknown type`}},
		{name: "reference", why: "only local definitions can be referred to", schema: `{$ref: "other.json#/x"}`,
			want: []string{`$ref: Invalid value: "other.json#/x": must be #/definitions/NAME or #/components/schemas/NAME`}},
		{name: "reference to the document", why: "the library shows it as none, and it describes something",
			schema: `{properties: {a: {$ref: "#"}, b: {allOf: [{$ref: "#"}], default: {}}, c: {items: {$ref: ""}}, d: {not: {$ref: ` +
				`"//"}}}}`,
			want: []string{
				`properties[a].$ref: Invalid value: "#": must be #/definitions/NAME or #/components/schemas/NAME`,
				`properties[b].$ref: Invalid value: "#": must be`,
				`properties[c].items.$ref: Invalid value: "#": must be`,
				`properties[d].not.$ref: Invalid value: "#": must be`,
			}},
		{name: "circle", why: "a definition that is only a reference to itself describes nothing", schema: `{$ref: "#/definitions/A"}`,
			opts: declarative.Options{
				Definitions: map[string]*spec.Schema{"A": spec.RefSchema("#/definitions/B"), "B": spec.RefSchema("#/definitions/A")},
			},
			want: []string{`definitions[B]: Invalid value: "definitions[A]": refers back to itself`}},
		{name: "circle in a junctor", why: "a junctor does not lead to a different value either", schema: `{$ref: "#/definitions/A"}`,
			opts: declarative.Options{
				Definitions: map[string]*spec.Schema{"A": served.Schema(t, `{anyOf: [{type: string}, {not: {$ref: "#/definitions/A"}}]}`)},
			},
			want: []string{`definitions[A].anyOf[1]: Invalid value: "definitions[A]": refers back to itself`}},
		{name: "rule", why: "a rule that does not compile is named with its text",
			schema: `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: self.b > 1}, {rule: ` +
				`self.a}, {rule: ''}]}`,
			want: []string{
				`x-kubernetes-validations[0].rule: Invalid value: "self.b > 1": does not compile: ERROR: <input>:1:5: undefined field 'b'`,
				`x-kubernetes-validations[1].rule: Invalid value: "self.a": must evaluate to a bool, not to a int`,
				`x-kubernetes-validations[2].rule: Required value: there is no rule`,
			}},
		{name: "rule entries", why: "reason, fieldPath, messageExpression and optionalOldSelf are checked",
			schema: `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: self.a > 1, reason: Bad, ` +
				`fieldPath: .b, messageExpression: self.a, optionalOldSelf: true}]}`,
			want: []string{
				`x-kubernetes-validations[0].fieldPath: Invalid value: ".b": does not refer to a valid field: there is no "b"`,
				`x-kubernetes-validations[0].messageExpression: Invalid value: "self.a": must evaluate to a string or a ` +
					`list(string), not to a int`,
				`x-kubernetes-validations[0].optionalOldSelf: Invalid value: "self.a > 1": may not be set if oldSelf is not used`,
				`x-kubernetes-validations[0].reason: Invalid value: "Bad": unknown reason; accepted are Duplicate, Forbidden,`,
			}},
		{name: "unknown entry", why: "a misspelt key of a rule is not ignored",
			schema: `{type: object, x-kubernetes-validations: [{rule: 'true', fieldpth: .b}]}`,
			want: []string{
				`x-kubernetes-validations[0].fieldpth: Invalid value: unknown key; accepted: rule, message, messageExpression, ` +
					`reason, fieldPath, optionalOldSelf, onlySubresources, exceptSubresources`,
			}},
		{name: "unknown entry beside a known one", why: "the subresources keys are accepted beside a misspelt key",
			schema: `{type: object, x-kubernetes-validations: [{rule: 'true', onlySubresource: [a], exceptSubresources: [b]}]}`,
			want: []string{`x-kubernetes-validations[0].onlySubresource: Invalid value: unknown key; accepted: rule, message, ` +
				`messageExpression, reason, fieldPath, optionalOldSelf, onlySubresources, exceptSubresources`}},
		{name: "unknown entry of a custom resource", why: "an unknown key in a custom resource: no release of the API server " +
			"knows the subresources keys",
			schema: `{type: object, x-kubernetes-validations: [{rule: 'true', foo: [a]}]}`,
			opts:   declarative.Options{Semantics: declarative.CustomResources},
			want: []string{
				`x-kubernetes-validations[0].foo: Invalid value: unknown key; accepted: rule, message, messageExpression, reason, ` +
					`fieldPath, optionalOldSelf`,
			}},
		{name: "keys in other letters", why: "keys are case-sensitive, as in the API server, which does not read these",
			schema: `{type: object, x-kubernetes-validations: [{Rule: 'true'}], x-kubernetes-validation-errors: {required: ` +
				`{Message: a}}, x-kubernetes-unions: [{Discriminator: a, fields: {a: A}}]}`,
			want: []string{
				`x-kubernetes-unions[0].Discriminator: Invalid value: unknown key; accepted: discriminator, fields`,
				`x-kubernetes-validation-errors[required].Message: Invalid value: unknown key; accepted: message, reason`,
				`x-kubernetes-validations[0].Rule: Invalid value: unknown key; accepted: rule, message, messageExpression, reason, ` +
					`fieldPath, optionalOldSelf, onlySubresources, exceptSubresources`,
			}},
		{name: "misspelt rule", why: "the entry is named by its index, with the keys that there are, and no other mistake comes from it",
			schema: `{type: object, x-kubernetes-validations: [{rule: 'true'}, {rul: 'true'}, {rule: self.a}]}`,
			want: []string{
				`x-kubernetes-validations[1].rul: Invalid value: unknown key; accepted: rule, message, messageExpression, reason, ` +
					`fieldPath, optionalOldSelf, onlySubresources, exceptSubresources`,
				`x-kubernetes-validations[2].rule: Invalid value: "self.a": does not compile: ERROR: <input>:1:5: undefined field 'a'`,
			}},
		{name: "rules of other types, with the accepted types in JSON terms", why: "what they must be is said in the words of JSON",
			schema: `{type: object, x-kubernetes-validations: [{rule: 7}, 'true', {rule: 'true', optionalOldSelf: 'yes'}]}`,
			want: []string{
				`x-kubernetes-validations[0].rule: Invalid value: 7: cannot be read: rule must be text, not a number`,
				`x-kubernetes-validations[1]: Invalid value: "true": must be an object with the keys rule, message, messageExpression, ` +
					`reason, fieldPath, optionalOldSelf, onlySubresources, exceptSubresources`,
				`x-kubernetes-validations[2].optionalOldSelf: Invalid value: "yes": cannot be read: optionalOldSelf must be true ` +
					`or false, not text`,
			}},
		{name: "rules that are no list", why: "the message about the whole schema names the accepted type",
			schema: `{type: object, x-kubernetes-validations: {rule: 'true'}}`,
			want:   []string{`x-kubernetes-validations: Invalid value: {"rule":"true"}: cannot be read: it must be a list, not an object`}},
		{name: "overrides", why: "entries of a mapping are named by their keys",
			schema: `{type: object, x-kubernetes-validation-errors: {required: {mesage: a}}}`,
			want:   []string{`x-kubernetes-validation-errors[required].mesage: Invalid value: unknown key; accepted: message, reason`}},
		{name: "no type", why: "rules cannot see a value without a type",
			schema: `{type: object, properties: {a: {x-kubernetes-validations: [{rule: self == 1}]}}}`,
			want: []string{`properties[a].x-kubernetes-validations[0].rule: Invalid value: "self == 1": rules need a schema with ` +
				`a type`}},
		{name: "first dot", why: "custom resources need it, as in the API server",
			schema: `{type: object, properties: {a: {type: object, properties: {b: {type: string}}}}, x-kubernetes-validations: ` +
				`[{rule: 'true', fieldPath: a}, {rule: 'true', fieldPath: a.b}, {rule: 'true', fieldPath: .a.b}]}`,
			opts: declarative.Options{Semantics: declarative.CustomResources},
			want: []string{
				`x-kubernetes-validations[0].fieldPath: Invalid value: "a": must begin with .field or ['key'], not with "a"`,
				`x-kubernetes-validations[1].fieldPath: Invalid value: "a.b": must begin with .field or ['key'], not with "a.b"`,
			}},
		{name: "format in a rule", why: "a literal format must exist",
			schema: `{type: string, maxLength: 5, x-kubernetes-validations: [{rule: "self.isFormat('dns1124')"}]}`,
			want: []string{`x-kubernetes-validations[0].rule: Invalid value: "self.isFormat('dns1124')": there is no format ` +
				`["dns1124"]`}},
		{name: "selector", why: "matches is of label selectors and strings only",
			schema: `{type: object, properties: {a: {type: object}}, x-kubernetes-validations: [{rule: "self.a.matches({'a': 'b'})"}]}`,
			want: []string{`x-kubernetes-validations[0].rule: Invalid value: "self.a.matches({'a': 'b'})": does not compile: ` +
				`ERROR: <input>:1:15: found no matching overload for 'matches'`}},
		{name: "list types", why: "list type, keys and map type go together",
			schema: `{type: object, properties: {a: {type: array, x-kubernetes-list-type: bag}, b: {type: array, ` +
				`x-kubernetes-list-type: map}, c: {type: array, x-kubernetes-list-map-keys: [x]}, d: {type: string, ` +
				`x-kubernetes-list-type: set}, e: {type: object, x-kubernetes-map-type: set}}}`,
			want: []string{
				`properties[a].x-kubernetes-list-type: Invalid value: "bag": unknown list type; accepted are atomic, map, set`,
				`properties[b].x-kubernetes-list-map-keys: Invalid value: null: must name at least one key`,
				`properties[c].x-kubernetes-list-map-keys: Invalid value: ["x"]: goes only with x-kubernetes-list-type: map`,
				`properties[d].x-kubernetes-list-type: Invalid value: "set": goes only with type: array`,
				`properties[e].x-kubernetes-map-type: Invalid value: "set": unknown map type; accepted are atomic, granular`,
			}},
		{name: "overrides", why: "x-kubernetes-validation-errors names keywords and reasons",
			schema: `{type: string, minLength: 1, x-kubernetes-validation-errors: {minLenth: {message: m}, minLength: {reason: Never}}}`,
			want: []string{
				`x-kubernetes-validation-errors[minLength].reason: Invalid value: "Never": unknown reason`,
				`x-kubernetes-validation-errors[minLenth]: Invalid value: "minLenth": is not a keyword that reports errors`,
			}},
		{name: "unsupported", why: "keywords that CRDs do not have are refused, not ignored",
			schema: `{type: object, patternProperties: {a: {}}, properties: {a: {type: array, items: [{}, {}]}, b: {type: number, ` +
				`multipleOf: 0}, c: {enum: []}}}`,
			want: []string{
				`patternProperties: Invalid value: "": is not supported, as in a CRD: use additionalProperties`,
				`properties[a].items: Invalid value: "": must be one schema for all items`,
				`properties[b].multipleOf: Invalid value: 0: must be greater than 0`,
				`properties[c].enum: Invalid value: []: must have at least one value`,
			}},
		{name: "cost", why: "a rule whose worst case is over budget is a mistake, with the estimate",
			schema: `{type: object, properties: {a: {type: array, items: {type: string}}}, x-kubernetes-validations: [{rule: ` +
				`"self.a.all(x, self.a.all(y, x == y))"}]}`,
			want: []string{
				`<nil>: Invalid value: "": estimated cost of all rules`,
				`x-kubernetes-validations[0].rule: Invalid value: "self.a.all(x, self.a.all(y, x == y))": estimated rule cost`,
			}},
		{name: "text of a number", why: "no keyword limits values that the API server treats as unbounded",
			schema: `{type: object, properties: {a: {type: integer}}, x-kubernetes-validations: [{rule: ` +
				`"string(self.a).matches('^[0-9]+$')"}]}`,
			want: []string{
				`<nil>: Invalid value: "": estimated cost of all rules 3689348814741910531 is over the limit of 100000000 ` +
					`(36893488147.4 times): correct the rules first that are over their own limit`,
				`x-kubernetes-validations[0].rule: Invalid value: "string(self.a).matches('^[0-9]+$')": estimated rule cost ` +
					`3689348814741910531 is over the limit of 10000000 (368934881474.2 times): the API server has no bound for the ` +
					`result of string(…), whatever the schema declares; compare the value itself`,
			}},
		{name: "unions", why: "they name fields, and have no other keys",
			schema: `{type: object, properties: {u: {type: object, x-kubernetes-unions: [{fields: {}}]}, v: {type: object, ` +
				`x-kubernetes-unions: [{discriminater: x}]}}}`,
			want: []string{`properties[u].x-kubernetes-unions[0].fields: `, `properties[v].x-kubernetes-unions[0].discriminater: `}},
		{name: "two spellings", why: "a keyword may have a message in only one of them",
			opts: declarative.Options{Semantics: declarative.CustomResources, Proposals: true},
			schema: `{type: object, properties: {s: {type: string, maxLength: 1, x-kubernetes-errors: {maxLength: {message: a}}, ` +
				`x-kubernetes-validation-errors: {maxLength: {message: b}}}}}`,
			want: []string{
				`properties[s].x-kubernetes-errors[maxLength]: Invalid value: "maxLength": is also in x-kubernetes-validation-errors; ` +
					`keep only one of them`,
			}},
		{name: "a list as a message", why: "the API server takes none", opts: declarative.Options{Semantics: declarative.CustomResources},
			schema: `{type: object, x-kubernetes-validations: [{rule: "true", messageExpression: "['a']"}]}`,
			want: []string{`x-kubernetes-validations[0].messageExpression: Invalid value: "['a']": must evaluate to a string, ` +
				`not to a list(string)`}},
		{name: "a list of numbers instead of a message", why: "nor does KEP-4153",
			opts:   declarative.Options{Semantics: declarative.CustomResources, Proposals: true},
			schema: `{type: object, x-kubernetes-validations: [{rule: "true", messageExpression: "[1]"}]}`,
			want: []string{
				`x-kubernetes-validations[0].messageExpression: Invalid value: "[1]": must evaluate to a string or a list(string), ` +
					`not to a list(int)`,
			}},
		{name: "version", why: "libraries of a later version are unavailable",
			schema: `{type: string, maxLength: 5, x-kubernetes-validations: [{rule: "isIP(self)"}]}`,
			opts:   declarative.Options{CompatibilityVersion: version.MajorMinor(1, 28)},
			want: []string{`x-kubernetes-validations[0].rule: Invalid value: "isIP(self)": does not compile: ERROR: <input>:1:5: ` +
				`undeclared reference to 'isIP'`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := declarative.Compile(served.Schema(t, tt.schema), tt.opts)
			var wrong *declarative.SchemaError
			if !errors.As(err, &wrong) {
				t.Fatalf("%s: no SchemaError but %v", tt.why, err)
			}
			if len(wrong.Errors) != len(tt.want) {
				t.Fatalf("%s: want %d mistakes, got:\n%v", tt.why, len(tt.want), err)
			}
			if text := err.Error(); strings.Contains(text, "<nil>") {
				t.Errorf("what is about the schema as a whole names no place:\n%s", text)
			}
			for i, e := range wrong.Errors {
				if !strings.HasPrefix(e.Error(), tt.want[i]) {
					t.Errorf("%s: mistake %d:\nwant %s…\ngot  %s", tt.why, i, tt.want[i], e)
				}
			}
		})
	}
}

// TestIgnoredKeysOfRules: custom resources have no rules for single subresources.
func TestIgnoredKeysOfRules(t *testing.T) {
	const schema = `{type: object, x-kubernetes-validations: [{rule: 'true'}, {rule: 'true', onlySubresources: [a], ` +
		`exceptSubresources: [b]}]}`
	for _, tt := range []struct {
		of   declarative.Semantics
		want []string
	}{
		{declarative.NativeTypes, nil},
		{declarative.CustomResources,
			[]string{"x-kubernetes-validations[1].exceptSubresources", "x-kubernetes-validations[1].onlySubresources"}},
	} {
		if d := cmp.Diff(tt.want, compile(t, schema, declarative.Options{Semantics: tt.of}).Ignored()); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestIgnored checks that ineffective parts of a schema are reported.
func TestIgnored(t *testing.T) {
	v := compile(t, `{type: object, x-kubernetes-group-version-kind: [], properties: {a: {type: string, format: dns1132label}, `+
		`c2: {type: string, format: dns1132label}, b: {type: string, format: ipv4, x-kubernetes-strip-zeros: true}, c: {type: `+
		`integer, format: int32}, d: {type: string, format: int-or-string}}}`, declarative.Options{})
	want := []string{
		`properties[a].format: "dns1132label"`,
		"properties[b].x-kubernetes-strip-zeros",
		`properties[c2].format: "dns1132label"`,
		"x-kubernetes-group-version-kind",
	}
	if d := cmp.Diff(want, v.Ignored()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
