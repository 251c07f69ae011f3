package equivalence_test

import (
	"testing"

	"github.com/diffrun/diffrun/equivalence/difference"
)

// In an error about a duplicate item, the schema names the item and hand-written code names its keys, as one
// text. If hand-written code reports a key at its field, the error is about that key, whether or not the
// schema is known.
func TestMatchKeyOfAnItem(t *testing.T) {
	item := map[string]any{"name": "a", "protocol": "TCP"}
	for _, test := range []struct {
		why   string
		value any
		agree bool
	}{
		{"the key of the item", "a", true},
		{"a different key", "b", false},
		{"a longer key", "ab", false},
		{"a different field of the item", "TCP", false},
		{"no value", nil, true},
	} {
		for _, declared := range []difference.Declarations{
			nil,
			declares{keywords: map[string]map[string]string{"spec.items[1]": {"x-kubernetes-list-map-keys": "name"}}},
		} {
			pairs := matchBy(builtin(t), list{duplicate("spec.items[1].name", test.value)}, list{duplicate("spec.items[1]", item)},
				declared)
			if declared == nil {
				if !test.agree && len(pairs) == 1 && pairs[0].Agrees() {
					t.Errorf("%s: agrees without a schema", test.why)
				}
				continue
			}
			if got := len(pairs) == 1 && pairs[0].Agrees(); got != test.agree {
				t.Errorf("%s: got %v", test.why, summary(pairs))
			}
		}
	}
}

func TestMatchListKeys(t *testing.T) {
	type item = map[string]any
	for name, test := range map[string]struct {
		why    string
		keys   string
		native any
		item   map[string]any
		agree  bool
	}{
		"one key":           {"the key is the value", "name", "a", item{"name": "a"}, true},
		"another key":       {"a different value", "name", "b", item{"name": "a"}, false},
		"longer key":        {"a part of it is different", "name", "ab", item{"name": "a"}, false},
		"number":            {"a number is printed", "port", "80", item{"port": int64(80)}, true},
		"one key as a text": {"a text is no amount", "name", "1.10", item{"name": "1.1"}, false},
		"two keys":          {"with anything between them", "port,protocol", "80/TCP", item{"port": int64(80), "protocol": "TCP"}, true},
		"in another order":  {"the keys have none", "port,protocol", "TCP:80", item{"port": int64(80), "protocol": "TCP"}, true},
		"with names": {"as some print them", "port,protocol", "port=80, protocol=TCP",
			item{"port": int64(80), "protocol": "TCP"}, true},
		"as JSON":          {"or so", "port,protocol", `{"port":80,"protocol":"TCP"}`, item{"port": int64(80), "protocol": "TCP"}, true},
		"a longer number":  {"8080 is not 80", "port,protocol", "8080/TCP", item{"port": int64(80), "protocol": "TCP"}, false},
		"a longer word":    {"TCPX is not TCP", "port,protocol", "80/TCPX", item{"port": int64(80), "protocol": "TCP"}, false},
		"one in the other": {"the text must have both, not one that holds the other", "a,b", "abc", item{"a": "ab", "b": "b"}, false},
		"one for two":      {"one word is not two", "a,b", "x", item{"a": "x", "b": "x"}, false},
		"twice":            {"two words are", "a,b", "x/x", item{"a": "x", "b": "x"}, true},
		"one key of two":   {"the other may be any", "port,protocol", "80", item{"port": int64(80), "protocol": "TCP"}, false},
		"one more": {"the rest is a different key", "port,protocol", "80/TCP/http",
			item{"port": int64(80), "protocol": "TCP"}, false},
		"a sign":     {"-80 is not 80", "port,protocol", "-80/TCP", item{"port": int64(80), "protocol": "TCP"}, false},
		"a fraction": {"80.5 is not 80 and 5", "a,b", "80.5", item{"a": int64(80), "b": int64(5)}, false},
		"a hyphen": {"a sign is in front of a number", "port,protocol", "TCP-80", item{"port": int64(80), "protocol": "TCP"},
			true},
		"case":                  {"tcp is not TCP", "port,protocol", "80/tcp", item{"port": int64(80), "protocol": "TCP"}, false},
		"separator in a key":    {"the end of the first one is ambiguous", "a,b", "x/y/z", item{"a": "x", "b": "y/z"}, false},
		"another separator":     {"here everybody does", "a,b", "x, y/z", item{"a": "x", "b": "y/z"}, true},
		"dots and stars":        {"are no wildcards", "a,b", "xyz:q", item{"a": "x.z", "b": "q"}, false},
		"a key of signs":        {"is found as it is", "a,b", "*.*:q", item{"a": "*.*", "b": "q"}, true},
		"letters of the world":  {"are letters", "a,b", "éx:q", item{"a": "x", "b": "q"}, false},
		"a key with its name":   {"a value may be the name of a key", "name,zone", "zone/name", item{"name": "zone", "zone": "name"}, true},
		"a key that is missing": {"a default may be in its place", "port,protocol", "80", item{"port": int64(80)}, true},
		"true":                  {"a truth is printed", "a,b", "true x", item{"a": true, "b": "x"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			declared := declares{keywords: map[string]map[string]string{"spec.items[1]": {"x-kubernetes-list-map-keys": test.keys}}}
			for _, sides := range [][2]any{{test.native, test.item}, {test.item, test.native}} {
				pairs := matchBy(builtin(t), list{duplicate("spec.items[1]", sides[0])}, list{duplicate("spec.items[1]", sides[1])},
					declared)
				want := difference.Class("")
				if !test.agree {
					want = difference.Detail
				}
				if len(pairs) != 1 || pairs[0].Class != want {
					t.Errorf("%s: got %v, want class %q", test.why, summary(pairs), want)
				}
			}
		})
	}
}
