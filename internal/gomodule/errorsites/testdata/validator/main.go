// Command validator answers AdmissionReviews about gadgets, with errors of several kinds.
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"os"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/diffrun/diffrun/internal/gomodule/errorsites/testdata/gadgets"
)

type review struct {
	APIVersion string `json:"apiVersion"`
	Request    struct {
		UID    string         `json:"uid"`
		Object gadgets.Gadget `json:"object"`
	} `json:"request"`
}

var errEmpty = errors.New("empty")

// checker is called through its interface.
type checker interface{ check(*gadgets.Gadget) error }

type nameChecker struct{}

func (nameChecker) check(g *gadgets.Gadget) error {
	switch g.Name {
	case "bad":
		return fmt.Errorf("the name %q is bad", g.Name)
	case "empty":
		return errEmpty
	}
	return nil
}

// causes is a validator that returns causes.
func causes(g *gadgets.Gadget) []metav1.StatusCause {
	var all []metav1.StatusCause
	if g.Shape == "cubic" {
		all = append(all, []metav1.StatusCause{{Field: "spec.shape", Message: "cubes do not roll"}}...)
	}
	if err := checker(nameChecker{}).check(g); err != nil {
		all = append(all, metav1.StatusCause{Message: err.Error()})
	}
	for _, err := range gadgets.Validate(g) {
		all = append(all, metav1.StatusCause{Type: metav1.CauseType(err.Type), Field: err.Field, Message: err.ErrorBody()})
	}
	return all
}

// unused is called by no validator.
func unused() error { return errors.New("unused") }

func main() {
	if len(os.Args) > 5 {
		panic(unused())
	}
	in, out := bufio.NewScanner(os.Stdin), json.NewEncoder(os.Stdout)
	for in.Scan() {
		var r review
		if err := json.Unmarshal(in.Bytes(), &r); err != nil {
			panic(err)
		}
		found := causes(&r.Request.Object)
		response := map[string]any{"uid": r.Request.UID, "allowed": len(found) == 0}
		if len(found) > 0 {
			response["status"] = map[string]any{"message": "refused", "details": map[string]any{"causes": found}}
		}
		if err := out.Encode(map[string]any{"kind": "AdmissionReview", "apiVersion": r.APIVersion, "response": response}); err != nil {
			panic(err)
		}
	}
}
