// Command kyverno is Kyverno's engine as a program that diffrun can start.
//
//	kyverno serve FILE...
//
// answers AdmissionReviews on stdin as Kyverno's webhook does for the ClusterPolicies and Policies in the
// files. Policies that only audit are enforced, because the question is what they would deny.
//
//	kyverno policies FILE...
//
// writes the ValidatingAdmissionPolicies and bindings that Kyverno generates of policies with CEL.
//
//	kyverno suites [-o DIR] LIBRARY
//
// writes a suite of diffrun for each policy of a clone of github.com/kyverno/policies that has a version in
// CEL. It asks diffrun which of the generated policies an API server takes.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
)

const usage = `usage:
  kyverno serve FILE...             answer AdmissionReviews on stdin with the policies in the files
  kyverno policies FILE...          write the ValidatingAdmissionPolicies that Kyverno generates of them
  kyverno suites [-o DIR] LIBRARY   write a suite of diffrun for each policy that has a version in CEL
FILE has ClusterPolicies, Policies, ValidatingPolicies, Namespaces and CustomResourceDefinitions.
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("kyverno: ")
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run runs a subcommand.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 {
		return fmt.Errorf("a subcommand and files are missing\n%s", usage)
	}
	if args[0] == "suites" {
		return suites(ctx, args[1:], os.Stderr)
	}
	read, err := readFiles(args[1:])
	if err != nil {
		return err
	}
	switch args[0] {
	case "serve":
		webhook, err := newWebhook(read)
		if err != nil {
			return err
		}
		return serve(ctx, in, out, webhook.answer)
	case "policies":
		return writePolicies(out, read)
	}
	return fmt.Errorf("no subcommand %q\n%s", args[0], usage)
}
