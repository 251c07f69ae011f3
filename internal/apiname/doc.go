// Package apiname has the names of versions, subresources and operations that files, reports and metrics use.
package apiname
