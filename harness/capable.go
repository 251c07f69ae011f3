package harness

import (
	"github.com/diffrun/diffrun/equivalence/difference"
	"github.com/diffrun/diffrun/harness/contract"
)

// capableBackend is a backend with its capabilities.
type capableBackend struct {
	Backend
	can contract.Capabilities
}

func capable(backend Backend) capableBackend {
	return capableBackend{backend, contract.CapabilitiesOf(backend)}
}

// declarations returns what the schema of a backend declares; nil: unknown.
func (b capableBackend) declarations(in *Input) difference.Declarations {
	if b.can.Declarations == nil {
		return nil
	}
	return b.can.Declarations(in)
}

// schemeCapabilities returns the capabilities of the Scheme of a target.
func (t *Target) schemeCapabilities() contract.SchemeCapabilities {
	if capable, ok := t.Scheme.(contract.CapableScheme); ok {
		return capable.Capabilities()
	}
	return contract.SchemeCapabilities{}
}
