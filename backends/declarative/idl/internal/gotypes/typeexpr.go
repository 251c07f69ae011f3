package gotypes

import "go/ast"

// TypeExpr is a type as it is written: the name of one, or what it is made of.
type TypeExpr struct {
	// Pointer is set for pointers. The other fields are then those of what they point to.
	Pointer bool
	// Package and Name are those of a named type. Package is the name of an import, and empty in its own package.
	Package, Name string
	// Element is of a list or map, Key of a map.
	Element, Key ast.Expr
	Struct       *ast.StructType
	Interface    bool
	// Other is an expression of another kind, such as a function.
	Other ast.Expr
}

// ReadType reads the expression of a type.
func ReadType(expr ast.Expr) TypeExpr {
	switch expr := ast.Unparen(expr).(type) {
	case *ast.StarExpr:
		read := ReadType(expr.X)
		read.Pointer = true
		return read
	case *ast.Ident:
		return TypeExpr{Name: expr.Name}
	case *ast.SelectorExpr:
		if in, ok := expr.X.(*ast.Ident); ok {
			return TypeExpr{Package: in.Name, Name: expr.Sel.Name}
		}
	case *ast.ArrayType:
		return TypeExpr{Element: expr.Elt}
	case *ast.MapType:
		return TypeExpr{Element: expr.Value, Key: expr.Key}
	case *ast.StructType:
		return TypeExpr{Struct: expr}
	case *ast.InterfaceType:
		return TypeExpr{Interface: true}
	}
	return TypeExpr{Other: expr}
}

// PackageOf returns the package of a named type that is written in a file.
func (s *Sources) PackageOf(from *Package, file *ast.File, of TypeExpr) (*Package, error) {
	if of.Package == "" {
		return from, nil
	}
	return s.Imported(from, file, of.Package)
}
