package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"strings"
)

// groups are those whose tests get the line.
const groups = "batch,apps,policy,networking,rbac,autoscaling,storage"

func main() {
	verbose := flag.Bool("v", false, "also list why calls compared nothing, and each difference")
	wanted := flag.String("groups", groups, "the API groups, separated by commas")
	keep := flag.String("keep", "", "write the copies to this folder and keep them, instead of a temporary one")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := measure(ctx, strings.Split(*wanted, ","), *keep, *verbose); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func measure(ctx context.Context, groups []string, folder string, verbose bool) (err error) {
	if folder == "" {
		if folder, err = os.MkdirTemp("", "upstream-lines-"); err != nil {
			return err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	main, err := list(ctx, "")
	if err != nil {
		return err
	}
	kubernetes, err := list(ctx, upstream)
	if err != nil {
		return err
	}
	if err := makeModule(ctx, folder, main); err != nil {
		return err
	}
	fmt.Printf("one line in the unit tests of %s %s\n\n", upstream, kubernetes.Version)
	var all []measured
	for _, group := range groups {
		m := measured{group: group}
		if m.left, err = copyGroup(folder, kubernetes.Dir, group); err != nil {
			return err
		}
		if m.calls, err = run(ctx, folder, group, main.Dir); err != nil {
			return err
		}
		all = append(all, m)
	}
	printTable(os.Stdout, all)
	printNothing(os.Stdout, all)
	printKinds(os.Stdout, "not explained, by kind", all, different)
	if verbose {
		printKinds(os.Stdout, "accepted by an exception, by kind", all, excepted)
		printKinds(os.Stdout, "of the call alone, by kind", all, ownCall)
		printDetails(os.Stdout, all)
	}
	return nil
}
