// Package apiname has the names of versions and subresources that files, reports and metrics use.
package apiname
