package terminal

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"
)

// DocumentFormats are the formats in which a command writes its result of type R at the end.
type DocumentFormats[R any] []DocumentFormat[R]

// DocumentFormat writes a result in one format.
type DocumentFormat[R any] struct {
	Name  string
	Write func(R, io.Writer) error
}

// Names returns the names of the formats.
func (f DocumentFormats[R]) Names() []string {
	var names []string
	for _, format := range f {
		names = append(names, format.Name)
	}
	return names
}

// Writer returns a function that writes a result in a format that DocumentOutputs accepted.
func (f DocumentFormats[R]) Writer(result R) func(format string, w io.Writer) error {
	return func(format string, w io.Writer) error {
		at := slices.IndexFunc(f, func(known DocumentFormat[R]) bool { return known.Name == format })
		return f[at].Write(result, w)
	}
}

// wordsAnnotation is the annotation of a flag that lists the words it accepts.
const wordsAnnotation = "diffrun-words"

// AcceptWords records the words that a flag accepts, so that shells complete them.
func AcceptWords(set *pflag.FlagSet, name string, words []string) {
	flag := set.Lookup(name)
	if flag.Annotations == nil {
		flag.Annotations = map[string][]string{}
	}
	flag.Annotations[wordsAnnotation] = words
}

// AcceptedWords returns the words of AcceptWords.
func AcceptedWords(flag *pflag.Flag) []string { return flag.Annotations[wordsAnnotation] }

// DocumentFlag adds -o to a command that writes a result in one of some formats. action is the
// beginning of the flag's usage.
func DocumentFlag(set *pflag.FlagSet, outputs *[]string, action string, formats []string) {
	last := len(formats) - 1
	set.StringArrayVarP(outputs, "output", "o", []string{"text"},
		action+" as "+strings.Join(formats[:last], ", ")+" or "+formats[last]+"; `FORMAT=FILE` writes to a file; may be repeated")
	AcceptWords(set, "output", formats)
}

// DocumentOutputs parses the values of DocumentFlag.
func DocumentOutputs(values, formats []string) ([]Output, error) {
	return ParseOutputs(values, func(format string) error {
		if slices.Contains(formats, format) {
			return nil
		}
		return fmt.Errorf("unknown format %q; accepted: %s", format, strings.Join(formats, ", "))
	})
}

// WriteDocuments writes a result to stdout and to the files of -o. If one file cannot be written, all
// stay as they were. Finish reports errors of stdout.
func (c *Console) WriteDocuments(ctx context.Context, outputs []Output, write func(format string, w io.Writer) error) error {
	files := &OutputFiles{}
	var errs []error
	for _, out := range outputs {
		if out.File == "" {
			writer := c.Stdout.Infallible()
			if out.Format == "github" {
				writer = c.Stdout.Annotations()
			}
			errs = append(errs, write(out.Format, writer))
			continue
		}
		file, err := files.Open(ctx, out)
		if err == nil {
			err = write(out.Format, file)
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil {
		return errors.Join(err, files.Discard())
	}
	return files.Close()
}
