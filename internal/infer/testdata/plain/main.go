// Command plain answers AdmissionReviews as validators do that return errors without paths: they wrap each other, and several
// are one text.
package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"

	utilerrors "k8s.io/apimachinery/pkg/util/errors"
)

type patch struct {
	Path  string `json:"path"`
	Op    string `json:"op"`
	Value string `json:"value"`
}

func validatePath(path string) error {
	if path == "" {
		return errors.New("path cannot be empty")
	}
	if !strings.HasPrefix(path, "/") {
		return errors.New("path must start with /")
	}
	return nil
}

func validate(patches []patch) error {
	var all []error
	for _, p := range patches {
		if err := validatePath(p.Path); err != nil {
			all = append(all, fmt.Errorf("invalid patch %+v: %w", p, err))
		}
		if p.Op == "remove" && p.Value != "" {
			all = append(all, fmt.Errorf("invalid patch %+v: remove has no value", p))
		}
	}
	return utilerrors.NewAggregate(all)
}

func main() {
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for {
		var review struct {
			APIVersion string `json:"apiVersion"`
			Request    struct {
				UID    string `json:"uid"`
				Object struct {
					Spec struct {
						Patches []patch `json:"patches"`
					} `json:"spec"`
				} `json:"object"`
			} `json:"request"`
		}
		if in.Decode(&review) != nil {
			return
		}
		response := map[string]any{"uid": review.Request.UID, "allowed": true}
		if err := validate(review.Request.Object.Spec.Patches); err != nil {
			response["allowed"], response["status"] = false, map[string]any{"message": err.Error()}
		}
		_ = out.Encode(map[string]any{"apiVersion": review.APIVersion, "kind": "AdmissionReview", "response": response})
	}
}
