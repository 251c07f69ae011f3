package pruning

import (
	"time"
	"unicode/utf8"
)

// canonical reports whether metadata is exactly as apimachinery writes it, so that coercing it
// would change nothing. It knows the fields of metav1.ObjectMeta, so it decodes nothing. It may
// return false for canonical metadata, which costs time, but true is never wrong.
func canonical(meta any) bool {
	fields, ok := meta.(map[string]any)
	if !ok {
		return false
	}
	for name, v := range fields {
		switch name {
		case "name", "generateName", "namespace", "selfLink", "uid", "resourceVersion":
			ok = filledText(v)
		case "generation":
			n, isInt := v.(int64)
			ok = isInt && n != 0
		case "deletionGracePeriodSeconds":
			_, ok = v.(int64)
		case "creationTimestamp", "deletionTimestamp":
			ok = timestamp(v)
		case "labels", "annotations":
			ok = texts(v)
		case "finalizers":
			ok = listOf(v, text)
		case "ownerReferences":
			ok = listOf(v, ownerReference)
		case "managedFields":
			ok = listOf(v, managedFields)
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return true
}

func text(v any) bool {
	s, ok := v.(string)
	return ok && utf8.ValidString(s)
}

func filledText(v any) bool { return text(v) && v != "" }

// texts reports whether v is a map of strings that is not empty.
func texts(v any) bool {
	entries, ok := v.(map[string]any)
	for name, value := range entries {
		if !text(value) || !utf8.ValidString(name) {
			return false
		}
	}
	return ok && len(entries) > 0
}

func listOf(v any, is func(any) bool) bool {
	items, ok := v.([]any)
	for _, item := range items {
		if !is(item) {
			return false
		}
	}
	return ok && len(items) > 0
}

// timestamp reports whether v is a time as metav1.Time writes it: in UTC, to the second.
func timestamp(v any) bool {
	s, ok := v.(string)
	if !ok || len(s) != len("2006-01-02T15:04:05Z") || s[len(s)-1] != 'Z' {
		return false
	}
	t, err := time.Parse(time.RFC3339, s)
	return err == nil && !t.IsZero()
}

func ownerReference(v any) bool {
	fields, ok := v.(map[string]any)
	required := 0
	for name, v := range fields {
		switch name {
		case "apiVersion", "kind", "name", "uid":
			ok = text(v)
			required++
		case "controller", "blockOwnerDeletion":
			_, ok = v.(bool)
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return ok && required == 4
}

func managedFields(v any) bool {
	fields, ok := v.(map[string]any)
	for name, v := range fields {
		switch name {
		case "manager", "operation", "apiVersion", "fieldsType", "subresource":
			ok = filledText(v)
		case "time":
			ok = timestamp(v)
		case "fieldsV1":
			ok = fieldSet(v)
		default:
			return false
		}
		if !ok {
			return false
		}
	}
	return ok && len(fields) > 0
}

// fieldSet reports whether v consists of maps only, like the sets of managed fields.
func fieldSet(v any) bool {
	fields, ok := v.(map[string]any)
	for name, v := range fields {
		if !fieldSet(v) || !utf8.ValidString(name) {
			return false
		}
	}
	return ok
}
