package upgrading

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/reports"
	"github.com/diffrun/diffrun/userfile"
)

// Flags are the flags of "diffrun upgrade".
type Flags struct {
	from, to  string
	fromGates map[string]string
	toGates   map[string]string
	// fromEmulates and toEmulates are the versions that the API servers emulate; empty: their own.
	fromEmulates, toEmulates string
	files                    []string
	// cluster also reads the objects of access, into the files clusterFiles of a temporary folder.
	cluster      bool
	access       Access
	folder       string
	clusterFiles []string
	// clusterObjects counts the objects that were read.
	clusterObjects int
	notRead        []string // kinds of the cluster, and why
	// between asks the releases in between which of them changed a finding.
	between    bool
	writeCases string
	verbose    bool // of the reports
	inquiry    inquiry
}

// fromName and toName are the names of the releases in reports.
func (f *Flags) fromName() string { return nameOf(f.from, f.fromEmulates) }
func (f *Flags) toName() string   { return nameOf(f.to, f.toEmulates) }

func nameOf(release, emulates string) string {
	if emulates != "" {
		return release + " as " + emulates
	}
	return release
}

// Pin replaces releases without a patch by their last ones.
func (f *Flags) Pin(ctx context.Context) error {
	var errFrom, errTo error
	f.from, errFrom = release.LastPatch(ctx, f.from)
	if errors.Is(errFrom, release.ErrNoGo) {
		return errFrom
	}
	f.to, errTo = release.LastPatch(ctx, f.to)
	return errors.Join(errFrom, errTo)
}

// wantsSmall reports whether the smallest objects are shown or written.
func (f *Flags) wantsSmall() bool { return f.verbose || f.writeCases != "" }

// AddFlags adds the flags.
func (f *Flags) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&f.from, "from", "", "the release of the cluster, as in v1.33.13, or v1.33 for its last patch")
	set.StringVar(&f.to, "to", "", "the release to upgrade to")
	set.StringSliceVarP(&f.files, "filename", "f", nil, "a file or folder of manifests, a list of \"kubectl get -o json\", an audit log, or - for stdin; may be repeated")
	set.BoolVar(&f.cluster, "cluster", false, "read the objects of all kinds of Kubernetes from the cluster of the kubeconfig, which also says what --from is; nothing is written")
	set.StringVar(&f.access.Kubeconfig, "kubeconfig", "", "with --cluster: the kubeconfig; empty: that of kubectl")
	set.StringVar(&f.access.Context, "context", "", "with --cluster: the context of the kubeconfig; empty: its current one")
	set.StringToStringVar(&f.fromGates, "from-gates", nil, "feature gates of the release of the cluster, as in Name=true")
	set.StringToStringVar(&f.toGates, "to-gates", nil, "feature gates of the release to upgrade to")
	set.StringVar(&f.fromEmulates, "from-emulates", "", "the version that the cluster emulates (--emulated-version of its API server), as in 1.32")
	set.StringVar(&f.toEmulates, "to-emulates", "", "the version that the new API server will emulate, as in 1.33")
	set.BoolVar(&f.between, "between", true, "ask the minor releases in between, in their last patches, which of them changed each finding; each is built once, as far as findings need it")
	set.StringVar(&f.writeCases, "write-cases", "", "write the smallest object of each finding to this directory: a suite with a file for each kind")
}

// Check returns the mistakes in the flags.
func (f *Flags) Check() error {
	var errs []error
	if f.from == "" && !f.cluster {
		errs = append(errs, errors.New("--from is missing: the release of the cluster, as in --from v1.33.13"))
	}
	if f.to == "" {
		errs = append(errs, errors.New("--to is missing: the release to upgrade to, as in --to v1.37.2"))
	}
	for _, side := range []struct{ flag, version, emulates string }{{"--from", f.from, f.fromEmulates}, {"--to", f.to, f.toEmulates}} {
		if side.version == "" {
			continue
		}
		err := release.Check(side.version)
		if err == nil && side.emulates != "" {
			err = release.CheckEmulation(side.version, side.emulates)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%s: %w", side.flag, err))
		}
	}
	errs = append(errs, f.checkFolder())
	if len(f.files) == 0 && !f.cluster {
		errs = append(errs, errors.New("-f is missing: the manifests, as in -f manifests/, or \"kubectl get all -A -o json | diffrun upgrade -f - …\", or --cluster for the objects of a cluster"))
	}
	if f.access != (Access{}) && !f.cluster {
		errs = append(errs, errors.New("--kubeconfig and --context say which cluster to read; add --cluster"))
	}
	for _, gates := range []struct {
		flag  string
		given map[string]string
	}{{"--from-gates", f.fromGates}, {"--to-gates", f.toGates}} {
		for name, value := range gates.given {
			if value != "true" && value != "false" {
				errs = append(errs, fmt.Errorf("%s %s=%s: must be true or false", gates.flag, name, value))
			}
		}
	}
	return errors.Join(errs...)
}

// Reporter returns the report for people of a format, or that of a run.
func (f *Flags) Reporter(format string, out io.Writer, options reports.Options) (reports.Reporter, error) {
	switch format {
	case "text", "markdown":
		f.verbose = f.verbose || options.Verbose
		return newReport(out, f, format == "markdown", options.Verbose), nil
	}
	return reports.New(format, out, options)
}

// The files of the suite, which exist in memory only.
const (
	suiteName = "upgrade"
	stdinName = "stdin"
)

// Suite returns a suite that compares the two releases on the files. skipped are files in folders that hold no
// objects. disk has the files of the operating system.
func (f *Flags) Suite(disk fs.FS, stdin io.Reader) (suite cases.Location, skipped []string, err error) {
	overlaid := overlay{FS: disk, made: map[string][]byte{}, folder: f.folder}
	patterns := slices.Clone(f.clusterFiles)
	for _, name := range f.files {
		switch {
		case name == "-":
			data, err := io.ReadAll(stdin)
			if err != nil {
				return cases.Location{}, nil, fmt.Errorf("reading stdin: %w", err)
			}
			file := stdinName + ".yaml"
			if bytes.Contains(data[:min(len(data), 4096)], []byte(`"audit.k8s.io/`)) {
				file = stdinName + ".jsonl"
			}
			overlaid.made[file] = data
			patterns = append(patterns, file)
		default:
			found, left, err := manifests(disk, filepath.ToSlash(filepath.Clean(name)))
			if err != nil {
				return cases.Location{}, nil, err
			}
			patterns, skipped = append(patterns, found...), append(skipped, left...)
		}
	}
	if len(patterns) == 0 {
		return cases.Location{}, skipped, fmt.Errorf("-f %s: there are no objects of Kubernetes", strings.Join(f.files, " -f "))
	}
	text, err := f.suite(f.to, f.toGates, f.toEmulates, patterns)
	overlaid.made[suiteName] = text
	return cases.Location{Files: &cases.Files{FS: overlaid, OnDisk: true}, Name: suiteName}, skipped, err
}

// suite returns the file of a suite that compares the release of the cluster with another one.
func (f *Flags) suite(to string, gates map[string]string, emulates string, patterns []string) ([]byte, error) {
	suite := map[string]any{
		"name":        "upgrade",
		"native":      side(f.from, f.fromGates, f.fromEmulates),
		"declarative": side(to, gates, emulates),
	}
	if len(patterns) > 0 {
		suite["cases"] = patterns
	}
	return yaml.Marshal(suite)
}

// Reworded returns an error without the places in the suite, which the user never wrote: mistakes of a release are those
// of a flag.
func (f *Flags) Reworded(err error) error {
	var mistakes userfile.Mistakes
	if !errors.As(err, &mistakes) {
		return err
	}
	text, writing := f.suite(f.to, f.toGates, f.toEmulates, []string{suiteName}) // as long as any
	if writing != nil {
		return err
	}
	native := bytes.Count(text[:bytes.Index(text, []byte("native:"))], []byte("\n"))
	var all []error
	for _, mistake := range mistakes {
		flag := "--to"
		if mistake.Line > native {
			flag = "--from"
		}
		if message, ours := strings.CutPrefix(mistake.Message, "kubernetes: "); ours && mistake.File == suiteName {
			all = append(all, fmt.Errorf("%s: %s", flag, message))
		} else {
			all = append(all, mistake)
		}
	}
	return terminal.Usage(errors.Join(all...))
}

// betweenSuite returns a suite without cases that compares the release of the cluster with one in between.
func (f *Flags) betweenSuite(version string) (cases.Location, error) {
	text, err := f.suite(version, nil, "", nil)
	files := overlay{FS: os.DirFS("."), made: map[string][]byte{suiteName: text}}
	return cases.Location{Files: &cases.Files{FS: files, OnDisk: true}, Name: suiteName}, err
}

func side(release string, gates map[string]string, emulates string) map[string]any {
	of := map[string]any{"kubernetes": release}
	if emulates != "" {
		of["emulates"] = emulates
	}
	if len(gates) > 0 {
		enabled := map[string]bool{}
		for name, value := range gates {
			enabled[name] = value == "true"
		}
		of["gates"] = enabled
	}
	return of
}

// manifests returns a file, or the files of a folder that have objects, and those that have none.
func manifests(disk fs.FS, name string) (found, skipped []string, err error) {
	info, err := fs.Stat(disk, name)
	if err != nil {
		return nil, nil, fmt.Errorf("-f %s: %w", name, err)
	}
	if !info.IsDir() {
		return []string{name}, nil, nil
	}
	err = fs.WalkDir(disk, name, func(file string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !slices.Contains([]string{".yaml", ".yml", ".json", ".jsonl"}, filepath.Ext(file)) {
			return err
		}
		data, err := fs.ReadFile(disk, file)
		if err != nil {
			return err
		}
		if bytes.Contains(data, []byte("apiVersion")) && bytes.Contains(data, []byte("kind")) {
			found = append(found, file)
		} else {
			skipped = append(skipped, file)
		}
		return nil
	})
	return found, skipped, err
}

// overlay is a file system with further files.
type overlay struct {
	fs.FS
	made   map[string][]byte
	folder string // of the objects of the cluster; empty: there is none
}

// Open opens a file; the made ones come first.
func (o overlay) Open(name string) (fs.File, error) {
	if data, is := o.made[name]; is {
		return &madeFile{Reader: bytes.NewReader(data), name: name, size: int64(len(data))}, nil
	}
	if file, is, err := openObjects(o.folder, name); is {
		return file, err
	}
	return o.FS.Open(name)
}

// madeFile is a file in memory. It is also its fs.FileInfo.
type madeFile struct {
	*bytes.Reader
	name string
	size int64
}

func (f *madeFile) Stat() (fs.FileInfo, error) { return f, nil }
func (f *madeFile) Close() error               { return nil }
func (f *madeFile) Name() string               { return f.name }
func (f *madeFile) Size() int64                { return f.size }
func (f *madeFile) Mode() fs.FileMode          { return 0o444 }
func (f *madeFile) ModTime() time.Time         { return time.Time{} }
func (f *madeFile) IsDir() bool                { return false }
func (f *madeFile) Sys() any                   { return nil }
