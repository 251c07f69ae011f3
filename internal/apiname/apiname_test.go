package apiname_test

import (
	"fmt"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/apiname"
)

func TestTargetNames(t *testing.T) {
	for _, tc := range []struct {
		why, name, mistake string
		want               schema.GroupVersionKind
	}{
		{why: "a kind of a group", name: "apps/v1 Deployment",
			want: schema.GroupVersionKind{Group: "apps", Version: "v1", Kind: "Deployment"}},
		{why: "a kind of the core group", name: "v1 Pod", want: schema.GroupVersionKind{Version: "v1", Kind: "Pod"}},
		{why: "no version", name: "Pod", mistake: `"Pod" names no target; write it as "apps/v1 Deployment"`},
		{why: "too many slashes", name: "a/b/c Pod", mistake: `"a/b/c Pod" names no target: "a/b/c" is not a group and version; ` +
			`write it as "apps/v1 Deployment"`},
		{why: "a subresource is not part of a target", name: "v1 Pod/status",
			mistake: `"v1 Pod/status" names no target; write it as "apps/v1 Deployment"`},
	} {
		t.Run(tc.why, func(t *testing.T) {
			got, err := apiname.ParseTarget(tc.name)
			if err != nil || tc.mistake != "" {
				if fmt.Sprint(err) != tc.mistake {
					t.Errorf("got %v, want %s", err, tc.mistake)
				}
				return
			}
			if got != tc.want || apiname.Target(got) != tc.name {
				t.Errorf("got %v, named %q", got, apiname.Target(got))
			}
		})
	}
}
