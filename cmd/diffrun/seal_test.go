package main

import (
	"bytes"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/diffrun/diffrun/internal/files/checksum"
)

// recordedSum is the checksum in a recorded run.
var recordedSum = regexp.MustCompile(`,?"checksum": ?\{"results":[0-9]+,"sha256":"[0-9a-f]+"\},?`)

// sealed gives a recorded run that a test wrote or changed the checksum that belongs to it. Anything
// else stays as it is.
func sealed(data []byte) []byte {
	if !bytes.Contains(data, []byte(`"tool"`)) || !bytes.Contains(data, []byte(`"summary"`)) {
		return data
	}
	without := recordedSum.ReplaceAllFunc(data, func(sum []byte) []byte {
		if sum[0] == ',' && sum[len(sum)-1] == ',' {
			return []byte(",")
		}
		return nil
	})
	if run, err := checksum.Sealed(without); err == nil {
		return run
	}
	return data
}

// seal gives recorded runs of a script the checksums that belong to them: "seal run.jsonl".
func seal(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) == 0 {
		ts.Fatalf("usage: seal FILE...")
	}
	for _, name := range args {
		ts.Check(os.WriteFile(ts.MkAbs(name), sealed([]byte(ts.ReadFile(name))), 0o600))
	}
}
