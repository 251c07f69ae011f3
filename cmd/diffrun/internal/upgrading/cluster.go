package upgrading

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/internal/files/outfile"
	"github.com/diffrun/diffrun/internal/text/plaintext"
)

// Access says which cluster of a kubeconfig to read.
type Access struct{ Kubeconfig, Context string }

// flags returns the flags that say it.
func (a Access) flags() string {
	var flags []string
	if a.Kubeconfig != "" {
		flags = append(flags, "--kubeconfig "+a.Kubeconfig)
	}
	if a.Context != "" {
		flags = append(flags, "--context "+a.Context)
	}
	return strings.Join(flags, ", ")
}

// Flags returns the flags of the command that say it.
func (a Access) Flags() string {
	if flags := a.flags(); flags != "" {
		return "--cluster, " + flags
	}
	return "--cluster"
}

// Resource is a resource of a cluster.
type Resource struct {
	schema.GroupVersionResource
	Kind string
}

// String returns the name of the resource for people, as in apps/deployments.
func (r Resource) String() string { return strings.TrimPrefix(r.Group+"/"+r.Resource, "/") }

// Read is the result of reading a cluster.
type Read struct {
	// Release is what the API server says about itself, as in v1.33.13+k3s1.
	Release string
	// NotRead are the kinds that were not read, and why.
	NotRead []string
}

// ReadCluster reads the objects of a cluster and calls take with each of them, one resource after the other.
type ReadCluster func(ctx context.Context, access Access, take func(Resource, map[string]any) error) (Read, error)

// clusterFolder is the folder of the files with the objects of the cluster, in reports.
const clusterFolder = "cluster"

// serverRelease is the release in the version of an API server, which distributions add to.
var serverRelease = regexp.MustCompile(`^v1\.[0-9]+\.[0-9]+`)

// FromCluster reads the objects of the cluster into temporary files, and the release of --from if that is not given. The
// function that it returns removes the files.
func (f *Flags) FromCluster(ctx context.Context, read ReadCluster) (remove func() error, err error) {
	if !f.cluster {
		return func() error { return nil }, nil
	}
	if f.folder, err = os.MkdirTemp("", "diffrun-cluster-*"); err != nil {
		return nil, err
	}
	remove = func() error {
		if err := os.RemoveAll(f.folder); err != nil {
			return fmt.Errorf("the objects that were read are left in %s; remove the folder: %w", f.folder, err)
		}
		return nil
	}
	files := &objectFiles{folder: f.folder}
	found, err := read(ctx, f.access, files.add)
	if err = errors.Join(err, files.close()); err != nil {
		return nil, errors.Join(err, remove())
	}
	f.notRead = found.NotRead
	for i, why := range f.notRead {
		f.notRead[i] = plaintext.Line(why)
	}
	if len(files.names) == 0 {
		err := fmt.Errorf("--cluster: no object was read: %s", strings.Join(append(f.notRead, "the cluster has none"), "; "))
		return nil, errors.Join(err, remove())
	}
	f.clusterFiles, f.clusterObjects = files.names, files.objects
	if f.from == "" {
		f.fromCluster = true
		if f.from = serverRelease.FindString(found.Release); f.from == "" {
			err := fmt.Errorf("--cluster: the cluster says that its release is %q; name it with --from", found.Release)
			return nil, errors.Join(err, remove())
		}
	}
	return remove, nil
}

// ReadText says how much was read from the cluster; empty: nothing.
func (f *Flags) ReadText() string {
	if !f.cluster {
		return ""
	}
	return fmt.Sprintf("%s of %s, of Kubernetes %s", plaintext.Count(f.clusterObjects, "object"),
		plaintext.Count(len(f.clusterFiles), "kind"), f.from)
}

// objectFiles writes objects into a file for each resource: a list, as "kubectl get -o json" prints it.
type objectFiles struct {
	folder string
	names  []string
	// objects counts them.
	objects int
	of      Resource
	file    *outfile.File
	// separator is written before the next object.
	separator string
}

func (o *objectFiles) add(of Resource, object map[string]any) error {
	if o.file == nil || o.of != of {
		if err := o.close(); err != nil {
			return err
		}
		name := strings.Join(slices.DeleteFunc([]string{of.Group, of.Version, of.Resource}, func(s string) bool { return s == "" }), "-") +
			".json"
		file, err := outfile.Open(context.Background(), filepath.Join(o.folder, name))
		if err != nil {
			return err
		}
		o.of, o.file, o.separator = of, file, `{"apiVersion":"v1","kind":"List","items":[`
		o.names = append(o.names, path.Join(clusterFolder, name))
	}
	text, err := json.Marshal(object)
	if err != nil {
		return err
	}
	o.objects++
	_, err = fmt.Fprintf(o.file, "%s\n%s", o.separator, text)
	o.separator = ","
	return err
}

func (o *objectFiles) close() error {
	if o.file == nil {
		return nil
	}
	_, err := io.WriteString(o.file, "\n]}\n")
	return errors.Join(err, o.file.Close())
}

// openObjects opens a file with objects of the cluster.
func openObjects(folder, name string) (fs.File, bool, error) {
	inside, is := strings.CutPrefix(name, clusterFolder+"/")
	if folder == "" || !is {
		return nil, false, nil
	}
	file, err := os.Open(filepath.Join(folder, filepath.FromSlash(inside)))
	return file, true, err
}
