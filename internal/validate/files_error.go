package validate

import (
	"errors"
	"fmt"
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
	text := plaintext.ErrorBody(&shown)
	if wanted, found := strings.CutSuffix(shown.Detail, fmt.Sprintf(": %q", err.BadValue)); found && isOfType(wanted) {
		text = fmt.Sprintf("%s, not %s", wanted, err.BadValue) // which is a type
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

// isOfType says that a text wants another type, as kube-openapi does.
func isOfType(text string) bool { return strings.HasPrefix(text, "must be of type ") }

// noField is how apimachinery writes the path of an object as a whole.
const noField = "<nil>"
