package validate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/internal/files/definitions"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/openapi"
	"github.com/diffrun/diffrun/internal/schema/source"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Options are the common options of Lines and Files.
type Options struct {
	// Engine is the validator.
	Engine Engine
	// Reference compiles schemas for the engine Reference. Other engines do not need it.
	Reference ReferenceCompiler
	// LeftOut says how to get a program with the built-in kinds, if this one was built without them.
	LeftOut string
	// Definitions are files with CustomResourceDefinitions, directories that are
	// searched for them, or Go types.
	Definitions []string
	// Finder resolves the names of files and Go types. The zero value works.
	Finder source.Finder
	// Parallel is the number of objects that are validated at once. The default is the number of
	// cores.
	Parallel int
	// Timeout is how long one object may take.
	Timeout time.Duration
	// Verbose adds the stack of a panic to its fault.
	Verbose bool
	// Warn is called before objects are read, with the warnings of one kind about one file of the
	// options. Optional.
	Warn func([]plaintext.Text)
}

func (o *Options) warn(texts ...string) {
	if o.Warn == nil || len(texts) == 0 {
		return
	}
	var warnings []plaintext.Text
	for _, text := range texts {
		warnings = append(warnings, plaintext.Text(text))
	}
	o.Warn(warnings)
}

// warnSkipped warns about the files of a directory that are not read.
func (o *Options) warnSkipped(skipped []infile.Skipped) {
	var texts []string
	for _, one := range skipped {
		texts = append(texts, plaintext.Line(one.String()))
	}
	o.warn(texts...)
}

// findDefinitions returns the files of Definitions. The error is a strictyaml.Mistakes.
func (o *Options) findDefinitions() ([]string, error) {
	files, skipped, err := definitions.FindFiles(o.Definitions)
	o.warnSkipped(skipped)
	return files, err
}

// warnUnstorable warns if the API server would not store a schema, for example because of a default of a
// wrong type, which would look like an error of objects. The estimated cost of rules does not matter here.
func (o *Options) warnUnstorable(file string, d *definitions.Definition) {
	errs, err := structural.CheckCRD(context.Background(), d.CRD)
	if err != nil {
		return // compiling the schema says it
	}
	errs = slices.DeleteFunc(errs, func(e *field.Error) bool {
		return !strings.Contains(d.Path(e.Field), ".openAPIV3Schema.") || openapi.IsCost(e)
	})
	if len(errs) == 0 {
		return
	}
	more := ""
	if len(errs) > 1 {
		more = fmt.Sprintf("; diffrun schema check %s has %d more", file, len(errs)-1)
	}
	o.warn(plaintext.Sprintf("%s: the API server would not store this schema: %s%s", d.At(d.Path(errs[0].Field)), errorText(errs[0]), more))
}
