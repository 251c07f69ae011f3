package infer

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// savedRun is what a run that did not end leaves for the next one, as a file of compressed JSON. The inputs are asked about
// again: the validator may have changed. So nothing in it is believed without an answer.
type savedRun struct {
	// Target, Seed and Definition are those of the run. The file is of no use for others.
	Target     string `json:"target"`
	Seed       uint64 `json:"seed"`
	Definition string `json:"definition"` // its checksum
	// Explored is how many inputs the exploration had. It is over if Corpus and Tried, from which it goes on, are empty.
	Explored int                `json:"explored"`
	Corpus   []evidence.Example `json:"corpus,omitempty"`
	Tried    []uint64           `json:"tried,omitempty"`
	// Inputs are the evidence.
	Inputs  []evidence.Example     `json:"inputs"`
	Refuted []proposal.RefutedRule `json:"refuted,omitempty"`
}

// saveEvery is how often a run saves what it found.
const saveEvery = time.Minute

// saveSometimes saves what was found if the last time is long ago: a run may be killed.
func (i *inference) saveSometimes() error {
	if i.evidence.Options.SavedRun == "" || time.Since(i.saved) < saveEvery {
		return nil
	}
	return i.save()
}

// save writes what was found.
func (i *inference) save() error {
	i.saved = time.Now()
	if i.evidence.Options.SavedRun == "" {
		return nil
	}
	l := i.identity()
	l.Explored, l.Refuted = i.explored, i.prover.Refuted
	if i.exploring != nil {
		for _, in := range i.exploring.Corpus() {
			l.Corpus = append(l.Corpus, *evidence.ExampleOf(in))
		}
		l.Tried = i.exploring.Tried()
	}
	for _, s := range i.evidence.Samples {
		l.Inputs = append(l.Inputs, *evidence.ExampleOf(s.Input))
	}
	for _, cause := range i.strict.Order {
		l.Inputs = append(l.Inputs, *evidence.ExampleOf(i.strict.ByCause[cause].Smallest))
	}
	var packed bytes.Buffer
	to := gzip.NewWriter(&packed)
	if err := errors.Join(json.NewEncoder(to).Encode(l), to.Close()); err != nil {
		return err
	}
	return outfile.Write(i.evidence.Options.SavedRun, packed.Bytes())
}

// identity returns what must be the same for another run to go on.
func (i *inference) identity() *savedRun {
	sum := sha256.Sum256(i.evidence.Target.Data)
	return &savedRun{Target: apiname.Target(i.evidence.Target.Version), Seed: i.evidence.Options.Seed,
		Definition: hex.EncodeToString(sum[:8])}
}

// removeSaved removes the file: the run is over.
func (i *inference) removeSaved() error {
	if i.evidence.Options.SavedRun == "" {
		return nil
	}
	if err := os.Remove(i.evidence.Options.SavedRun); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}

// resume goes on from what an earlier run left, if there is anything for this target.
func (i *inference) resume(ctx context.Context) error {
	if i.evidence.Options.SavedRun == "" {
		return nil
	}
	packed, err := infile.ReadFile(i.evidence.Options.SavedRun)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	l := new(savedRun)
	from, err := gzip.NewReader(bytes.NewReader(packed))
	if err == nil {
		err = json.NewDecoder(from).Decode(l)
	}
	if err != nil {
		return fmt.Errorf("%s: not what an interrupted run leaves: %w; remove the file", i.evidence.Options.SavedRun, err)
	}
	if want := i.identity(); l.Target != want.Target || l.Seed != want.Seed || l.Definition != want.Definition {
		return nil // it will be replaced
	}
	inputs := inputsOf(l.Inputs)
	i.evidence.Progress("going on from an earlier run: asking about %d inputs again", len(inputs))
	err = i.evidence.Again(ctx, i.evidence.Target.Harness, inputs, func(in explore.Input, results []harness.Result) {
		key := evidence.KeyOf(in)
		if _, known := i.evidence.Known[key]; known {
			return
		}
		i.strict.See(i.evidence.Target, in, results)
		i.evidence.Known[key] = i.evidence.See(in, results, evidence.KeepAll)
	})
	if err != nil {
		return err
	}
	i.explored, i.corpus, i.tried = l.Explored, inputsOf(l.Corpus), l.Tried
	i.resumed = len(i.evidence.Samples)
	for _, refuted := range l.Refuted {
		if refuted.Rule != nil && refuted.Accepted != nil && refuted.Accepted.User == nil && refuted.Accepted.Cluster == nil &&
			i.isAccepted(inputsOf([]evidence.Example{*refuted.Accepted})[0]) {
			refuted.Rule.At = evidence.PlaceOf(refuted.Rule.Place)
			i.prover.Refuted = append(i.prover.Refuted, refuted)
		}
	}
	return nil
}

// isAccepted reports whether the native validator accepts an input.
func (i *inference) isAccepted(in explore.Input) bool {
	samples, err := i.evidence.Ask(context.Background(), []explore.Input{in})
	return err == nil && len(samples) == 1 && samples[0] != nil && samples[0].Accepted
}

// inputsOf returns inputs as they were sent.
func inputsOf(examples []evidence.Example) []explore.Input {
	all := make([]explore.Input, 0, len(examples))
	for _, e := range examples {
		in := explore.Input{Object: documents.AsSent(e.Object)}
		if e.Old != nil {
			in.Old = documents.AsSent(e.Old)
		}
		all = append(all, in)
	}
	return all
}
