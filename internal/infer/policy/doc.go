// Package policy proposes validations of ValidatingAdmissionPolicies for what a definition cannot say.
//
// The objects of its evidence are requests: with the user who sends them, the rights of this user, labels and annotations, and
// deletions. In comes a proven proposal for the definition; out go [Policies], which are compared with the native validator beside it.
package policy
