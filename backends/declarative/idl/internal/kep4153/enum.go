package kep4153

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/controller-tools/pkg/markers"

	"github.com/diffrun/diffrun/backends/declarative/idl/internal/marker"
	"github.com/diffrun/diffrun/backends/declarative/idl/internal/target"
)

// enumValues is the argument of +enum. It is empty for the bare form.
type enumValues []any

// ParseMarker implements the hook of the parser of controller-tools. Without an argument, the
// values are the constants of the type.
func (e *enumValues) ParseMarker(_, name, argument string) error {
	if argument == "" {
		return nil
	}
	list, err := markers.MakeDefinition("enum", markers.DescribesField, []any{})
	if err != nil {
		return err
	}
	values, err := list.Parse("+enum=" + argument)
	if err != nil {
		return fmt.Errorf("write +enum=A;B or +enum={\"A\",\"B\"}: %s", strings.Join(marker.ScannerMessages(err), "; "))
	}
	*e = values.([]any)
	return e.check(argument)
}

// check reports values that the author probably did not intend: brackets, an empty value between
// two semicolons, and a repeated value.
func (e *enumValues) check(argument string) error {
	if strings.HasPrefix(argument, "[") || strings.HasPrefix(argument, "(") {
		return fmt.Errorf("write +enum=A;B or +enum={\"A\",\"B\"}: a bracket is a part of a value here")
	}
	if strings.Contains(argument, ";;") && !strings.ContainsAny(argument, "\"`") {
		return fmt.Errorf("there is no value between two semicolons; the empty text is \"\"")
	}
	for i, value := range *e {
		if slices.Contains((*e)[:i], value) {
			return fmt.Errorf("the value %v is listed twice", value)
		}
	}
	return nil
}

func applyEnum(t *target.Target, value any) error {
	values := []any(value.(enumValues))
	if len(values) == 0 {
		if t.Constants == nil {
			return fmt.Errorf("a bare +enum needs a type with constants; write the values here: +enum=A;B")
		}
		constants, err := t.Constants(func([]marker.Line) bool { return false })
		if err != nil {
			return err
		}
		values = constants
	}
	return SetEnum(t, values)
}

// SetEnum sets the values that a target accepts.
func SetEnum(t *target.Target, values []any) error {
	for _, each := range values {
		if err := fits(t.Kind(), each); err != nil {
			return fmt.Errorf("+enum: %w", err)
		}
	}
	current := t.Schema().Enum
	if !slices.Equal(current, values) {
		t.Conjoin(current != nil, func(s *spec.Schema) { s.Enum = values })
	}
	return nil
}

// fits returns an error if no value of a kind can be equal to value.
func fits(kind target.Kind, value any) error {
	ok := true
	switch value.(type) {
	case string:
		ok = kind == target.KindText || kind == target.KindIntOrString || kind == target.KindAny
	case int, int64, float64:
		ok = kind == target.KindNumber || kind == target.KindIntOrString || kind == target.KindAny
	case bool:
		ok = kind == target.KindBool || kind == target.KindAny
	}
	if !ok {
		return fmt.Errorf("%#v is not %s", value, kind.Article())
	}
	return nil
}
