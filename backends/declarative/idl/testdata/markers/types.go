// Package markers has a field for each habit of the marker dialect and of Go's
// JSON; the test beside it says what each is for.
package markers

import (
	"time"

	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/intstr"
)

type Values struct {
	// +minimum=-1
	// +maximum=1.5
	// +exclusiveMaximum
	// +multipleOf=0.5
	Number float64 `json:"number,omitempty"`
	// +minLength=1
	// +maxLength=63
	// +pattern=`^[a-z]+(\.[a-z]+)*$`
	// +nullable
	Text *string `json:"text,omitempty"`
	// +pattern="^\\d+$"
	Quoted string `json:"quoted,omitempty"`
	// +minItems=1
	// +maxItems=8
	// +uniqueItems
	List []int64 `json:"list,omitempty"`
	// +minProperties=1
	// +maxProperties=8
	// +mapType=atomic
	Map map[string]string `json:"map,omitempty"`
	// +enum=A;B;C
	Semicolons string `json:"semicolons,omitempty"`
	// +enum={"x y","",z}
	Braces string `json:"braces,omitempty"`
	// +enum=1;2
	Numbers int32 `json:"numbers,omitempty"`
	// +validationErrors={minLength: {message: "say a name", reason: Required}}
	// +minLength=2
	Worded string `json:"worded,omitempty"`
}

type Zero struct {
	Text          string            `json:"text"`
	Optional      string            `json:"optional,omitempty"`
	List          []string          `json:"list"`
	Map           map[string]string `json:"map"`
	Bytes         []byte            `json:"bytes,omitempty"`
	Number        int32             `json:"number"`
	Bool          bool              `json:"bool"`
	Pointer       *int64            `json:"pointer"`
	Struct        Inner             `json:"struct"`
	PointerStruct *Inner            `json:"pointerStruct,omitempty"`
	Any           any               `json:"any,omitempty"`

	// +required
	RequiredNumber int32 `json:"requiredNumber"`
	// +optional
	OptionalNumber int32 `json:"optionalNumber"`
	// +required
	RequiredStruct Inner `json:"requiredStruct,omitempty"`
	// +stripZero=false
	Kept string `json:"kept,omitempty"`
	// +default="a"
	Default string `json:"default,omitempty"`
	// +default=""
	DefaultZero string `json:"defaultZero,omitempty"`
	// +required
	// +default=""
	RequiredZero string `json:"requiredZero,omitempty"`
	// +default=ref(Fallback)
	Ref string `json:"ref,omitempty"`
	// +default={"a": 1}
	StructDefault Inner `json:"structDefault,omitempty"`
}

const Fallback = "fall" + "back"

type Inner struct {
	A int32 `json:"a,omitempty"`
}

type Shapes struct {
	// +optional
	Embedded    `json:",inline"`
	*Maybe      `json:",inline"`
	NoTag       uint8
	Skipped     string `json:"-"`
	private     string
	AsString    int64                        `json:"asString,string,omitempty"`
	Time        metav1.Time                  `json:"time,omitempty"`
	Micro       *metav1.MicroTime            `json:"micro,omitempty"`
	Duration    metav1.Duration              `json:"duration,omitempty"`
	GoDuration  time.Duration                `json:"goDuration,omitempty"`
	Quantity    resource.Quantity            `json:"quantity,omitempty"`
	IntOrString *intstr.IntOrString          `json:"intOrString,omitempty"`
	Raw         runtime.RawExtension         `json:"raw,omitempty"`
	Fields      *metav1.FieldsV1             `json:"fields,omitempty"`
	Resources   map[string]resource.Quantity `json:"resources,omitempty"`
	Anonymous   struct {
		// +minimum=1
		X int `json:"x"`
	} `json:"anonymous,omitempty"`
	Pointers []*Inner `json:"pointers,omitempty"`
}

// +validationRule="size(self.e) > 0"
type Embedded struct {
	E string `json:"e"`
}

type Maybe struct {
	M string `json:"m"`
}

// Tree has itself as a field; the marker on one of the uses cannot copy it.
type Tree struct {
	Children []Tree `json:"children,omitempty"`
	// +validationRule="self.children.size() > 0"
	Only *Tree `json:"only,omitempty"`
}

type Aimed struct {
	// +items:maxLength=3
	// +items:enum=a;b
	Items []string `json:"items,omitempty"`
	// +values:minimum=1
	// +keys:format=dns1123label
	// +keys:maxLength=10
	// +keys:pattern=^a
	Map map[string]int32 `json:"map,omitempty"`
	// +.inner.a:minimum=1
	// +.inner.a:required
	// +.list:items:.a:maximum=2
	Deep  Deep  `json:"deep,omitempty"`
	Plain *Deep `json:"plain,omitempty"`
	// +listType=map
	// +listMapKey=a
	Keyed []Inner `json:"keyed,omitempty"`
}

type Deep struct {
	Inner Inner   `json:"inner,omitempty"`
	List  []Inner `json:"list,omitempty"`
}

// Conflict is held to both bounds where two levels set one keyword.
type Conflict struct {
	// +maxLength=5
	// +pattern=^b
	Same Short `json:"same,omitempty"`
	// +maxLength=10
	Other Short `json:"other,omitempty"`
}

// +maxLength=10
// +pattern=^a
type Short string

type Long struct {
	// +validationRule="self.all(x,
	//   x > 0 && // a comment ends with its line
	//   x < 10)",
	//   message="between 0 and 10",
	//   reason=Invalid
	OverLines []int32 `json:"overLines,omitempty"`
	// +validationRule="""
	//   self.matches("^[a-z]\\.$")
	// """,messageExpression=`"no: " + self`
	Raw string `json:"raw,omitempty"`
	// +validationRule="self == oldSelf",optionalOldSelf=true,fieldPath=".b"
	Old Old `json:"old,omitempty"`

	// +optional

	// This group stands apart from the marker above it, which counts.
	Apart string `json:"apart"`
}

type Old struct {
	B string `json:"b,omitempty"`
}
