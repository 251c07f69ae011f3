package main

import (
	"bytes"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A call is in the column of its worst difference, and each kind of difference is counted once per call,
// however many versions and items have it.
func TestPrint(t *testing.T) {
	unexplained := difference{Class: "too-loose", Field: "spec.ports[3].name"}
	accepted := difference{Class: "path", Field: "spec.size", Accepted: "size-path"}
	ownOnly := difference{Class: "too-strict", Field: "metadata.uid", TestOnly: true}
	calls := []call{
		{Function: "ValidateA", Versions: []version{{Name: "v1"}, {Name: "v2", Lost: "it has no field size"}}},
		{Function: "ValidateA", Versions: []version{{Name: "v1", Differences: []difference{ownOnly}}}},
		{Function: "ValidateA", Versions: []version{{Name: "v1", Differences: []difference{ownOnly, accepted}}}},
		{Function: "ValidateA", Versions: []version{
			{Name: "v1", Differences: []difference{accepted}},
			{Name: "v2", Differences: []difference{unexplained, unexplained}},
		}},
		{Function: "ValidateB", NoKind: "B.apps has no native validator"},
		{Function: "ValidateB", Versions: []version{{Name: "v1", Fault: "no verdict"}}},
		{Function: "validateText", Value: true},
	}
	all := []measured{{group: "apps", calls: calls}}
	var out bytes.Buffer
	printTable(&out, all)
	printNothing(&out, all)
	printKinds(&out, "not explained, by kind", all, different)
	printKinds(&out, "accepted by an exception, by kind", all, excepted)
	want := `  group  calls  compared   share  same  own call  excepted  different
   apps      6         4  66.7 %     1         1         1          1
    all      6         4  66.7 %     1         1         1          1

same       the schema says what the function says, in its words or by a rule
own call   only the call differs: a request with the object gets the same answer from both
excepted   exceptions.yaml accepts what differs, and says why
different  nothing explains what differs: the test fails
1 calls more validate a single value, such as a text, which no schema is about.

compared nothing, by reason
     1  apps ValidateB: B.apps has no native validator
     1  apps ValidateB: v1: no verdict

not explained, by kind
     1  apps ValidateA: too-loose spec.ports[*].name

accepted by an exception, by kind
     2  apps ValidateA: path spec.size size-path
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
