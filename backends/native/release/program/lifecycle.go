package program

import (
	"k8s.io/apimachinery/pkg/runtime/schema"
	utilversion "k8s.io/apimachinery/pkg/util/version"
	"k8s.io/kubernetes/pkg/api/legacyscheme"
)

// IsRemoved reports whether an API server of a version does not serve a version of a kind any more, or not yet.
// legacyscheme has such versions to convert stored objects.
func IsRemoved(kind schema.GroupVersionKind, by *utilversion.Version) bool {
	object, err := legacyscheme.Scheme.New(kind)
	if err != nil {
		return true
	}
	if removed, ends := object.(interface{ APILifecycleRemoved() (major, minor int) }); ends &&
		by.AtLeast(number(removed.APILifecycleRemoved())) {
		return true
	}
	introduced, begins := object.(interface{ APILifecycleIntroduced() (major, minor int) })
	return begins && by.LessThan(number(introduced.APILifecycleIntroduced()))
}

func number(major, minor int) *utilversion.Version {
	return utilversion.MajorMinor(uint(major), uint(minor))
}
