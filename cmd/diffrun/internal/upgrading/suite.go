package upgrading

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/spf13/pflag"
	"sigs.k8s.io/yaml"

	"github.com/diffrun/diffrun/cases"
	"github.com/diffrun/diffrun/cmd/diffrun/internal/terminal"
	"github.com/diffrun/diffrun/internal/files/infile"
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
	// inputs are the files with objects, as read from files and stdin, and patterns their names in the suite.
	inputs   overlay
	patterns []string
	counts   counts
	// suiteText is the file of the suite.
	suiteText []byte
	// cluster also reads the objects of access, into the files clusterFiles of a temporary folder.
	cluster      bool
	access       Access
	folder       string
	clusterFiles []string
	// clusterObjects counts the objects that were read.
	clusterObjects int
	notRead        []string // kinds of the cluster, and why
	fromCluster    bool     // the cluster said what from is
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

// wantsSmall reports whether the smallest objects are shown or written.
func (f *Flags) wantsSmall() bool { return f.verbose || f.writeCases != "" }

// AddFlags adds the flags.
func (f *Flags) AddFlags(set *pflag.FlagSet) {
	set.StringVar(&f.from, "from", "", "the release of the cluster, as in 1.33.13, or 1.33 for its last patch")
	set.StringVar(&f.to, "to", "", "the release to upgrade to")
	set.StringSliceVarP(&f.files, "filename", "f", nil, "a file or folder of manifests, a list of \"kubectl get -o json\", "+
		"an audit log, or - for stdin; may be repeated")
	set.BoolVar(&f.cluster, "cluster", false, "read the objects of all kinds of Kubernetes from the cluster of the kubeconfig, "+
		"which also says what --from is; nothing is written")
	set.StringVar(&f.access.Kubeconfig, "kubeconfig", "", "with --cluster: the kubeconfig; empty: that of kubectl")
	set.StringVar(&f.access.Context, "context", "", "with --cluster: the context of the kubeconfig; empty: its current one")
	set.StringToStringVar(&f.fromGates, "from-gates", nil, "feature gates of the release of the cluster, as in Name=true")
	set.StringToStringVar(&f.toGates, "to-gates", nil, "feature gates of the release to upgrade to")
	set.StringVar(&f.fromEmulates, "from-emulates", "", "the version that the cluster emulates (--emulated-version of its "+
		"API server), as in 1.32")
	set.StringVar(&f.toEmulates, "to-emulates", "", "the version that the new API server will emulate, as in 1.33")
	set.BoolVar(&f.between, "between", true, "ask the minor releases in between, in their last patches, which of them "+
		"changed each finding; each is built once, as far as findings need it")
	set.StringVar(&f.writeCases, "write-cases", "", "write the smallest object of each finding to this directory: "+
		"a suite with a file for each kind")
}

// Check returns the mistakes in the flags.
func (f *Flags) Check() error {
	f.spell()
	var errs []error
	if f.from == "" && !f.cluster {
		errs = append(errs, errors.New("--from is missing: the release of the cluster, as in --from v1.33.13"))
	}
	if f.to == "" {
		errs = append(errs, errors.New("--to is missing: the release to upgrade to, as in --to v1.37.2"))
	}
	errs = append(errs, f.checkReleases(), f.checkFolder())
	if len(f.files) == 0 && !f.cluster {
		errs = append(errs, errors.New("-f is missing: the manifests, as in -f manifests/, or \"kubectl get all -A -o json | "+
			"diffrun upgrade -f - …\", or --cluster for the objects of a cluster"))
	}
	if f.access != (Access{}) && !f.cluster {
		errs = append(errs, fmt.Errorf("%s: only with --cluster, which reads the objects of a cluster", f.access.flags()))
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

// Suite returns a suite that compares the two releases on the objects that Read has read, and on those of the cluster.
func (f *Flags) Suite() (cases.Location, error) {
	f.inputs.folder = f.folder
	text, err := f.suite(f.to, f.toGates, f.toEmulates, slices.Concat(f.clusterFiles, f.patterns))
	f.suiteText, f.inputs.made[suiteName] = text, text
	return cases.Location{Files: &cases.Files{FS: f.inputs, OnDisk: true}, Name: suiteName}, err
}

// suite returns the file of a suite that compares the release of the cluster with another one.
func (f *Flags) suite(to string, gates map[string]string, emulates string, patterns []string) ([]byte, error) {
	suite := map[string]any{
		"name":        "upgrade",
		"native":      side(f.from, f.fromGates, f.fromEmulates),
		"declarative": side(to, gates, emulates),
	}
	var literal []string // names of files may look like patterns
	for _, name := range patterns {
		literal = append(literal, infile.Literal(name))
	}
	if len(literal) > 0 {
		suite["cases"] = literal
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
	native := bytes.Count(f.suiteText[:max(0, bytes.Index(f.suiteText, []byte("native:")))], []byte("\n"))
	var all []error
	for _, mistake := range mistakes {
		flags := map[string]string{"kubernetes": f.toFlag(), "gates": "--to-gates"}
		if mistake.Line > native {
			flags = map[string]string{"kubernetes": f.fromFlag(), "gates": "--from-gates"}
		}
		key, message, _ := strings.Cut(mistake.Message, ": ")
		if flag, ours := flags[key]; ours && mistake.File == suiteName {
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
