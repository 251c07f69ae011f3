package read

import (
	"go/constant"
	"go/types"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Addresses that Go parses are more than those of isIP and isCIDR: IPv4-mapped ones, those with leading zeros for the
// functions of k8s.io/utils, and zones for net/netip.
const (
	octet  = `0*(25[0-5]|2[0-4][0-9]|1?[0-9]?[0-9])`
	mapped = `t.lowerAscii().matches('^[0:]+:ffff:([0-9]+[.][0-9.]+|[0-9a-f]{1,4}:[0-9a-f]{1,4})$') && ` +
		`isIP(t.lowerAscii().replace('ffff:', 'fffe:'))`
	mappedNet = `t.lowerAscii().matches('^[0:]+:ffff:([0-9]+[.][0-9.]+|[0-9a-f]{1,4}:[0-9a-f]{1,4})/[0-9]+$') && ` +
		`isCIDR(t.lowerAscii().replace('ffff:', 'fffe:'))`
	zoned     = `t.contains('%') && t.contains(':') && !t.endsWith('%') && isIP(t.split('%', 2)[0])`
	sloppyIP  = `isIP(t) || t.matches('^(` + octet + `[.]){3}` + octet + `$') || ` + mapped
	sloppyNet = `isCIDR(t) || t.matches('^(` + octet + `[.]){3}` + octet + `/0*([12]?[0-9]|3[0-2])$') || ` + mappedNet
)

// filled returns a condition in which t is a text.
func filled(pattern string, t celexpr.Expr) *condition {
	return that(celexpr.Replace(celexpr.Parse(pattern), func(part celexpr.Expr) celexpr.Expr {
		if isName(part, "t") {
			return t
		}
		return nil
	}))
}

// addNetModels adds the models of functions that parse addresses, and of what is asked of them.
func addNetModels() {
	for name, of := range map[string]struct{ is, parse string }{
		"net.ParseIP":                      {"isIP(t) || " + mapped, "ip"},
		"net/netip.ParseAddr":              {"isIP(t) || " + mapped + " || " + zoned, "ip"},
		"k8s.io/utils/net.ParseIPSloppy":   {sloppyIP, "ip"},
		"net.ParseCIDR":                    {"isCIDR(t) || " + mappedNet, "cidr"},
		"net/netip.ParsePrefix":            {"isCIDR(t) || " + mappedNet, "cidr"},
		"k8s.io/utils/net.ParseCIDRSloppy": {sloppyNet, "cidr"},
	} {
		models[name] = parsedAddress(of.is, of.parse)
	}
	for _, one := range []struct{ name, is, isIPv6 string }{
		{"String", sloppyIP, "isIP(t) && ip(t).family() == 6"}, {"CIDRString", sloppyNet, "isCIDR(t) && cidr(t).ip().family() == 6"},
	} {
		models["k8s.io/utils/net.IsIPv6"+one.name] = func(c *call) value {
			return truth{filled(one.isIPv6, c.activation.expr(c.args[0]))}
		}
		models["k8s.io/utils/net.IsIPv4"+one.name] = func(c *call) value {
			t := c.activation.expr(c.args[0])
			return truth{and(filled(one.is, t), not(filled(one.isIPv6, t)))}
		}
		models["k8s.io/utils/net.IPFamilyOf"+one.name] = func(c *call) value {
			t := c.activation.expr(c.args[0])
			family := func(text string) value { return known{constant.MakeString(text), c.results.At(0).Type()} }
			return choice{filled(one.is, t), choice{filled(one.isIPv6, t), family("6"), family("4")}, family("")}
		}
	}
	for name, pattern := range map[string]string{
		"(net/netip.Prefix).Addr": "t.ip()", "(net/netip.Prefix).Masked": "t.masked()", "(net/netip.Prefix).Bits": "t.prefixLength()",
		"(net/netip.Addr).String": "string(t)", "(net/netip.Prefix).String": "string(t)",
		"(net.IP).String": "string(t)", "(*net.IPNet).String": "string(t.masked())",
		"(net.IP).IsLoopback": "t.isLoopback()", "(net.IP).IsUnspecified": "t.isUnspecified()",
		"(net/netip.Addr).Is4": "t.family() == 4", "(net/netip.Addr).Is6": "t.family() == 6",
	} {
		models[name] = ofAddress(pattern)
	}
	addMaskModels()
}

// addMaskModels adds the models of what is asked of networks.
func addMaskModels() {
	models["(*net.IPNet).Contains"] = func(c *call) value { return c.ofAddresses("containsIP") }
	models["(net/netip.Prefix).Contains"] = models["(*net.IPNet).Contains"]
	models["(net.IPMask).Size"] = func(c *call) value {
		of, ok := addressOf(c.of)
		if !ok {
			return nil
		}
		c.parsable(of)
		return several{term{expr: celexpr.Method(of.expr, "prefixLength"), typ: types.Typ[types.Int]},
			c.unreadAt(c.expr.Pos(), "the bits of a mask")}
	}
	models["(net/netip.Addr).Is4In6"] = func(c *call) value {
		of, ok := c.of.(term)
		if !ok || of.source == nil {
			return nil
		}
		if of.isNet {
			return truth{filled(mappedNet, of.source)}
		}
		return truth{filled(mapped, of.source)}
	}
}

// addressOf returns an address, which is not nil where it is used.
func addressOf(v value) (term, bool) {
	for {
		c, ok := v.(choice)
		if !ok {
			break
		}
		v = c.then
		if _, isNil := v.(nothing); isNil {
			v = c.otherwise
		} else if _, isNil := c.otherwise.(nothing); !isNil {
			break
		}
	}
	of, ok := v.(term)
	return of, ok && of.source != nil
}

// parsable notes that an address is asked that CEL parses, too: others have errors of their own before.
func (c *call) parsable(of term) {
	c.s.assume(that(celexpr.Call(map[bool]string{true: "isCIDR", false: "isIP"}[of.isNet], of.source)))
}

// ofAddress is the model of a method of an address.
func ofAddress(pattern string) func(*call) value {
	return func(c *call) value {
		v := c.of
		if v == nil && len(c.args) == 1 {
			v = c.args[0]
		}
		of, ok := addressOf(v)
		if !ok {
			return nil
		}
		t := c.results.At(0).Type()
		made := term{expr: filled(pattern, of.expr).asExpr(), typ: t}
		if _, isBasic := t.Underlying().(*types.Basic); !isBasic {
			made.source, made.isNet = of.source, of.isNet
			return made
		}
		c.parsable(of)
		if t == types.Typ[types.Bool] {
			return truth{that(made.expr)}
		}
		return made
	}
}

func (c *call) ofAddresses(method string) value {
	of, ok := addressOf(c.of)
	arg, isAddress := addressOf(c.args[0])
	if !ok || !isAddress {
		return nil
	}
	c.parsable(of)
	c.parsable(arg)
	return truth{that(celexpr.Method(of.expr, method, arg.expr))}
}

// parsedAddress is the model of functions that parse an address.
func parsedAddress(is, parse string) func(*call) value {
	return func(c *call) value {
		text := c.activation.expr(c.args[0])
		can := filled(is, text)
		of := term{expr: celexpr.Call(parse, text), source: text, isNet: parse == "cidr"}
		all := make(several, c.results.Len())
		for i := range all {
			one := of
			one.typ = c.results.At(i).Type()
			if of.isNet && i == 0 && len(all) == 3 {
				one.expr = celexpr.Method(one.expr, "ip")
			}
			all[i] = one
			if len(all) == 1 {
				all[i] = choice{can, one, nothing{}}
			}
		}
		if len(all) == 1 {
			return all[0]
		}
		all[len(all)-1] = c.fail(c.s, Site{Pos: c.at(c.expr.Pos()), Type: "error", Text: "…", ofLibrary: true}, not(can))
		return all
	}
}

// fieldOfAddress returns a field of a *net.IPNet; nil: a value is none.
func fieldOfAddress(of term, field *types.Var) value {
	if of.source == nil {
		return nil
	}
	switch field.Name() {
	case "IP":
		return term{expr: celexpr.Method(celexpr.Method(of.expr, "masked"), "ip"), typ: field.Type(), source: of.source, isNet: true}
	case "Mask":
		return term{expr: of.expr, typ: field.Type(), source: of.source, isNet: true}
	}
	return nil
}
