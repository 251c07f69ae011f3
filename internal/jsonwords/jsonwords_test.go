package jsonwords_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/jsonwords"
)

type read struct {
	ID    string         `json:"id"`
	Count *int64         `json:"count"`
	Ratio float64        `json:"ratio"`
	On    bool           `json:"on"`
	Data  []byte         `json:"data"`
	Items []read         `json:"items"`
	Map   map[string]any `json:"map"`
	Any   any            `json:"any"`
	At    time.Time      `json:"at"`
}

func TestOf(t *testing.T) {
	for _, tc := range []struct{ why, in, want string }{
		{"the whole is named by the caller", `[1]`, "the line must be an object, not a list"},
		{"null is no value of the wrong kind", `null`, ""},
		{"text", `{"id": 7}`, "id must be text, not a number"},
		{"text, and true is no name", `{"id": true}`, "id must be text, not true or false"},
		{"an integer, behind a pointer", `{"count": "many"}`, "count must be an integer, not text"},
		{"a number that is no integer is quoted", `{"count": 1.5}`, "count must be an integer, not 1.5"},
		{"a number", `{"ratio": {}}`, "ratio must be a number, not an object"},
		{"a boolean", `{"on": 1}`, "on must be true or false, not a number"},
		{"bytes are text in JSON", `{"data": 1}`, "data must be text (base64), not a number"},
		{"a list", `{"items": {}}`, "items must be a list, not an object"},
		{"an object", `{"map": []}`, "map must be an object, not a list"},
		{"deep inside", `{"items": [{"id": 7}]}`, "items.id must be text, not a number"},
		{"a time that is none", `{"at": "noon"}`, `"noon" is no time; write it like 2006-01-02T15:04:05Z (RFC 3339)`},
		{"cut off", `{"id": "a"`, "the JSON ends too early"},
		{"no JSON", `{id: 1}`, "invalid character 'i' looking for beginning of object key string"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			for name, err := range map[string]error{
				"encoding/json":    json.Unmarshal([]byte(tc.in), new(read)),
				"sigs.k8s.io/json": kjson.UnmarshalCaseSensitivePreserveInts([]byte(tc.in), new(read)),
			} {
				said := ""
				if err := jsonwords.Of(err, "the line"); err != nil {
					said = err.Error()
				}
				if said != tc.want {
					t.Errorf("%s: %q, want %q", name, said, tc.want)
				}
			}
		})
	}
}

// Who shows the place beside the text needs no subject.
func TestOfNothingNamed(t *testing.T) {
	if got := jsonwords.Of(json.Unmarshal([]byte(`5`), new(read)), ""); got.Error() != "must be an object, not a number" {
		t.Errorf("got %v", got)
	}
}

// What is no error of a value stays, but for Go's name of the package.
func TestOfOtherErrors(t *testing.T) {
	other := errors.New("disk on fire")
	if got := jsonwords.Of(other, "x"); !errors.Is(got, other) {
		t.Errorf("got %v", got)
	}
	if got := jsonwords.Of(&json.InvalidUnmarshalError{}, "x"); strings.HasPrefix(got.Error(), "json:") {
		t.Errorf("got %v", got)
	}
	if got := jsonwords.Of(json.NewDecoder(strings.NewReader(`{"a":`)).Decode(new(any)), "x"); got.Error() != "the JSON ends too early" {
		t.Errorf("got %v", got)
	}
}
