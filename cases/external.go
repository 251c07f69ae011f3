package cases

import (
	"io"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/release"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/cases/internal/suitefile"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// external returns the backend of an external validator, for objects of every kind. It starts or
// connects with the first case. The plan closes it.
func (l *loader) external(program *suitefile.Process, server *suitefile.Webhook) (backend closable, ok bool) {
	if program != nil {
		backend, ok = l.exec(program)
	} else {
		backend, ok = l.webhook(server)
	}
	if ok {
		l.suite.closers = append(l.suite.closers, backend)
	}
	return backend, ok
}

// native returns the backend of a native side that is neither a builtin nor a world.
func (l *loader) native(side *suitefile.Native) (harness.Backend, bool) {
	switch {
	case side.Kubernetes != "":
		return l.release(release.Options{Version: side.Kubernetes, Gates: side.Gates, Emulates: side.Emulates}, side.Position)
	case side.Cluster == nil:
		return l.external(side.Exec, side.Webhook)
	}
	backend, ok := l.cluster(side.Cluster)
	if ok {
		l.suite.closers = append(l.suite.closers, backend)
	}
	return backend, ok
}

// exec returns a program. env is added to its environment.
func (l *loader) exec(child *suitefile.Process, env ...string) (closable, bool) {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(child.Position, "only a suite on disk can start a process")
		return nil, false
	}
	l.nameProgram(child.Command)
	backend, err := exec.New(exec.Options{
		Command:      child.Command,
		Dir:          filepath.FromSlash(path.Dir(l.Name)),
		Env:          env,
		Parallel:     l.shared.options.Parallel,
		StartTimeout: l.shared.options.StartTimeout,
		Starting:     l.shared.options.Starting,
		Builds:       &l.shared.builds,
		Counting:     l.shared.options.Counting,
	})
	return opened[closable](l, child.Position, "exec", backend, err)
}

// nameProgram names the files that a command may read: those that its words name, as in "python3 v.py", "--config=rules.yaml" and
// sh -c "exec ./v", and the Go files of folders, as in "go run ./webhook".
func (l *loader) nameProgram(command []string) {
	separates := func(r rune) bool { return unicode.IsSpace(r) || strings.ContainsRune("=;|&<>()'\"", r) }
	for _, word := range append(strings.FieldsFunc(strings.Join(command, " "), separates), command...) {
		name := l.resolveFrom(path.Dir(l.Name), suitefile.Reference{Path: word})
		info, err := os.Stat(filepath.FromSlash(name))
		if err != nil {
			continue
		}
		if !info.IsDir() {
			l.shared.name(l.Files, name)
			continue
		}
		sources, _ := filepath.Glob(filepath.Join(infile.Literal(filepath.FromSlash(name)), "*.go")) // the pattern is right
		for _, source := range sources {
			l.shared.name(l.Files, filepath.ToSlash(source))
		}
	}
}

func (l *loader) webhook(server *suitefile.Webhook) (closable, bool) {
	options := webhook.Options{URL: server.URL, ServerName: server.ServerName}
	for _, file := range []struct {
		to  *string
		ref suitefile.Reference
	}{
		{&options.CAFile, server.CAFile},
		{&options.CertFile, server.CertFile},
		{&options.KeyFile, server.KeyFile},
		{&options.TokenFile, server.TokenFile},
	} {
		if !file.ref.Given() {
			continue
		}
		if !l.Files.OnDisk {
			l.shared.mistakes.Addf(l.at(file.ref), "only a suite on disk can name files of a webhook")
			return nil, false
		}
		if special, err := infile.Special(l.Files.FS, l.resolve(file.ref)); err == nil && special != nil {
			l.shared.mistakes.Addf(l.at(file.ref), "%s", notRegular(file.ref, special))
			return nil, false
		}
		*file.to = filepath.FromSlash(l.resolve(file.ref))
	}
	backend, err := webhook.New(options)
	return opened[closable](l, server.Position, "webhook", backend, err)
}

// opened returns a backend, or reports the mistakes that prevented it.
func opened[B any](l *loader, at strictyaml.Position, key string, backend B, err error) (B, bool) {
	if err == nil {
		return backend, true
	}
	mistakes := []error{err}
	if several, ok := err.(interface{ Unwrap() []error }); ok {
		mistakes = several.Unwrap()
	}
	for _, mistake := range mistakes {
		l.shared.mistakes.Addf(at, "%s: %v", key, mistake)
	}
	var none B
	return none, false
}

type closable interface {
	harness.Backend
	world.Mutator
	io.Closer
}

// externalNatives are the kinds of a builtin, and its way to read them, with an external validator.
type externalNatives struct {
	Natives
	backend harness.Backend
}

// Target returns a kind with the external validator instead of the builtin's.
func (o externalNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	target, err := o.Natives.Target(kind)
	if err != nil {
		return nil, err
	}
	for i := range target.Versions {
		target.Versions[i].Native = o.backend
	}
	return target, nil
}
