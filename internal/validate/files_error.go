package validate

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/plaintext"
)

// errorText is an error for people, on one line: where it is, and what is wrong there.
func errorText(err *field.Error) string {
	shown := *err
	if _, body, found := strings.Cut(err.Detail, " in body must be of type "); found {
		shown.Detail = "must be of type " + body // the field stands before the text
	}
	shown.Detail = strings.TrimPrefix(shown.Detail, err.Field+" in body ")
	text := typeText(&shown)
	if text == "" {
		text = plaintext.ErrorBody(&shown)
	}
	where := plaintext.Cut(strings.TrimPrefix(strings.TrimPrefix(err.Field, "."), noField), plaintext.MaxLine)
	if err.Origin == strictOrigin || where == "" && err.BadValue == nil {
		text = err.Detail
	}
	if where != "" {
		text = where + ": " + text
	}
	return plaintext.Error(errors.New(text))
}

// typeText is the text of an error that a value is not of a type; "": it says something else.
// kube-openapi says of a format that it is a type, and quotes the value instead of its type.
func typeText(err *field.Error) string {
	said, isType := strings.CutPrefix(err.Detail, "must be of type ")
	wanted, after, quoted := strings.Cut(said, fmt.Sprintf(": %q", err.BadValue))
	if !isType || !quoted {
		return ""
	}
	for name := range strings.SplitSeq(wanted, ",") {
		if !slices.Contains([]string{"array", "boolean", "integer", "null", "number", "object", "string"}, name) {
			return fmt.Sprintf("Invalid value: %q: must be of format %s%s", err.BadValue, wanted, after)
		}
	}
	return fmt.Sprintf("must be of type %s, not %s", wanted, err.BadValue)
}

// noField is how apimachinery writes the path of an object as a whole.
const noField = "<nil>"

// isRulesNotChecked reports whether an error says that others kept rules from being checked.
func isRulesNotChecked(err *field.Error) bool {
	return err.Field == noField && err.BadValue == nil && strings.HasPrefix(err.Detail, "some validation rules were not checked ")
}
