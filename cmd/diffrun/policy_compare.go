package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/cmd/diffrun/internal/exploring"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/outfile"
	schemasource "github.com/diffrun/diffrun/internal/schema/source"
)

// policyRequests is how many requests for each kind two releases of policies are asked about.
const policyRequests = 10_000

// policyCompareFormats are the formats of a comparison of policies.
func policyCompareFormats() terminal.DocumentFormats[exploring.PolicyComparison] {
	return terminal.DocumentFormats[exploring.PolicyComparison]{
		{Name: "text", Write: exploring.PolicyComparison.Text},
		{Name: "json", Write: func(c exploring.PolicyComparison, w io.Writer) error { return c.JSON(w, version()) }},
	}
}

// comparePolicies compares two releases of a file with policies.
func (p *program) comparePolicies(ctx context.Context, before, after schemasource.PolicyFile, flags compareFlags) error {
	p.Judges = true
	outputs, err := terminal.DocumentOutputs(flags.outputs, policyCompareFormats().Names())
	files := p.NewFiles()
	files.Outputs(outputs)
	files.Input("policies", before.Name, after.Name)
	if flags.levels != "" {
		err = errors.Join(err, errors.New("--levels is for schemas; each difference of policies fails"))
	}
	if err := errors.Join(err, files.Check()); err != nil {
		return terminal.Usage(err)
	}
	directory, err := os.MkdirTemp("", "diffrun-policies-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	suite, err := writePolicySuite(directory, before, after)
	if err != nil {
		return err
	}
	ctx, stop := terminal.Interruptible(ctx, func() {})
	defer stop()
	compared, err := exploring.ComparePolicies(ctx, &p.Environment, suite, files, flags.objects, flags.seed)
	switch {
	case ctx.Err() != nil:
		return terminal.Exitf(terminal.Interrupted, "interrupted; nothing is reported about the policies")
	case err != nil:
		return err
	}
	compared.Before, compared.After = before.Name, after.Name
	if err := p.WriteDocuments(ctx, outputs, policyCompareFormats().Writer(compared)); err != nil {
		return err
	}
	if len(compared.Differences) > 0 {
		return terminal.Exit(terminal.Different)
	}
	return nil
}

// writePolicySuite writes a suite that compares two files with policies, with the objects of the bundled cases to start
// from.
func writePolicySuite(directory string, before, after schemasource.PolicyFile) (string, error) {
	var sides []string
	for _, file := range []schemasource.PolicyFile{before, after} {
		path, err := filepath.Abs(file.Name)
		if err != nil {
			return "", err
		}
		side := "builtin: kubernetes"
		if file.Validates {
			side += fmt.Sprintf(", policies: [%q]", path)
		}
		if file.Mutates {
			side += fmt.Sprintf(", mutate: {policies: [%q]}", path)
		}
		sides = append(sides, side)
	}
	starts, err := policyStarts(directory, before, after)
	if err != nil {
		return "", err
	}
	suite := filepath.Join(directory, "suite.yaml")
	text := fmt.Sprintf("name: policies\nnative: {%s}\ndeclarative: {%s}\ncases: [%q]\n", sides[0], sides[1], starts)
	return suite, outfile.Write(suite, []byte(text))
}
