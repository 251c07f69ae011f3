package validate

import (
	"maps"
	"regexp"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
)

// withoutMisfits leaves out of an object what of its metadata is of another type than it
// has in every object, and says where that is.
func withoutMisfits(object map[string]any) (map[string]any, field.ErrorList) {
	kept, misfits := customresource.FittingMetadata(object["metadata"])
	if kept == nil {
		kept = map[string]any{}
	}
	object = maps.Clone(object)
	object["metadata"] = kept
	return object, strict(misfits)
}

// withoutGo says each misfit on a line of its own, and of a number where it is.
func withoutGo(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		if misfits := customresource.Misfits(err); len(misfits) > 0 {
			said = append(said, strict(misfits)...)
		} else {
			said = append(said, placedNumber(err))
		}
	}
	return said
}

// ofNumber is how kube-openapi says that a number is not of the type or format of its
// schema: at no field, with the path in the text.
var ofNumber = regexp.MustCompile(`^Checked value (must be of type \S+ (?:with format \S+|\(default format\))) in (.+)$`)

// placedNumber gives such an error its place, and others as they are.
func placedNumber(err *field.Error) *field.Error {
	parts := ofNumber.FindStringSubmatch(err.Detail)
	if parts == nil {
		return err
	}
	placed := *err
	placed.Field, placed.Detail, placed.BadValue = parts[2], parts[1], field.OmitValueType{}
	return &placed
}

// detailWithoutGo is what is wrong at the field of an error, where that must stay.
func detailWithoutGo(err *field.Error) string {
	var texts []string
	for _, misfit := range customresource.Misfits(err) {
		text := misfit.Detail
		if inside := strings.TrimPrefix(strings.TrimPrefix(misfit.Field, err.Field), "."); inside != "" {
			text = inside + ": " + text
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return err.Detail
	}
	return strings.Join(texts, "; ")
}
