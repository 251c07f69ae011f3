package validate

import (
	"maps"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
)

// keepDecodableMetadata drops the metadata of an object that cannot be decoded, and returns an error for
// each value.
func keepDecodableMetadata(object map[string]any) (map[string]any, field.ErrorList) {
	kept, each := apiresource.DecodableMetadata(object["metadata"])
	if kept == nil {
		kept = map[string]any{}
	}
	object = maps.Clone(object)
	object["metadata"] = kept
	return object, strict(each)
}

// errorsPerField reports each value of metadata that cannot be decoded, and each number out of range, at its
// own field. A number that is not an integer has only one error.
func errorsPerField(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		each, placed := apiresource.MetadataErrors(err), placedNumber(err)
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

// ofNumber matches the error of kube-openapi for a number of a wrong type or format. It has no field; the path
// is in the text.
var ofNumber = regexp.MustCompile(`^Checked value (must be of type \S+ (?:with format \S+|\(default format\))) in (.+)$`)

// placedNumber sets the field of such an error.
func placedNumber(err *field.Error) *field.Error {
	parts := ofNumber.FindStringSubmatch(err.Detail)
	if parts == nil {
		return err
	}
	placed := *err
	placed.Field, placed.Detail, placed.BadValue = parts[2], parts[1], field.OmitValueType{}
	return &placed
}

// metadataDetail returns the detail of an error at its field.
func metadataDetail(err *field.Error) string {
	var texts []string
	for _, one := range apiresource.MetadataErrors(err) {
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
