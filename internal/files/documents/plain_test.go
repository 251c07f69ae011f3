package documents_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/files/documents"
)

// readFields decodes a text with ReadFields.
func readFields(text string) (map[string]any, bool) {
	fields := map[string]any{}
	read := documents.ReadFields([]byte(text), func(name string, value documents.Reader) (err error) {
		fields[name], err = value.Value()
		return err
	})
	return fields, read
}

func TestReadFields(t *testing.T) {
	for _, tt := range []struct {
		why, text string
		reads     bool
	}{
		{"all kinds of values", `{"a":{"b":[1,"x",null,true,false,{}],"c":[]}, "d":1.5}`, true},
		{"integers, and numbers that are none", `{"a":[0,-0,9223372036854775807,9223372036854775808,1e3,1.0,-1E-2]}`, true},
		{"escapes", `{"\u0061\n":"\ud83d\ude00 \" \/ é"}`, true},
		{"space", " {\t\"a\" : [ 1 , 2 ]\r\n} ", true},
		{"no fields", `{}`, true},
		{"a field twice", `{"a":1,"a":2}`, false},
		{"a field twice inside", `{"a":{"b":1,"b":1}}`, false},
		{"half a surrogate pair", `{"a":"\ud83d"}`, false},
		{"bytes that are not UTF-8", "{\"a\":\"\xff\"}", false},
		{"a number out of range", `{"a":1e999}`, false},
		{"more after the object", `{} {}`, false},
		{"a missing end", `{"a":[1`, false},
		{"a wrong end", `{"a":[1}`, false},
		{"a comma too many", `{"a":[1,]}`, false},
		{"no object", `[]`, false},
		{"nothing", ``, false},
	} {
		got, reads := readFields(tt.text)
		if reads != tt.reads {
			t.Errorf("%s: read %t, want %t", tt.why, reads, tt.reads)
		}
		checkFields(t, tt.text, got, reads)
	}
}

// FuzzReadFields looks for texts that ReadFields reads differently from sigs.k8s.io/json.
func FuzzReadFields(f *testing.F) {
	f.Add(`{"id":"a","object":{"a":[1,2.5,-3e2,"\u00e9\\",null,true],"b":{"c":{}}}}`)
	f.Fuzz(func(t *testing.T, text string) {
		got, reads := readFields(text)
		checkFields(t, text, got, reads)
	})
}

func checkFields(t *testing.T, text string, got map[string]any, reads bool) {
	t.Helper()
	if !reads {
		return
	}
	var want map[string]any
	mistakes, err := kjson.UnmarshalStrict([]byte(text), &want)
	if err = errors.Join(append(mistakes, err)...); err != nil {
		t.Fatalf("%s: read, but sigs.k8s.io/json says: %v", text, err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s: -sigs.k8s.io/json +got\n%s", text, diff)
	}
}
