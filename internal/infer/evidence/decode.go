package evidence

import (
	"context"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/findings/asking"
)

// mutator is implemented by worlds: mutating admission changes objects before rules see them.
type mutator interface {
	Mutates() bool
	Mutated(ctx context.Context, in *harness.Input) (map[string]any, error)
}

// mutatedBy returns the version of a target with what changes its objects before the schema validates them; nil: nothing does.
func mutatedBy(target *Target) (harness.Version, mutator) {
	for _, version := range target.Harness.Target().Versions {
		of, can := version.Declarative.(mutator)
		if can && version.GroupVersionKind == target.Version && of.Mutates() {
			return version, of
		}
	}
	return harness.Version{}, nil
}

// Decode fills in the objects of a sample as validation sees them. It returns false if no validation sees them.
func (e *Evidence) Decode(s *Sample) bool {
	if e.Requests != nil {
		return e.Requests.Decode(s)
	}
	sent, ok := e.mutated(s.Input)
	return ok && e.decode(s, sent)
}

// DecodeUnmutated is Decode for an object that mutating admission made, or may have made. It asks no webhook, so that it is for
// the choice of what to ask about.
func (e *Evidence) DecodeUnmutated(s *Sample) bool {
	if e.Requests != nil {
		return e.Requests.decode(s, e.Requests.Objects.DecodeUnmutated)
	}
	return e.decode(s, s.Object)
}

// decode prunes the objects of a sample, and sets defaults. sent is the new object.
func (e *Evidence) decode(s *Sample, sent map[string]any) bool {
	request := harness.Request{Version: e.Target.Version, Operation: (&harness.Case{}).Operation(), Subresource: e.Target.Like.Subresource}
	object, err := e.scheme.Decode(sent, e.Target.Version)
	if err != nil {
		return false
	}
	var old any
	if s.IsUpdate() {
		request.Operation = (&harness.Case{Old: s.Old}).Operation()
		if old, err = e.scheme.Decode(s.Old, e.Target.Version); err != nil {
			return false
		}
	}
	if object, old, err = e.scheme.Default(context.Background(), request, object, old); err != nil {
		return false
	}
	if s.Decoded, err = e.document(object); err != nil {
		return false
	}
	if old != nil {
		s.DecodedOld, err = e.document(old)
	}
	return err == nil
}

func (e *Evidence) document(object any) (map[string]any, error) {
	converted, err := e.scheme.Convert(object, e.Target.Version)
	if err != nil {
		return nil, err
	}
	return contract.NewView(converted).Unstructured()
}

// mutated returns the object of an input after mutating admission. It returns false if that refuses it.
func (e *Evidence) mutated(in explore.Input) (map[string]any, bool) {
	version, by := mutatedBy(e.Target)
	if by == nil {
		return in.Object, true
	}
	c := asking.Case(e.Target.Like, in)
	object, err := by.Mutated(context.Background(), c.InputOf(version))
	return object, err == nil && object != nil
}
