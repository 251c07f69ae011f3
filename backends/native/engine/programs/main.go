//go:build ignore

package main

import (
	"context"
	"fmt"
	"io"
	"log"
	"os"
)

// An engine's program is started by diffrun, with files that have policies and what they read:
//
//	serve FILE...      answers AdmissionReviews on stdin as the webhook of the engine does
//	policies FILE...   writes the ValidatingAdmissionPolicies that the engine generates of the policies
//	check FILE...      says what the engine refuses in the files
func main() {
	log.SetFlags(0)
	if err := run(context.Background(), os.Args[1:], os.Stdin, os.Stdout); err != nil {
		log.Fatal(err)
	}
}

// run runs a subcommand.
func run(ctx context.Context, args []string, in io.Reader, out io.Writer) error {
	if len(args) < 2 {
		return fmt.Errorf("a subcommand and files are missing")
	}
	read, err := readFiles(args[1:])
	if err != nil {
		return err
	}
	if args[0] == "policies" {
		return writePolicies(out, read)
	}
	webhook, err := newWebhook(ctx, read)
	switch {
	case err != nil:
		return err
	case args[0] == "serve":
		return serve(ctx, in, out, webhook.answer)
	case args[0] == "check":
		return nil
	}
	return fmt.Errorf("no subcommand %q", args[0])
}
