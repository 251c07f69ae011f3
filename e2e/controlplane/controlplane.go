// Package controlplane runs etcd and kube-apiserver on free ports of the loopback interface, with all their
// files in one directory. There are no nodes, and no controllers except those that a test starts: a namespace
// has no default ServiceAccount, and nothing acts on the objects that tests store.
package controlplane

import (
	"context"
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"
)

// startTimeout is how long the servers may take to start on a busy machine.
const startTimeout = 3 * time.Minute

// token authenticates the tests as a member of system:masters.
const token = "e2e-administrator"

// ControlPlane is a running API server.
type ControlPlane struct {
	// Config connects to it with all permissions.
	Config *rest.Config
	// Kubeconfig is a file with the same content.
	Kubeconfig string

	dir             string
	binaries        string
	ports           ports
	etcd, apiserver *process
}

type ports struct{ etcd, etcdPeers, apiserver int }

// Start starts the servers that Build made in binaries, and waits until the API server
// is ready. Their files are put into dir. The error has the last lines that the failing
// server wrote.
func Start(ctx context.Context, binaries, dir string, flags ...string) (_ *ControlPlane, err error) {
	c := &ControlPlane{dir: dir, binaries: binaries}
	defer func() {
		if err != nil {
			c.Stop()
		}
	}()
	if c.ports, err = freePorts(); err != nil {
		return nil, err
	}
	if err := c.writeCredentials(); err != nil {
		return nil, err
	}
	if err := c.startEtcd(); err != nil {
		return nil, err
	}
	if err := c.startAPIServer(flags); err != nil {
		return nil, err
	}
	return c, c.ready(ctx)
}

// Stop ends both servers.
func (c *ControlPlane) Stop() {
	for _, p := range []*process{c.apiserver, c.etcd} {
		if p != nil {
			p.stop()
		}
	}
}

// KillAPIServer ends the API server as a crash does. Nothing starts it again.
func (c *ControlPlane) KillAPIServer() { c.apiserver.kill() }

func (c *ControlPlane) startEtcd() (err error) {
	clients, peers := url("http", c.ports.etcd), url("http", c.ports.etcdPeers)
	c.etcd, err = start("etcd", filepath.Join(c.dir, "etcd.log"), filepath.Join(c.binaries, "etcd"),
		"--data-dir", filepath.Join(c.dir, "etcd"), "--unsafe-no-fsync", "--log-level", "warn",
		"--listen-client-urls", clients, "--advertise-client-urls", clients,
		"--listen-peer-urls", peers, "--initial-advertise-peer-urls", peers, "--initial-cluster", "default="+peers)
	return err
}

func (c *ControlPlane) startAPIServer(flags []string) (err error) {
	key := filepath.Join(c.dir, "service-account.key")
	args := append([]string{
		"--etcd-servers", url("http", c.ports.etcd), "--cert-dir", filepath.Join(c.dir, "certificates"),
		"--bind-address", "127.0.0.1", "--secure-port", strconv.Itoa(c.ports.apiserver),
		"--service-account-key-file", key, "--service-account-signing-key-file", key,
		"--service-account-issuer", "https://local", "--token-auth-file", filepath.Join(c.dir, "tokens.csv"),
		"--authorization-mode", "RBAC", "--service-cluster-ip-range", "10.0.0.0/24",
		"--disable-admission-plugins", "ServiceAccount,NamespaceLifecycle",
	}, flags...)
	c.apiserver, err = start("kube-apiserver", filepath.Join(c.dir, "kube-apiserver.log"),
		filepath.Join(c.binaries, "kube-apiserver"), args...)
	return err
}

// ready waits until the API server serves.
func (c *ControlPlane) ready(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, startTimeout)
	defer cancel()
	for {
		err := c.ask(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-c.etcd.ended:
			return fmt.Errorf("etcd ended:\n%s", c.etcd.lastLines())
		case <-c.apiserver.ended:
			return fmt.Errorf("kube-apiserver ended:\n%s", c.apiserver.lastLines())
		case <-ctx.Done():
			return fmt.Errorf("the API server is not ready after %s: %w\n%s", startTimeout, err, c.apiserver.lastLines())
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// ask asks the API server whether it is ready.
func (c *ControlPlane) ask(ctx context.Context) error {
	client, err := kubernetes.NewForConfig(c.Config) // reads the certificate, which may not be written yet
	if err != nil {
		return err
	}
	_, err = client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
	return err
}

// writeCredentials writes the key that signs service account tokens, the token of the
// administrator, and a kubeconfig with it.
func (c *ControlPlane) writeCredentials() error {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return err
	}
	block := pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(key)})
	c.Kubeconfig = filepath.Join(c.dir, "kubeconfig")
	host := url("https", c.ports.apiserver)
	c.Config = &rest.Config{Host: host, BearerToken: token, TLSClientConfig: rest.TLSClientConfig{CAFile: c.certificate()}, QPS: -1}
	config := clientcmdapi.NewConfig()
	config.Clusters["e2e"] = &clientcmdapi.Cluster{Server: host, CertificateAuthority: c.certificate()}
	config.AuthInfos["administrator"] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["e2e"] = &clientcmdapi.Context{Cluster: "e2e", AuthInfo: "administrator"}
	config.CurrentContext = "e2e"
	return errors.Join(
		os.WriteFile(filepath.Join(c.dir, "service-account.key"), block, 0o600),
		os.WriteFile(filepath.Join(c.dir, "tokens.csv"), []byte(token+`,administrator,1,"system:masters"`+"\n"), 0o600),
		clientcmd.WriteToFile(*config, c.Kubeconfig),
	)
}

// certificate is the file in which the API server writes its certificate and the authority
// that it makes to sign it.
func (c *ControlPlane) certificate() string {
	return filepath.Join(c.dir, "certificates", "apiserver.crt")
}

func url(scheme string, port int) string { return fmt.Sprintf("%s://127.0.0.1:%d", scheme, port) }

// freePorts returns free ports. All are taken before the first is released, so they differ.
func freePorts() (p ports, err error) {
	for _, port := range []*int{&p.etcd, &p.etcdPeers, &p.apiserver} {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return p, err
		}
		defer listener.Close()
		*port = listener.Addr().(*net.TCPAddr).Port
	}
	return p, nil
}
