// Package cluster is a native backend that asks a running API server. Each case is sent with
// dryRun=All, so the definitions, webhooks and ValidatingAdmissionPolicies of the cluster all
// apply.
//
// A Backend gets objects as a client sends them: the API server prunes and defaults them. Errors
// are read from status.details.causes, as in package admission. A denial by a policy becomes the
// error that package policies returns for it.
//
// A case that names a user is sent as that user, by impersonation, which the user of the kubeconfig
// must have the right to; others are sent as the user of the kubeconfig.
//
// # What it writes
//
// Without a scratch namespace nothing is stored: creates are dry runs, and a case that updates or
// deletes is a fault. With a scratch namespace the old object of such a case is stored there, the
// request itself is a dry run, and the old object is removed afterwards, even if the run is
// interrupted. Objects of all cases are put into the scratch namespace. A namespace that already
// has objects of the kind is refused. Nothing else is written. [Backend.Intent] describes this
// before the run.
//
// # Faults
//
// A case is a fault if the API server returns no verdict: it is unreachable, the kind or the
// namespace is missing, the user lacks a permission, or a webhook does not answer or does not
// support dry runs.
package cluster
