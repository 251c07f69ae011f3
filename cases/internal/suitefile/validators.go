package suitefile

import (
	"github.com/diffrun/diffrun/internal/files/strictyaml"
)

// Process is a validator in another process. It answers AdmissionReviews on stdin and stdout.
type Process struct {
	strictyaml.Position `yaml:"-"`

	// Command is a program and its arguments. It starts in the suite's directory.
	Command []string `yaml:"command"`
}

// Webhook is a validator with a URL.
type Webhook struct {
	strictyaml.Position `yaml:"-"`

	URL        string    `yaml:"url"`
	CAFile     Reference `yaml:"caFile"`
	ServerName string    `yaml:"serverName"`
	CertFile   Reference `yaml:"certFile"`
	KeyFile    Reference `yaml:"keyFile"`
	TokenFile  Reference `yaml:"tokenFile"`
}

// Cluster is how to reach an API server, as in kubectl.
type Cluster struct {
	strictyaml.Position `yaml:"-"`

	Kubeconfig Reference `yaml:"kubeconfig"`
	Context    string    `yaml:"context"`
	// Namespace is a temporary namespace for old objects.
	Namespace string `yaml:"namespace"`
}
