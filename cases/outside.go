package cases

import (
	"io"
	"path"
	"path/filepath"
	"strings"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/native/exec"
	"github.com/diffrun/diffrun/backends/native/webhook"
	"github.com/diffrun/diffrun/backends/world"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/files/infile"
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// childProcess is a validator in another process. It answers AdmissionReviews on stdin and stdout.
type childProcess struct {
	strictyaml.Position `yaml:"-"`

	// Command is a program and its arguments. It starts in the suite's directory.
	Command []string `yaml:"command"`
}

// webhookServer is a validator behind a URL.
type webhookServer struct {
	strictyaml.Position `yaml:"-"`

	URL        string    `yaml:"url"`
	CAFile     reference `yaml:"caFile"`
	ServerName string    `yaml:"serverName"`
	CertFile   reference `yaml:"certFile"`
	KeyFile    reference `yaml:"keyFile"`
	TokenFile  reference `yaml:"tokenFile"`
}

// outside returns the backend of an external validator, for objects of every kind. It starts or
// connects with the first case. The plan closes it.
func (l *loader) outside(program *childProcess, server *webhookServer) (backend closable, ok bool) {
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
func (l *loader) native(side *nativeSide) (harness.Backend, bool) {
	if side.Cluster == nil {
		return l.outside(side.Exec, side.Webhook)
	}
	backend, ok := l.cluster(side.Cluster)
	if ok {
		l.suite.closers = append(l.suite.closers, backend)
	}
	return backend, ok
}

// exec returns a program. env is added to its environment.
func (l *loader) exec(child *childProcess, env ...string) (closable, bool) {
	if !l.Files.OnDisk {
		l.shared.mistakes.Addf(child.Position, "only a suite on disk can start a process")
		return nil, false
	}
	if program := child.Command; len(program) > 0 && strings.ContainsRune(program[0], '/') {
		l.shared.name(l.Files, l.resolveFrom(path.Dir(l.Name), reference{path: program[0]}))
	}
	backend, err := exec.New(exec.Options{
		Command:  child.Command,
		Dir:      filepath.FromSlash(path.Dir(l.Name)),
		Env:      env,
		Parallel: l.shared.options.Parallel,
	})
	return opened[closable](l, child.Position, "exec", backend, err)
}

func (l *loader) webhook(server *webhookServer) (closable, bool) {
	options := webhook.Options{URL: server.URL, ServerName: server.ServerName}
	for _, file := range []struct {
		to  *string
		ref reference
	}{{&options.CAFile, server.CAFile}, {&options.CertFile, server.CertFile}, {&options.KeyFile, server.KeyFile}, {&options.TokenFile, server.TokenFile}} {
		if !file.ref.given() {
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

// outsideNatives are the kinds of a builtin, and its way to read them, with an external validator.
type outsideNatives struct {
	Natives
	backend harness.Backend
}

// Target returns a kind with the external validator instead of the builtin's.
func (o outsideNatives) Target(kind schema.GroupKind) (*harness.Target, error) {
	target, err := o.Natives.Target(kind)
	if err != nil {
		return nil, err
	}
	for i := range target.Versions {
		target.Versions[i].Native = o.backend
	}
	return target, nil
}
