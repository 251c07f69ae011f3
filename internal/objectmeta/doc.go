// Package objectmeta prepares the metadata of the objects of a request as the API server does before
// validation: it sets generated fields, copies fields of the stored object, and resets fields that clients
// may not set. It changes the metadata (metav1.Object) in place.
//
// Generated values, such as a uid, are constants here, so that runs are repeatable. The strategy of a
// resource sets the status and the generation of a new object.
package objectmeta
