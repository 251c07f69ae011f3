package corpus

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	admissionv1 "k8s.io/api/admission/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/diffrun/diffrun/internal/admission"
	"github.com/diffrun/diffrun/internal/files/recorded"
	"github.com/diffrun/diffrun/internal/gomodule/capture/recorder"
	"github.com/diffrun/diffrun/internal/text/errorjson"
)

// Case is a line of a file of cases.
type Case struct {
	ID          string          `json:"id"`
	Object      json.RawMessage `json:"object"`
	Old         json.RawMessage `json:"oldObject,omitempty"`
	Operation   string          `json:"operation,omitempty"`
	Subresource string          `json:"subresource,omitempty"`
	Recorded    recorded.Call   `json:"recorded"`
	// Version is the version of the object, or empty for a part of an object.
	Version schema.GroupVersionKind `json:"-"`

	replays bool
}

// newCase returns the case of a recorded call, or an error that says why it is not one.
func (o Options) newCase(line *recorder.Line, version schema.GroupVersionKind) (*Case, error) {
	c := &Case{
		Object: line.Object, Old: line.Old,
		Recorded: recorded.Call{
			Function: line.Function, Type: line.Type, Test: line.Test, Source: line.Source,
			Receiver: line.Receiver, Arguments: line.Arguments, Unrecorded: line.Unrecorded, Gates: line.Gates, Panicked: line.Panicked,
			Errors: errorjson.Record(errorsOf(line.Errors)),
		},
	}
	if line.Deletes {
		c.Operation, c.Old = "DELETE", nil
	}
	if line.Request != nil {
		kind, err := c.review(line)
		if err != nil {
			return nil, err
		}
		if version.Empty() {
			version = kind
		}
	}
	if c.Subresource == "" {
		c.Subresource = o.subresource(line.Function)
	}
	if err := c.identify(version, line.Part); err != nil {
		return nil, err
	}
	return c, c.digest()
}

// errorsOf converts Go errors as packages native and admission do for the errors of a validator.
func errorsOf(recorded []recorder.Error) field.ErrorList {
	var errs field.ErrorList
	for _, e := range recorded {
		switch {
		case e.Status != nil:
			var status metav1.Status
			_ = json.Unmarshal(e.Status, &status) // a status without a message has no text
			errs = append(errs, admission.StatusErrors(&status)...)
		case e.Type == "" && e.Field == "":
			errs = append(errs, admission.MessageErrors(e.Text)...)
		default:
			made := &field.Error{Type: field.ErrorType(e.Type), Field: e.Field, Detail: e.Detail, Origin: e.Origin,
				CoveredByDeclarative: e.Covered}
			if len(e.BadValue) > 0 {
				made.BadValue = e.BadValue
			}
			errs = append(errs, made)
		}
	}
	return inOrder(errs)
}

// inOrder sorts errors, because validators that iterate over maps return them in any order.
func inOrder(errs field.ErrorList) field.ErrorList {
	slices.SortStableFunc(errs, func(a, b *field.Error) int {
		return cmp.Or(cmp.Compare(a.Field, b.Field), cmp.Compare(a.Type, b.Type), cmp.Compare(a.Detail, b.Detail),
			cmp.Compare(fmt.Sprintf("%s", a.BadValue), fmt.Sprintf("%s", b.BadValue)))
	})
	return errs
}

// review decodes the request and the response of an admission handler. It returns the kind of the request, whose
// object may lack it.
func (c *Case) review(line *recorder.Line) (kind schema.GroupVersionKind, _ error) {
	var review struct{ Request, Response json.RawMessage }
	if err := json.Unmarshal(line.Request, &review); err != nil {
		return kind, fmt.Errorf("the admission request cannot be read: %w", err)
	}
	var request admissionv1.AdmissionRequest
	if err := json.Unmarshal(inner(review.Request, line.Request), &request); err != nil {
		return kind, fmt.Errorf("the admission request cannot be read: %w", err)
	}
	var response admissionv1.AdmissionResponse
	if !line.Panicked {
		review.Response = nil
		if err := json.Unmarshal(line.Response, &review); err != nil {
			return kind, fmt.Errorf("the admission response cannot be read: %w", err)
		}
		if err := json.Unmarshal(inner(review.Response, line.Response), &response); err != nil {
			return kind, fmt.Errorf("the admission response cannot be read: %w", err)
		}
	}
	c.Object, c.Old, c.Subresource = request.Object.Raw, request.OldObject.Raw, request.SubResource
	if request.Operation == admissionv1.Delete {
		c.Object, c.Old, c.Operation = request.OldObject.Raw, nil, "DELETE"
	}
	if len(c.Object) == 0 {
		return kind, fmt.Errorf("the admission request of %s has no object", request.Operation)
	}
	kind = schema.GroupVersionKind(request.Kind)
	if kind.Kind == "" && request.RequestKind != nil {
		kind = schema.GroupVersionKind(*request.RequestKind)
	}
	if !response.Allowed && !line.Panicked {
		c.Recorded.Errors = errorjson.Record(inOrder(admission.StatusErrors(response.Result)))
	}
	return kind, nil
}

// inner returns a part of a review, or the document itself if it has no such part.
func inner(part, whole json.RawMessage) json.RawMessage {
	if len(part) > 0 && string(part) != "null" {
		return part
	}
	return whole
}

// identify sets apiVersion and kind of the objects, as clients send them. Parts have none.
func (c *Case) identify(known schema.GroupVersionKind, part bool) error {
	for _, object := range []*json.RawMessage{&c.Object, &c.Old} {
		if len(*object) == 0 {
			*object = nil
			continue
		}
		document, err := decode(*object)
		if err != nil {
			return err
		}
		if part {
			continue
		}
		apiVersion, _ := document["apiVersion"].(string)
		kind, _ := document["kind"].(string)
		if own := schema.FromAPIVersionAndKind(apiVersion, kind); apiVersion != "" && kind != "" && c.Version.Empty() {
			c.Version = own
		}
		if apiVersion == "" && kind == "" && !known.Empty() {
			document["apiVersion"], document["kind"] = known.ToAPIVersionAndKind()
			if c.Version.Empty() {
				c.Version = known
			}
		}
		if c.Version.Empty() && c.Recorded.Type == "" {
			return errors.New("the object of the admission request has no apiVersion and kind, and the request has no kind; " +
				"set one of them in the test")
		}
		if *object, err = encode(document); err != nil {
			return err
		}
	}
	return nil
}

// decode decodes JSON and keeps numbers as they are written.
func decode(data []byte) (document map[string]any, err error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	if err := decoder.Decode(&document); err != nil || document == nil {
		return nil, errors.New("the object is a single value, not a JSON object")
	}
	return document, nil
}

// encode encodes JSON with sorted keys and without escaping HTML.
func encode(value any) ([]byte, error) {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	err := encoder.Encode(value)
	return bytes.TrimSuffix(out.Bytes(), []byte("\n")), err
}

// digest sets the id of the case.
func (c *Case) digest() error {
	same := *c
	same.ID, same.Recorded.Test, same.Recorded.Source = "", "", ""
	data, err := encode(same)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(data)
	name := c.Recorded.Function[strings.LastIndex(c.Recorded.Function, "/")+1:]
	c.ID = name + "/" + hex.EncodeToString(sum[:8])
	return nil
}
