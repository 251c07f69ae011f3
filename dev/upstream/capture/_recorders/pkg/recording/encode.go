package recording

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
)

// encode writes a value as JSON that k8s.io/apimachinery/pkg/util/json reads back as the same Go
// value: floats keep their point. Types that JSON is never decoded to are written as the nearest
// one, and recorded.
func (r *Recorder) encode(v any) json.RawMessage {
	var out bytes.Buffer
	r.value(&out, v)
	return out.Bytes()
}

func (r *Recorder) value(out *bytes.Buffer, v any) {
	switch v := v.(type) {
	case nil, bool, string, int64:
		out.Write(plain(v))
	case float64:
		r.float(out, v)
	case float32:
		// encoding/json would write the shortest text that reads as the same float32, which reads
		// as a different float64.
		r.foreign("float32")
		r.float(out, float64(v))
	case map[string]any:
		if v == nil {
			out.WriteString("null")
			return
		}
		out.WriteByte('{')
		for i, key := range slices.Sorted(maps.Keys(v)) {
			if i > 0 {
				out.WriteByte(',')
			}
			out.Write(plain(key))
			out.WriteByte(':')
			r.value(out, v[key])
		}
		out.WriteByte('}')
	case []any:
		if v == nil {
			out.WriteString("null")
			return
		}
		out.WriteByte('[')
		for i, item := range v {
			if i > 0 {
				out.WriteByte(',')
			}
			r.value(out, item)
		}
		out.WriteByte(']')
	default:
		r.foreign(fmt.Sprintf("%T", v))
		data, err := json.Marshal(v)
		if err != nil {
			data = []byte("null")
			r.foreign(err.Error())
		}
		out.Write(data)
	}
}

func (r *Recorder) float(out *bytes.Buffer, v float64) {
	switch {
	case math.IsNaN(v) || math.IsInf(v, 0):
		r.foreign(fmt.Sprint(v))
		out.WriteString("null")
	case v == math.Trunc(v) && math.Abs(v) < 1e15:
		out.WriteString(strconv.FormatFloat(v, 'f', 1, 64))
	default:
		// The exponent keeps a large integer a float.
		out.WriteString(strconv.FormatFloat(v, 'e', -1, 64))
	}
}

func (r *Recorder) foreign(name string) {
	if !slices.Contains(r.call.Foreign, name) {
		r.call.Foreign = append(r.call.Foreign, name)
	}
}

// describe returns a bad value as JSON, or as text if it has no JSON.
func describe(v any) json.RawMessage {
	r := &Recorder{}
	data := r.encode(v)
	if len(r.call.Foreign) > 0 && !json.Valid(data) {
		return plain(fmt.Sprint(v))
	}
	return data
}
