package apiresource

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

// DecodableMetadata returns the part of metadata that can be decoded, or nil, and an error for each
// value of the wrong type. The API server refuses such an object first, and reports only the first
// of these errors.
func DecodableMetadata(metadata any) (kept map[string]any, errs field.ErrorList) {
	decodable, errs := jsonerrors.Decodable(field.NewPath("metadata"), metadata, decodeMetadata)
	kept, _ = decodable.(map[string]any)
	return kept, errs
}

// MetadataErrors replaces the error that metadata cannot be decoded, which has the text of Go's
// decoder and names one value, by an error for each such value. It returns nothing for other
// errors.
func MetadataErrors(err *field.Error) field.ErrorList {
	inGo := slices.ContainsFunc([]string{"json: cannot unmarshal ", "parsing time ", "invalid metadata: expected object"},
		func(words string) bool {
			return strings.HasPrefix(err.Detail, words)
		})
	of, isMetadata := strings.CutSuffix(err.Field, "metadata")
	if !inGo || !isMetadata || err.Type != field.ErrorTypeInvalid {
		return nil
	}
	_, errs := DecodableMetadata(err.BadValue)
	for _, each := range errs {
		each.Field = of + each.Field
	}
	return errs
}

// eachMetadataError replaces errors by their MetadataErrors, if they have any.
func eachMetadataError(errs field.ErrorList) field.ErrorList {
	var all field.ErrorList
	for _, err := range errs {
		if each := MetadataErrors(err); len(each) > 0 {
			all = append(all, each...)
		} else {
			all = append(all, err)
		}
	}
	return all
}

func decodeMetadata(metadata any) error {
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	_, err = kjson.UnmarshalStrict(data, &metav1.ObjectMeta{})
	return err
}
