package actionrun

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/diffrun/diffrun/internal/files/outfile"
)

// others are the actions of others that workflows may use.
var others = map[string]func(*job, map[string]string) error{
	"actions/checkout":          func(*job, map[string]string) error { return nil },
	"actions/setup-go":          setupGo,
	"actions/upload-artifact":   uploadArtifact,
	"actions/download-artifact": downloadArtifact,
}

// setupGo leaves Go as it is, if the file that says which one exists.
func setupGo(_ *job, with map[string]string) error {
	for _, file := range []string{with["go-version-file"], with["cache-dependency-path"]} {
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// uploadArtifact keeps a file for other jobs.
func uploadArtifact(j *job, with map[string]string) error {
	from := filepath.Join(j.Dir, with["path"])
	return move(from, filepath.Join(j.Artifacts, with["name"], filepath.Base(from)))
}

// downloadArtifact brings the files of all artifacts whose names a pattern matches.
func downloadArtifact(j *job, with map[string]string) error {
	found, err := filepath.Glob(filepath.Join(j.Artifacts, with["pattern"], "*"))
	if err != nil {
		return err
	}
	if with["merge-multiple"] != "true" || len(found) == 0 {
		return fmt.Errorf("%d files of artifacts match %q; they are brought with merge-multiple only", len(found), with["pattern"])
	}
	for _, file := range found {
		if err := move(file, filepath.Join(j.Dir, filepath.Base(file))); err != nil {
			return err
		}
	}
	return nil
}

// move moves a file, because jobs share no directory.
func move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	data, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := outfile.Write(to, data); err != nil {
		return err
	}
	return os.Remove(from)
}
