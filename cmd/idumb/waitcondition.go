package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/selectors"
	"github.com/idumb-dev/idumb/resources/status"
)

// waitCondition is a condition of an object.
type waitCondition struct {
	// IsMet reports whether the condition is true. e is nil if the object does not exist.
	IsMet func(e *queries.Entry) bool
	// Phase is the phase to wait for; empty for any other condition.
	Phase string
	// MayBeMissing reports whether waiting makes sense if the object does not exist.
	MayBeMissing bool
}

const waitUsage = "for example --for=condition=Ready, --for=phase=completed, --for=delete or --for=jsonpath='{.status.phase}'=review"

// parseCondition parses the value of --for.
func parseCondition(value string) (waitCondition, error) {
	switch what, rest, _ := strings.Cut(value, "="); {
	case value == "":
		return waitCondition{}, errors.New("--for is required: what to wait for; " + waitUsage)
	case what == "delete" && rest == "":
		return waitCondition{IsMet: func(e *queries.Entry) bool { return e == nil }, MayBeMissing: true}, nil
	case what == "create" && rest == "":
		return waitCondition{IsMet: func(e *queries.Entry) bool { return e != nil }, MayBeMissing: true}, nil
	case what == "condition" && rest != "":
		return parseConditionStatus(rest)
	case what == "phase" && rest != "":
		return waitCondition{Phase: rest, IsMet: func(e *queries.Entry) bool { return e != nil && strings.EqualFold(e.Phase(), rest) }}, nil
	case what == "jsonpath" && rest != "":
		return parseFieldCondition(rest)
	}
	return waitCondition{}, fmt.Errorf("unrecognized condition: %q; %s", value, waitUsage)
}

// CheckPhase returns an error if objects of a kind never have the phase.
func (c waitCondition) CheckPhase(kind string) error {
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

// parseConditionStatus parses NAME or NAME=STATUS, both case-insensitive as in kubectl. It returns
// an error for a type or a status that no object has.
func parseConditionStatus(text string) (waitCondition, error) {
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
			return waitCondition{}, fmt.Errorf("unknown %s %q; use one of %s%s", word.what, word.said, strings.Join(word.known, ", "), hint)
		}
	}
	return waitCondition{IsMet: func(e *queries.Entry) bool {
		if e == nil {
			return false
		}
		status := resources.Unknown
		for _, c := range conditionsOf(e) {
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

// conditionsOf returns the conditions of an object. Valid is stored only while it is False.
func conditionsOf(e *queries.Entry) []resources.Condition {
	all := []resources.Condition{{Type: resources.Valid, Status: resources.True}}
	if common := resources.CommonOf(e.Status); common != nil {
		all = append(all, common.Conditions...)
	}
	return all
}

// parseFieldCondition parses {PATH}=VALUE or {PATH}.
func parseFieldCondition(text string) (waitCondition, error) {
	expression, want, compare := strings.TrimPrefix(text, "="), "", false
	if end := strings.LastIndexByte(text, '}'); end >= 0 && strings.HasPrefix(text[end+1:], "=") {
		expression, want, compare = text[:end+1], text[end+2:], true
	} else if end < 0 {
		expression, want, compare = strings.Cut(text, "=")
	}
	template, err := selectors.ParsePath(expression)
	if err != nil {
		return waitCondition{}, err
	}
	return waitCondition{IsMet: func(e *queries.Entry) bool {
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
