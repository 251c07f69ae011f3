package read

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// kubernetes is the module of the API server. The options with which its validators are called are those of the
// registry strategies.
const kubernetes = "k8s.io/kubernetes/pkg/"

// withStrategies adds the packages of the strategies to patterns that name validators of Kubernetes.
func withStrategies(patterns []string) []string {
	all := slices.Clone(patterns)
	for _, pattern := range patterns {
		group, isValidation := strings.CutSuffix(pattern, "/validation")
		if group, ok := strings.CutPrefix(group, kubernetes+"apis/"); ok && isValidation {
			all = append(all, kubernetes+"registry/"+group+"/...")
		}
	}
	return all
}

// withoutStorage leaves out the packages of a registry that do not validate.
func withoutStorage(listed []*packages.Package) []*packages.Package {
	validators := map[string]bool{}
	for _, one := range listed {
		validators[one.PkgPath] = strings.HasPrefix(one.PkgPath, kubernetes+"apis/")
	}
	return slices.DeleteFunc(listed, func(one *packages.Package) bool {
		if !strings.HasPrefix(one.PkgPath, kubernetes+"registry/") || len(listed) == 1 {
			return false
		}
		for imported := range one.Imports {
			if validators[imported] {
				return strings.HasSuffix(one.PkgPath, "/storage") || strings.HasSuffix(one.PkgPath, "/rest")
			}
		}
		return true
	})
}

// isCreateStrategy reports whether a function is the method Validate of a strategy, which is for creates.
func isCreateStrategy(f *types.Func) bool {
	parameters := f.Signature().Params()
	return f.Name() == "Validate" && f.Signature().Recv() != nil && parameters.Len() == 2 &&
		types.TypeString(parameters.At(0).Type(), nil) == "context.Context" &&
		types.TypeString(parameters.At(1).Type(), nil) == "k8s.io/apimachinery/pkg/runtime.Object"
}
