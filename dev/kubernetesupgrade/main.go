package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

func main() {
	version := flag.String("version", "", "the release to move to, such as v1.38.0; empty: only list what is to be decided")
	record := flag.Bool("record", false, "record the functions that overlays name, after you read those that changed")
	root := flag.String("root", "..", "the directory of the repository")
	flag.Parse()
	if err := run(context.Background(), os.Stdout, *root, *version, *record); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// recordFile is the file of recorded functions, below the root.
const recordFile = "dev/kubernetesupgrade/functions.txt"

func run(ctx context.Context, w io.Writer, root, version string, record bool) error {
	if version != "" && record {
		return errors.New("-version and -record exclude each other: read what changed in between")
	}
	var decisions []string
	if version != "" {
		before, err := readFields(filepath.Join(root, schemas))
		if err != nil {
			return err
		}
		unimported, err := upgrade(ctx, w, root, version)
		if err != nil {
			return err
		}
		after, err := readFields(filepath.Join(root, schemas))
		if err != nil {
			return err
		}
		decisions = append(unimported, newFields(before, after)...)
	}
	functions, err := readFunctions(ctx, root)
	if err != nil {
		return err
	}
	if record {
		return outfile.Write(filepath.Join(root, recordFile), []byte(functions.render()))
	}
	recorded, err := readRecord(filepath.Join(root, recordFile))
	if err != nil {
		return err
	}
	report(w, slices.Concat(decisions, functions.misplaced(), functions.changes(recorded)))
	return nil
}

// report writes the list of decisions, and what to do next.
func report(w io.Writer, decisions []string) {
	if len(decisions) == 0 {
		fmt.Fprintln(w, "nothing to decide: the overlays name no function that changed")
		return
	}
	fmt.Fprintf(w, "%d to decide:\n%s\n", len(decisions), strings.Join(decisions, "\n"))
	fmt.Fprintln(w, "next: compare each rule with its function, add rules and cases, run \"make generate\" and \"go run "+
		"./cmd/diffrun run\",")
	fmt.Fprintln(w, "      and record the functions that you read: (cd dev && go run ./kubernetesupgrade -record)")
}
