// Kubernetesshare says for how much of what Kubernetes' unit tests refuse the schemas of the
// built-in kinds have the same answer. It takes the objects that "make capture-kubernetes" recorded,
// runs them against the registry strategies and the schemas, and prints a line for each API group:
// the distinct inputs that the tests' validator refused; those whose verdict is equal, equivalent or
// ratcheting; those that an exception accepts; those that differ; and those that nothing compares.
// The kinds that were compared first have a line of their own. With -causes it also lists the
// exceptions and differences that keep inputs from being explained. Without -update it fails if
// fewer are explained than share.txt says.
package main
