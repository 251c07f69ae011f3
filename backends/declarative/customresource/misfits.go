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

// FittingMetadata gives what can be read of metadata, nil where that is nothing, and for
// each value of another type than it has in every object an error at its place. The API
// server refuses such an object before it looks at anything else, and tells the first.
func FittingMetadata(metadata any) (kept map[string]any, misfits field.ErrorList) {
	fitted, misfits := jsonwords.Fitting(field.NewPath("metadata"), metadata, fits)
	kept, _ = fitted.(map[string]any)
	return kept, misfits
}

// Misfits gives in place of an error that metadata cannot be read, which is in the words
// of Go's decoder and tells the first value that stops it, one for each such value; none
// of other errors.
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
