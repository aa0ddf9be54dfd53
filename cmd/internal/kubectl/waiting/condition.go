// Package waiting parses and evaluates the conditions of wait --for.
package waiting

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/jsonpath"
	"github.com/idumb-dev/idumb/resources/status"
)

// Condition is a condition of an object.
type Condition struct {
	// Holds reports whether the condition is true. e is nil if the object does not exist.
	IsMet func(e *queries.Entry) bool
	// Phase is the phase to wait for; empty for any other condition.
	Phase string
	// MayBeMissing reports whether waiting makes sense if the object does not exist.
	MayBeMissing bool
}

const usage = "for example --for=condition=Ready, --for=phase=completed, --for=delete or --for=jsonpath='{.status.phase}'=review"

// Parse parses the value of --for.
func Parse(value string) (Condition, error) {
	what, rest, _ := strings.Cut(value, "=")
	switch {
	case value == "":
		return Condition{}, errors.New("--for is required: what to wait for; " + usage)
	case what == "delete" && rest == "":
		return Condition{IsMet: func(e *queries.Entry) bool { return e == nil }, MayBeMissing: true}, nil
	case what == "create" && rest == "":
		return Condition{IsMet: func(e *queries.Entry) bool { return e != nil }, MayBeMissing: true}, nil
	case what == "condition" && rest != "":
		return condition(rest)
	case what == "phase" && rest != "":
		return Condition{Phase: rest, IsMet: func(e *queries.Entry) bool { return e != nil && strings.EqualFold(e.Phase(), rest) }}, nil
	case what == "jsonpath" && rest != "":
		return path(rest)
	}
	return Condition{}, fmt.Errorf("unrecognized condition: %q; %s", value, usage)
}

// CheckPhase returns an error if objects of a kind never have the phase.
func (c Condition) CheckPhase(kind string) error {
	phases := status.PhasesOf(kind)
	if c.Phase == "" || len(phases) == 0 || slices.ContainsFunc(phases, func(phase string) bool { return strings.EqualFold(phase, c.Phase) }) {
		return nil
	}
	hint := ""
	if near := resources.Nearest(c.Phase, phases); near != "" {
		hint = fmt.Sprintf("\nDid you mean %q?", near)
	}
	return fmt.Errorf("%s have no phase %q; there are %s%s", kind, c.Phase, strings.Join(phases, ", "), hint)
}

// condition parses NAME or NAME=STATUS, both case-insensitive as in kubectl. It returns an error for a type or a
// status that no object has.
func condition(text string) (Condition, error) {
	name, want, found := strings.Cut(text, "=")
	if !found {
		want = resources.True
	}
	for _, word := range []struct {
		said, what string
		known      []string
	}{{name, "condition", resources.ConditionTypes()}, {want, "status of a condition", []string{resources.True, resources.False, resources.Unknown}}} {
		if !slices.ContainsFunc(word.known, func(known string) bool { return strings.EqualFold(known, word.said) }) {
			hint := ""
			if near := resources.Nearest(word.said, word.known); near != "" {
				hint = fmt.Sprintf("\nDid you mean %q?", near)
			}
			return Condition{}, fmt.Errorf("unknown %s %q; use one of %s%s", word.what, word.said, strings.Join(word.known, ", "), hint)
		}
	}
	return Condition{IsMet: func(e *queries.Entry) bool {
		if e == nil {
			return false
		}
		status := resources.Unknown
		for _, c := range conditions(e) {
			if strings.EqualFold(c.Type, name) {
				status = c.Status
			}
		}
		// Conditions with the name of something abnormal exist only while it lasts: their absence
		// means False.
		if status == resources.Unknown && !strings.EqualFold(name, resources.Ready) {
			status = resources.False
		}
		return strings.EqualFold(status, want)
	}}, nil
}

// conditions returns the conditions of an object. Valid is stored only while it is False.
func conditions(e *queries.Entry) []resources.Condition {
	all := []resources.Condition{{Type: resources.Valid, Status: resources.True}}
	if common := resources.CommonOf(e.Status); common != nil {
		all = append(all, common.Conditions...)
	}
	return all
}

// path parses {PATH}=VALUE or {PATH}.
func path(text string) (Condition, error) {
	expression, want, compare := strings.TrimPrefix(text, "="), "", false
	if end := strings.LastIndexByte(text, '}'); end >= 0 && strings.HasPrefix(text[end+1:], "=") {
		expression, want, compare = text[:end+1], text[end+2:], true
	} else if end < 0 {
		expression, want, compare = strings.Cut(text, "=")
	}
	template, err := jsonpath.ParsePath(expression)
	if err != nil {
		return Condition{}, err
	}
	return Condition{IsMet: func(e *queries.Entry) bool {
		if e == nil {
			return false
		}
		found := template.Strings(e.Document())
		if !compare {
			return len(found) > 0
		}
		return slices.Contains(found, want)
	}}, nil
}
