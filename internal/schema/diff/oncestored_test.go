package diff_test

import (
	"slices"
	"strings"
	"testing"

	schemadiff "github.com/diffrun/diffrun/internal/schema/diff"
)

// TestOnceStored: each change that makes a schema narrower says what becomes of the stored objects.
func TestOnceStored(t *testing.T) {
	const preserved = `, x-kubernetes-preserve-unknown-fields: true`
	for _, row := range []struct {
		why, a, b string
		want      schemadiff.StoredState
		// refused are updates that B refuses, and varies says whether it does so for some values only.
		refused string
		varies  bool
	}{
		{why: "an unchanged value ratchets", a: `size: {type: integer}`, b: `size: {type: integer, maximum: 5}`,
			want: schemadiff.StaysEditable},
		{why: "so does a rule of the value", a: `size: {type: integer}`, b: `size: {type: integer, x-kubernetes-validations: ` +
			`[{rule: self < 5}] }`, want: schemadiff.StaysEditable},
		{why: "a rule about the whole sees the labels change", a: `size: {type: integer}`,
			b:    `size: {type: integer}}, x-kubernetes-validations: [{rule: "!has(self.size) || self.size < 5"}]`,
			want: schemadiff.BecomesStuck, refused: schemadiff.LabelChange},
		{why: "what B accepts says nothing", a: `size: {type: integer, maximum: 5}`, b: `size: {type: integer}`},

		{why: "a field is pruned, which refuses no update", a: `size: {type: integer}}`, b: `}`, want: schemadiff.Dropped},
		{why: "a nested one too", a: `in: {type: object, properties: {a: {type: string}, b: {type: string}}}`,
			b: `in: {type: object, properties: {a: {type: string}}}`, want: schemadiff.Dropped},
		{why: "a whole object", a: `in: {type: object, properties: {a: {type: string}}}`, b: `}`, want: schemadiff.Dropped},
		{why: "in items", a: `l: {type: array, items: {type: object, properties: {a: {type: string}}}}`,
			b: `l: {type: array, items: {type: object}}`, want: schemadiff.Dropped},
		{why: "in entries, whose keys may have dots", a: `m: {type: object, additionalProperties: {type: object, properties: ` +
			`{a: {type: string}}}}`, b: `m: {type: object, additionalProperties: {type: object}}`, want: schemadiff.Dropped},
		{why: "all entries", a: `m: {type: object, additionalProperties: {type: string}}`, b: `m: {type: object}`,
			want: schemadiff.Dropped},
		{why: "of two types", a: `p: {x-kubernetes-int-or-string: true}`, b: `}`, want: schemadiff.Dropped},
		{why: "renamed", a: `old: {type: string}`, b: `new: {type: string}`, want: schemadiff.Dropped},
		{why: "moved", a: `b: {type: string}, in: {type: object}`, b: `in: {type: object, properties: {b: {type: string}}}`,
			want: schemadiff.Dropped},
		{why: "what was kept", a: `in: {type: object` + preserved + `}`, b: `in: {type: object}`, want: schemadiff.Dropped},
		{why: "where unknown fields are kept, B accepts and stores it", a: `in: {type: object, properties: {a: {type: string}}}`,
			b: `in: {type: object` + preserved + `}`},
		{why: "an embedded object has its metadata, declared or not", a: `in: {type: object, x-kubernetes-embedded-resource: ` +
			`true, properties: {kind: {type: string}, metadata: {type: object}, b: {type: string}}}`,
			b: `in: {type: object, x-kubernetes-embedded-resource: true, properties: {b: {type: string}}}`},
		{why: "one that is embedded no longer has none", a: `in: {type: object, x-kubernetes-embedded-resource: true}`,
			b: `in: {type: object}`, want: schemadiff.Dropped},
		{why: "junctors declare nothing", a: `in: {type: object, properties: {a: {type: string}, b: {type: string}}, anyOf: ` +
			`[{required: [a]}, {required: [b]}]}`,
			b: `in: {type: object, properties: {a: {type: string}}, anyOf: [{required: [a]}, {required: [b]}]}`, want: schemadiff.Dropped},
		{why: "objects that need it are wrong without it", a: `in: {type: object, minProperties: 2, properties: {a: {type: ` +
			`string}, b: {type: string}}}`,
			b: `in: {type: object, minProperties: 2, properties: {a: {type: string}}}`, want: schemadiff.Dropped, refused: "in.a"},

		{why: "the parent of a field that is missing must stay as it is", a: `in: {type: object, properties: {a: {type: string}, ` +
			`b: {type: string}}}, other: {type: string}`,
			b:    `in: {type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}, other: {type: string}`,
			want: schemadiff.Restricted, refused: "in.a"},
		{why: "items without keys are compared as a whole", a: `l: {type: array, items: {type: object, properties: {a: {type: ` +
			`string}, b: {type: string}}}}`,
			b:    `l: {type: array, items: {type: object, required: [b], properties: {a: {type: string}, b: {type: string}}}}`,
			want: schemadiff.Restricted, refused: "l[*]"},
		{why: "a field at the root", a: `size: {type: integer}`, b: `size: {type: integer}}, required: [size]`,
			want: schemadiff.BecomesStuck, refused: schemadiff.LabelChange},
		{why: "a rule about an object", a: `in: {type: object, properties: {a: {type: integer}, b: {type: string}}}`,
			b: `in: {type: object, properties: {a: {type: integer}, b: {type: string}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.a) || self.a < 5"}]}`,
			want: schemadiff.Restricted, refused: "in.b"},

		{why: "errors of an evaluation do not ratchet: of a quantity", a: `q: {type: string}`,
			b:    `q: {type: string, x-kubernetes-validations: [{rule: "quantity(self).isLessThan(quantity('5'))"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "a duration", a: `q: {type: string}`, b: `q: {type: string, x-kubernetes-validations: [{rule: "duration(self) ` +
			`< duration('1h')"}]}`, want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "int()", a: `q: {type: string}`, b: `q: {type: string, x-kubernetes-validations: [{rule: "int(self) < 10"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "an index", a: `l: {type: array, items: {type: integer}}`, b: `l: {type: array, items: {type: integer}, ` +
			`x-kubernetes-validations: [{rule: "self[0] < 10"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "a division", a: `n: {type: integer}`, b: `n: {type: integer, x-kubernetes-validations: [{rule: "10 / self < 3"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "an overflow", a: `n: {type: integer}`, b: `n: {type: integer, x-kubernetes-validations: [{rule: "self * 2 < 10"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "a key", a: `m: {type: object, additionalProperties: {type: string}}`,
			b:    `m: {type: object, additionalProperties: {type: string}, x-kubernetes-validations: [{rule: "self['x'] == 'y'"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange, varies: true},
		{why: "in one of two fields", a: `in: {type: object, properties: {a: {type: string}, b: {type: string}}}`,
			b: `in: {type: object, properties: {a: {type: string}, b: {type: string}}, x-kubernetes-validations: [{rule: ` +
				`"!has(self.a) || !has(self.b) || duration(self.a) < duration(self.b)"}]}`,
			want: schemadiff.BecomesStuck, refused: schemadiff.NoChange},
		{why: "a guarded one has no such error", a: `q: {type: string}`, b: `q: {type: string, x-kubernetes-validations: ` +
			`[{rule: "self.matches('^[0-9]{1,3}$') && int(self) < 10"}]}`, want: schemadiff.StaysEditable},
	} {
		t.Run(row.why, func(t *testing.T) {
			a, b := side(t, definition(row.a)), side(t, definition(row.b))
			shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
			if err != nil {
				t.Fatal(err)
			}
			found := row.want == ""
			for _, change := range shown {
				for _, example := range change.Examples {
					is := example.OnceStored
					found = found || is.State == row.want
					if example.Effect == schemadiff.Narrower && is.State != row.want {
						t.Errorf("%s %s: %q, want %q", change.Path, change.What, is.State, row.want)
					}
					if is.State != "" && (row.refused != "" && !slices.Contains(is.Refused, row.refused) || row.refused == "" &&
						len(is.Refused) > 0 || is.Varies != row.varies) {
						t.Errorf("%s %s: accepted %q, refused %q, varies %v; want %q, %v", change.Path, change.What, is.Accepted,
							is.Refused, is.Varies, row.refused, row.varies)
					}
				}
				if len(change.Examples) == 0 {
					t.Errorf("%s %s has no example", change.Path, change.What)
				}
			}
			if !found {
				t.Errorf("no change is %q: %v", row.want, shown)
			}
		})
	}
}

// TestOnceStoredBeside: while a required field is missing, everything that is not beside it may change.
func TestOnceStoredBeside(t *testing.T) {
	in := `{type: object, properties: {a: {type: string}, b: {type: string}}}`
	a := side(t,
		definition(`spec: {type: object, properties: {in: `+in+`, other: {type: string}}}, status: {type: object, properties: `+
			`{phase: {type: string}}}`))
	b := side(t, definition(`spec: {type: object, properties: {in: `+strings.Replace(in, "object,", "object, required: [b],", 1)+
		`, other: {type: string}}}, status: {type: object, properties: {phase: {type: string}}}`))
	shown, err := schemadiff.Witness(t.Context(), a, b, schemadiff.Walk(a, b), 1)
	if err != nil || len(shown) != 1 || len(shown[0].Examples) != 1 {
		t.Fatalf("%v, %v", shown, err)
	}
	is := shown[0].Examples[0].OnceStored
	if got, want := strings.Join(is.Accepted, " "), "nothing labels status spec.other"; got != want {
		t.Errorf("accepted %q, want %q", got, want)
	}
	if got, want := strings.Join(is.Refused, " "), "spec.in.a"; got != want {
		t.Errorf("refused %q, want %q", got, want)
	}
}

// definition returns a schema with some fields, and keywords after them if the text closes the fields.
func definition(fields string) string {
	if strings.Count(fields, "{") >= strings.Count(fields, "}") {
		fields += "}"
	}
	return `{type: object, properties: {metadata: {type: object}, ` + fields + `}`
}
