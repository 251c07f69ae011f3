// Package fielderror reads the errors of any validator (field.Error) and puts them
// in one order. All packages that return or report errors of validation use this
// order, so results do not depend on how a validator walks an object.
package fielderror
