package casecluster

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path"
	"slices"
	"sync"
)

// Starting is the transport of a command until it serves webhooks, and that of a Cluster afterwards. Until then it is a cluster
// that begins empty and keeps what the command writes, such as certificates and leases. It checks nothing.
type Starting struct {
	*Cluster

	mu      sync.Mutex
	started bool
	written []writtenObject
	missing string // the path of the last object that was read and not found
}

// writtenObject is an object that the command wrote.
type writtenObject struct {
	path   string
	of     wanted
	object map[string]any
}

// Start ends the start-up: later requests are those of webhooks.
func (s *Starting) Start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.started = true
}

// Lacked names the object that the command wanted to read last. Many end without their own Pod or Namespace.
func (s *Starting) Lacked() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.missing == "" {
		return ""
	}
	return fmt.Sprintf(", after it read %s, which the empty cluster here does not have", s.missing)
}

// discovery has the answers that clients need before they ask for objects.
var discovery = map[string]map[string]any{
	"/version": {"major": "1", "minor": "34", "gitVersion": "v1.34.0"},
	"/api":     {"kind": "APIVersions", "versions": []string{"v1"}},
	"/apis":    {"kind": "APIGroupList", "apiVersion": "v1", "groups": []any{}},
}

// RoundTrip answers a request of the command.
func (s *Starting) RoundTrip(request *http.Request) (*http.Response, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started {
		return s.Cluster.RoundTrip(request)
	}
	var sent []byte
	if request.Body != nil {
		var err error
		if sent, err = io.ReadAll(request.Body); err != nil {
			return nil, err
		}
	}
	var code int
	var answer map[string]any
	switch {
	case request.Method == http.MethodGet && discovery[request.URL.Path] != nil:
		code, answer = http.StatusOK, discovery[request.URL.Path]
	case request.Method == http.MethodGet:
		code, answer = s.read(request)
	default:
		var object map[string]any
		if request.Method != http.MethodDelete && json.Unmarshal(sent, &object) != nil {
			written := answered(request, http.StatusOK, sent) // such as protobuf
			written.Header.Set("Content-Type", request.Header.Get("Content-Type"))
			return written, nil
		}
		code, answer = s.write(request, object)
	}
	body, err := json.Marshal(answer)
	return answered(request, code, body), err
}

// read answers a request for an object or a list.
func (s *Starting) read(request *http.Request) (int, map[string]any) {
	of, ok := parsePath(request.URL.Path)
	selected, err := selector(request)
	if !ok || err != nil || request.URL.Query().Get("watch") != "" {
		return s.notFound(of)
	}
	items := []map[string]any{}
	for _, one := range s.written {
		metadata, _ := one.object["metadata"].(map[string]any)
		if one.of.resource == of.resource && (of.namespace == "" || of.namespace == one.of.namespace) &&
			(of.name == "" || of.name == one.of.name) && selected(metadata) {
			items = append(items, one.object)
		}
	}
	switch {
	case of.name != "" && len(items) > 0:
		return http.StatusOK, items[0]
	case of.name != "":
		s.missing = request.URL.Path
		return s.notFound(of)
	}
	list := map[string]any{"metadata": map[string]any{"resourceVersion": "1"}, "items": items}
	if len(items) > 0 {
		list["apiVersion"], list["kind"] = items[0]["apiVersion"], text(items[0], "kind")+"List"
	} else if s.Mapper != nil { // clients that know the type need no kind
		if kind, err := s.Mapper.KindFor(of.resource); err == nil {
			list["apiVersion"], list["kind"] = kind.GroupVersion().String(), kind.Kind+"List"
		}
	}
	return http.StatusOK, list
}

func (s *Starting) notFound(of wanted) (int, map[string]any) {
	code, answer := failure(http.StatusNotFound, fmt.Sprintf("%s %q not found", of.resource.GroupResource(), of.name))
	answer["reason"] = "NotFound"
	return code, answer
}

// write keeps an object, changes it or removes it. What has no name, such as a review, is only answered.
func (s *Starting) write(request *http.Request, object map[string]any) (int, map[string]any) {
	at := request.URL.Path
	of, ok := parsePath(at)
	if !ok { // a subresource is a part of its object
		at = path.Dir(at)
		of, ok = parsePath(at)
	}
	metadata, _ := object["metadata"].(map[string]any)
	creates := request.Method == http.MethodPost && of.name == ""
	if creates {
		of.name = text(metadata, "name")
		if prefix := text(metadata, "generateName"); of.name == "" && prefix != "" {
			of.name = fmt.Sprintf("%s%d", prefix, len(s.written))
		}
		at += "/" + of.name
	}
	i := slices.IndexFunc(s.written, func(one writtenObject) bool { return one.path == at })
	switch {
	case request.Method == http.MethodDelete:
		s.written = slices.DeleteFunc(s.written, func(one writtenObject) bool { return one.path == at })
		return http.StatusOK, map[string]any{"kind": "Status", "apiVersion": "v1", "metadata": map[string]any{}, "status": "Success"}
	case !ok || of.name == "" || object == nil:
		return http.StatusOK, object
	case creates && i >= 0:
		code, answer := failure(http.StatusConflict, fmt.Sprintf("%s %q already exists", of.resource.GroupResource(), of.name))
		answer["reason"] = "AlreadyExists"
		return code, answer
	case i < 0:
		i, s.written = len(s.written), append(s.written, writtenObject{path: at, of: of})
	case request.Method == http.MethodPatch:
		object = merged(s.written[i].object, object)
	}
	s.written[i].object = identified(object, of, len(s.written))
	if creates {
		return http.StatusCreated, s.written[i].object
	}
	return http.StatusOK, s.written[i].object
}

// identified returns an object with the metadata that a server sets.
func identified(object map[string]any, of wanted, number int) map[string]any {
	metadata, _ := object["metadata"].(map[string]any)
	with := map[string]any{
		"uid":             fmt.Sprintf("00000000-0000-0000-0000-%012d", number),
		"resourceVersion": fmt.Sprint(number),
		"name":            of.name,
	}
	if of.namespace != "" {
		with["namespace"] = of.namespace
	}
	return merged(object, map[string]any{"metadata": merged(metadata, with)})
}

// merged returns an object with a merge patch applied (RFC 7386). Patches of other forms are taken as one.
func merged(object, patch map[string]any) map[string]any {
	made := map[string]any{}
	for key, value := range object {
		made[key] = value
	}
	for key, value := range patch {
		part, isMap := value.(map[string]any)
		before, _ := made[key].(map[string]any)
		switch {
		case value == nil:
			delete(made, key)
		case isMap:
			made[key] = merged(before, part)
		default:
			made[key] = value
		}
	}
	return made
}
