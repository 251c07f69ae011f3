package jsonerrors_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
)

type read struct {
	ID     string            `json:"id"`
	Count  *int64            `json:"count"`
	Ratio  float64           `json:"ratio"`
	On     bool              `json:"on"`
	Data   []byte            `json:"data"`
	Items  []read            `json:"items"`
	Map    map[string]any    `json:"map"`
	Any    any               `json:"any"`
	At     time.Time         `json:"at"`
	Labels map[string]string `json:"labels"`
}

func TestOf(t *testing.T) {
	for _, tc := range []struct{ why, in, want string }{
		{"the whole is named by the caller", `[1]`, "the line must be an object, not a list"},
		{"null is not a value of the wrong type", `null`, ""},
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
		{"an invalid time", `{"at": "noon"}`, `"noon" is not a time; write it like 2006-01-02T15:04:05Z (RFC 3339)`},
		{"cut off", `{"id": "a"`, "the JSON ends too early"},
		{"no JSON", `{id: 1}`, "invalid character 'i' looking for beginning of object key string"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			for name, err := range map[string]error{
				"encoding/json":    json.Unmarshal([]byte(tc.in), new(read)),
				"sigs.k8s.io/json": kjson.UnmarshalCaseSensitivePreserveInts([]byte(tc.in), new(read)),
			} {
				said := ""
				if err := jsonerrors.Of(err, "the line"); err != nil {
					said = err.Error()
				}
				if said != tc.want {
					t.Errorf("%s: %q, want %q", name, said, tc.want)
				}
			}
		})
	}
}

// A caller that shows the place beside the text needs no subject.
func TestOfNothingNamed(t *testing.T) {
	if got := jsonerrors.Of(json.Unmarshal([]byte(`5`), new(read)), ""); got.Error() != "must be an object, not a number" {
		t.Errorf("got %v", got)
	}
}

// An error that is not about a value stays, except for Go's package name.
func TestOfOtherErrors(t *testing.T) {
	other := errors.New("disk on fire")
	if got := jsonerrors.Of(other, "x"); !errors.Is(got, other) {
		t.Errorf("got %v", got)
	}
	if got := jsonerrors.Of(&json.InvalidUnmarshalError{}, "x"); strings.HasPrefix(got.Error(), "json:") {
		t.Errorf("got %v", got)
	}
	if got := jsonerrors.Of(json.NewDecoder(strings.NewReader(`{"a":`)).Decode(new(any)), "x"); got.Error() != "the JSON ends too early" {
		t.Errorf("got %v", got)
	}
}

// Values that can be decoded stay; each that cannot is reported with its place.
func TestFitting(t *testing.T) {
	for _, tc := range []struct{ why, in, kept, want string }{
		{"all of it", `{"id": "a", "any": null}`, `{"any":null,"id":"a"}`, ""},
		{"a field, and one in a field that stays", `{"id": 7, "count": 1, "map": {"a": 1}, "items": []}`,
			`{"count":1,"items":[],"map":{"a":1}}`, "id: must be text, not a number"},
		{"a different type as a whole", `[1]`, `null`, "<nil>: must be an object, not a list"},
		{"a field as a whole", `{"items": {"id": 7}, "map": []}`, `{}`, "items: must be a list, not an object; map: " +
			"must be an object, not a list"},
		{"items go with the list that they are in", `{"items": [{"id": "a"}, {"id": 7, "count": "x"}, 5], "on": true}`, `{"on":true}`,
			"items[1].count: must be an integer, not text; items[1].id: must be text, not a number; items[2]: must be an " +
				"object, not a number"},
		{"map entries with keys from users are in brackets", `{"labels": {"a": 1, "b": "c"}}`, `{"labels":{"b":"c"}}`,
			"labels[a]: must be text, not a number"},
		{"values that the type rejects", `{"at": "noon"}`, `{}`, `at: "noon" is not a time; write it like 2006-01-02T15:04:05Z (RFC 3339)`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			var in any
			if err := json.Unmarshal([]byte(tc.in), &in); err != nil {
				t.Fatal(err)
			}
			kept, errs := jsonerrors.Decodable(nil, in, func(part any) error {
				data, err := json.Marshal(part)
				if err != nil {
					t.Fatal(err)
				}
				return json.Unmarshal(data, new(read))
			})
			var said []string
			for _, each := range errs {
				said = append(said, each.Field+": "+each.Detail)
			}
			if got := strings.Join(said, "; "); got != tc.want {
				t.Errorf("said %q, want %q", got, tc.want)
			}
			if got, err := json.Marshal(kept); err != nil || string(got) != tc.kept {
				t.Errorf("kept %s, want %s (%v)", got, tc.kept, err)
			}
		})
	}
}

// A number that no decoder can represent is reported with its place, which the decoder does not return for
// values of any type.
func TestIn(t *testing.T) {
	for _, tc := range []struct{ why, in, want string }{
		{"deep inside", `{"any": {"a": [1, {"b c": 1e400}], "z": -1e999}}`, "any.a[1].b c must be a number up to 1.8e308, not 1e400"},
		{"below zero", `{"any": -1e400}`, "any must be a number up to 1.8e308, not -1e400"},
		{"in a map whose keys users name", `{"any": {"labels": {"example.com/a": 1e400}}}`,
			"any.labels[example.com/a] must be a number up to 1.8e308, not 1e400"},
		{"a list", `[0, [1e400]]`, "[1][0] must be a number up to 1.8e308, not 1e400"},
		{"the whole", `1e400`, "the line must be a number up to 1.8e308, not 1e400"},
		{"text of the same digits", `{"any": ["1e400", 1e5, 2e400]}`, "any[2] must be a number up to 1.8e308, not 2e400"},
		{"where the decoder knows", `{"ratio": "x"}`, "ratio must be a number, not text"},
		{"no JSON", `{"any": 1e400`, "the JSON ends too early"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			into := any(new(any))
			if strings.HasPrefix(tc.in, "{") {
				into = new(read)
			}
			err := jsonerrors.In([]byte(tc.in), kjson.UnmarshalCaseSensitivePreserveInts([]byte(tc.in), into), "the line")
			if err == nil || err.Error() != tc.want {
				t.Errorf("%v, want %q", err, tc.want)
			}
		})
	}
	if err := jsonerrors.In([]byte(`{}`), nil, "the line"); err != nil {
		t.Errorf("got %v of nil", err)
	}
}
