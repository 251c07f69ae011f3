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
	for _, name := range []string{"all/a/suite.yaml", "all/a/deep/suite.yaml", "all/b/c/suite.yaml", "all/b/testdata/suite.yaml", "none/cases.yaml"} {
		fsys[name] = &fstest.MapFile{}
	}
	files := &cases.Files{FS: fsys}
	for _, tc := range []struct {
		why, name string
		want      []string
		err       string
	}{
		{why: "a file is a suite, whatever its name", name: "none/cases.yaml", want: []string{"none/cases.yaml"}},
		{why: "a directory with a suite is that suite", name: "all/a", want: []string{"all/a/suite.yaml"}},
		{why: "else all below it, but not testdata", name: "all", want: []string{"all/a/deep/suite.yaml", "all/a/suite.yaml", "all/b/c/suite.yaml"}},
		{why: "testdata that is asked for", name: "all/b/testdata", want: []string{"all/b/testdata/suite.yaml"}},
		{why: "no suite is an error, not an empty run", name: "none", err: "there is no suite.yaml in or below none; a suite whose file has another name is named by that"},
		{why: "neither is what does not exist", name: "nowhere", err: "open nowhere: file does not exist"},
	} {
		t.Run(tc.why, func(t *testing.T) {
			places, err := files.Find(tc.name)
			var got []string
			for _, place := range places {
				got = append(got, place.Name)
			}
			if text := message(err); text != tc.err {
				t.Errorf("error %q, want %q", text, tc.err)
			}
			if diff := cmp.Diff(tc.want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
	if _, err := files.Find("nowhere"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%v does not say that there is no such file", err)
	}
}

func message(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
