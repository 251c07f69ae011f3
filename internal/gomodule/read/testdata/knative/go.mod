module example.com/knative

go 1.26

require knative.dev/pkg v0.0.0

replace knative.dev/pkg => ./pkg
