package library

import (
	"net/netip"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	apiservercel "k8s.io/apiserver/pkg/cel"
)

// networkLibrary has the functions of KEP-4153 ("IP and CIDR Library") that Kubernetes' libraries of
// these names (k8s.io/apiserver/pkg/cel/library) lack:
//
//	<IP>.is4() <bool>
//	<IP>.is6() <bool>
//	<CIDR>.overlaps(<CIDR>) <bool>
//	<CIDR>.overlaps(<string>) <bool>
//
// is4 and is6 test the family. overlaps is true if an address is in both ranges; bits beyond the prefix
// do not count. A text that is not a CIDR ends the rule with an error, as in containsCIDR. They work on
// the results of ip() and cidr():
//
//	ip(self.clusterIP).is6()
//	!cidr(self.pods).overlaps(self.services)
func networkLibrary() []cel.EnvOption {
	ip := []*cel.Type{apiservercel.IPType}
	return []cel.EnvOption{
		cel.Function("is4", cel.MemberOverload("diffrun_ip_is4", ip, cel.BoolType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return ofFamily(v, 4) }))),
		cel.Function("is6", cel.MemberOverload("diffrun_ip_is6", ip, cel.BoolType,
			cel.UnaryBinding(func(v ref.Val) ref.Val { return ofFamily(v, 6) }))),
		cel.Function("overlaps",
			cel.MemberOverload("diffrun_cidr_overlaps_cidr", []*cel.Type{apiservercel.CIDRType, apiservercel.CIDRType}, cel.BoolType,
				cel.BinaryBinding(overlaps)),
			cel.MemberOverload("diffrun_cidr_overlaps_string", []*cel.Type{apiservercel.CIDRType, cel.StringType}, cel.BoolType,
				cel.BinaryBinding(overlapsText))),
	}
}

func ofFamily(v ref.Val, family int) ref.Val {
	ip, ok := v.(apiservercel.IP)
	if !ok {
		return types.MaybeNoSuchOverloadErr(v)
	}
	if family == 4 {
		return types.Bool(ip.Is4())
	}
	return types.Bool(ip.Is6())
}

func overlaps(a, b ref.Val) ref.Val {
	one, ok := a.(apiservercel.CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(a)
	}
	other, ok := b.(apiservercel.CIDR)
	if !ok {
		return types.MaybeNoSuchOverloadErr(b)
	}
	return types.Bool(one.Overlaps(other.Prefix))
}

func overlapsText(a, b ref.Val) ref.Val {
	text, ok := b.(types.String)
	if !ok {
		return types.MaybeNoSuchOverloadErr(b)
	}
	prefix, err := netip.ParsePrefix(string(text))
	if err != nil {
		return types.NewErr("network address parse error during conversion from string: %v", err)
	}
	// A text that cidr() does not accept is not a CIDR here either.
	if prefix.Addr().Is4In6() {
		return types.NewErr("network address parse error during conversion from string: IPv4-mapped IPv6 address %q is not allowed",
			string(text))
	}
	return overlaps(a, apiservercel.CIDR{Prefix: prefix})
}
