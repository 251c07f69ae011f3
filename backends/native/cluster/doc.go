// Package cluster asks a running API server as a native backend. Each case is sent with
// dryRun=All, so that the definition, the webhooks and the ValidatingAdmissionPolicies of
// the cluster all count.
//
// A Backend gets objects as a client sends them: the API server prunes and defaults them
// itself. Errors come from status.details.causes, as package admission reads them. A denial
// by a policy is the error that package policies gives for it.
//
// # What it writes
//
// Without a scratch namespace nothing is stored: creates are dry runs, and a case that
// updates or deletes is a fault. With a scratch namespace the old object of such a case is
// stored there, the request itself is a dry run, and then the old object is removed, also
// if the run is interrupted. Objects of all cases are put into the scratch namespace. A
// namespace that already has objects of the kind is refused. Nothing else is ever written.
// [Backend.Intent] says all this for people, before the run.
//
// # Faults
//
// A case is a fault if the API server gives no verdict: it is not reachable, the kind or
// the namespace is missing, the user has no right, a webhook does not support dry runs or
// does not answer.
package cluster
