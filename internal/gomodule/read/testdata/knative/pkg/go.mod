module knative.dev/pkg

go 1.26
