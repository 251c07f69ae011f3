package agreement

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/dev/upstream/capture"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// CompareChecks compares the output of `diffrun schema check` for the CustomResourceDefinitions of
// calls, written as files, with the errors of upstream's strategy for a create, or for an update of
// an old one (--old). Files go to a folder below temporary. It returns an error if the command did
// not answer.
func CompareChecks(ctx context.Context, diffrun, temporary string, calls []*capture.Call) (*Report, error) {
	report := &Report{Apart: map[string]int{}}
	for i, c := range calls {
		crd, old, err := asWritten(c)
		if crd == nil && err == nil {
			continue // no call of this kind
		}
		k := checker{diffrun: diffrun, file: filepath.Join(temporary, fmt.Sprintf("%d.yaml", i))}
		var found comparison
		if err == nil {
			found, err = k.check(ctx, crd, old)
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", c.Function, c.Test, err)
		}
		report.add(c, Checks, found)
	}
	return report, nil
}

// asWritten returns the CustomResourceDefinition of a call as people write it, in version v1 and
// without status, and the old one of an update as it is read from a cluster. Both are nil if the
// call has none.
func asWritten(c *capture.Call) (crd, old *apiextensionsv1.CustomResourceDefinition, err error) {
	switch c.Function {
	case "ValidateCustomResourceDefinition":
		crd, err = asV1(c.Definition)
	case "ValidateCustomResourceDefinitionUpdate":
		if old, err = asV1(c.OldDefinition); err == nil {
			crd, err = asV1(c.Definition)
		}
	case "validateCustomResourceDefinitionValidation":
		var schema *apiextensions.CustomResourceValidation
		if schema, err = readInternal[apiextensions.CustomResourceValidation](c.Definition); err == nil {
			crd = &apiextensionsv1.CustomResourceDefinition{}
			err = apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(
				around(schema, c.Flag("status")), crd, nil)
		}
	}
	if crd == nil || err != nil {
		return nil, nil, err
	}
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	return crd, old, nil
}

// checker asks the command about one file.
type checker struct{ diffrun, file string }

// reread writes a definition and reads it again, because only the written form counts: there, nil
// and empty lists are the same.
func reread(file string, crd *apiextensionsv1.CustomResourceDefinition) (*apiextensionsv1.CustomResourceDefinition, error) {
	crd.APIVersion, crd.Kind = apiextensionsv1.SchemeGroupVersion.String(), "CustomResourceDefinition"
	text, err := json.Marshal(crd)
	if err != nil {
		return nil, err
	}
	if err := outfile.Write(file, text); err != nil {
		return nil, err
	}
	read := &apiextensionsv1.CustomResourceDefinition{}
	return read, json.Unmarshal(text, read)
}

// check compares one file, which may have an old one.
func (k checker) check(ctx context.Context, crd, old *apiextensionsv1.CustomResourceDefinition) (comparison, error) {
	args := []string{"schema", "check"}
	var err error
	if old != nil {
		if old, err = reread(k.file+".old.yaml", old); err != nil {
			return comparison{}, err
		}
		args = append(args, "--old", k.file+".old.yaml")
	}
	if crd, err = reread(k.file, crd); err != nil {
		return comparison{}, err
	}
	errs, err := refusals(ctx, crd, old)
	if err != nil {
		return comparison{}, err
	}
	want := outcome{errs: printed(errs)}
	run := exec.CommandContext(ctx, k.diffrun, append(args, k.file)...)
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 {
		return comparison{want: want, got: outcome{refused: true, note: problems.String()}}, nil
	}
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return comparison{}, fmt.Errorf("%s: %w\n%s", k.diffrun, err, problems.Bytes())
	}
	return comparison{want: want, got: outcome{errs: violations(string(out), k.file)}}, nil
}

// violations reads the lines of `diffrun schema check`: FILE:LINE: PATH: a message that begins with
// the type of the error.
func violations(out, file string) []failure {
	var all []failure
	for line := range strings.Lines(out) {
		_, said, _ := strings.Cut(strings.TrimPrefix(line, file+":"), ": ")
		if !strings.HasPrefix(line, file+":") || strings.HasPrefix(said, "condition ") {
			continue
		}
		found := failure{detail: said}
		for _, name := range errorTypes() {
			// The first named type counts, because a detail may name others.
			where, detail, is := strings.Cut(said, ": "+name)
			if is && (found.typ == "" || len(where) < len(found.field)) {
				found = failure{typ: name, field: where, detail: strings.TrimSpace(detail)}
			}
		}
		found.field = relative(found.field, "")
		all = append(all, found)
	}
	return all
}

// printed returns errors as a line shows them: Invalid and TypeInvalid are both printed as "Invalid
// value", and details are upstream's own.
func printed(errs field.ErrorList) []failure {
	all := ownErrors(errs)
	for i := range all {
		all[i].typ = field.ErrorType(all[i].typ).String()
	}
	return all
}

// errorTypes returns the error types that upstream uses, as they are printed.
func errorTypes() []string {
	var names []string
	for _, t := range []field.ErrorType{
		field.ErrorTypeRequired, field.ErrorTypeDuplicate, field.ErrorTypeNotSupported, field.ErrorTypeForbidden,
		field.ErrorTypeTooLong, field.ErrorTypeTooMany, field.ErrorTypeInvalid,
	} {
		names = append(names, t.String())
	}
	return names
}
