// Package gadgets validates by hand, in the ways that validators of Kubernetes do. The test
// counts its sites.
package gadgets

import (
	"fmt"

	"k8s.io/apimachinery/pkg/util/validation/field"
)

// Gadget is what is validated.
type Gadget struct {
	Name  string
	Size  int
	Shape string
	Parts []Part
}

// Part is a part of a gadget.
type Part struct {
	Name string
	Port int
}

const notNegative = "must not be " + "negative"

// Validate validates a gadget.
func Validate(g *Gadget) field.ErrorList {
	var errs field.ErrorList
	root := field.NewPath("spec")
	if g.Name == "" {
		errs = append(errs, field.Required(root.Child("name"), ""))
	}
	if g.Size < 0 {
		errs = append(errs, field.Invalid(root.Child("size"), g.Size, notNegative))
	}
	if g.Size > 10 {
		errs = append(errs, field.Invalid(root.Child("size"), g.Size, fmt.Sprintf("must be at most %d, 100%% sure", 10)).WithOrigin("maximum"))
	}
	shapes := []string{"round", "flat"}
	if g.Shape != "round" && g.Shape != "flat" {
		errs = append(errs, field.NotSupported(root.Child("shape"), g.Shape, shapes))
	}
	errs = append(errs, validateParts(g.Parts, root.Child("parts"))...)
	if len(g.Parts) > 1 {
		check := func() *field.Error { return field.TooMany(root.Child("parts"), len(g.Parts), 1) }
		errs = append(errs, check())
	}
	return errs
}

func validateParts(parts []Part, path *field.Path) field.ErrorList {
	var errs field.ErrorList
	seen := map[string]bool{}
	for i, part := range parts {
		at := path.Index(i)
		if seen[part.Name] {
			errs = append(errs, field.Duplicate(at.Child("name"), part.Name))
		}
		seen[part.Name] = true
		if part.Port == 0 {
			errs = append(errs, badPort(at.Child("port"), part.Port, "must be set"))
		}
		if part.Port > 65535 {
			errs = append(errs, badPort(at.Child("port"), part.Port, "is too large"))
		}
		if part.Port == 80 {
			errs = append(errs, &field.Error{Type: field.ErrorTypeForbidden, Field: at.Child("port").String(), Detail: "is taken"})
		}
	}
	return errs
}

// badPort returns what a constructor made: its calls are the sites.
func badPort(path *field.Path, port int, why string) *field.Error {
	return field.Invalid(path, port, "port "+why)
}

// whole is an error of the whole object, whose detail is set afterwards.
func whole(names []string) *field.Error {
	err := field.NotFound(field.NewPath(""), "x")
	err.Detail = "there are " + fmt.Sprint(names)
	return err
}

// Whole gives it.
func Whole() field.ErrorList { return field.ErrorList{whole([]string{"a"})} }

// Maker returns what a constructor made, and nobody calls it: the constructor is the site.
func Maker(path *field.Path) *field.Error { return field.InternalError(path, fmt.Errorf("broken")) }
