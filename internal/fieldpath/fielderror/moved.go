package fielderror

import (
	"strings"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/fieldpath"
)

// Moved returns an error whose field begins with another path, and whose text does not repeat
// the field. An error whose field does not begin with the first path stays as it is.
func Moved(err *field.Error, from, to string) *field.Error {
	if err == nil {
		return nil
	}
	rest, below := fieldpath.CutPrefix(err.Field, from)
	rest = strings.TrimPrefix(rest, ".")
	if !below || from == to {
		return err
	}
	copied := *err
	copied.Detail = Text(err)
	switch {
	case to == "" || rest == "":
		copied.Field = to + rest
	case rest[0] == '[':
		copied.Field = to + rest
	default:
		copied.Field = to + "." + rest
	}
	return &copied
}
