package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/recorded"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
)

// exceptionsFile is the default file of exceptions.
const exceptionsFile = "exceptions.yaml"

func (p *program) exceptionsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "exceptions",
		Short: "List exceptions, add, renew, tighten and prune them",
		Args:  onlySubcommands,
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(p.exceptionsAddCommand(), p.exceptionsListCommand(), p.exceptionsPruneCommand(),
		p.exceptionsRenewCommand(), p.exceptionsTightenCommand())
	return command
}

// fileFlag precedes the name of a file in messages of commands that have --file.
const fileFlag = "--file "

// checkEdited refuses a file of exceptions, which a command writes, if it is one of the reports that
// the command reads.
func (p *program) checkEdited(file string, from []string) error {
	files := p.NewFiles()
	files.Output(fileFlag+file, file)
	files.Directories("--from", recorded.Extensions(), from...)
	return files.Check()
}

// readExceptions reads a file of exceptions. A file that does not exist is new. Messages name the file
// after flag.
func readExceptions(flag, file string) (data []byte, isNew bool, err error) {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, true, nil
	case err == nil && !info.IsDir() && !info.Mode().IsRegular():
		return nil, false, fmt.Errorf("%s%s is a %s; exceptions are added to a file", flag, file, infile.Kind(info.Mode()))
	case err == nil:
		data, err = infile.ReadFile(file)
	}
	if err != nil {
		return nil, false, fmt.Errorf("%s%s cannot be read: %w", flag, file, infile.Cause(err))
	}
	return data, false, nil
}

// loadExceptions reads a file of exceptions that must exist.
func (p *program) loadExceptions(flag, file string) ([]byte, *equivalence.Exceptions, error) {
	data, isNew, err := readExceptions(flag, file)
	if err == nil && isNew {
		err = fmt.Errorf("%s%s cannot be read: no such file or directory; expected a file of exceptions", flag, file)
	}
	if err != nil {
		return nil, nil, err
	}
	exceptions, err := equivalence.LoadExceptions(file, data, p.Now())
	return data, exceptions, err
}

func writeExceptions(file string, content []byte) error {
	if err := outfile.Write(file, content); err != nil {
		return fmt.Errorf("%s%s cannot be written: %w", fileFlag, file, infile.Cause(err))
	}
	return nil
}

// editExceptions changes a file of exceptions while no other command changes it, and prints the texts
// that decide returns with the changes.
func (p *program) editExceptions(ctx context.Context, file string,
	decide func(*equivalence.Exceptions) (edits []exceptionfile.Edit, texts []string, err error)) (err error) {
	if err := terminal.CheckLockable(fileFlag, file); err != nil {
		return err
	}
	if _, _, err := p.loadExceptions(fileFlag, file); err != nil {
		return err
	}
	lock, err := terminal.Lock(ctx, fileFlag, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lock.Unlock()) }()
	data, exceptions, err := p.loadExceptions(fileFlag, file)
	if err != nil {
		return err
	}
	edits, texts, err := decide(exceptions)
	if err != nil {
		return err
	}
	if len(edits) > 0 {
		content, err := exceptionfile.Apply(file, data, edits, p.Now())
		if err != nil {
			return err
		}
		if err := writeExceptions(file, content); err != nil {
			return err
		}
	}
	out := p.Stdout.Printer()
	for _, text := range texts {
		out.Printf("%s: %s\n", file, text)
	}
	if len(edits) == 0 {
		out.Printf("%s: nothing to change\n", file)
	}
	return out.Flush()
}

// foundIn returns the differences of a result, and for each the exception that accepts it.
func foundIn(result harness.Result) (found []exceptionfile.Difference, acceptedBy []string) {
	for _, pair := range result.Pairs {
		if pair.Class == "" {
			continue // a rule explains it
		}
		found = append(found, exceptionfile.Of(result, pair))
		by := ""
		if pair.Exception != nil {
			by = pair.Exception.ID
		}
		acceptedBy = append(acceptedBy, by)
	}
	return found, acceptedBy
}
