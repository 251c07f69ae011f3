// Command gatekeeper is Gatekeeper as a program that diffrun can start.
//
//	gatekeeper serve FILE...
//
// answers AdmissionReviews on stdin as the webhook of Gatekeeper does, with the Rego of the templates and
// the constraints in the files. Other objects of the files are the inventory.
//
//	gatekeeper policies FILE...
//
// writes the ValidatingAdmissionPolicies that Gatekeeper generates of the CEL in the same templates, their
// bindings, and the constraints, which are their parameters.
//
//	gatekeeper suites [-o DIR] SUITE...
//
// writes a suite of diffrun for each test of suites of gator: the Rego beside the policy.
package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
)

const usage = `usage:
  gatekeeper serve FILE...      answer AdmissionReviews on stdin with the Rego of the templates
  gatekeeper policies FILE...   write the policies that Gatekeeper generates of their CEL
  gatekeeper suites SUITE...    write a suite of diffrun for each test of a suite of gator
FILE has ConstraintTemplates, constraints, and objects of the inventory.
`

func main() {
	log.SetFlags(0)
	log.SetPrefix("gatekeeper: ")
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
		return suites(args[1:], os.Stderr)
	}
	read, err := readFiles(args[1:])
	if err != nil {
		return err
	}
	switch args[0] {
	case "serve":
		webhook, err := newWebhook(ctx, read)
		if err != nil {
			return err
		}
		return serve(ctx, in, out, webhook.answer)
	case "policies":
		return writePolicies(out, read)
	}
	return fmt.Errorf("no subcommand %q\n%s", args[0], usage)
}
