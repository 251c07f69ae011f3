// Kubernetesshare measures how many of the inputs that Kubernetes' unit tests refuse get the same
// answer from the schemas of the built-in kinds. It takes the objects that "make
// capture-kubernetes" recorded, runs them against the registry strategies and the schemas, and
// prints a line for each API group: the distinct inputs that the tests' validator refused; those
// whose verdict is equal, equivalent or ratcheting; those that an exception accepts; those that
// differ; and those that are not compared. The kinds that were compared first have a line of their
// own. With -causes it also lists the exceptions and differences that keep inputs from being
// explained. Without -update it fails if fewer are explained than share.txt records.
package main
