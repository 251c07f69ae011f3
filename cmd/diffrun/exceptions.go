package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/spf13/cobra"

	"github.com/diffrun/diffrun/equivalence"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/findings/exceptionfile"
	"github.com/diffrun/diffrun/reports"
)

// exceptionsFile is the file of exceptions that commands use unless another one is named.
const exceptionsFile = "exceptions.yaml"

// expiringDays is how many days before its last day an exception is warned of.
const expiringDays = 14

func (p *program) exceptionsCommand() *cobra.Command {
	command := &cobra.Command{
		Use:   "exceptions",
		Short: "List exceptions, add, renew, tighten and prune them",
		Args:  subcommand("add, list, prune, renew, tighten"),
		RunE:  func(command *cobra.Command, _ []string) error { return command.Help() },
	}
	command.AddCommand(p.exceptionsAddCommand(), p.exceptionsListCommand(), p.exceptionsPruneCommand(), p.exceptionsRenewCommand(), p.exceptionsTightenCommand())
	return command
}

// fileFlag stands before the name of a file in messages of commands that take it with --file.
const fileFlag = "--file "

// editPlaces says that a file of exceptions, which a command writes, is one of the reports that it
// reads.
func (p *program) editPlaces(file string, from []string) error {
	var files places
	files.output(fileFlag+file, file)
	files.inputs("--from", p.stdin, reportExtensions(), from...)
	return files.check()
}

// readExceptions reads a file of exceptions, if there is one. Messages name it behind flag.
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

// loadExceptions reads a file of exceptions that must be there.
func (p *program) loadExceptions(flag, file string) ([]byte, *equivalence.Exceptions, error) {
	data, isNew, err := readExceptions(flag, file)
	if err == nil && isNew {
		err = fmt.Errorf("%s%s cannot be read: no such file or directory; a file of exceptions is wanted", flag, file)
	}
	if err != nil {
		return nil, nil, err
	}
	exceptions, err := equivalence.LoadExceptions(file, data, p.now())
	return data, exceptions, err
}

func writeExceptions(file string, content []byte) error {
	if err := outfile.Write(file, content); err != nil {
		return fmt.Errorf("--file %s cannot be written: %w", file, infile.Cause(err))
	}
	return nil
}

// foundIn gives the differences of a result, and for each the exception that accepts it.
func foundIn(result reports.Recorded) (found []exceptionfile.Difference, acceptedBy []string) {
	subject := equivalence.Subject{GroupVersionKind: result.Version, Operation: result.Operation, Subresource: result.Subresource}
	for _, d := range result.Differences {
		if d.Class == "" {
			continue // a rule explains it
		}
		found = append(found, exceptionfile.Difference{
			Subject: subject, Class: d.Class, Native: d.Native, Declarative: d.Declarative,
			NativeCount: d.NativeCount, DeclarativeCount: d.DeclarativeCount,
		})
		acceptedBy = append(acceptedBy, d.Exception)
	}
	return found, acceptedBy
}
