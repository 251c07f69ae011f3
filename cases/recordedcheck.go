package cases

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/harness/words"
	"github.com/diffrun/diffrun/internal/files/recorded"
)

// RecordedCheck compares recorded errors with those that native validators report now, and finds out why
// they differ (Cause). The zero value is ready. It is safe for concurrent use.
type RecordedCheck struct {
	// gates is write-locked while a call has other feature gates than the process.
	gates sync.RWMutex
	// mu guards suites, by their names.
	mu     sync.Mutex
	suites map[string]*replays
}

// replays has what is needed to call the validators of a suite again in other ways.
type replays struct {
	answers  *answers
	setGates Gates
	options  harness.Options
	// with and without are harnesses with and without defaulting.
	with, without map[schema.GroupKind]*harness.Harness
}

// add prepares the replays of a suite.
func (k *RecordedCheck) add(s *Suite, answers *answers, options harness.Options) {
	answers.checked = k
	options.Ledger, options.Repeat = nil, 0
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.suites == nil {
		k.suites = map[string]*replays{}
	}
	k.suites[s.Name] = &replays{
		answers:  answers,
		setGates: s.setGates,
		options:  options,
		with:     map[schema.GroupKind]*harness.Harness{},
		without:  map[schema.GroupKind]*harness.Harness{},
	}
}

// prepare creates the harnesses of a target, whose native side is the recorded errors and whose declarative
// side is the validator. From then on the validator only runs while the feature gates have the values of
// the process.
func (k *RecordedCheck) prepare(target *harness.Target) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	of := k.suites[target.Suite]
	for _, made := range []struct {
		harnesses map[schema.GroupKind]*harness.Harness
		scheme    harness.Scheme
	}{{of.with, target.Scheme}, {of.without, undefaulted{target.Scheme}}} {
		again := *target
		again.Scheme, again.Versions = made.scheme, slices.Clone(target.Versions)
		h, err := harness.New(&again, of.options)
		if err != nil {
			return err
		}
		made.harnesses[target.Kind] = h
	}
	for i, version := range target.Versions {
		target.Versions[i].Declarative = gateLocked{version.Declarative, &k.gates}
	}
	return nil
}

// undefaulted is a scheme without defaults.
type undefaulted struct{ harness.Scheme }

// Default returns its arguments.
func (undefaulted) Default(_ context.Context, _ harness.Request, object, old any) (any, any, error) {
	return object, old, nil
}

// gateLocked is a validator whose feature gates do not change while it runs.
type gateLocked struct {
	harness.Backend
	gates *sync.RWMutex
}

// Capabilities implements contract.Capable.
func (s gateLocked) Capabilities() contract.Capabilities { return contract.CapabilitiesOf(s.Backend) }

// Validate holds a read lock of the gates.
func (s gateLocked) Validate(ctx context.Context, in *harness.Input) (field.ErrorList, error) {
	s.gates.RLock()
	defer s.gates.RUnlock()
	return s.Backend.Validate(ctx, in)
}

// Cause returns why the recorded errors of a result differ from those of the validator, as "cause: evidence". It
// calls the validator again in ways that may explain the difference; without evidence the cause is unknown. It
// is empty if the result has no recorded errors.
func (k *RecordedCheck) Cause(ctx context.Context, result harness.Result) string {
	k.mu.Lock()
	of := k.suites[result.Suite]
	k.mu.Unlock()
	if of == nil || of.with[result.Version.GroupKind()] == nil {
		return ""
	}
	call, known := of.answers.calls[result.Case.ID]
	if !known {
		return ""
	}
	const back = "the recorded errors come back"
	with, without := of.with[result.Version.GroupKind()], of.without[result.Version.GroupKind()]
	if again(ctx, without, *result.Case, result.Version) {
		return "defaults: without defaults and the resets of the request, " + back
	}
	if len(call.Gates) > 0 && of.setGates != nil {
		for _, h := range []*harness.Harness{with, without} {
			found, err := k.gated(ctx, of, call, h, result)
			switch {
			case err != nil:
				return "unknown: the feature gates of the call cannot be set: " + err.Error()
			case found && h == with:
				return "gates: with " + call.GateNames() + ", " + back
			case found:
				return "gates and defaults: with " + call.GateNames() + " and without defaults, " + back
			}
		}
	}
	if why := of.sibling(ctx, with, result); why != "" {
		return why
	}
	if strings.HasPrefix(call.Replay, "conversion:") {
		return call.Replay + " (when it was captured)"
	}
	tried := "defaults"
	if len(call.Gates) > 0 {
		tried += " and the gates of the call"
	}
	return "unknown: the validator differs with and without " + tried + "; it may do more than " +
		call.Function[strings.LastIndex(call.Function, "/")+1:]
}

// again checks a case again, and reports whether the errors are equal in a version.
func again(ctx context.Context, h *harness.Harness, c harness.Case, version schema.GroupVersionKind) bool {
	results, err := h.Check(ctx, c)
	return err == nil && slices.ContainsFunc(results,
		func(r harness.Result) bool { return r.Version == version && r.Verdict == words.Equal })
}

// gated calls the validator with the feature gates of the call.
func (k *RecordedCheck) gated(ctx context.Context, of *replays, call recorded.Call, h *harness.Harness,
	result harness.Result) (bool, error) {
	k.gates.Lock()
	defer k.gates.Unlock()
	restore, err := of.setGates(call.Gates)
	if err != nil {
		return false, err
	}
	defer restore()
	return again(ctx, h, *result.Case, result.Version), nil
}

// sibling looks for a recorded call of the same function with the same objects and other options or gates,
// whose errors are those of the validator.
func (r *replays) sibling(ctx context.Context, h *harness.Harness, result harness.Result) string {
	own := r.answers.calls[result.Case.ID]
	for _, id := range r.answers.same[r.answers.keys[result.Case.ID]] {
		other := r.answers.calls[id]
		if id == result.Case.ID || other.Function != own.Function {
			continue
		}
		c := *result.Case
		c.ID = id
		if !again(ctx, h, c, result.Version) {
			continue
		}
		if with, without := strings.Join(other.Inputs(), "; "), strings.Join(own.Inputs(), "; "); with != without {
			return fmt.Sprintf("options: the validator returns what %s was recorded with (%s)", id, with)
		}
		return fmt.Sprintf("unknown: the case %s has the same inputs but different errors, so the validator depends on something "+
			"else, such as the time or a cache", id)
	}
	return ""
}
