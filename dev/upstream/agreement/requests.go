package agreement

import (
	"context"
	"encoding/json"
	"reflect"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/declarative/apiresource"
	"github.com/diffrun/diffrun/backends/declarative/structural"
	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/dev/upstream/capture"
)

// request is the input of a strategy call.
type request struct {
	validator   *apiresource.Validator
	subs        subresource.Subresources
	object, old map[string]any
}

// readRequest reads a call of a strategy. The status is a subresource if the call says so, or if
// the call is for the status.
func readRequest(c *capture.Call, ofStatus bool) (*request, error) {
	s, err := readSchema(c)
	if err != nil {
		return nil, err
	}
	// A strategy of the tests without a validator of values, or of rules, does not run that stage.
	var off []string
	if !c.Flag("rules") {
		off = append(off, rulesKeyword)
	}
	bare := without(s, off...)
	if !c.Flag("schema") {
		bare = structural.Strip(bare)
	}
	r := &request{subs: subresource.Subresources{Status: ofStatus || c.Flag("status")}}
	if text, err := json.Marshal(c.Flags["scale"]); err != nil {
		return nil, err
	} else if c.Flags["scale"] != nil {
		r.subs.Scale = &subresource.Scale{}
		if err := json.Unmarshal(text, r.subs.Scale); err != nil {
			return nil, err
		}
	}
	name := func(flag string) string { text, _ := c.Flags[flag].(string); return text }
	r.validator, err = apiresource.Compile(bare, apiresource.Options{
		Kind:         schema.GroupVersionKind{Group: name("group"), Version: name("version"), Kind: name("kind")},
		Namespaced:   c.Flag("namespaced"),
		Subresources: r.subs,
	})
	if err != nil {
		return nil, err
	}
	object, err := readValue(c.Object)
	if err != nil {
		return nil, err
	}
	old, err := readValue(c.Old)
	r.object, _ = object.(map[string]any)
	r.old, _ = old.(map[string]any)
	return r, err
}

func strategyCreate(ctx context.Context, c *capture.Call) (comparison, error) {
	r, err := readRequest(c, false)
	if err != nil {
		return comparison{}, err
	}
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(r.validator.Validate(ctx, r.object, nil))}}, nil
}

func strategyUpdate(ctx context.Context, c *capture.Call) (comparison, error) {
	r, err := readRequest(c, false)
	if err != nil {
		return comparison{}, err
	}
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(r.validator.Validate(ctx, r.object, r.old))}}, nil
}

func statusUpdate(ctx context.Context, c *capture.Call) (comparison, error) {
	r, err := readRequest(c, true)
	if err != nil {
		return comparison{}, err
	}
	return comparison{want: outcome{errs: captured(c)}, got: outcome{errs: ownErrors(r.validator.ValidateStatus(ctx, r.object, r.old))}},
		nil
}

func prepareUpdate(_ context.Context, c *capture.Call) (comparison, error) {
	r, err := readRequest(c, false)
	if err != nil {
		return comparison{}, err
	}
	return prepared(c, r, r.subs.Update(r.object, r.old).Object)
}

func prepareStatusUpdate(_ context.Context, c *capture.Call) (comparison, error) {
	r, err := readRequest(c, true)
	if err != nil {
		return comparison{}, err
	}
	return prepared(c, r, subresource.UpdateStatus(r.object, r.old).Object)
}

func prepared(c *capture.Call, r *request, got map[string]any) (comparison, error) {
	want, err := readValue(c.After)
	return comparison{
		want: outcome{value: want, changed: !reflect.DeepEqual(want, any(r.object))},
		got:  outcome{value: any(got)},
	}, err
}
