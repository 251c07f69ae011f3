package upgrading

import (
	"context"
	"io/fs"
	"os"
	"strings"
	"testing"

	"k8s.io/apimachinery/pkg/runtime/schema"
)

func TestFromCluster(t *testing.T) {
	pods := Resource{schema.GroupVersionResource{Version: "v1", Resource: "pods"}, "Pod"}
	deployments := Resource{schema.GroupVersionResource{Group: "apps", Version: "v1", Resource: "deployments"}, "Deployment"}
	flags := &Flags{cluster: true, to: "v1.36.3"}
	remove, err := flags.FromCluster(t.Context(),
		func(_ context.Context, _ Access, take func(Resource, map[string]any) error) (Read, error) {
			for _, name := range []string{"a", "b"} {
				if err := take(pods, map[string]any{"kind": "Pod", "name": name}); err != nil {
					return Read{}, err
				}
			}
			return Read{Release: "v1.33.13+k3s1", NotRead: []string{"secrets: forbidden"}},
				take(deployments, map[string]any{"kind": "Deployment"})
		})
	if err != nil {
		t.Fatal(err)
	}
	if flags.from != "v1.33.13" || len(flags.notRead) != 1 {
		t.Errorf("from %q, not read: %q", flags.from, flags.notRead)
	}
	if _, err := flags.Read(os.DirFS("."), nil); err != nil {
		t.Fatal(err)
	}
	location, err := flags.Suite()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{
		"cluster/v1-pods.json": "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"kind\":\"Pod\"," +
			"\"name\":\"a\"},\n{\"kind\":\"Pod\",\"name\":\"b\"}\n]}\n",
		"cluster/apps-v1-deployments.json": "{\"apiVersion\":\"v1\",\"kind\":\"List\",\"items\":[\n{\"kind\":\"Deployment\"}\n]}\n",
		"upgrade": "cases:\n- cluster/v1-pods.json\n- cluster/apps-v1-deployments.json\ndeclarative:\n " +
			" kubernetes: v1.36.3\nname: upgrade\nnative:\n  kubernetes: v1.33.13\n",
	} {
		if got, err := fs.ReadFile(location.Files.FS, name); err != nil || string(got) != want {
			t.Errorf("%s is %q, %v, want %q", name, got, err, want)
		}
	}
	if err := remove(); err != nil {
		t.Error(err)
	}
	if _, err := os.Stat(flags.folder); !os.IsNotExist(err) {
		t.Errorf("the objects of the cluster stayed in %s: %v", flags.folder, err)
	}
}

func TestFromClusterMistakes(t *testing.T) {
	object := func(take func(Resource, map[string]any) error) error {
		return take(Resource{Kind: "Pod"}, map[string]any{})
	}
	for want, read := range map[string]ReadCluster{
		"no object was read: secrets: forbidden": func(context.Context, Access, func(Resource, map[string]any) error) (Read, error) {
			return Read{Release: "v1.33.13", NotRead: []string{"secrets: forbidden"}}, nil
		},
		`its release is "main"; name it with --from`: func(_ context.Context, _ Access, take func(Resource, map[string]any) error) (Read,
			error) {
			return Read{Release: "main"}, object(take)
		},
		"deadline exceeded": func(context.Context, Access, func(Resource, map[string]any) error) (Read, error) {
			return Read{}, context.DeadlineExceeded
		},
	} {
		flags := &Flags{cluster: true}
		_, err := flags.FromCluster(t.Context(), read)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
		if _, err := os.Stat(flags.folder); !os.IsNotExist(err) {
			t.Errorf("%s: the folder stayed: %v", want, err)
		}
	}
}
