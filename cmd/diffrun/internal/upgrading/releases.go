package upgrading

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"strings"

	"github.com/diffrun/diffrun/backends/native/release"
)

// fromFlag and toFlag are the flags that named the releases.
func (f *Flags) fromFlag() string {
	if f.fromCluster {
		return "--cluster"
	}
	return "--from"
}

func (f *Flags) toFlag() string { return "--to" }

// spelled matches a release or a minor version of Kubernetes, with or without its v.
var spelled = regexp.MustCompile(`^v?(1\.[0-9]+)(\.[0-9]+)?$`)

// spell writes the releases as the rest of the program does: v1.33.13 or v1.33, and 1.33 for a version that is emulated.
func (f *Flags) spell() {
	for _, release := range []*string{&f.from, &f.to} {
		if parts := spelled.FindStringSubmatch(*release); parts != nil {
			*release = "v" + parts[1] + parts[2]
		}
	}
	for _, emulates := range []*string{&f.fromEmulates, &f.toEmulates} {
		if parts := spelled.FindStringSubmatch(*emulates); parts != nil {
			*emulates = parts[1]
		}
	}
}

// Pin replaces releases without a patch by their last ones.
func (f *Flags) Pin(ctx context.Context) error {
	from, errFrom := release.LastPatch(ctx, f.from)
	if errors.Is(errFrom, release.ErrNoGo) {
		return errFrom
	}
	to, errTo := release.LastPatch(ctx, f.to)
	if err := errors.Join(named(f.fromFlag(), errFrom), named(f.toFlag(), errTo)); err != nil {
		return err
	}
	f.from, f.to = from, to
	return f.checkReleases()
}

func named(flag string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", flag, err)
}

// checkReleases returns the mistakes in the releases, as far as they are known.
func (f *Flags) checkReleases() error {
	var errs []error
	for _, side := range []struct{ flag, emulatesFlag, version, emulates string }{
		{f.fromFlag(), "--from-emulates", f.from, f.fromEmulates},
		{f.toFlag(), "--to-emulates", f.to, f.toEmulates},
	} {
		if side.version == "" {
			continue
		}
		err := named(side.flag, release.Check(side.version))
		if err == nil && side.emulates != "" {
			err = named(side.emulatesFlag, release.CheckEmulation(side.version, side.emulates))
		}
		errs = append(errs, err)
	}
	if err := errors.Join(errs...); err != nil || f.from == "" || f.from != f.to {
		return err
	}
	if emulated(f.from, f.fromEmulates) != emulated(f.to, f.toEmulates) || !maps.Equal(f.fromGates, f.toGates) {
		return nil
	}
	return fmt.Errorf("%s and %s are the same release, %s, so there is nothing to compare: name the release to upgrade to "+
		"with --to, or other feature gates with --to-gates, or a version that it emulates with --to-emulates",
		f.fromFlag(), f.toFlag(), f.toName())
}

// emulated returns the version that a release serves as.
func emulated(version, emulates string) string {
	if emulates != "" {
		return emulates
	}
	return "1." + strings.Split(version, ".")[1]
}
