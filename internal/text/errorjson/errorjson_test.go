package errorjson_test

import (
	"encoding/json"
	"testing"

	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// A bad value is compared with that of a schema, so the recorded value must be exact.
func TestBadValuesStayAsTheyWere(t *testing.T) {
	for _, text := range []string{`9007199254740993`, `1.10`, `"1.10"`, `{"a":18446744073709551615}`, `true`} {
		errs, err := errorjson.FieldErrors([]errorjson.Recorded{{Type: "FieldValueInvalid", Field: "a", BadValue: json.RawMessage(text)}})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(errs[0].BadValue); err != nil || string(got) != text {
			t.Errorf("%s was read as %s (%v)", text, got, err)
		}
	}
}
