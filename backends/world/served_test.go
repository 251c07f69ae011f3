package world_test

import (
	"context"
	"encoding/pem"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/backends/reference"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/explore/generate"
	"github.com/diffrun/diffrun/internal/testing/served"
)

// guarded is a webhook that runs the API server's own validator on each object: it must find no error,
// because the definition has accepted the object.
type guarded struct {
	reference harness.Backend
	asked     atomic.Int64
}

func (*guarded) Name() string { return "native" }

func (g *guarded) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	g.asked.Add(1)
	return g.reference.Validate(ctx, in)
}

// TestServedDefinitions sends generated objects and updates through the worlds of real definitions, with a
// real webhook over TLS: objects that the definition rejects do not reach the webhook, and all others are
// valid for the API server's own validator.
func TestServedDefinitions(t *testing.T) {
	for _, file := range served.Definitions(t) {
		crd := served.Definition(t, file)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		definition, err := apiresource.ReadDefinition(data)
		if err != nil {
			t.Fatal(err)
		}
		for i := range crd.Spec.Versions {
			version := &crd.Spec.Versions[i]
			if !version.Served {
				continue
			}
			t.Run(crd.Name+" "+version.Name, func(t *testing.T) {
				own, err := reference.CompileResource(crd, version.Name, reference.Options{})
				if err != nil {
					t.Fatal(err)
				}
				guard := &guarded{reference: reference.NewBackend(own)}
				target, err := world.NewTarget(
					world.World{Definition: definition, Then: []world.Validating{{Backend: overTLS(t, guard)}}},
					world.World{Definition: definition}, version.Name)
				if err != nil {
					t.Fatal(err)
				}
				h := harness.For(t, target)
				src := rand.New(rand.NewPCG(13, 0))
				refused, accepted := 0, 0
				for i := range 60 {
					options := generate.ObjectOptions{
						Faults: []int{0, 0, 40, 8}[i%4], Values: 60, Defaulted: i%2 == 0,
						APIVersion: crd.Spec.Group + "/" + version.Name, Kind: crd.Spec.Names.Kind,
					}
					object := generate.Object(src, version.Schema.OpenAPIV3Schema, options)
					c := harness.Case{Object: object}
					if i%3 == 0 {
						c.Old, c.Object = object, generate.Vary(src, version.Schema.OpenAPIV3Schema, object, options)
					}
					results, err := h.Check(t.Context(), c)
					if err != nil {
						t.Fatal(err)
					}
					switch result := results[0]; {
					case result.Verdict == words.Faulted:
						t.Fatalf("%v %v %v\n%s", result.Fault, result.Native.Fault, result.Declarative.Fault, served.Text(c.Object))
					case result.Verdict != words.Equal:
						t.Fatalf("today %v\ntomorrow %v\n%s", result.Native.Errors, result.Declarative.Errors, served.Text(c.Object))
					case len(result.Native.Errors) > 0:
						refused++
					default:
						accepted++
					}
				}
				if int(guard.asked.Load()) != accepted {
					t.Errorf("the webhook was asked about %d objects; %d were accepted", guard.asked.Load(), accepted)
				}
				if refused == 0 || accepted == 0 {
					t.Errorf("%d accepted, %d refused: nothing was compared", accepted, refused)
				}
			})
		}
	}
}

// overTLS serves a validator as a webhook, and returns the backend that calls it.
func overTLS(t *testing.T, validator harness.Backend) *webhook.Backend {
	t.Helper()
	server := httptest.NewTLSServer(webhook.Handler(validator))
	t.Cleanup(server.Close)
	ca := filepath.Join(t.TempDir(), "ca.pem")
	if err := os.WriteFile(ca, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw}), 0o600); err != nil {
		t.Fatal(err)
	}
	backend, err := webhook.New(webhook.Options{URL: server.URL, CAFile: ca})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = backend.Close() })
	return backend
}
