// Package upgrading is "diffrun upgrade": it compares two releases of Kubernetes on the objects of a user, and
// says what the second release does otherwise in the words of an upgrade.
package upgrading
