package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/diffrun/diffrun/backends/declarative"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/harness"
)

// widgetBuiltins returns a kind whose hand-written validator misbehaves when an object's mode asks for
// it.
func widgetBuiltins() map[string]cases.Builtin {
	return map[string]cases.Builtin{
		"widgets": {Natives: widgets{}, Declaratives: widgetSchema},
		"broken": {Declaratives: func(schema.GroupVersionKind) (harness.Backend, error) {
			return nil, errors.New("a rule does not compile")
		}},
	}
}

var widget = schema.GroupVersionKind{Group: "example.com", Version: "v1", Kind: "Widget"}

type widgets struct{}

func (widgets) Kinds() []schema.GroupKind { return []schema.GroupKind{widget.GroupKind()} }

func (widgets) Target(kind schema.GroupKind) (*harness.Target, error) {
	if kind != widget.GroupKind() {
		return nil, fmt.Errorf("no native validator for %s", kind)
	}
	return &harness.Target{
		Kind:     kind,
		Scheme:   widgetScheme{},
		Versions: []harness.Version{{GroupVersionKind: widget, Native: byHand{}}},
	}, nil
}

// widgetSchema has the upper bound of size, but not the lower one, and does not require a color. It is
// stricter about shapes, but lets an update change them.
func widgetSchema(schema.GroupVersionKind) (harness.Backend, error) {
	ten := 10.0
	size, shape := spec.Int64Property(), spec.StringProperty()
	size.Maximum = &ten
	shape.Enum = []any{"round", "square"}
	validator, err := declarative.Compile(&spec.Schema{SchemaProps: spec.SchemaProps{
		Type:       spec.StringOrArray{"object"},
		Properties: map[string]spec.Schema{"size": *size, "shape": *shape, "color": *spec.StringProperty(), "mode": *spec.StringProperty()},
	}}, declarative.Options{Root: true})
	if err != nil {
		return nil, err
	}
	return declarative.Backend{Validator: validator}, nil
}

// widgetScheme is the scheme of objects that stay as they are.
type widgetScheme struct{}

func (widgetScheme) Decode(document map[string]any, _ schema.GroupVersionKind) (any, error) {
	return document, nil
}

func (widgetScheme) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

func (widgetScheme) Convert(object any, _ schema.GroupVersionKind) (any, error) { return object, nil }

// byHand is the hand-written validator.
type byHand struct{}

func (byHand) Name() string { return "native" }

func (byHand) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	object, err := in.Object.Unstructured()
	if err != nil {
		return nil, err
	}
	if object["mode"] == "dice" {
		return throwDice(), nil
	}
	if mode, ok := object["mode"].(string); ok {
		return nil, misbehave(ctx, mode)
	}
	var errs field.ErrorList
	size, _ := object["size"].(int64)
	if size > 10 {
		errs = append(errs, field.Invalid(field.NewPath("size"), size, "must be less than or equal to 10"))
	}
	if size < 0 {
		errs = append(errs, field.Invalid(field.NewPath("size"), size, "must be greater than or equal to 0"))
	}
	if object["color"] == "" {
		errs = append(errs, field.Required(field.NewPath("color"), ""))
	}
	if in.Old == nil {
		return errs, nil
	}
	old, err := in.Old.Unstructured()
	if err != nil {
		return nil, err
	}
	if old["shape"] != nil && object["shape"] != old["shape"] {
		errs = append(errs, field.Invalid(field.NewPath("shape"), object["shape"], "field is immutable"))
	}
	return errs, nil
}

// throwDice rejects every second object.
func throwDice() field.ErrorList {
	if rand.IntN(2) == 0 {
		return nil
	}
	return field.ErrorList{field.Forbidden(field.NewPath("mode"), "not today")}
}

func misbehave(ctx context.Context, mode string) error {
	switch mode {
	case "panic":
		_ = []int{}[len(mode)]
	case "hang":
		select {} // deaf to its context, like a real one
	case "print":
		fmt.Println("a validator prints to stdout")
	case "interrupt":
		return interrupted(ctx, syscall.SIGINT)
	case "hangup":
		return interrupted(ctx, syscall.SIGHUP)
	case "scrape":
		return scrape()
	}
	return nil
}

// interrupted sends a signal to this process.
func interrupted(ctx context.Context, by syscall.Signal) error {
	// Long enough for earlier results to be reported.
	time.Sleep(200 * time.Millisecond)
	if err := syscall.Kill(os.Getpid(), by); err != nil {
		return err
	}
	<-ctx.Done()
	if by == syscall.SIGHUP {
		return syscall.Kill(os.Getpid(), by) // a terminal that is closed, and its shell, send one each
	}
	return nil
}

// scrape reads /metrics during the run.
func scrape() error {
	response, err := http.Get("http://" + os.Getenv("METRICS") + "/metrics")
	if err != nil {
		return err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		return err
	}
	if !strings.Contains(string(text), "apiserver_declarative_validation_fault_total") {
		return errors.New("the metrics are not there: " + string(text))
	}
	return nil
}
