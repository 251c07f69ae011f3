package read

import (
	"go/ast"
	"go/constant"
	"go/types"
	"reflect"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// models says what functions of libraries return, by their full names. A model returns nil if it does not know.
var models map[string]func(*call) value

func init() {
	models = map[string]func(*call) value{
		"strings.HasPrefix":                           method("startsWith"),
		"strings.HasSuffix":                           method("endsWith"),
		"strings.Contains":                            method("contains"),
		"strings.TrimSpace":                           textMethod("trim"),
		"strings.Split":                               textMethod("split"),
		"strings.SplitN":                              textMethod("split"),
		"strings.ReplaceAll":                          textMethod("replace"),
		"slices.Contains":                             func(c *call) value { return c.bool(c.in(c.args[0], c.args[1])) },
		"k8s.io/apimachinery/pkg/util/sets.New":       constants,
		"k8s.io/apimachinery/pkg/util/sets.NewString": constants,
		"reflect.DeepEqual":                           deepEqual,
		"(k8s.io/apimachinery/third_party/forked/golang/reflect.Equalities).DeepEqual": semanticEqual,
		"k8s.io/utils/ptr.Deref":           pointed,
		"k8s.io/utils/ptr.To":              func(c *call) value { return pointer{c.args[0]} },
		"k8s.io/utils/ptr.Equal":           deepEqual,
		"k8s.io/utils/pointer.Int32Deref":  pointed,
		"k8s.io/utils/pointer.BoolDeref":   pointed,
		"k8s.io/utils/pointer.StringDeref": pointed,
		"regexp.MustCompile":               func(c *call) value { return c.args[0] },
		"(*regexp.Regexp).MatchString":     matches,
		"fmt.Sprintf":                      sprintf,
		"strconv.Itoa": func(c *call) value {
			return term{expr: celexpr.Call("string", c.activation.expr(c.args[0])), typ: types.Typ[types.String]}
		},
	}
	models["("+gatePackage+".FeatureGate).Enabled"] = enabled
	models["(*"+gatePackage+".featureGate).Enabled"] = enabled
	models["(*k8s.io/apimachinery/pkg/util/intstr.IntOrString).IntValue"] = numberOf
	for _, name := range []string{"sort.Slice", "sort.SliceStable", "sort.Strings", "sort.Ints", "sort.Sort", "sort.Stable", "slices.Sort",
		"slices.SortFunc", "slices.SortStableFunc", "slices.Reverse"} {
		models[name] = changing
	}
	addSetModels()
	addSetOperations()
	addTextModels()
	addFormatModels()
	addNetModels()
	addQuantityModels()
	addNumberModels()
	addPathModels()
	addErrorModels()
	addTimeModels()
	addKnativeModels()
	addHandlerModels()
}

func addSetModels() {
	for _, set := range []string{"Set[T]", "String"} {
		name := "(k8s.io/apimachinery/pkg/util/sets." + set + ")."
		models[name+"Has"] = func(c *call) value { return c.bool(c.in(c.of, c.args[0])) }
		models[name+"Insert"] = inserted
		models[name+"Delete"], models[name+"Clear"], models[name+"PopAny"] = changing, changing, changing
		models[name+"UnsortedList"] = func(c *call) value { return c.of }
		models[name+"Len"] = func(c *call) value { return c.size(c.s, c.of, c.expr.Pos()) }
	}
}

// addFormatModels adds the models of functions that ask for a format of CEL, and of the methods of metadata.
func addFormatModels() {
	for name, format := range map[string]string{
		"IsDNS1123Label":     "dns1123Label",
		"IsDNS1123Subdomain": "dns1123Subdomain",
		"IsDNS1035Label":     "dns1035Label",
		"IsQualifiedName":    "qualifiedName",
		"IsValidLabelValue":  "labelValue",
		"IsLabelKey":         "qualifiedName",
		"IsLabelValue":       "labelValue",
	} {
		models["k8s.io/apimachinery/pkg/util/validation."+name] = ofFormat(format)
		models["k8s.io/apimachinery/pkg/api/validate/content."+name] = ofFormat(format)
	}
	for name, field := range map[string]string{"HasAnnotation": "annotations", "HasLabel": "labels"} {
		models["k8s.io/apimachinery/pkg/apis/meta/v1."+name] = hasKey(field)
	}
	for name, field := range map[string]string{
		"GetName": "name", "GetNamespace": "namespace", "GetLabels": "labels", "GetAnnotations": "annotations",
		"GetGenerateName": "generateName", "GetManagedFields": "managedFields", "GetFinalizers": "finalizers",
		"GetOwnerReferences": "ownerReferences", "GetUID": "uid",
		"GetResourceVersion": "resourceVersion", "GetGeneration": "generation", "GetDeletionTimestamp": "deletionTimestamp",
		"GetDeletionGracePeriodSeconds": "deletionGracePeriodSeconds", "GetCreationTimestamp": "creationTimestamp",
	} {
		models["(*k8s.io/apimachinery/pkg/apis/meta/v1.ObjectMeta)."+name] = metadata(field)
		models["(k8s.io/apimachinery/pkg/apis/meta/v1.Object)."+name] = metadata(field)
	}
}

func (c *call) bool(when *condition) value { return truth{when} }

func (c *call) text(e celexpr.Expr) value {
	return term{expr: e, typ: types.Typ[types.String], text: c.formatted(c.args)}
}

// method is the model of a function that a method of CEL is the same as.
func method(name string) func(*call) value {
	return func(c *call) value {
		if folded := fold(name, c.args); folded != nil {
			return folded
		}
		p, ok := c.args[0].(place)
		arg, isKnown := c.args[1].(known)
		if !ok || !isKnown {
			return c.bool(that(celexpr.Method(c.activation.expr(c.args[0]), name, c.activation.expr(c.args[1]))))
		}
		is := that(celexpr.Method(p.expr, name, c.activation.expr(c.args[1])))
		if isKnown && constant.StringVal(arg.value) == "" {
			return c.bool(or(not(p.has), is))
		}
		return c.bool(and(p.has, is))
	}
}

// fold computes what a function returns for constants.
func fold(name string, args []value) value {
	first, ok1 := args[0].(known)
	second, ok2 := args[1].(known)
	if !ok1 || !ok2 {
		return nil
	}
	of := map[string]func(string, string) bool{
		"startsWith": strings.HasPrefix, "endsWith": strings.HasSuffix, "contains": strings.Contains,
	}[name]
	is := of(constant.StringVal(first.value), constant.StringVal(second.value))
	return known{constant.MakeBool(is), types.Typ[types.Bool]}
}

// textMethod is the model of a function that makes another text, or a list of texts.
func textMethod(name string) func(*call) value {
	return func(c *call) value {
		args := make([]celexpr.Expr, len(c.args)-1)
		for i, arg := range c.args[1:] {
			args[i] = c.activation.expr(arg)
		}
		return term{expr: celexpr.Method(c.activation.expr(c.args[0]), name, args...), typ: c.results.At(0).Type()}
	}
}

// constants is the model of functions that make a set.
func constants(c *call) value {
	if of, ok := c.args[len(c.args)-min(1, len(c.args)):], c.expr.Ellipsis.IsValid(); ok {
		return c.asSet(of[0])
	}
	if len(c.args) == 0 {
		return collection{}
	}
	return list{c.args}
}

// asSet returns the items of a list as a set, which has each once.
func (c *call) asSet(v value) value {
	of, ok := v.(place)
	if !ok {
		return v
	}
	l := c.newLoop(of)
	item := itemOf(of, l)
	return collection{[]entry{{c.s.path.withoutPanics().in(l), item, item}}, &of}
}

// inserted is the model of an insertion into a set.
func inserted(c *call) value {
	of := receiver(c.expr)
	if of == nil {
		return nil
	}
	before, ok := c.of.(collection)
	if l, isList := c.of.(list); isList {
		for _, item := range l.items {
			before.entries = append(before.entries, entry{path{{}}, item, item})
		}
	} else if _, isCarried := c.of.(loopVariable); !ok && !isCarried {
		return nil
	}
	entries := before.entries[:len(before.entries):len(before.entries)]
	for _, arg := range c.args {
		entries = append(entries, entry{c.s.path.withoutPanics(), arg, arg})
	}
	c.store(c.s, of, collection{entries: entries})
	return collection{entries: entries}
}

func deepEqual(c *call) value {
	return c.bool(c.equal(c.args[len(c.args)-2], c.args[len(c.args)-1], c.expr.Pos()))
}

// semanticEqual is the model of a comparison in which a list or map without content is equal to none.
func semanticEqual(c *call) value {
	defer func(before bool) { c.reading.semantic = before }(c.reading.semantic)
	c.reading.semantic = true
	return deepEqual(c)
}

// pointed is the model of functions that return what a pointer points to, or a default.
func pointed(c *call) value {
	switch p := c.args[0].(type) {
	case place:
		return choice{p.has, c.dereferenced(p, c.expr.Pos()), c.args[1]}
	case nothing:
		return c.args[1]
	case pointer:
		return p.to
	}
	return nil
}

func matches(c *call) value {
	pattern, ok := c.of.(known)
	if !ok {
		return nil
	}
	return c.bool(that(celexpr.Method(c.activation.expr(c.args[0]), "matches", literal(pattern.value))))
}

// ofFormat is the model of functions that return the mistakes of a text that has no format.
func ofFormat(name string) func(*call) value {
	return func(c *call) value {
		format := celexpr.Method(celexpr.Name("format"), name)
		text := c.activation.expr(c.args[0])
		if f, ok := c.args[0].(folded); ok { // formats are of letters of ASCII
			text = f.ascii
		}
		validated := celexpr.Method(format, "validate", text)
		return failures{[]failure{{nil, c.s.path, that(celexpr.Method(validated, "hasValue"))}}}
	}
}

// numberOf is the model of a method that returns the number of a number or text.
func numberOf(c *call) value {
	of, ok := c.of.(place)
	if !ok {
		return nil
	}
	number := place{expr: of.expr, typ: types.Typ[types.Int], has: of.has}
	isText := c.s.path.decided(and(of.has, isString(of.expr)))
	if isText == no {
		return number
	}
	return choice{isText, c.unreadAt(c.expr.Pos(), "the number of a text"), number}
}

// metadata is the model of the methods that return metadata.
func metadata(name string) func(*call) value {
	return func(c *call) value {
		of, ok := c.of.(place)
		if !ok {
			return nil
		}
		structure := structOf(of.typ)
		for i := range structure.NumFields() {
			tag, _, _ := strings.Cut(reflect.StructTag(structure.Tag(i)).Get("json"), ",")
			if tag == name && structOf(of.typ).Field(i).Pkg().Path() == "k8s.io/apimachinery/pkg/apis/meta/v1" {
				return fieldOf(of, structure, i)
			}
			if inner, ok := fieldOf(of, structure, i).(place); ok && structure.Field(i).Name() == "ObjectMeta" {
				return metadata(name)(&call{of: inner})
			}
		}
		return nil
	}
}

func addPathModels() {
	child := func(c *call) value {
		of, _ := c.of.(fieldPath)
		path := of.text
		for _, name := range c.args {
			if l, ok := name.(list); ok {
				for _, one := range l.items {
					path = joinedPath(path, shown(one))
				}
				continue
			}
			path = joinedPath(path, shown(name))
		}
		return fieldPath{path}
	}
	item := func(c *call) value {
		of, _ := c.of.(fieldPath)
		return fieldPath{of.text + "[*]"}
	}
	models[fieldPackage+".NewPath"] = child
	models["(*"+fieldPackage+".Path).Child"] = child
	models["(*"+fieldPackage+".Path).Index"] = item
	models["(*"+fieldPackage+".Path).Key"] = item
	models["(*"+fieldPackage+".Path).String"] = func(c *call) value {
		of, _ := c.of.(fieldPath)
		return text(of)
	}
}

func joinedPath(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// receiver returns the expression of which a method is called.
func receiver(x *ast.CallExpr) ast.Expr {
	if selector, ok := ast.Unparen(x.Fun).(*ast.SelectorExpr); ok {
		return selector.X
	}
	return nil
}
