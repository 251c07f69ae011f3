package apiresource

import (
	"errors"
	"fmt"

	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/diffrun/diffrun/backends/serving"
	"github.com/diffrun/diffrun/harness/contract"
	"github.com/diffrun/diffrun/internal/apiname"
)

// write returns an object as the API server writes it to its storage: converted to the storage version
// and pruned by the schema of that version. An object of the storage version is written as it is
// (crdConversionRESTOptionsGetter of k8s.io/apiextensions-apiserver/pkg/apiserver, with doEncode of
// k8s.io/apimachinery/pkg/runtime/serializer/versioning). If no version is the storage version, each is.
func (d *Definition) write(object map[string]any) (map[string]any, error) {
	if d.storage == nil || apiname.Written(object) == d.gvk(d.storage) {
		return object, nil
	}
	return d.coerce(object, d.storage)
}

// read returns what clients of a version read of an object in the storage: pruned and defaulted by the
// version that it is stored in, then converted, and pruned by the version of the clients, whose defaults it
// does not get (schemaCoercingDecoder and schemaCoercingConverter, with Decode of the same codec).
func (d *Definition) read(stored map[string]any, version *servedVersion) (map[string]any, error) {
	own, err := d.find(apiname.Written(stored))
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
	return d.coerce(loaded.Object(), version)
}

// coerce converts an object to a version and prunes it by the schema of that version, as
// schemaCoercingConverter does. Malformed metadata of embedded resources is an error.
func (d *Definition) coerce(object map[string]any, to *servedVersion) (map[string]any, error) {
	converted, err := d.resource.convert(object, to.Name)
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

func (d *Definition) gvk(of *servedVersion) schema.GroupVersionKind {
	return d.resource.Kind.WithVersion(of.Name)
}

// load returns an object in the storage as requests to a version update it.
func (d *Definition) load(stored map[string]any, version *servedVersion) (map[string]any, error) {
	read, err := d.read(stored, version)
	if err != nil {
		return nil, err
	}
	return version.preparation.Stored(read), nil
}

// Default returns an object with the defaults of its version. An object of a version that the definition
// does not have is returned as it is.
func (d *Definition) Default(object map[string]any) (map[string]any, error) {
	served, err := d.find(apiname.Written(object))
	if err != nil {
		return object, nil
	}
	return served.defaulter.Default(object), nil
}

// Stored returns an object as it is in the storage after a request: with the defaults of its version, and
// in the storage version. Unknown fields of an object of the storage version are not pruned, because an
// earlier definition may have declared them; pruning follows when the object is read. An object stays in
// its version if the definition does not have it, or if a webhook that is not asked would convert it. The
// error reports that the conversion failed.
func (d *Definition) Stored(object map[string]any) (map[string]any, error) {
	served, err := d.find(apiname.Written(object))
	if err != nil {
		return object, nil
	}
	defaulted := served.defaulter.Default(object)
	stored, err := d.write(defaulted)
	if errors.As(err, new(webhookError)) {
		return defaulted, nil
	}
	return stored, err
}

// Stored returns the object that Validate accepted, as clients of each served version read it after it was
// stored: fields that the storage version does not have are lost. Versions to and from which a
// webhook that is not asked converts objects are left out, with a warning if the object would be stored in one.
func (r *Request) Stored() (contract.Notes, error) {
	if r.prepared == nil {
		return contract.Notes{}, nil
	}
	d, admitted := r.definition, r.prepared.Object
	var notes contract.Notes
	stored, err := d.write(admitted)
	switch {
	case errors.As(err, new(webhookError)):
		stored = admitted
		notes.Warnings = []string{fmt.Sprintf("what is lost when the object is stored in %s is not known: %v", d.storage.Name, err)}
	case err != nil:
		return notes, fmt.Errorf("the object cannot be stored: %w", err)
	case apiname.Written(stored) != apiname.Written(admitted):
		notes.Admitted, notes.StoredAs = admitted, d.gvk(d.storage).GroupVersion().String()
	}
	if notes.Stored, err = d.read(stored, r.served); err != nil {
		return notes, fmt.Errorf("the stored object cannot be read: %w", err)
	}
	notes.Converted = d.readElsewhere(stored, r.served)
	return notes, nil
}

// readElsewhere returns what clients of the served versions except one read of an object in the storage.
func (d *Definition) readElsewhere(stored map[string]any, except *servedVersion) (all []contract.Converted) {
	for _, version := range d.resource.Versions {
		if version.Unserved || version.Name == except.Name {
			continue
		}
		of := d.versions[version.Name]
		read, err := d.read(stored, of)
		converted := contract.Converted{Version: d.gvk(of).GroupVersion().String(), Object: read}
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
