// Package idl turns Go types with marker comments into OpenAPI v3 schemas.
//
// [Generate] takes Go packages, the names of their root types, and overlays. It gives the
// schemas of all types that the roots reach, as definitions that refer to each other by
// $ref, so recursive types stay recursive. Schemas have no descriptions and are the same
// bytes each time. Generate returns all mistakes at once, each with file and line.
// Package declarative compiles the schemas.
//
// # Markers
//
// A marker is a comment line that starts with "+". Three dialects are read side by side
// ([Dialects]): KEP-4153's ("IDL tags"), which stands below; upstream's +k8s: tags of
// validation-gen ([NewK8s]; +k8s:alpha and +k8s:beta by [Stage]); and controller-gen's
// +kubebuilder: markers ([NewKubebuilder]), which controller-tools applies. Others implement
// [Dialect]. A tag that no schema can say is in Result.Unexpressed. [CRD] makes a whole
// definition, as controller-gen does, with the markers of all three. Markers stand on types and on
// fields, and add up: a field has its own markers, those of its type, and those of
// every alias in between. If two levels set one keyword to different values, both
// apply (the outer one moves into allOf).
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
//	            +default=ref(Constant), also ref(alias.Constant) and ref(import/path.Constant)
//	fields      +required, +optional, +stripZero and +stripZero=false
//	names       +nameFormat=dns1123subdomain|dns1123label|dns1035label on a field
//	            of type ObjectMeta, or on a type that has one in "metadata"
//	CEL         +validationRule="self.a <= self.b",message="…",messageExpression="…",
//	            reason=Forbidden,field="b",optionalOldSelf=true
//	            reasons: Required Forbidden Invalid Duplicate NotSupported NotFound
//	            TypeInvalid TooLong TooShort TooMany TooFew; field may be written fieldPath; oldSelf
//	            makes it a transition rule, as in a CRD. only=resize, or except=resize;scale: it
//	            holds in requests to these subresources alone, or in all others. A
//	            messageExpression may give a list: each text is an error
//	immutable   +immutable on a field (it is neither changed nor set nor unset later) or a type
//	exclusive   +mutually_exclusive=a;b on a struct type, or on a field with the names of its
//	            neighbours: at most one is set
//	context     +contextual:field=type,value=A;B on a field: it is set only where the field type
//	            is A or B; with required=true also always then
//	unions      +union on a struct type: exactly one member is set. +unionDiscriminator on the
//	            field that names it; +unionMember or +unionMember=Value on the members, which
//	            otherwise are all optional fields; the value is the name of the Go field
//	messages    +validationErrors={minLength: {message: "…", reason: "Required"}}
//	map keys    +keys:format=… +keys:pattern=… +keys:minLength=1 +keys:maxLength=63
//	            (these become CEL rules on the map: OpenAPI v3 has no schema for keys)
//
// A marker can be aimed at a place below its own. This gives a shared type different
// rules in each use. The definition is then copied into that use, as KEP-4153 asks
// ("Shared Template Schemas"):
//
//	+items:pattern=…                     the items of a list
//	+values:maxLength=10                 the values of a map
//	+.spec.restartPolicy:enum=Always     a field below, by JSON names
//	+.spec.containers:items:.name:maxLength=40
//
// On an int-or-string field and on a Quantity, a bound applies to numbers only and a
// pattern to text only. Use a CEL rule to compare Quantities.
//
// Text is written bare (up to the next comma, semicolon, colon or brace), in
// "double quotes" with Go's escapes, or in `backquotes` or """triple quotes"""
// without escapes. A marker continues on the next line while a quote is open and
// after a comma at the end of a line.
//
// # Zero values
//
// A Go field that is neither pointer nor struct gets x-kubernetes-strip-zero (KEP-4153,
// "Zero-Valued Primitive Fields"): its zero value counts as absent. So a required "" is
// reported as Required, and no other check runs on it.
//
// A field without omitempty and without +optional is required. A struct that is not a
// pointer is required only with +required, and gets the default {}. A number or boolean
// without omitempty is always serialized, so its zero is a value. If nothing else makes
// the field required, it does not get x-kubernetes-strip-zero, and its default is zero.
// +required reports zero as missing, and removes a default that is the zero value.
// +stripZero=false checks zero like any other value. An optional field whose
// +default is its zero value has that value wherever nothing else is set.
//
// # Overlays
//
// An overlay adds markers to types that cannot be edited. It has what an author of
// the package would write into its source, in one file for each group:
//
//	package: k8s.io/api/apps        # a Go package, or the folder of its versions:
//	                                # then it holds for each version below it
//	                                # packages: [k8s.io/api/apps, k8s.io/api/extensions]
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
// A rule about the whole object holds in requests to its subresources as well, unless it says
// only=status or except=status. Hand-written code often looks at nothing but the status in an update
// of the status, so that a type may say it for all rules of its markers that do not, and report no
// field of the status:
//
//	Job:
//	  except: [status]
//	  markers:
//	  - +validationRule="!has(self.spec.a) || has(self.spec.b)",message="a needs b"
//
// YAML needs quotes or a block for a line with a colon and a space, or with " #". In
// [brackets] it also needs them for a line with a comma or a brace.
//
// A marker of an overlay replaces the marker of the same name in the source at that
// type or field; CEL rules add up. For this purpose +required and +optional have one
// name, and so have +listType and +listMapKey. "-enum" removes the source's +enum, and "-k8s:format" the
// tag +k8s:format in each stage.
//
// What several places say is written once, in a set or an expression. Those of a file with
// types are its own; those of a file without types, which needs no package, are shared by
// all overlays of a run:
//
//	expressions:                    # named parts of CEL, for rule and messageExpression
//	  isEmpty(selector): |
//	    !has($selector.matchLabels) && !has($selector.matchExpressions)
//	sets:                           # named lists of markers
//	  labelSelector(field):
//	  - +validationRule="!$isEmpty(self.$field)",message="empty selector",field="$field"
//	  - {use: immutableField, field: $field}
//	types:
//	  DeploymentSpec:
//	    markers:
//	    - {use: labelSelector, field: selector}
//	    - {use: podTemplate, at: .template}      # aimed at a place below, as a marker
//
// A line may hold only when an option is enabled, or only when it is not, as with
// upstream's tags; Reading.Options names those that are:
//
//	minReplicas:
//	- +ifEnabled(HPAScaleToZero)=+minimum=0
//	- +ifDisabled(HPAScaleToZero)=+minimum=1
//
// $name stands for a parameter or an expression, and so does ${name} where a letter
// follows; "$$name" is a dollar sign. A parameter of a set is text, and may stand anywhere
// in a marker. An argument of an expression is CEL: it is put in parentheses where its place
// needs them, and may not name a variable that a macro of the expression binds.
// Parameters come before expressions of the same name. The schemas hold what the names
// stand for. What no line uses is a mistake, and so is a set or an expression that uses
// itself.
//
// These are mistakes too: a type or field that no version has, a marker that no dialect
// knows, arguments that do not fit, and a line that no root type reaches. A field that
// only some versions have is not a mistake.
//
// # Mistakes
//
// A comment line that looks like a marker of a dialect and is none is a mistake, so is a
// marker where nobody reads it: at the end of a field's line, below the last field, in a
// comment between slash and star, on a field without JSON, on a constant or a function. Markers of other generators,
// such as +genclient, are in a table (foreign.go). [Reading] can leave unknown markers out.
//
// [Origins] say which line made a place of a schema, so that what compiling the schema finds wrong,
// such as a rule that does not type-check, is reported there.
package idl
