package checksum_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/files/checksum"
)

// FuzzResult compares the checksum with decoding: two texts have the same checksum if and only if they decode
// to the same value; and the indented text of a value has the same checksum as the value.
func FuzzResult(f *testing.F) {
	for _, seed := range [][2]string{
		{`{"a":1,"b":[true,null,"x\u00e9\n"]}`, `{ "b": [ true, null, "xé\n" ], "a": 1 }`},
		{`{"a":"1"}`, `{"a":1}`}, {`[[],{}]`, `[{},[]]`}, {`["a","b"]`, `["a:\"b"]`}, {`["",""]`, `["1:"]`},
		{`[1,2]`, `[12]`}, {`[1.0]`, `[1]`}, {`[1e400]`, `[1e+400]`}, {`{"":0}`, `{"":-0}`}, {`"\ud800"`, `"\ufffd"`},
		{`{"a":{"b":1}}`, `{"a":{},"b":1}`},
		{`[true]`, `["true"]`}, {`[null,null]`, `[null]`},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		valueA, okA := decoded(a)
		valueB, okB := decoded(b)
		if !okA || !okB {
			t.Skip()
		}
		if same, sums := reflect.DeepEqual(valueA, valueB), resultSum(t, a) == resultSum(t, b); same != sums {
			t.Errorf("%s and %s: one value: %t, one checksum: %t", a, b, same, sums)
		}
		var indented bytes.Buffer
		if err := json.Indent(&indented, []byte(a), " ", "\t"); err != nil {
			t.Fatal(err)
		}
		if resultSum(t, indented.String()) != resultSum(t, a) {
			t.Errorf("%s has another checksum when it is indented", a)
		}
	})
}

func resultSum(t *testing.T, text string) checksum.Sum {
	t.Helper()
	var summer checksum.Summer
	if err := summer.Result([]byte(text)); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	sum, err := summer.Sum()
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// decoded returns the value of a text without duplicate keys.
func decoded(text string) (any, bool) {
	var value any
	if !utf8.ValidString(text) || !json.Valid([]byte(text)) {
		return nil, false
	}
	if twice, err := kjson.UnmarshalStrict([]byte(text), &value, kjson.DisallowDuplicateFields); err != nil || len(twice) > 0 {
		return nil, false
	}
	decoder := json.NewDecoder(strings.NewReader(text))
	decoder.UseNumber()
	value = nil
	if decoder.Decode(&value) != nil {
		return nil, false
	}
	return withNumbers(value), true
}

// withNumbers gives numbers that are written in several ways one text.
func withNumbers(value any) any {
	switch value := value.(type) {
	case map[string]any:
		for key := range value {
			value[key] = withNumbers(value[key])
		}
	case []any:
		for i := range value {
			value[i] = withNumbers(value[i])
		}
	case json.Number:
		if number, err := value.Float64(); err == nil && strings.ContainsAny(string(value), ".eE") {
			return json.Number(strconv.FormatFloat(number, 'f', -1, 64))
		}
	}
	return value
}
