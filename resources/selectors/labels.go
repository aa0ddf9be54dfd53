// Package selectors parses and evaluates kubectl's selectors: labels (-l) and fields
// (--field-selector). It also parses and evaluates JSONPath templates.
package selectors

import (
	"fmt"
	"slices"
	"strings"
)

// Labels is a label selector. All requirements must match. The zero value selects
// everything.
type Labels []requirement

// requirement is one part of a label selector.
type requirement struct {
	key    string
	op     operator
	values []string
}

// operator is the comparison of a label requirement.
type operator int

const (
	exists operator = iota
	missing
	inOperator // also for = and ==
	notIn      // also for !=; as in Kubernetes, it matches if the label is missing
)

// Matches reports whether labels match every requirement.
func (l Labels) Matches(labels map[string]string) bool {
	for _, r := range l {
		value, has := labels[r.key]
		holds := has
		switch r.op {
		case missing:
			holds = !has
		case inOperator:
			holds = has && slices.Contains(r.values, value)
		case notIn:
			holds = !has || !slices.Contains(r.values, value)
		}
		if !holds {
			return false
		}
	}
	return true
}

// ParseLabels parses comma-separated requirements: k=v, k==v, k!=v, k in (a,b), k notin
// (a,b), k and !k.
func ParseLabels(selector string) (Labels, error) {
	var l Labels
	for _, part := range splitOutsideParentheses(selector) {
		if strings.TrimSpace(part) == "" {
			continue
		}
		r, err := parseRequirement(strings.TrimSpace(part))
		if err != nil {
			return nil, fmt.Errorf("unable to parse selector %q: %w; for example -l team=web,tier!=old,env in (a,b),!done", selector, err)
		}
		l = append(l, r)
	}
	return l, nil
}

// parseRequirement parses one requirement of a label selector, such as key=value, key!=value, !key
// or key in (a,b).
func parseRequirement(part string) (requirement, error) {
	if key, ok := strings.CutPrefix(part, "!"); ok && !strings.ContainsAny(key, "=() ") {
		return checked(requirement{key: key, op: missing})
	}
	for _, o := range [...]struct {
		sign string
		op   operator
	}{{"!=", notIn}, {"==", inOperator}, {"=", inOperator}} {
		if key, value, ok := strings.Cut(part, o.sign); ok {
			return checked(requirement{strings.TrimSpace(key), o.op, []string{strings.TrimSpace(value)}})
		}
	}
	if key, rest, ok := strings.Cut(part, " "); ok {
		return parseSet(key, strings.TrimSpace(rest))
	}
	return checked(requirement{key: part, op: exists})
}

// parseSet parses the rest of k in (a,b).
func parseSet(key, rest string) (requirement, error) {
	word, list, ok := strings.Cut(rest, "(")
	list, closed := strings.CutSuffix(strings.TrimSpace(list), ")")
	ops := map[string]operator{"in": inOperator, "notin": notIn}
	op, known := ops[strings.TrimSpace(word)]
	if !ok || !closed || !known {
		return requirement{}, fmt.Errorf("%q is not understood", key+" "+rest)
	}
	r := requirement{key: key, op: op}
	for value := range strings.SplitSeq(list, ",") {
		r.values = append(r.values, strings.TrimSpace(value))
	}
	return checked(r)
}

// checked returns r, and an error if its key or one of its values is invalid.
func checked(r requirement) (requirement, error) {
	if r.key == "" || strings.ContainsAny(r.key, "=!(), \t\n") {
		return r, fmt.Errorf("%q is not the name of a label", r.key)
	}
	for _, v := range r.values {
		if strings.ContainsAny(v, "=!(), \t\n") {
			return r, fmt.Errorf("%q is not the value of a label", v)
		}
	}
	return r, nil
}

// splitOutsideParentheses splits at commas outside of parentheses.
func splitOutsideParentheses(s string) []string {
	var parts []string
	depth, start := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(':
			depth++
		case ')':
			depth--
		case ',':
			if depth == 0 {
				parts = append(parts, s[start:i])
				start = i + 1
			}
		}
	}
	return append(parts, s[start:])
}
