// Package k8s has each tag of upstream's validation-gen once.
package k8s

// Root has a field for each tag.
//
// +k8s:supportsSubresource="/status"
type Root struct {
	// +k8s:required
	// +k8s:maxLength=3
	Name string `json:"name,omitempty"`
	// +k8s:optional
	// +k8s:minLength=2
	// +k8s:maxBytes=4
	Text *string `json:"text,omitempty"`
	// +k8s:optional
	// +k8s:minimum=1
	// +k8s:maximum=5
	// +k8s:neq=3
	Number *int32 `json:"number,omitempty"`
	// +k8s:forbidden
	Gone *string `json:"gone,omitempty"`
	// +k8s:optional
	Color Color `json:"color,omitempty"`
	// +k8s:immutable
	Fixed *string `json:"fixed,omitempty"`
	// +k8s:update=NoModify
	// +k8s:update=NoUnset
	Once *string `json:"once,omitempty"`
	// +k8s:update=NoSet
	Early *string `json:"early,omitempty"`
	// +listType=atomic
	// +k8s:alpha(since: "1.36")=+k8s:unique=set
	// +k8s:minItems=1
	// +k8s:maxItems=3
	// +k8s:eachVal=+k8s:format=k8s-short-name
	Set []string `json:"set,omitempty"`
	// +listType=atomic
	// +k8s:unique=map
	// +k8s:listMapKey=type
	// +k8s:item(type: "Ready")=+k8s:subfield(reason)=+k8s:required
	// +k8s:item(type: "Approved")=+k8s:zeroOrOneOfMember
	// +k8s:item(type: "Denied")=+k8s:zeroOrOneOfMember
	Atomic []Condition `json:"atomic,omitempty"`
	// +listType=map
	// +listMapKey=type
	// +k8s:listType=map
	// +k8s:listMapKey=type
	Conditions []Condition `json:"conditions,omitempty"`
	// +k8s:eachKey=+k8s:format=k8s-label-key
	// +k8s:eachVal=+k8s:maxLength=2
	Labels map[string]string `json:"labels,omitempty"`
	// +k8s:subfield(reason)=+k8s:required
	// +k8s:subfield(type)=+k8s:format=k8s-long-name-caseless
	Condition *Condition `json:"condition,omitempty"`
	// +k8s:ifEnabled(Feature)=+k8s:optional
	// +k8s:ifDisabled(Feature)=+k8s:forbidden
	Gated *string `json:"gated,omitempty"`
	// +k8s:alpha(since: "1.35")=+k8s:maximum=10
	// +k8s:beta(since: "1.36")=+k8s:minimum=1
	Staged *int32 `json:"staged,omitempty"`
	Union  *Union `json:"union,omitempty"`
	One    *One   `json:"one,omitempty"`
	Some   *Some  `json:"some,omitempty"`
	Group  *Group `json:"group,omitempty"`
	// +k8s:opaqueType
	Opaque *Some `json:"opaque,omitempty"`
	// +k8s:maxItems=1
	// +k8s:opaqueType
	Opaques []Some `json:"opaques,omitempty"`
	// +k8s:monotonic
	Counter *int64 `json:"counter,omitempty"`
	// +k8s:dependentRequired("needed")
	// +k8s:dependentForbidden("excluded")
	Trigger  *string `json:"trigger,omitempty"`
	Needed   *string `json:"needed,omitempty"`
	Excluded *string `json:"excluded,omitempty"`
	// +listType=map
	// +listMapKey=type
	// +k8s:update=NoAddItem
	// +k8s:update=NoRemoveItem
	Kept []Condition `json:"kept,omitempty"`
	Mode *Mode       `json:"mode,omitempty"`
	// +k8s:customUnique
	Custom []string `json:"custom,omitempty"`
	// +k8s:format=k8s-uuid
	UUID string `json:"uuid,omitempty"`
	// +k8s:format=k8s-resource-pool-name
	Pool string `json:"pool,omitempty"`
	// +k8s:format=k8s-resource-fully-qualified-name
	Qualified string `json:"qualified,omitempty"`
	// +k8s:format=k8s-extended-resource-name
	Extended string `json:"extended,omitempty"`
	// +k8s:format=k8s-path-segment-name
	Segment string `json:"segment,omitempty"`
}

// +k8s:enum
type Color string

const (
	Red   Color = "Red"
	Green Color = "Green"
	// +k8s:enumExclude
	Black Color = "Black"
	// +k8s:ifDisabled(Feature)=+k8s:enumExclude
	Blue Color = "Blue"
)

type Condition struct {
	Type   string  `json:"type"`
	Reason *string `json:"reason,omitempty"`
}

type Union struct {
	// +k8s:unionDiscriminator
	Type string `json:"type,omitempty"`
	// +k8s:unionMember
	// +k8s:optional
	A *string `json:"a,omitempty"`
	// +k8s:unionMember(memberName: "Bee")
	// +k8s:optional
	B *string `json:"b,omitempty"`
}

type One struct {
	// +k8s:unionMember
	A *string `json:"a,omitempty"`
	// +k8s:unionMember
	B *string `json:"b,omitempty"`
}

type Some struct {
	// +k8s:zeroOrOneOfMember
	A *string `json:"a,omitempty"`
	// +k8s:zeroOrOneOfMember
	B *string `json:"b,omitempty"`
}

type Mode struct {
	// +k8s:modeDiscriminator
	Kind string `json:"kind,omitempty"`
	// +k8s:ifMode("Queue")=+k8s:required
	// +k8s:ifMode("Reject")=+k8s:optional
	Queue *string `json:"queue,omitempty"`
}

// Group has the names of these tags until 1.36.
type Group struct {
	// +k8s:discriminator
	Kind string `json:"kind,omitempty"`
	// +k8s:member("Queue")=+k8s:required
	// +k8s:member("Reject")=+k8s:forbidden
	Queue *string `json:"queue,omitempty"`
	// +k8s:member("Queue")=+k8s:optional
	// +k8s:member("Reject")=+k8s:maxLength=2
	Text *string `json:"text,omitempty"`
}
