package agreement_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/dev/upstream/agreement"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// read reads one call.
func read(t *testing.T, text string) []*capture.Call {
	t.Helper()
	calls, err := capture.Read(strings.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return calls
}

// TestVerdicts: the recorded result of upstream decides. If this project returns anything else, the call is
// different, whatever it is about.
func TestVerdicts(t *testing.T) {
	const (
		port = `"schema":{"type":"object","properties":{"port":{"type":"integer","minimum":1}}},"object":{"port":0}`
		rule = `"schema":{"type":"object","properties":{"a":{"type":"string"}},"x-kubernetes-validations":[{"rule":"%s"}]},` +
			`"object":{"a":"b"}`
	)
	withRule := func(text string) string { return strings.Replace(rule, "%s", text, 1) }
	for _, tt := range []struct {
		why, call string
		verdict   agreement.Verdict
		speaks    bool
		exact     bool
	}{
		{"the same error with a different message",
			`{"function":"ValidateCustomResource",` + port + `,"errors":[{"type":"FieldValueInvalid","field":"port","detail":"too ` +
				`small","badValue":0}]}`, agreement.Equal, true, false},
		{"the same to the letter, at a path",
			`{"function":"ValidateCustomResource","path":"spec",` + port +
				`,"errors":[{"type":"FieldValueInvalid","field":"spec.port","detail":"port in body should be greater than or equal ` +
				`to 1","badValue":0}]}`, agreement.Equal, true, true},
		{"no error", `{"function":"ValidateCustomResource",` + port + `}`, agreement.Different, false, false},
		{"the error twice",
			`{"function":"ValidateCustomResource",` + port +
				`,"errors":[{"type":"FieldValueInvalid","field":"port"},{"type":"FieldValueInvalid","field":"port"}]}`,
			agreement.Different, true, false},
		{"a different type", `{"function":"ValidateCustomResource",` + port +
			`,"errors":[{"type":"FieldValueTypeInvalid","field":"port"}]}`,
			agreement.Different, true, false},
		{"a rule that fails", `{"function":"cel.Validate",` + withRule("self.a == 'c'") +
			`,"errors":[{"type":"FieldValueInvalid","field":"<nil>"}]}`, agreement.Equal, true, false},
		{"a rule that upstream accepts", `{"function":"cel.Validate",` + withRule("self.a == 'c'") + `}`, agreement.Different, false,
			false},
		{"a rule that neither compiles", `{"function":"cel.Validate",` + withRule("self.b == 'c'") +
			`,"errors":[{"type":"FieldValueInvalid","field":"","detail":"rule compile error: undefined field"}]}`, agreement.Refused, true,
			false},
		{"a rule that only upstream compiles", `{"function":"cel.Validate",` + withRule("self.b == 'c'") +
			`,"errors":[{"type":"FieldValueInvalid","field":"","detail":"failed rule"}]}`, agreement.Different, true, false},
		{"a known reason", `{"function":"ValidateCustomResource","schema":{"type":"string","pattern":"+"},"object":"a",` +
			`"errors":[{"type":"FieldValueInvalid","field":"","detail":"should match '+, but pattern is invalid"}]}`,
			agreement.Explained, true, false},
		{"and a different error, which it is not for",
			`{"function":"ValidateCustomResource","schema":{"type":"string","pattern":"+","maxLength":0},"object":"a","errors":[{` +
				`"type":"FieldValueInvalid","field":"","detail":"pattern is invalid"},{"type":"FieldValueTooLong","field":""}]}`,
			agreement.Different, true, false},
		{"a broken pattern that upstream does not report",
			`{"function":"ValidateCustomResource","schema":{"type":"string","pattern":"+"},"object":"a"}`, agreement.Different, false,
			false},
		{"a broken messageExpression", `{"function":"cel.Validate","schema":{"type":"string","x-kubernetes-validations":[{` +
			`"rule":"false","messageExpression":"true"}]},"object":"a","errors":[{"type":"FieldValueInvalid","field":"",` +
			`"detail":"failed rule: false"}]}`, agreement.Explained, true, false},
		{"of a rule that upstream accepts", `{"function":"cel.Validate","schema":{"type":"string","x-kubernetes-validations":[{` +
			`"rule":"false","messageExpression":"true"}]},"object":"a"}`, agreement.Different, false, false},
		{"a rule below anyOf", `{"function":"cel.Validate","schema":{"type":"string","anyOf":[{"x-kubernetes-validations":[{` +
			`"rule":"false","message":"never"}]}]},"object":"a"}`, agreement.Explained, false, false},
		{"beside one that upstream accepts", `{"function":"cel.Validate","schema":{"type":"string","x-kubernetes-validations":[{` +
			`"rule":"false","message":"no"}],"anyOf":[{"x-kubernetes-validations":[{"rule":"false","message":"never"}]}]},"object":"a"}`,
			agreement.Different, false, false},
		{"a function in a test", `{"function":"cel.Compile","schema":{"type":"string","x-kubernetes-validations":[{` +
			`"rule":"fakeFunction('a')"}]},"rules":[{"rule":"fakeFunction('a')"}]}`, agreement.Explained, false, false},
		{"beside a rule's cost", `{"function":"cel.Compile","schema":{"type":"string","maxLength":5,"x-kubernetes-validations":[{` +
			`"rule":"fakeFunction('a')"},{"rule":"self == 'a'"}]},"rules":[{"rule":"fakeFunction('a')"},{"rule":"self == 'a'",` +
			`"cost":999}]}`,
			agreement.Different, false, false},
		{"a budget that is spent", `{"function":"cel.Validate","flags":{"budget":0},` + withRule("true") +
			`,"errors":[{"type":"FieldValueInvalid","field":""}]}`, agreement.Equal, true, false},
		{"pruned", `{"function":"Prune","schema":{"type":"object"},"object":{"a":1},"after":{},"flags":{"paths":true},"paths":["a"]}`,
			agreement.Equal, true, true},
		{"pruned, but the path is different", `{"function":"Prune","schema":{"type":"object"},"object":{"a":1},"after":{},` +
			`"flags":{"paths":true},"paths":["b"]}`, agreement.Different, true, false},
		{"not pruned", `{"function":"Prune","schema":{"type":"object"},"object":{"a":1},"after":{"a":1}}`, agreement.Different, false,
			false},
		{"defaulted with a float", `{"function":"Default","schema":{"type":"object","properties":{"a":{"type":"number",` +
			`"default":1.5}}},"object":{},"after":{"a":1.5}}`, agreement.Equal, true, true},
		{"defaulted with something else", `{"function":"Default","schema":{"type":"object","properties":{"a":{"type":"number",` +
			`"default":1.5}}},"object":{},"after":{"a":2.5}}`, agreement.Different, true, false},
		{"a rule's cost", `{"function":"cel.Compile","schema":{"type":"string","maxLength":5,"x-kubernetes-validations":[{` +
			`"rule":"self == 'a'"}]},"rules":[{"rule":"self == 'a'","cost":999}]}`, agreement.Different, false, false},
	} {
		report, err := agreement.Compare(t.Context(), read(t, tt.call))
		if err != nil {
			t.Errorf("%s: %v", tt.why, err)
			continue
		}
		found := report.Findings[0]
		if found.Way != agreement.Stage || found.Verdict != tt.verdict || found.Speaks != tt.speaks || found.Exact != tt.exact {
			t.Errorf("%s: %s, speaks %t, exact %t\nupstream: %s\nours: %s", tt.why, found.Verdict, found.Speaks, found.Exact, found.Want,
				found.Got)
		}
	}
}

// TestNothingIsLost: each call is compared, or counted with the reason why it is not.
func TestNothingIsLost(t *testing.T) {
	report, err := agreement.Compare(t.Context(),
		read(t, `{"function":"NeverHeardOf"}{"function":"cel.Validate","schema":{"type":"string"},"object":"a"}`))
	if err != nil {
		t.Fatal(err)
	}
	apart := 0
	for _, count := range report.Apart {
		apart += count
	}
	// The second is compared as a stage, but not as a whole or by its cost.
	if len(report.Findings) != 1 || apart != 3 {
		t.Errorf("%d findings and %v", len(report.Findings), report.Apart)
	}
	if _, err := agreement.Compare(t.Context(), read(t, `{"function":"ValidateCustomResource","schema":[]}`)); err == nil {
		t.Error("a schema that cannot be read is no error")
	}
}

// TestCostByChance: the cost of a search in upstream is compared for a list, not for a map.
func TestCostByChance(t *testing.T) {
	const call = `{"function":"cel.Validate","schema":{"type":"object","properties":{"a":%s},"x-kubernetes-validations":[{` +
		`"rule":"self.a.exists(x, true)"}]},"object":{"a":%s},"flags":{"cost":%d}}`
	for _, tt := range []struct {
		why, schema, object string
		cost, compared      int
	}{
		{"a list has an order", `{"type":"array","items":{"type":"string"}}`, `["x","y"]`, 10, 1},
		{"a Go map has none", `{"type":"object","additionalProperties":{"type":"string"}}`, `{"x":"1","y":"2"}`, 10, 0},
	} {
		report, err := agreement.Compare(t.Context(), read(t, fmt.Sprintf(call, tt.schema, tt.object, tt.cost)))
		if err != nil {
			t.Fatal(err)
		}
		compared := 0
		for _, f := range report.Findings {
			if f.Way == agreement.Cost {
				compared++
			}
		}
		if compared != tt.compared {
			t.Errorf("%s: compared %d times, should be %d; apart: %v", tt.why, compared, tt.compared, report.Apart)
		}
	}
}

// TestCost: the costs of rules at run time are compared to the unit.
func TestCost(t *testing.T) {
	const call = `{"function":"cel.Validate","schema":{"type":"string","x-kubernetes-validations":[{"rule":"self == ` +
		`'a'"}]},"object":"a","flags":{"cost":%d}}`
	for cost, want := range map[int]agreement.Verdict{2: agreement.Equal, 3: agreement.Different, 1000: agreement.Different} {
		report, err := agreement.Compare(t.Context(), read(t, fmt.Sprintf(call, cost)))
		if err != nil {
			t.Fatal(err)
		}
		for _, f := range report.Findings {
			if f.Way == agreement.Cost && f.Verdict != want {
				t.Errorf("cost %d: %s, wanted %s", cost, f.Verdict, want)
			}
		}
		if len(report.Findings) != 2 {
			t.Errorf("cost %d: %d findings", cost, len(report.Findings))
		}
	}
}

// TestUnused: a reason that explains nothing is reported.
func TestUnused(t *testing.T) {
	if got := len(agreement.Unused(nil)); got != len(agreement.Reasons()) || got == 0 {
		t.Errorf("%d unused reasons of %d", got, len(agreement.Reasons()))
	}
}

// TestLines: answers are compared with the captured ones; a command that does not answer each line is an
// error.
func TestLines(t *testing.T) {
	call := `{"function":"ValidateListSetsAndMaps","schema":{"type":"object","properties":{"l":{"type":"array","items":{` +
		`"type":"string"},"x-kubernetes-list-type":"set"}}},"object":{"l":["a","a",1]},"errors":[{"type":"FieldValueDuplicate",` +
		`"field":"l[1]"}]}`
	for _, tt := range []struct {
		why, answer string
		want        agreement.Verdict
		fails       bool
	}{
		{"as captured", `{"id":"0","valid":false,"errors":[{"type":"FieldValueDuplicate","field":"l[1]"}]}`, agreement.Equal, false},
		{"all stages", `{"id":"0","valid":false,"errors":[{"type":"FieldValueDuplicate","field":"l[1]"},{` +
			`"type":"FieldValueTypeInvalid","field":"l[2]"}]}`, agreement.Explained, false},
		{"neither", `{"id":"0","valid":true,"errors":[]}`, agreement.Different, false},
		{"a fault where upstream has an error of its own", `{"id":"0","valid":false,"errors":[],"fault":"broken"}`, agreement.Different,
			false},
		{"no answer", ``, 0, true},
	} {
		command := filepath.Join(t.TempDir(), "answer")
		if err := os.WriteFile(command, []byte("#!/bin/sh\ncat >/dev/null\necho '"+tt.answer+"'\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		report, err := agreement.CompareLines(t.Context(), command, read(t, call))
		if (err != nil) != tt.fails {
			t.Errorf("%s: the error is %v", tt.why, err)
		}
		if err != nil {
			continue
		}
		if report.Findings[0].Verdict != tt.want {
			t.Errorf("%s: %s\n%s\n%s", tt.why, report.Findings[0].Verdict, report.Findings[0].Want, report.Findings[0].Got)
		}
	}
}
