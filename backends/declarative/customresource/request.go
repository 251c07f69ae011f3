package customresource

import (
	"fmt"
	"strings"

	"github.com/diffrun/diffrun/backends/declarative/subresource"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/apiname"
)

// accepts says why a request cannot be one of a resource; nil: it can.
func accepts(s subresource.Subresources, request harness.Request) error {
	name := request.Subresource
	has := name == "" || name == subresource.StatusName && s.Status || name == subresource.ScaleName && s.Scale != nil
	switch {
	case !has && len(s.Names()) == 0:
		return fmt.Errorf("%s has no subresource %q; it has none", apiname.Target(request.Version), name)
	case !has:
		return fmt.Errorf("%s has no subresource %q; it has %s", apiname.Target(request.Version), name, strings.Join(s.Names(), ", "))
	case request.Operation == harness.Delete && name != "":
		return fmt.Errorf("%s cannot be deleted; leave the subresource out", name)
	case name != "" && request.Operation != harness.Update:
		return fmt.Errorf("%s can be updated only: the case needs an old object", name)
	}
	return nil
}
