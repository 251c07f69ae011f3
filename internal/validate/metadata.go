package validate

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/customresource"
)

// keepDecodableMetadata drops the values of an object's metadata that cannot be decoded, and returns
// an error for each.
func keepDecodableMetadata(object map[string]any) (map[string]any, field.ErrorList) {
	kept, each := customresource.DecodableMetadata(object["metadata"])
	if kept == nil {
		kept = map[string]any{}
	}
	object = maps.Clone(object)
	object["metadata"] = kept
	return object, strict(each)
}

// errorsPerField reports each value of metadata that cannot be decoded, and each number that is out of
// range, at its own field. A number that is no integer has one error there, and not another one
// for the format of integers.
func errorsPerField(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		each, placed := customresource.MetadataErrors(err), placedNumber(err)
		switch {
		case len(each) > 0:
			said = append(said, strict(each)...)
		case placed == err || !slices.ContainsFunc(errs, func(other *field.Error) bool {
			return other.Type == field.ErrorTypeTypeInvalid && other.Field == placed.Field
		}):
			said = append(said, placed)
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

// metadataDetail is what is wrong at the field of an error, where that must stay.
func metadataDetail(err *field.Error) string {
	var texts []string
	for _, one := range customresource.MetadataErrors(err) {
		text := one.Detail
		if inside := strings.TrimPrefix(strings.TrimPrefix(one.Field, err.Field), "."); inside != "" {
			text = inside + ": " + text
		}
		texts = append(texts, text)
	}
	if len(texts) == 0 {
		return err.Detail
	}
	return strings.Join(texts, "; ")
}
