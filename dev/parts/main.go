// Command parts writes the reports of the shards of a run that never took place, to measure how much memory
// diffrun merge needs for many results:
//
//	go run ./parts -results 10000000 -folder /tmp/parts
//	diffrun merge /tmp/parts/*.jsonl -o jsonl=/tmp/merged.jsonl
package main

import (
	"bufio"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/reports/record"
)

func main() {
	results := flag.Int("results", 1_000_000, "how many results all shards have")
	shards := flag.Int("shards", 8, "how many shards there are")
	folder := flag.String("folder", ".", "the folder that gets 1.jsonl, 2.jsonl, …")
	flag.Parse()
	for shard := 1; shard <= *shards; shard++ {
		if err := write(*folder, shard, *shards, *results); err != nil {
			fmt.Fprintln(os.Stderr, "parts:", err)
			os.Exit(1)
		}
	}
}

// write writes the report of one shard, which has every shards-th result.
func write(folder string, shard, shards, results int) error {
	file, err := os.Create(filepath.Join(folder, fmt.Sprintf("%d.jsonl", shard)))
	if err != nil {
		return err
	}
	out := bufio.NewWriterSize(file, 1<<20)
	report, err := reports.New("jsonl", out, reports.Options{})
	if err != nil {
		return err
	}
	sides := harness.Sides{First: contract.NativeName, Second: contract.DeclarativeName}
	err = report.Begin(reports.Header{
		Version: "(devel)", Shard: fmt.Sprintf("%d/%d", shard, shards),
		Suites: []record.Suite{{Name: "backups", Source: "backups.yaml", Compared: sides}},
	})
	var summary harness.Summary
	for number := shard; number <= results && err == nil; number += shards {
		made := result(number, sides)
		summary.Add(made)
		err = report.Result(made)
	}
	tally := record.Tally{Cases: results, Digest: "made up", Files: "made up", Suites: []record.SuiteTally{{
		Name: "backups", Where: "backups.yaml", Backends: [2]string{contract.NativeName, contract.DeclarativeName}, Ran: true,
		Compared: summary.Inputs, Native: summary.Reported["backups"].Native, Declarative: summary.Reported["backups"].Declarative,
	}}}
	return errors.Join(err, report.End(reports.Footer{Summary: summary, Tally: &tally, Elapsed: time.Second}), out.Flush(), file.Close())
}

// result returns a result. Every tenth has errors that agree, and every thousandth a difference.
func result(number int, sides harness.Sides) harness.Result {
	version := schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Backup"}
	made := harness.Result{
		Suite: "backups", Case: &harness.Case{
			ID:     fmt.Sprintf("backup-%d", number),
			Number: number,
			Source: fmt.Sprintf("backups-%d.jsonl:%d", number/100_000, number%100_000+1),
		},
		Version: version, Sides: sides, Verdict: words.Equal, Effect: words.NoEffect,
	}
	wrong := field.Invalid(field.NewPath("spec", "keep"), int64(number), "must be between 1 and 30, inclusive")
	switch {
	case number%1000 == 0:
		made.Verdict, made.Effect = words.Different, words.Admits
		made.Native.Errors = field.ErrorList{wrong}
		made.Pairs = []equivalence.Pair{{Class: difference.TooLoose, Native: wrong, NativeCount: 1}}
	case number%10 == 0:
		made.Native.Errors, made.Declarative.Errors = field.ErrorList{wrong}, field.ErrorList{wrong}
		made.Pairs = []equivalence.Pair{{Native: wrong, Declarative: wrong, NativeCount: 1, DeclarativeCount: 1}}
	}
	return made
}
