// Package idl turns Go types with marker comments into OpenAPI v3 schemas.
//
// In go Go packages, the names of their root types, and overlays; out come the
// schemas of every type the roots reach, as definitions that refer to each
// other by $ref (so recursive types stay recursive), without descriptions, the
// same bytes each time. Mistakes come out all at once, each with file and line.
// Compiling and running the schemas is left to backends/declarative.
//
// # Markers
//
// A marker is a comment line that starts with "+". This dialect is KEP-4153's
// ("IDL tags"); other dialects implement [Dialect]. Markers may stand on a type
// and on a field, and add up: a field is held to its own markers, to those of
// its type, and to those of every alias on the way. Where two levels set one
// keyword to different values both hold (the outer one moves into allOf).
//
//	numbers     +minimum=0 +maximum=65535 +multipleOf=2; +exclusiveMinimum and
//	            +exclusiveMaximum are switches beside them, as in OpenAPI v3.0
//	strings     +minLength=1 +maxLength=63 +pattern=`^[a-z]+$` +format=dns1123label
//	lists       +minItems=1 +maxItems=8 +uniqueItems
//	            +listType=atomic|set|map +listMapKey=name (once for each key)
//	maps        +minProperties=1 +maxProperties=8 +mapType=granular|atomic
//	structs     +structType=granular|atomic
//	values      +enum=A;B;C or +enum={"A","B",""}; a bare +enum on a string type
//	            takes the constants of that type; +nullable; +default=<JSON> or
//	            +default=ref(Constant)
//	fields      +required, +optional, +stripZero and +stripZero=false
//	names       +nameFormat=dns1123subdomain|dns1123label|dns1035label on a field
//	            of type ObjectMeta, or on a type that has one in "metadata"
//	CEL         +validationRule="self.a <= self.b",message="…",messageExpression="…",
//	            reason=Forbidden,field="b",optionalOldSelf=true
//	            reasons: Required Forbidden Invalid Duplicate NotSupported NotFound
//	            TypeInvalid TooLong TooShort TooMany TooFew; field may be written fieldPath; oldSelf
//	            makes it a transition rule, as in a CRD
//	messages    +validationErrors={minLength: {message: "…", reason: "Required"}}
//	map keys    +keys:format=… +keys:pattern=… +keys:minLength=1 +keys:maxLength=63
//	            (these become CEL rules on the map: OpenAPI v3 has no schema for keys)
//
// A marker can be aimed at a place below the one it stands at, which is how a
// shared type gets other rules in one use than in another. The definition is
// then copied into that use, as KEP-4153 asks ("Shared Template Schemas"):
//
//	+items:pattern=…                     the items of a list
//	+values:maxLength=10                 the values of a map
//	+.spec.restartPolicy:enum=Always     a field below, by JSON names
//	+.spec.containers:items:.name:maxLength=40
//
// A bound on an int-or-string field, and on a Quantity, holds for numbers only, a
// pattern for text only; a Quantity's size takes a CEL rule.
//
// Text is written bare (up to the next comma, semicolon, colon or brace), in
// "double quotes" with Go's escapes, in `backquotes` or in """triple quotes"""
// without any. A marker goes on over several lines while a quote is open or
// after a comma at the end of a line.
//
// # Zero values
//
// KEP-4153 "Zero-Valued Primitive Fields": a Go field that is neither pointer
// nor struct gets x-kubernetes-strip-zero: its zero value counts as absent, so
// a required "" is reported as Required and no other check runs on it. A field
// without omitempty and without +optional is required, a struct that is no
// pointer never is (unless it says +required) and gets the default {}. A number
// or boolean that is required only by the lack of omitempty is always
// serialized, so its zero is a value: it keeps it, with the zero as the default
// (what strip-zero followed by that default would give). Say +required to have
// zero reported as missing, which takes a default away that is the zero, and
// +stripZero=false to have it checked like any value. An optional field with
// +default= and its zero has that value wherever nothing else is set.
//
// # Overlays
//
// An overlay adds markers to types that we cannot edit; it holds what an author
// of that package would write into its source. One file a group:
//
//	package: k8s.io/api/apps        # a Go package, or the folder of its versions:
//	                                # then it holds for each version below it
//	types:
//	  DeploymentSpec:               # the Go type
//	    markers:                    # lines as in the comment of the type
//	    - +validationRule="self.selector == oldSelf.selector",message="field is immutable",field="selector"
//	    fields:                     # by JSON name; an inlined struct by its Go name
//	      replicas: [+minimum=0]
//	      minReadySeconds:
//	      - +minimum=0
//	  StatefulSetSpec@v1beta1,v1beta2:   # only these versions
//	    markers:
//	    - |                         # a long rule: a YAML block, quotes inside as always
//	      +validationRule="""
//	        !has(self.a)
//	          || self.b.all(x, x > 0)
//	      """,message="b must be positive with a",
//	      reason=Invalid,field="b"
//
// A line with a colon and a space, or with " #", must be quoted for YAML or
// stand in a block; in [brackets] also one with a comma or a brace.
//
// An overlay's marker takes the place of one with the same name that stands in
// the source at that type or field (+required and +optional count as one name,
// +listType and +listMapKey as another); CEL rules add up. "-enum" removes the
// source's +enum. Types and fields that no version has, markers that no dialect
// knows, arguments that do not fit and lines that no root type reaches are
// mistakes. A field that only some of the versions have is not.
package idl
