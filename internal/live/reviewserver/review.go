package reviewserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	admissionv1 "k8s.io/api/admission/v1"
	admissionv1beta1 "k8s.io/api/admission/v1beta1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
	kjson "sigs.k8s.io/json"

	"github.com/diffrun/diffrun/internal/text/jsonerrors"
	"github.com/diffrun/diffrun/internal/text/oneline"
)

// head has the fields of a review that an answer needs.
type head struct {
	metav1.TypeMeta `json:",inline"`
	Request         *struct {
		UID types.UID `json:"uid"`
	} `json:"request"`
}

// versions are the versions of AdmissionReview. They have the same fields.
var versions = []string{admissionv1.SchemeGroupVersion.String(), admissionv1beta1.SchemeGroupVersion.String()}

// readHead reads a whole review.
func readHead(review []byte) (h head, err error) {
	if err := kjson.UnmarshalCaseSensitivePreserveInts(review, &h); err != nil {
		return h, fmt.Errorf("the request is not an AdmissionReview: %w; it begins with %s",
			jsonerrors.In(review, err, "the request"), oneline.Beginning(review))
	}
	return h, h.check()
}

func (h *head) check() error {
	switch {
	case h.Kind != "AdmissionReview" || !slices.Contains(versions, h.APIVersion):
		return fmt.Errorf("the request is of apiVersion %q and kind %q; accepted: AdmissionReview of %v", h.APIVersion, h.Kind, versions)
	case h.Request == nil || h.Request.UID == "":
		return errors.New("the AdmissionReview has no request with a uid")
	}
	return nil
}

// allowed returns the answer to a review.
func (h *head) allowed() ([]byte, error) {
	return json.Marshal(admissionv1.AdmissionReview{
		TypeMeta: h.TypeMeta,
		Response: &admissionv1.AdmissionResponse{UID: h.Request.UID, Allowed: true},
	})
}

// beginning limits the bytes that are read of a review that is not kept.
const beginning = 64 << 10

// readBeginning reads the part of a review that an answer needs. The API server writes it first.
func readBeginning(in io.Reader) (h head, err error) {
	decoder := json.NewDecoder(io.LimitReader(in, beginning))
	err = fields(decoder, func(key string) (bool, error) {
		switch key {
		case "apiVersion":
			return true, decoder.Decode(&h.APIVersion)
		case "kind":
			return true, decoder.Decode(&h.Kind)
		case "request":
			h.Request = &struct {
				UID types.UID `json:"uid"`
			}{}
			err := fields(decoder, func(key string) (bool, error) {
				if key != "uid" {
					return true, skip(decoder)
				}
				return false, decoder.Decode(&h.Request.UID)
			})
			return false, err
		}
		return true, skip(decoder)
	})
	if err != nil {
		return h, fmt.Errorf("the first %d KiB of the request have no uid: %w", beginning>>10, err)
	}
	return h, h.check()
}

// fields calls a function at the value of each field of an object, until it returns false.
func fields(decoder *json.Decoder, at func(key string) (more bool, err error)) error {
	if begin, err := decoder.Token(); err != nil || begin != json.Delim('{') {
		return errors.Join(err, errors.New("an object is expected"))
	}
	for decoder.More() {
		key, err := decoder.Token()
		if err != nil {
			return err
		}
		if more, err := at(key.(string)); err != nil || !more {
			return err
		}
	}
	return nil
}

func skip(decoder *json.Decoder) error {
	var value json.RawMessage
	return decoder.Decode(&value)
}
