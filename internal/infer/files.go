package infer

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/infer/evidence"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// The files of a proposal, beside the definition, which keeps its name.
const (
	PoliciesFile = "policies.yaml"
	patchFile    = "rules.patch.json"
	markersFile  = "markers.txt"
	textFile     = "report.txt"
	reportFile   = "report.json"
)

// Outputs returns the files that a proposal for the target may write to a folder.
func Outputs(t *evidence.Target, folder string) (names []string) {
	for _, name := range []string{proposal.DefinitionFile(t), patchFile, markersFile, PoliciesFile, textFile, reportFile} {
		names = append(names, filepath.Join(folder, name))
	}
	return names
}

// CheckOutputs returns an error that names the files which a proposal for the target would overwrite in a folder, and which no
// earlier proposal wrote there as they are.
func CheckOutputs(t *evidence.Target, folder string) error {
	var earlier struct {
		Files map[string]string `json:"files"`
	}
	if data, err := infile.ReadFile(filepath.Join(folder, reportFile)); err == nil {
		_ = json.Unmarshal(data, &earlier) // what is no report has no files
	}
	var errs []error
	for _, name := range Outputs(t, folder) {
		digest, own := earlier.Files[filepath.Base(name)]
		data, err := infile.ReadFile(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case filepath.Base(name) == reportFile && len(earlier.Files) > 0:
		case err != nil:
			errs = append(errs, err)
		case !own:
			errs = append(errs, fmt.Errorf("%s would be overwritten, and diffrun infer did not write it; name an empty folder "+
				"with -o", name))
		case digest != digestOf(data):
			errs = append(errs, fmt.Errorf("%s would be overwritten, and it was changed since diffrun infer wrote it; "+
				"move it, or name an empty folder with -o", name))
		}
	}
	return errors.Join(errs...)
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// Write writes the files of the proposal to a folder, and returns their names. It removes those of an earlier proposal that this
// one has not. See Target.CheckOutputs.
func (r *Report) Write(folder string) ([]string, error) {
	files := []struct {
		name string
		data []byte
	}{
		{r.name, r.data}, {patchFile, r.patch}, {markersFile, []byte(r.Markers())}, {PoliciesFile, r.policy},
		{textFile, []byte(r.Text())}, {reportFile, nil},
	}
	r.Files = map[string]string{}
	for _, file := range files {
		if file.data != nil {
			r.Files[file.name] = digestOf(file.data)
		}
	}
	report, err := r.json()
	if err != nil {
		return nil, err
	}
	files[len(files)-1].data = report
	var names []string
	for _, file := range files {
		name := filepath.Join(folder, file.name)
		if file.data == nil { // an overlay has no patch
			if err := os.Remove(name); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return names, err
			}
			continue
		}
		if err := outfile.Write(name, file.data); err != nil {
			return names, err
		}
		names = append(names, name)
	}
	return slices.Clip(names), nil
}
