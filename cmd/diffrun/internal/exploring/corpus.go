package exploring

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/diffrun/diffrun/internal/explore"
	"github.com/diffrun/diffrun/internal/files/documents"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
)

// Corpus is a folder from which later explorations go on. For each target it has a file of inputs, each a line of
// JSON that diffrun run reads as a case, and one of the changes that were tried, eight bytes each.
type Corpus struct {
	folder string
	saved  time.Time
}

// CorpusUsage describes the flag of a Corpus.
const CorpusUsage = "go on from what is in this directory, and keep there what was tried: the inputs that showed something " +
	"new and those of findings"

// NewCorpus returns the corpus in a folder, which need not exist; nil if the name is empty.
func NewCorpus(folder string) *Corpus {
	if folder == "" {
		return nil
	}
	return &Corpus{folder: folder, saved: time.Now()}
}

// corpusLine is an input in a file.
type corpusLine struct {
	ID          string         `json:"id"`
	Object      map[string]any `json:"object"`
	OldObject   map[string]any `json:"oldObject,omitempty"`
	Subresource string         `json:"subresource,omitempty"`
}

// The ends of the names of the files of a target.
const (
	inputsEnd = ".jsonl"
	triedEnd  = ".tried"
)

func (c *Corpus) file(t *Target, end string) string {
	return filepath.Join(c.folder, strings.TrimSuffix(t.file(), ".yaml")+end)
}

// load returns what earlier explorations of a target left. If there were none, that is nothing.
func (c *Corpus) load(t *Target) (inputs []explore.Input, tried []uint64, err error) {
	if c == nil {
		return nil, nil, nil
	}
	name := c.file(t, inputsEnd)
	text, err := read(name)
	if err != nil {
		return nil, nil, err
	}
	for i, line := range bytes.Split(bytes.TrimSpace(text), []byte("\n")) {
		var one corpusLine
		if err := json.Unmarshal(line, &one); len(line) > 0 && (err != nil || one.Object == nil) {
			return nil, nil, fmt.Errorf("%s:%d: not a line of a corpus, a JSON object with the keys id, object, oldObject and "+
				"subresource; remove the line, or name another folder with --corpus", name, i+1)
		} else if len(line) > 0 {
			inputs = append(inputs, explore.Input{Object: asSent(one.Object), Old: asSent(one.OldObject)})
		}
	}
	if text, err = read(c.file(t, triedEnd)); err != nil {
		return nil, nil, err
	}
	tried = make([]uint64, len(text)/8)
	_, err = binary.Decode(text[:len(tried)*8], binary.LittleEndian, tried)
	return inputs, tried, err
}

// read returns the content of a file, or nothing if it does not exist.
func read(name string) ([]byte, error) {
	text, err := infile.ReadFile(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return text, err
}

func asSent(object map[string]any) map[string]any {
	if object == nil {
		return nil
	}
	return documents.AsSent(object)
}

// saveEvery is how often a corpus is saved during an exploration.
const saveEvery = time.Minute

// SaveSometimes writes the corpus of all targets if the last time is a minute ago: an exploration may be killed.
func (c *Corpus) SaveSometimes(targets []*Target) error {
	if c == nil || time.Since(c.saved) < saveEvery {
		return nil
	}
	return c.Save(targets)
}

// Save writes the corpus of all targets that were explored.
func (c *Corpus) Save(targets []*Target) error {
	if c == nil {
		return nil
	}
	c.saved = time.Now()
	if err := os.MkdirAll(c.folder, 0o777); err != nil {
		return err
	}
	for _, t := range targets {
		if t.explorer == nil {
			continue
		}
		var inputs bytes.Buffer
		lines := json.NewEncoder(&inputs)
		for i, in := range t.explorer.Corpus() {
			if err := lines.Encode(corpusLine{fmt.Sprintf("%s %d", t, i+1), in.Object, in.Old, t.Subresource}); err != nil {
				return err
			}
		}
		tried, err := binary.Append(nil, binary.LittleEndian, t.explorer.Tried())
		if err != nil {
			return err
		}
		// The inputs first: without them, changes of what they opened would not be tried again.
		if err := errors.Join(outfile.Write(c.file(t, inputsEnd), inputs.Bytes()), outfile.Write(c.file(t, triedEnd), tried)); err != nil {
			return err
		}
	}
	return nil
}
