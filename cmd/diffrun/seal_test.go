package main

import (
	"bytes"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/diffrun/diffrun/internal/testing/sealedrun"
)

// recordedSum is the checksum in a recorded run.
var recordedSum = regexp.MustCompile(`,?"checksum": ?\{"results":[0-9]+,"sha256":"[0-9a-f]+"\},?`)

// sealed returns a recorded run that a test wrote or changed with the right checksum. It returns other
// data unchanged.
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
	if run, err := sealedrun.Seal(without); err == nil {
		return run
	}
	return data
}

// seal corrects the checksums of recorded runs in a script: "seal run.jsonl".
func seal(ts *testscript.TestScript, negated bool, args []string) {
	if negated || len(args) == 0 {
		ts.Fatalf("usage: seal FILE...")
	}
	for _, name := range args {
		ts.Check(os.WriteFile(ts.MkAbs(name), sealed([]byte(ts.ReadFile(name))), 0o600))
	}
}
