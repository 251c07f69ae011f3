package constructs

import (
	"net"
	"net/netip"

	"k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	netutils "k8s.io/utils/net"
)

func ValidateAddress(obj *Thing) field.ErrorList {
	var errs field.ErrorList
	if net.ParseIP(obj.Spec.Address) == nil {
		errs = append(errs, field.Invalid(spec.Child("address"), obj.Spec.Address, "is no address"))
	}
	if _, err := netip.ParseAddr(obj.Spec.Address); err != nil {
		errs = append(errs, field.Invalid(spec.Child("strict"), obj.Spec.Address, "is no address of netip"))
	}
	if netutils.ParseIPSloppy(obj.Spec.Address) != nil && obj.Spec.Paused {
		errs = append(errs, field.Invalid(spec.Child("paused"), obj.Spec.Address, "must be a name"))
	}
	return errs
}

func ValidateFamily(obj *Thing) field.ErrorList {
	if _, err := netip.ParseAddr(obj.Spec.Address); err == nil && obj.Spec.Size > 1 && netutils.IsIPv6String(obj.Spec.Address) {
		return field.ErrorList{field.Invalid(spec.Child("address"), obj.Spec.Address, "must be of IPv4")}
	}
	return nil
}

func ValidateNetwork(obj *Thing) field.ErrorList {
	if len(obj.Spec.Address) > 0 {
		return validation.IsValidCIDR(spec.Child("address"), obj.Spec.Address)
	}
	return nil
}

func ValidateLegacyAddress(obj *Thing) field.ErrorList {
	return validation.IsValidIPForLegacyField(spec.Child("address"), obj.Spec.Address, obj.Spec.Paused, obj.Spec.Names)
}
