package infer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-logr/logr"
	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	clientscheme "k8s.io/client-go/kubernetes/scheme"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/log"
	"sigs.k8s.io/controller-runtime/pkg/manager"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"

	"github.com/diffrun/diffrun/backends/native/controllerruntime"
	"github.com/diffrun/diffrun/harness"
	"github.com/diffrun/diffrun/internal/infer/proposal"
)

// asks is a validating webhook with a client: it may create SubjectAccessReviews. object and old are nil if there is none.
type asks func(may func(authorizationv1.ResourceAttributes) bool, user authenticationv1.UserInfo,
	object, old *unstructured.Unstructured) error

// ofRunner is the name in a question for the rights of a service account that does not send the request.
const ofRunner = "of another user"

// asking returns a backend for a webhook that is registered with a manager, whose client asks the cluster of the case.
func asking(t *testing.T, validate asks) harness.Backend {
	t.Helper()
	scheme := runtime.NewScheme()
	if err := clientscheme.AddToScheme(scheme); err != nil {
		t.Fatal(err)
	}
	hooks, err := controllerruntime.Collect(controllerruntime.CollectOptions{Scheme: scheme}, func(mgr manager.Manager) error {
		handle := func(ctx context.Context, request admission.Request) admission.Response {
			read := func(data []byte) *unstructured.Unstructured {
				object := &unstructured.Unstructured{}
				if len(data) == 0 || object.UnmarshalJSON(data) != nil {
					return nil
				}
				return object
			}
			may := func(right authorizationv1.ResourceAttributes) bool {
				review := &authorizationv1.SubjectAccessReview{
					Spec: authorizationv1.SubjectAccessReviewSpec{
						User:               request.UserInfo.Username,
						Groups:             request.UserInfo.Groups,
						ResourceAttributes: &right,
					},
				}
				if right.Name == ofRunner {
					review.Spec.User, review.Spec.Groups = "system:serviceaccount:ci:runner", nil
				}
				return mgr.GetClient().Create(ctx, client.Object(review)) == nil && review.Status.Allowed
			}
			if err := validate(may, request.UserInfo, read(request.Object.Raw), read(request.OldObject.Raw)); err != nil {
				return admission.Denied(err.Error())
			}
			return admission.Allowed("")
		}
		mgr.GetWebhookServer().Register("/validate", &admission.Webhook{Handler: admission.HandlerFunc(handle)})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	backend, err := hooks.Validator("/validate")
	if err != nil {
		t.Fatal(err)
	}
	return backend
}

// TestPoliciesAboutRights: what a webhook asks with a SubjectAccessReview becomes a check of the user's rights.
func TestPoliciesAboutRights(t *testing.T) {
	log.SetLogger(logr.Discard())
	text := func(object *unstructured.Unstructured, fields ...string) string {
		if object == nil {
			return ""
		}
		value, _, _ := unstructured.NestedString(object.Object, fields...)
		return value
	}
	const properties = "mode: {type: string, enum: [Open, Closed]}\nsigner: {type: string, maxLength: 20, pattern: '^[a-z0-9]+$'}\n"
	for _, tt := range []struct {
		why      string
		starts   []spec
		validate asks
		want     []string
	}{
		{
			why: "a right to all objects", starts: []spec{{"mode": "Open"}, {"signer": "one"}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, _ *unstructured.Unstructured) error {
				if object != nil && !may(authorizationv1.ResourceAttributes{Group: "example.com", Resource: "signers", Verb: "approve"}) {
					return errors.New("you may not approve")
				}
				return nil
			},
			want: []string{"policy, CREATE and UPDATE: authorizer.group('example.com').resource('signers').check('approve').allowed()"},
		},
		{
			why:    "a right to a name in the namespace of the object, where a field has one value",
			starts: []spec{{"mode": "Open", "signer": "one"}, {"mode": "Closed", "signer": "two"}, {"mode": "Open", "signer": "two"}, {}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, _ *unstructured.Unstructured) error {
				if text(object, "spec", "mode") == "Open" &&
					!may(authorizationv1.ResourceAttributes{
						Group:       "example.com",
						Resource:    "signers",
						Subresource: "use",
						Verb:        "approve",
						Namespace:   object.GetNamespace(),
						Name:        text(object, "spec", "signer"),
					}) {
					return errors.New("you may not use this signer for Open")
				}
				return nil
			},
			want: []string{
				"policy, CREATE and UPDATE: !has(object.spec.mode) || object.spec.mode != 'Open' || authorizer.group('example.com')" +
					".resource('signers').subresource('use').namespace(object.metadata.namespace).name(has(object.spec.signer) ? " +
					"object.spec.signer : '').check('approve').allowed()",
			},
		},
		{
			why: "one name or all of them, as in cert-manager", starts: []spec{{"signer": "one"}, {"signer": "two"}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, _ *unstructured.Unstructured) error {
				if object == nil {
					return nil
				}
				for _, name := range []string{
					"issuers.example.com/*",
					"issuers.example.com/" + object.GetNamespace() + "." + text(object, "spec", "signer"),
				} {
					if may(authorizationv1.ResourceAttributes{Group: "example.com", Resource: "signers", Verb: "approve", Name: name}) {
						return nil
					}
				}
				return errors.New("you may not approve for this signer")
			},
			want: []string{
				"policy, CREATE and UPDATE: authorizer.group('example.com').resource('signers').name('issuers.example.com/*')" +
					".check('approve').allowed() || authorizer.group('example.com').resource('signers').name('issuers.example.com/' + " +
					"object.metadata.namespace + '.' + (has(object.spec.signer) ? object.spec.signer : '')).check('approve').allowed()",
			},
		},
		{
			why:    "constants that all objects of the cases have as a name and a namespace",
			starts: []spec{{"mode": "Open"}, {"signer": "one"}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, _ *unstructured.Unstructured) error {
				if object != nil &&
					!may(authorizationv1.ResourceAttributes{Resource: "configmaps", Verb: "update", Namespace: "b", Name: "a"}) {
					return errors.New("you may not configure")
				}
				return nil
			},
			want: []string{
				"policy, CREATE and UPDATE: authorizer.group('').resource('configmaps').namespace('b').name('a').check('update').allowed()",
			},
		},
		{
			why: "creates alone, also of objects without a namespace of their own", starts: []spec{{"mode": "Open"}, {"signer": "one"}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, old *unstructured.Unstructured) error {
				if object != nil && old == nil &&
					!may(authorizationv1.ResourceAttributes{
						Group:    "example.com",
						Resource: "things",
						Verb:     "claim",
						Name:     object.GetNamespace() + "." + object.GetName(),
					}) {
					return errors.New("you may not claim this name")
				}
				return nil
			},
			want: []string{
				"policy, CREATE and UPDATE: oldObject != null || authorizer.group('example.com').resource('things')" +
					".name(object.metadata.namespace + '.' + object.metadata.name).check('claim').allowed()",
			},
		},
		{
			why: "the object of a deletion", starts: []spec{{"mode": "Open"}, {"mode": "Closed"}},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, old *unstructured.Unstructured) error {
				if object == nil && !may(authorizationv1.ResourceAttributes{
					Group:     "example.com",
					Resource:  "things",
					Verb:      "purge",
					Namespace: old.GetNamespace(),
					Name:      old.GetName(),
				}) {
					return errors.New("you may not purge this thing")
				}
				return nil
			},
			want: []string{
				"policy, DELETE: authorizer.group('example.com').resource('things').namespace(oldObject.metadata.namespace)" +
					".name(oldObject.metadata.name).check('purge').allowed()",
			},
		},
		{
			why: "another right that more of the later requests are about, so that it comes first",
			starts: []spec{
				{"mode": "Closed"}, {"mode": "Open", "signer": "aaaaaaaaaaaaaaaaaaaa"}, {"mode": "Open", "signer": "bbbbbbbbbbbbbbbbbbbb"},
				{"mode": "Open", "signer": "cccccccccccccccccccc"},
				{"mode": "Open", "signer": "dddddddddddddddddddd"}, {"mode": "Open", "signer": "eeeeeeeeeeeeeeeeeeee"},
				{"mode": "Open", "signer": "ffffffffffffffffffff"},
			},
			validate: func(may func(authorizationv1.ResourceAttributes) bool, _ authenticationv1.UserInfo,
				object, _ *unstructured.Unstructured) error {
				if text(object, "spec", "mode") == "Closed" {
					may(authorizationv1.ResourceAttributes{Group: "example.com", Resource: "doors", Verb: "close"})
				}
				if text(object, "spec", "mode") == "Open" &&
					!may(authorizationv1.ResourceAttributes{Group: "example.com", Resource: "doors", Verb: "open"}) {
					return errors.New("you may not open this")
				}
				return nil
			},
			want: []string{
				"policy, CREATE and UPDATE: !has(object.spec.mode) || object.spec.mode != 'Open' || authorizer.group('example.com')" +
					".resource('doors').check('open').allowed()",
			},
		},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOfBackend(t, definition(properties), asking(t, tt.validate), tt.starts...)
			o := options()
			o.Inputs = 60
			wantPolicies(t, target, o, tt.want)
		})
	}
}

// TestRightsOfOthers: the rights of a user who did not send the request are not expressible, and the report says so.
func TestRightsOfOthers(t *testing.T) {
	for _, tt := range []struct {
		why, want string
		// all: the webhook asks for all users, not only for those who are no administrators.
		all   bool
		sites int
	}{
		{"the error depends on it", `the native validator asked whether "system:serviceaccount:ci:runner" may create pods "of ` +
			`another user"; this user did not send the request, and a policy can only ask for the rights of the sender`, false, 1},
		{"nothing is known", `whether "system:serviceaccount:ci:runner" may create pods is not known; write ClusterRoles, ` +
			`Roles and their bindings into the key cluster of the case`, true, 0},
	} {
		t.Run(tt.why, func(t *testing.T) {
			t.Parallel()
			target := worldOfBackend(t, definition("runner: {type: string}"),
				asking(t,
					func(may func(authorizationv1.ResourceAttributes) bool, user authenticationv1.UserInfo, object,
						_ *unstructured.Unstructured) error {
						if object == nil || user.Username == "diffrun" && !tt.all {
							return nil
						}
						if runner, _, _ := unstructured.NestedString(object.Object, "spec", "runner"); runner != "" &&
							!may(authorizationv1.ResourceAttributes{Resource: "pods", Verb: "create", Name: ofRunner}) {
							return errors.New("the runner may not create pods")
						}
						return nil
					}), spec{"runner": "one"}, spec{})
			o := options()
			o.Inputs = 60
			report, err := Run(t.Context(), target, o)
			if err != nil {
				t.Fatal(err)
			}
			if text := report.Text(); len(report.Policies) > 0 || report.Count(proposal.NotExpressed) != tt.sites ||
				len(report.Sites) != tt.sites || !strings.Contains(text, tt.want) {
				t.Errorf("policies %v\n%s", report.Policies, text)
			}
		})
	}
}
