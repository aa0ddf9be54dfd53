package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/apierrors"
)

// Unfilled is the cause of a rejected object with a placeholder as text.
const Unfilled apierrors.Cause = "Unfilled"

// Placeholders in suggested commands, which the agent must replace.
const (
	yourTitle     = "(title of your work)"
	yourOutput    = "(result of the work)"
	yourPlan      = "(title of the plan)"
	yourCriterion = "(condition that is true when it is done)"
)

// judgePlaceholders rejects a task or plan of an agent that has a placeholder as its
// description. Text that is unchanged from old is not checked.
func judgePlaceholders(old, next resources.Object) error {
	before := statedIn(old)
	for _, text := range statedIn(next) {
		if isPlaceholder(text) && !slices.Contains(before, text) {
			return apierrors.Refuse(Unfilled, "cannot write "+singular(next)+"/"+next.Key().Name, quote(text)+" is a placeholder",
				"replace it by a description of your work, as in `idumb add \"Fix the login form\"`")
		}
	}
	return nil
}

// statedIn returns the descriptive texts of a task or plan.
func statedIn(o resources.Object) []string {
	switch o := o.(type) {
	case *resources.Task:
		if o != nil {
			return []string{o.Spec.Title, o.Spec.ExpectedOutput}
		}
	case *resources.WorkPlan:
		if o != nil {
			return append([]string{o.Spec.Title}, o.Spec.Acceptance...)
		}
	}
	return nil
}

// isPlaceholder reports whether a text is only a word or sentence in parentheses or angle
// brackets, dots, or the name of an argument.
func isPlaceholder(text string) bool {
	text = strings.TrimSpace(text)
	inside := func(open, end string) bool {
		return len(text) > 1 && strings.HasPrefix(text, open) && strings.HasSuffix(text, end) && strings.Count(text, open) == 1 && strings.Count(text, end) == 1
	}
	return inside("(", ")") || inside("<", ">") || inside("[", "]") || inside("{", "}") || text != "" && strings.Trim(text, ".… ") == "" || text == "TITLE" || text == "NAME" || text == "TEXT"
}
