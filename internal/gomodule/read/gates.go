package read

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"

	celast "github.com/google/cel-go/common/ast"

	"github.com/diffrun/diffrun/internal/celexpr"
)

// Setting is a feature gate of the process on which a condition depends.
type Setting struct {
	// Pos is where the default is.
	Pos  token.Position
	Name string
	// On is the value that the condition takes it to have, and Default the one that it has if it is not set.
	On, Default bool
}

// gate is a feature gate with what its table says.
type gate struct {
	pos        token.Pos
	on, locked bool
}

const gatePackage = "k8s.io/component-base/featuregate"

// addGates notes the feature gates of a table: a map literal whose keys are features.
func (p *Program) addGates(info *types.Info, table *ast.CompositeLit) {
	of, ok := info.TypeOf(table).Underlying().(*types.Map)
	if !ok || types.TypeString(of.Key(), nil) != gatePackage+".Feature" {
		return
	}
	if spec := types.TypeString(of.Elem(), nil); spec != gatePackage+".FeatureSpec" && spec != gatePackage+".VersionedSpecs" {
		return // a table of what gates depend on
	}
	for _, e := range table.Elts {
		pair, ok := e.(*ast.KeyValueExpr)
		if !ok || info.Types[pair.Key].Value == nil {
			continue
		}
		if spec, ok := pair.Value.(*ast.CompositeLit); ok {
			p.gates[constant.StringVal(info.Types[pair.Key].Value)] = gateOf(info, spec)
		}
	}
}

// gateOf returns the gate of an entry of a table: of a list of versions, the last one counts.
func gateOf(info *types.Info, spec *ast.CompositeLit) gate {
	one := gate{pos: spec.Pos()}
	for _, e := range spec.Elts {
		if version, ok := e.(*ast.CompositeLit); ok {
			one = gateOf(info, version)
			continue
		}
		field, ok := e.(*ast.KeyValueExpr)
		if !ok {
			continue
		}
		value := info.Types[field.Value].Value
		isTrue := value != nil && value.Kind() == constant.Bool && constant.BoolVal(value)
		switch name, _ := field.Key.(*ast.Ident); name.Name {
		case "Default":
			one.on = isTrue
		case "LockToDefault":
			one.locked = isTrue
		}
	}
	return one
}

// enabled is the model of a question for a feature gate.
func enabled(c *call) value {
	name := shown(c.args[0])
	one, ok := c.program.gates[name]
	if !ok {
		return c.unreadAt(c.expr.Pos(), "the feature gate "+name+", whose default is not in the source")
	}
	if !one.locked {
		c.asked[name] = true
	}
	return known{constant.MakeBool(one.on != (name == c.flipped)), types.Typ[types.Bool]}
}

// Read evaluates a root and returns the sites of the errors that it returns, in the order of the source, and the parts
// of the source that were left out: sites of them are not there, or have wrong conditions. Feature gates have their
// defaults; sites that are there only if one of them has not come last.
func (p *Program) Read(root Root) (sites []Site, left []Unread) {
	r := p.newReading("")
	sites, left = r.read(root)
	if used := statements - r.budget; used*len(r.asked) > statements {
		r.leaveOut(root.Func.Pos(), fmt.Sprintf("what other values of %d feature gates change", len(r.asked)))
		return sites, r.left
	}
	for _, name := range slices.Sorted(maps.Keys(r.asked)) {
		other, _ := p.newReading(name).read(root)
		one := p.gates[name]
		sites = withSetting(sites, other, Setting{r.at(one.pos), name, one.on, one.on})
	}
	return sites, left
}

// withSetting notes which sites depend on a gate, and adds those that are there if it does not have its default.
func withSetting(sites, other []Site, gate Setting) []Site {
	flipped := map[string]*Site{}
	for i, key := range keysOf(other) {
		flipped[key] = &other[i]
	}
	for i, key := range keysOf(sites) {
		one := flipped[key]
		delete(flipped, key)
		if len(sites[i].Settings) > 0 && sites[i].Settings[0].On != sites[i].Settings[0].Default {
			continue
		}
		if one == nil || canonical(one.Condition) != canonical(sites[i].Condition) {
			sites[i].Settings = append(sites[i].Settings, gate)
		}
	}
	gate.On = !gate.On
	for i, key := range keysOf(other) {
		if flipped[key] != nil {
			other[i].Settings = []Setting{gate}
			sites = append(sites, other[i])
		}
	}
	return sites
}

// keysOf returns texts that are the same for the same sites of two readings.
func keysOf(sites []Site) []string {
	seen := map[string]int{}
	keys := make([]string, len(sites))
	for i, site := range sites {
		key := fmt.Sprint(site.Pos, site.Calls)
		seen[key]++
		keys[i] = fmt.Sprint(key, seen[key])
	}
	return keys
}

// canonical returns the text of a condition with names that do not depend on what else was read.
func canonical(condition celexpr.Expr) string {
	names := map[string]string{"self": "self", "oldSelf": "oldSelf"}
	return celexpr.String(celexpr.Replace(condition, func(part celexpr.Expr) celexpr.Expr {
		if part.Kind() != celast.IdentKind {
			return nil
		}
		name := part.AsIdent()
		if names[name] == "" {
			names[name] = fmt.Sprint("v", len(names))
		}
		return celexpr.Name(names[name])
	}))
}
