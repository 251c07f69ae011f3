package release

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/diffrun/diffrun/internal/staging"
)

// someDefaults says which versions are served by default. Other functions and variables of the file do not count.
const someDefaults = `package controlplane

import (
	"fmt"

	appsv1 "k8s.io/api/apps/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	serverstorage "k8s.io/apiserver/pkg/server/storage"
)

var unrelated = fmt.Sprint("a")

var (
	// The list.
	enabled = []schema.GroupVersion{appsv1.SchemeGroupVersion}
)

func first() *serverstorage.ResourceConfig { return serverstorage.NewResourceConfig() }

func DefaultAPIResourceConfigSource() *serverstorage.ResourceConfig {
	config := first()
	config.EnableVersions(enabled...)
	return config
}
`

// kubernetes writes the part of a release that the program is made from.
func kubernetes(t *testing.T, files map[string]string) staging.Module {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return staging.Module{Version: "v1.99.3", Dir: dir, GoMod: filepath.Join(dir, "go.mod")}
}

const someGoMod = `module k8s.io/kubernetes

go 1.24.0

require (
	github.com/google/cel-go v0.23.2
	k8s.io/api v0.0.0
	k8s.io/klog/v2 v2.130.1 // indirect
)

replace k8s.io/api => ./staging/src/k8s.io/api
`

func TestWrite(t *testing.T) {
	release := kubernetes(t, map[string]string{
		"go.mod":                       someGoMod,
		"pkg/controlplane/instance.go": someDefaults,
		"pkg/registry/apps/rest/storage_apps.go": "package rest\n\ntype StorageProvider struct{}\n\nfunc (p StorageProvider) " +
			"NewRESTStorage() {}\n",
		"pkg/registry/core/rest/storage_core.go": "package rest\n\ntype legacyProvider struct{}\n\nfunc (p *legacyProvider) " +
			"NewRESTStorage() {}\n",
		"pkg/apis/node/install/install.go": "package install\n",
		// One that only tests use, and a helper with the method of another name.
		"pkg/registry/testapigroup/rest/storage.go": "package rest\n\ntype RESTStorageProvider struct{}\n\nfunc (p " +
			"RESTStorageProvider) NewRESTStorage() {}\n",
		"pkg/registry/batch/rest/storage.go": "package rest\n\ntype RESTStorageProvider struct{}\n\nfunc (p " +
			"RESTStorageProvider) NewRESTStorage() {}\n\nfunc (p RESTStorageProvider) v1Storage() {}\n",
		"pkg/registry/batch/rest/storage_test.go": "package rest\n\ntype Other struct{}\n\nfunc (p Other) NewRESTStorage() {}\n",
	})
	dir := t.TempDir()
	if err := errors.Join(writeGoMod(dir, release), write(dir, release)); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]string{
		"go.mod": {"go 1.24.0", "k8s.io/kubernetes v1.99.3", "k8s.io/api v0.99.3", "github.com/google/cel-go v0.23.2"},
		"providers.go": {`const release = "1.99.3"`, "appsrest.StorageProvider{}", "batchrest.RESTStorageProvider{}",
			"newCore(with)", `_ "k8s.io/kubernetes/pkg/apis/node/install"`},
		"defaults.go": {`appsv1 "k8s.io/api/apps/v1"`, "var enabled = []schema.GroupVersion{appsv1.SchemeGroupVersion}",
			"func first()", "func DefaultAPIResourceConfigSource()"},
		"main.go":     {"package main"},
		"allocate.go": {"package main"},
	} {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		for _, part := range want {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s lacks %q:\n%s", name, part, text)
			}
		}
		for _, part := range []string{"replace", "testapigroup", "Other", "v0.0.0", "unrelated", `"fmt"`} {
			if name != "allocate.go" && name != "main.go" && strings.Contains(string(text), part) {
				t.Errorf("%s has %q:\n%s", name, part, text)
			}
		}
	}
}

func TestWriteWithoutGroups(t *testing.T) {
	release := kubernetes(t, map[string]string{"go.mod": someGoMod, "pkg/controlplane/instance.go": someDefaults})
	if err := write(t.TempDir(), release); err == nil || !strings.Contains(err.Error(), "has no groups of the API") {
		t.Errorf("write: %v", err)
	}
}

func TestWriteWithoutDefaults(t *testing.T) {
	release := kubernetes(t, map[string]string{"go.mod": someGoMod, "pkg/controlplane/instance.go": "package controlplane\n"})
	if err := write(t.TempDir(), release); err == nil || !strings.Contains(err.Error(), "has no function DefaultAPIResourceConfigSource") {
		t.Errorf("write: %v", err)
	}
}

func TestReportingConstructors(t *testing.T) {
	const source = `package field

var _ error = &Error{}

func Invalid(detail string) *Error {
	if detail == "" {
		return &Error{"empty"}
	}
	return &Error{Detail: detail}
}

func other() *Path { return &Path{} }
`
	text, err := reportingConstructors([]byte(source))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`return made(&Error{"empty"})`,
		"return made(&Error{Detail: detail})",
		"return &Path{}",
		"var _ error = &Error{}",
		"var Made func(*Error)",
	} {
		if !strings.Contains(string(text), want) {
			t.Errorf("%q is missing:\n%s", want, text)
		}
	}
	if _, err := reportingConstructors([]byte("package field\n")); err == nil ||
		!strings.Contains(err.Error(), "has no constructors of errors") {
		t.Errorf("without constructors: %v", err)
	}
}

func TestCheckEmulation(t *testing.T) {
	for _, row := range []struct{ version, emulates, want string }{
		{"v1.33.13", "1.33", ""},
		{"v1.33", "1.31", ""},
		{"v1.32.13", "1.31", ""},
		{"v1.31.14", "1.31", ""},
		{"v1.33.13", "1.34", "v1.33.13 cannot emulate 1.34; accepted: 1.31 to 1.33"},
		{"v1.36.3", "1.32", "v1.36.3 cannot emulate 1.32; accepted: 1.33 to 1.36"}, // more than three before
		{"v1.31.14", "1.30", "v1.31.14 cannot emulate 1.30; accepted: 1.31 to 1.31"},
		{"v1.30.14", "1.30", "v1.30.14 cannot emulate 1.30: API servers emulate versions since 1.31"},
		// its flag takes no v
		{"v1.33.13", "v1.32", `"v1.32" is not a version that an API server can emulate; accepted: 1.MINOR, as in 1.33`},
		{"v1.33.13", "1.32.13", `"1.32.13" is not a version that an API server can emulate; accepted: 1.MINOR, as in 1.33`},
		{"v1.33.13", "1.99999999999999999999", "v1.33.13 cannot emulate 1.99999999999999999999; accepted: 1.31 to 1.33"},
	} {
		err := CheckEmulation(row.version, row.emulates)
		if is := fmt.Sprint(err); is != row.want && (err != nil || row.want != "") {
			t.Errorf("CheckEmulation(%q, %q) = %v, want %q", row.version, row.emulates, err, row.want)
		}
	}
}

func TestCheck(t *testing.T) {
	accepted := map[string]bool{
		"v1.33.13": true, "v1.33": true, "v1.38.0-rc.1": true,
		"1.33.13": false, // the field's form has a v
		"v1":      false, "": false, "latest": false, "v2.0.0": false,
		"v1.29.15":   false, // its registries are put together otherwise
		"v1.33.13@x": false, // it becomes part of a query of the go command
	}
	for version, want := range accepted {
		err := Check(version)
		if (err == nil) != want {
			t.Errorf("Check(%q) = %v", version, err)
		}
		if err != nil && !strings.Contains(err.Error(), "v1.33.13") {
			t.Errorf("Check(%q) = %v, which does not show what is accepted", version, err)
		}
	}
}
