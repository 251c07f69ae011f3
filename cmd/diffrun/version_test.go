package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionText(t *testing.T) {
	kubernetes := []*debug.Module{{Path: "example.com/other", Version: "v9"}, {Path: "k8s.io/kubernetes", Version: "v1.37.2"}}
	for _, tt := range []struct {
		why             string
		info            debug.BuildInfo
		release, commit string
		want            string
	}{
		{"nothing is known", debug.BuildInfo{}, "", "", "diffrun (devel)"},
		{
			"go install of a version: the module proxy has no commit",
			debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "v1.2.3"}, Deps: kubernetes}, "", "",
			"diffrun v1.2.3, Kubernetes v1.37.2, go1.26.8",
		},
		{
			"go build in a clone",
			debug.BuildInfo{
				Main:     debug.Module{Version: "v1.2.4-0.20261122"},
				Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}},
			}, "", "",
			"diffrun v1.2.4-0.20261122, commit abc",
		},
		{
			"with changes",
			debug.BuildInfo{
				Main:     debug.Module{Version: "(devel)"},
				Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}},
			}, "", "",
			"diffrun (devel), commit abc with changes",
		},
		{
			"a release prints its own version, whatever the builder's checkout is called",
			debug.BuildInfo{
				Main:     debug.Module{Version: "(devel)"},
				Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}},
			}, "v1.2.3", "def",
			"diffrun v1.2.3, commit def",
		},
	} {
		if got := buildOf(&tt.info, tt.release, tt.commit).String(); got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.why, got, tt.want)
		}
	}
}
