package agreement

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/upstream/capture"
)

// CompareChecks compares what `diffrun schema check` says of the CustomResourceDefinitions
// of calls, written as files, with upstream's validation of one that is created. Files go
// to a folder below temporary. The error says that the command did not answer.
func CompareChecks(ctx context.Context, diffrun, temporary string, calls []*capture.Call) (*Report, error) {
	report := &Report{Apart: map[string]int{}}
	for i, c := range calls {
		var crd *apiextensionsv1.CustomResourceDefinition
		var err error
		switch c.Function {
		case "ValidateCustomResourceDefinition", "ValidateCustomResourceDefinitionUpdate":
			crd, err = asWritten(readInternal[apiextensions.CustomResourceDefinition](c.Definition))
		case "validateCustomResourceDefinitionValidation":
			var schema *apiextensions.CustomResourceValidation
			if schema, err = readInternal[apiextensions.CustomResourceValidation](c.Definition); err == nil {
				crd, err = asWritten(around(schema, c.Flag("status")), nil)
			}
		default:
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", c.Function, c.Test, err)
		}
		found, err := check(ctx, diffrun, filepath.Join(temporary, fmt.Sprintf("%d.yaml", i)), crd)
		if err != nil {
			return nil, fmt.Errorf("%s, %s: %w", c.Function, c.Test, err)
		}
		report.add(c, Checks, found)
	}
	return report, nil
}

// asWritten is a CustomResourceDefinition as people write it: in version v1, without
// defaults and status.
func asWritten(internal *apiextensions.CustomResourceDefinition, err error) (*apiextensionsv1.CustomResourceDefinition, error) {
	if err != nil {
		return nil, err
	}
	crd := &apiextensionsv1.CustomResourceDefinition{}
	if err := apiextensionsv1.Convert_apiextensions_CustomResourceDefinition_To_v1_CustomResourceDefinition(internal, crd, nil); err != nil {
		return nil, err
	}
	crd.APIVersion, crd.Kind = "apiextensions.k8s.io/v1", "CustomResourceDefinition"
	crd.Status = apiextensionsv1.CustomResourceDefinitionStatus{}
	return crd, nil
}

// check compares one file.
func check(ctx context.Context, diffrun, file string, crd *apiextensionsv1.CustomResourceDefinition) (comparison, error) {
	text, err := json.Marshal(crd)
	if err != nil {
		return comparison{}, err
	}
	if err := os.WriteFile(file, text, 0o644); err != nil {
		return comparison{}, err
	}
	// What is written is what counts: a nil and an empty list are the same there.
	read := &apiextensionsv1.CustomResourceDefinition{}
	if err := json.Unmarshal(text, read); err != nil {
		return comparison{}, err
	}
	internal, err := asCreated(read)
	if err != nil {
		return comparison{}, err
	}
	want := outcome{errs: printed(validation.ValidateCustomResourceDefinition(ctx, internal))}
	run := exec.CommandContext(ctx, diffrun, "schema", "check", file)
	var problems bytes.Buffer
	run.Stderr = &problems
	out, err := run.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 2 {
		return comparison{want: want, got: outcome{refused: true, note: problems.String()}}, nil
	}
	if err != nil && !(errors.As(err, &exit) && exit.ExitCode() == 1) {
		return comparison{}, fmt.Errorf("%s: %w\n%s", diffrun, err, problems.Bytes())
	}
	return comparison{want: want, got: outcome{errs: violations(string(out), file)}}, nil
}

// violations reads the lines of `diffrun schema check`: FILE:LINE: PATH: what is wrong,
// which begins with the type of the error.
func violations(out, file string) []failure {
	var all []failure
	for line := range strings.Lines(out) {
		_, said, _ := strings.Cut(strings.TrimPrefix(line, file+":"), ": ")
		if !strings.HasPrefix(line, file+":") || strings.HasPrefix(said, "condition ") {
			continue
		}
		found := failure{detail: said}
		for _, name := range errorTypes() {
			// The first one that is named is the type: a detail may name others.
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

// printed are errors as they can be told apart in a line: Invalid and TypeInvalid are
// both printed as "Invalid value", and details are upstream's own.
func printed(errs field.ErrorList) []failure {
	all := ownErrors(errs)
	for i := range all {
		all[i].typ = field.ErrorType(all[i].typ).String()
	}
	return all
}

// errorTypes are those that upstream gives, as they are printed.
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
