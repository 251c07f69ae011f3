package customresource

import (
	"encoding/json"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/jsonwords"
)

// FittingMetadata gives the part of metadata that can be read, or nil, and an error for
// each value whose type differs from that of the field in all objects. The API server
// refuses such an object before everything else, and reports the first of these errors.
func FittingMetadata(metadata any) (kept map[string]any, misfits field.ErrorList) {
	fitted, misfits := jsonwords.Fitting(field.NewPath("metadata"), metadata, fits)
	kept, _ = fitted.(map[string]any)
	return kept, misfits
}

// Misfits replaces an error that metadata cannot be read, which has the words of Go's
// decoder and names one value, by an error for each value that cannot be read. It gives
// nothing for other errors.
func Misfits(err *field.Error) field.ErrorList {
	inGo := slices.ContainsFunc([]string{"json: cannot unmarshal ", "parsing time ", "invalid metadata: expected object"}, func(words string) bool {
		return strings.HasPrefix(err.Detail, words)
	})
	of, isMetadata := strings.CutSuffix(err.Field, "metadata")
	if !inGo || !isMetadata || err.Type != field.ErrorTypeInvalid {
		return nil
	}
	_, misfits := FittingMetadata(err.BadValue)
	for _, misfit := range misfits {
		misfit.Field = of + misfit.Field
	}
	return misfits
}

// eachMisfit says what is wrong with metadata value by value.
func eachMisfit(errs field.ErrorList) field.ErrorList {
	var said field.ErrorList
	for _, err := range errs {
		if misfits := Misfits(err); len(misfits) > 0 {
			said = append(said, misfits...)
		} else {
			said = append(said, err)
		}
	}
	return said
}

// fits says whether metadata can be read.
func fits(metadata any) error {
	data, err := json.Marshal(metadata)
	if err != nil {
		return err
	}
	_, err = kjson.UnmarshalStrict(data, &metav1.ObjectMeta{})
	return err
}
