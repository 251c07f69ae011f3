package declarative

import utiljson "k8s.io/apimachinery/pkg/util/json"

// decodeJSON reads JSON data as Kubernetes does: numbers are int64 where they fit,
// else float64.
func decodeJSON(data []byte) (any, error) {
	var x any
	if err := utiljson.Unmarshal(data, &x); err != nil {
		return nil, err
	}
	return x, nil
}
