package controlplane

import (
	"path/filepath"
	"strings"
)

// Controllers is a running kube-controller-manager.
type Controllers struct{ process *process }

// StartControllers starts the controllers with these names, and no others. Its files are put into
// dir.
func (c *ControlPlane) StartControllers(dir string, names ...string) (*Controllers, error) {
	started, err := start("kube-controller-manager", filepath.Join(dir, "kube-controller-manager.log"),
		filepath.Join(c.binaries, "kube-controller-manager"),
		"--kubeconfig", c.Kubeconfig, "--controllers", strings.Join(names, ","), "--leader-elect=false", "--secure-port=0",
		"--bind-address", "127.0.0.1")
	if err != nil {
		return nil, err
	}
	return &Controllers{started}, nil
}

// Stop ends the controllers.
func (c *Controllers) Stop() { c.process.stop() }

// Log returns the last lines that the controllers wrote, for an error.
func (c *Controllers) Log() string { return c.process.lastLines() }
