package cases_test

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/diffrun/diffrun/cases"
)

func TestFind(t *testing.T) {
	fsys := fstest.MapFS{}
	for _, name := range []string{
		"all/a/suite.yaml",
		"all/a/deep/suite.yaml",
		"all/b/c/suite.yaml",
		"all/b/testdata/suite.yaml",
		"none/cases.yaml",
	} {
		fsys[name] = &fstest.MapFile{}
	}
	fsys["pipes/a/suite.yaml"] = &fstest.MapFile{Mode: fs.ModeNamedPipe}
	fsys["pipes/b/suite.yaml"] = &fstest.MapFile{}
	fsys["pipes/c/suite.yaml/cases.yaml"] = &fstest.MapFile{}
	fsys["gator/a/suite.yaml"] = &fstest.MapFile{Data: []byte("kind: Suite\napiVersion: test.gatekeeper.sh/v1alpha1\ntests: []\n")}
	fsys["gator/b/suite.yaml"] = &fstest.MapFile{}
	files := &cases.Files{FS: fsys}
	const pipe = "pipes/a/suite.yaml is a named pipe and is skipped: only regular files are read from a directory"
	for _, tc := range []struct {
		why, name string
		want      []string
		skipped   []string
		err       string
	}{
		{why: "a named file is a suite, whatever its name", name: "none/cases.yaml", want: []string{"none/cases.yaml"}},
		{why: "a directory with a suite is that suite", name: "all/a", want: []string{"all/a/suite.yaml"}},
		{why: "else all below it, but not testdata", name: "all", want: []string{
			"all/a/deep/suite.yaml",
			"all/a/suite.yaml",
			"all/b/c/suite.yaml",
		}},
		{why: "testdata, if named", name: "all/b/testdata", want: []string{"all/b/testdata/suite.yaml"}},
		{why: "a pipe is no suite", name: "pipes", want: []string{"pipes/b/suite.yaml"}, skipped: []string{pipe}},
		{why: "nor the suite of a directory", name: "pipes/a", skipped: []string{pipe},
			err: "no suite.yaml in or below pipes/a; if the file of the suite has a different name, name its path"},
		{why: "a pipe, if named", name: "pipes/a/suite.yaml", want: []string{"pipes/a/suite.yaml"}},
		{why: "a directory with that name is not a suite", name: "pipes/c", err: "no suite.yaml in or below pipes/c; " +
			"if the file of the suite has a different name, name its path"},
		{why: "a suite of gator has cases", name: "gator", want: []string{"gator/b/suite.yaml"}},
		{why: "no suite is an error, not an empty run", name: "none", err: "no suite.yaml in or below none; if the file of the " +
			"suite has a different name, name its path"},
		{why: "nor is a file that does not exist", name: "nowhere", err: "open nowhere: file does not exist"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			places, skipped, err := files.Find(tc.name)
			var got []string
			for _, place := range places {
				got = append(got, place.Name)
			}
			if text := message(err); text != tc.err {
				t.Errorf("error %q, want %q", text, tc.err)
			}
			if diff := cmp.Diff(tc.skipped, skipped); diff != "" {
				t.Errorf("skipped: -want +got:\n%s", diff)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if _, _, err := files.Find("nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not say that there is no such file", err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
