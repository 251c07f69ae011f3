package scaffold

import (
	"cmp"
	"encoding/json"
	"fmt"
	"path"
	"reflect"
	"slices"
	"strings"

	admissionregistrationv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/labels"
)

// Webhook is a webhook of a configuration or of a marker of kubebuilder.
type Webhook struct {
	Source   string
	Mutating bool
	Path     string
	Rules    []admissionregistrationv1.RuleWithOperations
	// MatchPolicy is empty for the default.
	MatchPolicy string
	// Kind is set if the program of the functions serves the objects of this kind, in place of a webhook.
	Kind     string
	versions []string // of the Go type of the functions
	// isMarker: it is a marker of kubebuilder.
	isMarker bool
	// Elsewhere is set if no program here serves it, so the suite needs its URL.
	Elsewhere bool
	// ObjectSelector and NamespaceSelector are selectors of labels as texts; empty: they select all.
	ObjectSelector, NamespaceSelector string
	// MatchConditions are expressions that are true for its requests.
	MatchConditions []admissionregistrationv1.MatchCondition
	// Unread names what else narrows the requests: a selector or match conditions that a template writes.
	Unread []string
}

// configuration is a webhook configuration of a manifest.
type configuration struct {
	*candidate
	webhooks []Webhook
}

// readConfiguration keeps a webhook configuration with rules. One without is a patch of kustomize.
func (r *manifestReader) readConfiguration(m manifest, line int, kind string, object map[string]any) {
	data, _ := json.Marshal(object) // it was decoded
	// Only the relevant fields: a template may have texts instead of other values.
	var written struct {
		Webhooks []struct {
			ClientConfig      struct{ Service struct{ Path string } }
			Rules             []admissionregistrationv1.RuleWithOperations
			MatchPolicy       string
			NamespaceSelector json.RawMessage
			ObjectSelector    json.RawMessage
			MatchConditions   json.RawMessage
		}
	}
	if err := json.Unmarshal(data, &written); err != nil {
		r.open("%s:%d: this webhook configuration cannot be read: %v", m.name, line, err)
		return
	}
	made := &configuration{candidate: &candidate{kind: kind, name: nameOf(object), manifest: m, served: r.served[m.name]}}
	content := map[string]any{}
	for _, webhook := range written.Webhooks {
		found := Webhook{
			Source: m.name, Mutating: kind == "MutatingWebhookConfiguration", Path: webhook.ClientConfig.Service.Path,
			Rules: webhook.Rules, MatchPolicy: webhook.MatchPolicy,
		}
		found.ObjectSelector = found.selector("objectSelector", webhook.ObjectSelector)
		found.NamespaceSelector = found.selector("namespaceSelector", webhook.NamespaceSelector)
		found.conditions(webhook.MatchConditions)
		if len(found.Rules) > 0 && !strings.Contains(found.Path, placeholder) {
			made.webhooks = append(made.webhooks, found)
			content[found.Path+" "+found.resources()] = found.registration()
		}
	}
	if made.content = content; len(made.webhooks) > 0 {
		r.configurations = append(r.configurations, made)
	}
}

// needsNamespace reports whether the webhook is asked only if a case has the Namespace: its selector needs another label than
// the name, which every namespace has.
func (w *Webhook) needsNamespace() bool {
	selector, err := labels.Parse(w.NamespaceSelector)
	if err != nil || selector.Matches(labels.Set{}) {
		return false
	}
	requirements, _ := selector.Requirements()
	return slices.ContainsFunc(requirements, func(one labels.Requirement) bool { return one.Key() != corev1.LabelMetadataName })
}

// selector returns a selector of labels as a text. One that a template writes is not read.
func (w *Webhook) selector(key string, written json.RawMessage) string {
	if len(written) == 0 || string(written) == "null" {
		return ""
	}
	var of metav1.LabelSelector
	selector := labels.Everything()
	err := json.Unmarshal(written, &of)
	if err == nil {
		selector, err = metav1.LabelSelectorAsSelector(&of)
	}
	if err != nil || strings.Contains(string(written), placeholder) {
		w.Unread = append(w.Unread, key)
		return ""
	}
	return selector.String() // empty if it selects all
}

// conditions keeps match conditions, unless a template writes them.
func (w *Webhook) conditions(written json.RawMessage) {
	if len(written) == 0 {
		return
	}
	if err := json.Unmarshal(written, &w.MatchConditions); err != nil || strings.Contains(string(written), placeholder) {
		w.MatchConditions, w.Unread = nil, append(w.Unread, "matchConditions")
	}
}

// exampleURL returns a URL at which the webhook may be running.
func (w *Webhook) exampleURL() string {
	return "https://127.0.0.1:9443/" + strings.TrimPrefix(w.Path, "/")
}

// registration returns what decides which requests a webhook gets.
func (w *Webhook) registration() any {
	return []any{w.Rules, cmp.Or(w.MatchPolicy, string(admissionregistrationv1.Equivalent)), w.ObjectSelector, w.NamespaceSelector,
		w.MatchConditions}
}

// addWebhooks adds the webhooks of the configurations. Those of one name that share a path are one, of which a file is
// chosen: kubebuilder gives the configurations of all projects the same name.
func (r *manifestReader) addWebhooks() {
	var groups [][]*configuration
	for _, c := range r.configurations {
		same := func(of []*configuration) bool {
			return of[0].kind == c.kind && of[0].name == c.name && slices.ContainsFunc(of, c.sharesPath)
		}
		if i := slices.IndexFunc(groups, same); i >= 0 {
			groups[i] = append(groups[i], c)
		} else {
			groups = append(groups, []*configuration{c})
		}
	}
	for _, group := range groups {
		var candidates []*candidate
		for _, c := range group {
			candidates = append(candidates, c.candidate)
		}
		best := r.choose(candidates)
		for _, w := range group[slices.Index(candidates, best)].webhooks {
			r.addWebhook(w)
		}
	}
}

func (c *configuration) sharesPath(other *configuration) bool {
	return slices.ContainsFunc(c.webhooks, func(w Webhook) bool {
		return slices.ContainsFunc(other.webhooks, func(o Webhook) bool { return o.Path == w.Path })
	})
}

// addWebhook keeps the first webhook of a path and its resources. Different services may use one path.
func (p *Project) addWebhook(found Webhook) {
	i := slices.IndexFunc(p.Webhooks, func(w Webhook) bool {
		return w.Path == found.Path && w.Mutating == found.Mutating && w.resources() == found.resources() &&
			(w.Source != found.Source || reflect.DeepEqual(w.registration(), found.registration()))
	})
	switch {
	case i < 0:
		p.Webhooks = append(p.Webhooks, found)
	case p.Webhooks[i].isMarker && reflect.DeepEqual(p.Webhooks[i].Rules, found.Rules):
		p.Webhooks[i] = found // it has what the marker cannot have: selectors and conditions, which patches add
	case p.Webhooks[i].Source != found.Source && !reflect.DeepEqual(p.Webhooks[i].registration(), found.registration()):
		chosen := p.Webhooks[i].Source
		why := fmt.Sprintf("%s was read first", chosen)
		if path.Ext(chosen) == ".go" {
			why = "controller-gen makes configurations of the marker in " + chosen
		}
		p.PassedOver = append(p.PassedOver, PassedOver{"webhook", found.Path, found.Source, chosen, why})
	}
}
