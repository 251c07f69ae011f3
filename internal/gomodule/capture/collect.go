package capture

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
)

// collect reads the files that the recorders wrote.
func (w *workspace) collect() error {
	files, err := filepath.Glob(filepath.Join(w.calls(), "*.jsonl"))
	if err != nil {
		return err
	}
	for _, name := range files {
		if err := w.collectFile(name); err != nil {
			return err
		}
	}
	return nil
}

// collectFile reads a file. An incomplete line comes from a process that was killed.
func (w *workspace) collectFile(name string) error {
	file, err := os.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	in := bufio.NewReader(file)
	for {
		text, err := in.ReadBytes('\n')
		switch {
		case errors.Is(err, io.EOF):
			if len(text) > 0 {
				w.recording.Cut++
			}
			return nil
		case err != nil:
			return err
		}
		var line recorder.Line
		if err := json.Unmarshal(bytes.TrimSpace(text), &line); err != nil {
			return fmt.Errorf("a recorded call cannot be read: %w", err)
		}
		if line.Skipped != "" {
			w.recording.Skipped[Skip{line.Function, line.Skipped}]++
			continue
		}
		line.Source = w.relative(line.Source)
		w.recording.Lines = append(w.recording.Lines, line)
	}
}

// relative returns a position relative to its module. If that is not a main module, the result begins
// with the path of the module.
func (w *workspace) relative(source string) string {
	for _, m := range w.mains {
		if inside, is := inFolder(source, m.Dir); is {
			return inside
		}
		if inside, is := strings.CutPrefix(source, m.Path+"/"); is { // built with -trimpath
			return inside
		}
	}
	for from, to := range w.copies {
		if inside, is := inFolder(source, to); is && from != "" {
			module, _ := filepath.Rel(w.copies[""], from)
			return filepath.ToSlash(module) + "/" + inside
		}
	}
	if inside, is := inFolder(source, w.copies[""]); is {
		return inside
	}
	return source
}

// inFolder removes a folder from a position, which has slashes.
func inFolder(source, folder string) (string, bool) {
	return strings.CutPrefix(source, filepath.ToSlash(folder)+"/")
}
