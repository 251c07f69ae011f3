package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

func main() {
	corpus := flag.String("corpus", "../../diffrun-corpus", "the folder that make capture-kubernetes wrote")
	ratchet := flag.String("ratchet", "kubernetesshare/share.txt", "the file of what is explained at least")
	update := flag.Bool("update", false, "write that file anew")
	list := flag.Bool("causes", false, "list what keeps inputs from being explained")
	flag.Parse()
	if err := measure(*corpus, *ratchet, *update, *list); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(corpus, ratchet string, update, list bool) (err error) {
	refused, err := readCorpus(corpus)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "kubernetes-share-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	report, err := compare(folder, corpus)
	if err != nil {
		return err
	}
	results, err := readReport(report)
	if err != nil {
		return err
	}
	shares := count(refused, results)
	printed := render(shares)
	fmt.Print(printed)
	if list {
		fmt.Print("\n" + causes(refused, results))
	}
	if update {
		return outfile.Write(ratchet, []byte(printed))
	}
	stored, err := os.ReadFile(ratchet)
	if err != nil {
		return err
	}
	return fallen(string(stored), shares)
}

// compare runs the corpus and returns the report file. Differences do not make it fail.
func compare(folder, corpus string) (string, error) {
	absolute, err := filepath.Abs(corpus)
	if err != nil {
		return "", err
	}
	exceptions, err := filepath.Abs("../exceptions.yaml")
	if err != nil {
		return "", err
	}
	suite, report := filepath.Join(folder, "suite.yaml"), filepath.Join(folder, "report.json")
	content := fmt.Sprintf("name: recorded\nnative: {builtin: kubernetes}\ndeclarative: {builtin: kubernetes}\ncases: "+
		"[%q]\nexceptions: %q\n",
		filepath.Join(absolute, "*.jsonl"), exceptions)
	if err := outfile.Write(suite, []byte(content)); err != nil {
		return "", err
	}
	run := exec.Command("go", "-C", "..", "run", "./cmd/diffrun", "run", suite, "--ignore-missing-targets", "-o", "json="+report)
	if out, err := run.CombinedOutput(); err != nil {
		if _, missing := os.Stat(report); missing != nil {
			return "", fmt.Errorf("diffrun run: %w\n%s", err, out)
		}
	}
	return report, nil
}
