package read

import (
	"go/constant"
	"go/types"
	"strings"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// knativePackage has the errors of validators such as Validate(ctx) *apis.FieldError.
const knativePackage = "knative.dev/pkg/apis"

// knativeErrors are the constructors of errors: the text, and which arguments are the paths of fields; -1: all.
var knativeErrors = map[string]struct {
	text string
	path int
}{
	"ErrMissingField":                     {"missing field(s)", -1},
	"ErrDisallowedFields":                 {"must not set the field(s)", -1},
	"ErrDisallowedUpdateDeprecatedFields": {"must not update deprecated field(s)", -1},
	"ErrInvalidArrayValue":                {"invalid value: …", 1},
	"ErrInvalidValue":                     {"invalid value: …", 1},
	"ErrGeneric":                          {"", -1},
	"ErrMissingOneOf":                     {"expected exactly one, got neither", -1},
	"ErrMultipleOneOf":                    {"expected exactly one, got both", -1},
	"ErrInvalidKeyName":                   {"invalid key name …", 1},
	"ErrOutOfBoundsValue":                 {"expected … <= … <= …", 3},
}

// knativeError returns the field and the text of an error of package apis, if a function makes one.
func (c *call) knativeError(f *types.Func) (field, text string, ok bool) {
	of, ok := knativeErrors[f.Name()]
	if !ok || f.Pkg().Path() != knativePackage || f.Signature().Recv() != nil {
		return "", "", false
	}
	paths := c.args
	if f.Name() == "ErrGeneric" {
		of.text, paths = shown(c.args[0]), c.args[1:]
	}
	if of.path >= 0 {
		paths = c.args[of.path : of.path+1]
	}
	var all []string
	for _, one := range paths {
		if l, isList := one.(list); isList {
			for _, item := range l.items {
				all = append(all, shown(item))
			}
			continue
		}
		all = append(all, shown(one))
	}
	field = strings.Join(all, ", ")
	if f.Name() == "ErrInvalidArrayValue" {
		field += "[*]"
	}
	return field, of.text, true
}

// addKnativeModels adds the models of the methods of errors of package apis, and of what its contexts say of a request.
func addKnativeModels() {
	errors := "(*" + knativePackage + ".FieldError)."
	models[errors+"Also"] = func(c *call) value {
		of := c.failuresOf(c.s, c.of, c.expr.Pos())
		if all := c.gathered(); all != nil {
			of = of.and(*all)
		}
		return of
	}
	for name, prefix := range map[string]func(*call) string{
		"ViaField": func(c *call) string {
			all := make([]string, len(c.args))
			for i, arg := range c.args {
				all[i] = shown(arg)
			}
			return strings.Join(all, ".")
		},
		"ViaIndex":      func(*call) string { return "[*]" },
		"ViaKey":        func(*call) string { return "[*]" },
		"ViaFieldIndex": func(c *call) string { return shown(c.args[0]) + "[*]" },
		"ViaFieldKey":   func(c *call) string { return shown(c.args[0]) + "[*]" },
	} {
		models[errors+name] = func(c *call) value { return c.below(prefix(c)) }
	}
	models[errors+"At"] = func(c *call) value { return c.of }
	models[errors+"Filter"] = func(c *call) value { return c.of }
	models[errors+"Error"] = func(*call) value { return text{"…"} }
	for name, operation := range map[string]string{"IsInCreate": "CREATE", "IsInUpdate": "UPDATE", "IsInDelete": "DELETE"} {
		models[knativePackage+"."+name] = func(c *call) value {
			return known{constant.MakeBool(c.root.Operation == operation), types.Typ[types.Bool]}
		}
	}
	models[knativePackage+".GetBaseline"] = func(c *call) value {
		if c.root.Operation == "CREATE" {
			return nothing{}
		}
		return place{expr: celexpr.Name("oldSelf"), typ: c.root.Object, has: yes}
	}
}

// below returns errors with their fields below a path.
func (c *call) below(prefix string) value {
	of, ok := c.of.(failures)
	if !ok {
		return c.of
	}
	return c.edited(of, func(site *Site) { site.moveBelow(prefix) })
}

// moveBelow moves the fields of a site below a path.
func (s *Site) moveBelow(prefix string) {
	fields := strings.Split(s.Field, ", ") // an error may be about several
	for i, field := range fields {
		if field != "" && !strings.HasPrefix(field, "[") {
			field = "." + field
		}
		fields[i] = prefix + field
	}
	s.Field = strings.Join(fields, ", ")
}
