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

// groups are the API groups whose tests get the line.
const groups = "batch,apps,policy,networking,rbac,autoscaling,storage"

func main() {
	verbose := flag.Bool("v", false, "also list why calls compared nothing, and each difference")
	wanted := flag.String("groups", groups, "the API groups, separated by commas")
	keep := flag.String("keep", "", "write the copies to this folder and keep them, instead of a temporary one")
	least := flag.Float64("least", 0, "fail if fewer of the calls compare something, in percent")
	most := flag.Int("most", -1, "fail if more calls differ, and nothing explains it; -1: any number may")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	all, err := measure(ctx, strings.Split(*wanted, ","), *keep)
	if err == nil {
		printAll(all, *verbose)
		err = hold(all, *least, *most)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// measure runs the tests of groups with the line, in a folder or, if that is "", in a temporary one.
func measure(ctx context.Context, groups []string, folder string) (all []measured, err error) {
	if folder == "" {
		if folder, err = os.MkdirTemp("", "upstream-lines-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		return nil, err
	}
	main, err := list(ctx, ours)
	if err != nil {
		return nil, err
	}
	kubernetes, err := list(ctx, upstream)
	if err != nil {
		return nil, err
	}
	if err := makeModule(folder, main); err != nil {
		return nil, err
	}
	fmt.Printf("one line in the unit tests of %s %s\n\n", upstream, kubernetes.Version)
	for _, group := range groups {
		m := measured{group: group}
		if m.left, err = copyGroup(folder, kubernetes.Dir, group); err != nil {
			return nil, err
		}
		if m.calls, err = run(ctx, folder, group, main.Dir); err != nil {
			return nil, err
		}
		all = append(all, m)
	}
	return all, nil
}

func printAll(all []measured, verbose bool) {
	printTable(os.Stdout, all)
	printNothing(os.Stdout, all)
	printKinds(os.Stdout, "not explained, by kind", all, different)
	if verbose {
		printKinds(os.Stdout, "accepted by an exception, by kind", all, excepted)
		printKinds(os.Stdout, "of the call alone, by kind", all, ownCall)
		printDetails(os.Stdout, all)
	}
}
