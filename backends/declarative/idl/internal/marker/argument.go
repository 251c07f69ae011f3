package marker

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// ArgumentError returns the error for arguments that the parser of controller-tools refuses. Only its
// first message counts; the others are consequences of it.
func ArgumentError(of *markers.Definition, err error) error {
	message := ScannerMessages(err)[0]
	if strings.HasPrefix(message, "unknown argument") {
		message += "; accepted: " + strings.Join(slices.Sorted(maps.Keys(of.Fields)), ", ")
	}
	return fmt.Errorf("+%s: %s", of.Name, message)
}

// ScannerMessages returns the messages of controller-tools without positions. They count from the
// "=", so they would confuse the reader.
func ScannerMessages(err error) []string {
	var list loader.ErrList
	if errors.As(err, &list) {
		var all []string
		for _, each := range list {
			all = append(all, ScannerMessages(each)...)
		}
		return all
	}
	var scan *markers.ScannerError
	if errors.As(err, &scan) {
		return []string{scan.Msg}
	}
	return []string{err.Error()}
}
