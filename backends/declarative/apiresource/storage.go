package apiresource

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness"
)

// write returns an object as the API server writes it to its storage: converted to the storage version
// and pruned by the schema of that version. An object of the storage version is written as it is
// (crdConversionRESTOptionsGetter of k8s.io/apiextensions-apiserver/pkg/apiserver, with doEncode of
// k8s.io/apimachinery/pkg/runtime/serializer/versioning). If no version is the storage version, each is.
func (s *Scheme) write(object map[string]any) (map[string]any, error) {
	if s.storage == nil || writtenFor(object) == s.gvk(s.storage) {
		return object, nil
	}
	return s.coerce(object, s.storage)
}

// read returns what clients of a version read of an object in the storage: pruned and defaulted by the
// version that it is stored in, then converted, and pruned by the version of the clients, whose defaults it
// does not get (schemaCoercingDecoder and schemaCoercingConverter, with Decode of the same codec).
func (s *Scheme) read(stored map[string]any, version *servedVersion) (map[string]any, error) {
	own, err := s.find(writtenFor(stored))
	if err != nil {
		own = version // no definition is known in which it was written
	}
	loaded := own.Load(stored)
	if len(loaded.Errors) > 0 {
		return nil, eachMetadataError(loaded.Errors).ToAggregate()
	}
	if own == version {
		return loaded.Object(), nil
	}
	return s.coerce(loaded.Object(), version)
}

// coerce converts an object to a version and prunes it by the schema of that version, as
// schemaCoercingConverter does. Malformed metadata of embedded resources is an error.
func (s *Scheme) coerce(object map[string]any, to *servedVersion) (map[string]any, error) {
	converted, err := s.resource.convert(object, to.Name)
	if err != nil {
		return nil, err
	}
	pruned := to.sent.Prune(converted)
	if len(pruned.Errors) > 0 {
		why := eachMetadataError(pruned.Errors).ToAggregate()
		return nil, conversionErrorf("converting it from %v to %s: %w", object["apiVersion"], to.Name, why)
	}
	return pruned.Object, nil
}

func (s *Scheme) gvk(of *servedVersion) schema.GroupVersionKind {
	return s.resource.Kind.WithVersion(of.Name)
}

// load returns an object in the storage as requests to a version update it.
func (s *Scheme) load(stored map[string]any, version *servedVersion) (map[string]any, error) {
	read, err := s.read(stored, version)
	if err != nil {
		return nil, err
	}
	return version.preparation.Stored(read), nil
}

// Default returns an object with the defaults of its version. An object of a version that the definition
// does not have is returned as it is.
func (d *Definition) Default(object map[string]any) map[string]any {
	served, err := d.scheme.find(writtenFor(object))
	if err != nil {
		return object
	}
	return served.defaulter.Default(object)
}

// Stored returns an object as it is in the storage after a request: with the defaults of its version, and
// in the storage version. Unknown fields of an object of the storage version are not pruned, because an
// earlier definition may have declared them; pruning follows when the object is read. An object stays in
// its version if the definition does not have it, or if a webhook that is not asked would convert it. The
// error reports that the conversion failed.
func (d *Definition) Stored(object map[string]any) (map[string]any, error) {
	defaulted := d.Default(object)
	if _, err := d.scheme.find(writtenFor(object)); err != nil {
		return object, nil
	}
	stored, err := d.scheme.write(defaulted)
	if errors.As(err, new(webhookError)) {
		return defaulted, nil
	}
	return stored, err
}

// Stored returns the object that Validate accepted, as clients of each served version read it after it was
// stored: fields that the storage version does not have are lost. Versions to and from which a
// webhook that is not asked converts objects are left out, with a warning if the object would be stored in one.
func (r *Request) Stored() (harness.Notes, error) {
	if r.prepared == nil {
		return harness.Notes{}, nil
	}
	s, admitted := r.definition.scheme, r.prepared.Object
	var notes harness.Notes
	stored, err := s.write(admitted)
	switch {
	case errors.As(err, new(webhookError)):
		stored = admitted
		notes.Warnings = []string{fmt.Sprintf("what is lost when the object is stored in %s is not known: %v", s.storage.Name, err)}
	case err != nil:
		return notes, fmt.Errorf("the object cannot be stored: %w", err)
	case writtenFor(stored) != writtenFor(admitted):
		notes.Admitted, notes.StoredAs = admitted, s.gvk(s.storage).GroupVersion().String()
	}
	if notes.Stored, err = s.read(stored, r.served); err != nil {
		return notes, fmt.Errorf("the stored object cannot be read: %w", err)
	}
	notes.Converted = s.readElsewhere(stored, r.served)
	return notes, nil
}

// readElsewhere returns what clients of the served versions except one read of an object in the storage.
func (s *Scheme) readElsewhere(stored map[string]any, except *servedVersion) (all []harness.Converted) {
	for _, version := range s.resource.Versions {
		if version.Unserved || version.Name == except.Name {
			continue
		}
		of := s.versions[version.Name]
		read, err := s.read(stored, of)
		converted := harness.Converted{Version: s.gvk(of).GroupVersion().String(), Object: read}
		switch {
		case errors.As(err, new(webhookError)):
			continue
		case err != nil:
			converted.Why = err.Error()
		}
		all = append(all, converted)
	}
	return all
}

var _ serving.Request = &Request{}
