package cluster_test

import (
	"context"
	"fmt"
	"log"
	"os"
	"path/filepath"

	admissionv1 "k8s.io/api/admission/v1"

	"github.com/diffrun/diffrun/backends/native/cluster"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/testing/fakecluster"
)

// An object is sent to the cluster of a kubeconfig as a dry run.
func Example() {
	server := fakecluster.New(log.Printf) // instead of a cluster
	defer server.Close()
	directory, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(directory)
	kubeconfig := filepath.Join(directory, "kubeconfig")
	if err := os.WriteFile(kubeconfig, []byte(server.Kubeconfig()), 0o600); err != nil {
		log.Fatal(err)
	}

	backend, err := cluster.New(cluster.Options{Kubeconfig: kubeconfig, Context: "test"})
	if err != nil {
		log.Fatal(err) // mistakes in the kubeconfig or the options
	}
	defer backend.Close()
	errs, err := backend.Validate(context.Background(), &harness.Input{
		Request: harness.Request{Version: widget, Operation: admissionv1.Create},
		Object: contract.NewView(map[string]any{
			"apiVersion": "example.com/v1", "kind": "Widget",
			"metadata": map[string]any{"name": "a", "annotations": map[string]any{"answer": "invalid"}},
			"spec":     map[string]any{"size": int64(11)},
		}),
	})
	if err != nil {
		fmt.Println("no verdict:", err)
	}
	for _, err := range errs {
		fmt.Println(err)
	}
	fmt.Println("stored:", len(server.Stored()))
	// Output:
	// spec.size: Invalid value: 11: spec.size in body should be less than or equal to 10
	// spec.name: Required value
	// stored: 0
}
