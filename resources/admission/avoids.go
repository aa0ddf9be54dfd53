package admission

import (
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/packages"
	"github.com/idumb-dev/idumb/resources/status"
)

// breach is a package that a call adds although a decision avoids it.
type breach struct {
	added    Added
	decision *resources.Decision
	avoids   string // matching entry of spec.avoids
}

// avoided checks packages against the avoids lists of decisions in effect when they are
// added. The call is denied if the decision demands it and there are plans, otherwise the
// agent is informed. Decisions that are not accepted have no effect.
func avoided(e *evaluation) *Reason {
	if len(e.call.Adds) == 0 {
		return nil
	}
	breaches := e.breaches()
	for _, b := range breaches {
		if resources.OnViolation(b.decision) == resources.ViolationDeny && !e.planless() {
			return b.reason(e.call)
		}
	}
	if len(breaches) > 0 && e.advice == "" {
		r := breaches[0].reason(e.call)
		e.advice = "iDumb: " + breaches[0].text() + " " + r.UseInstead
	}
	return nil
}

// breaches returns the added packages that decisions avoid, by name of the decision.
func (e *evaluation) breaches() (found []breach) {
	for _, name := range e.view.Names(resources.Decisions) {
		d, ok := e.view.Decision(name)
		if !ok || len(d.Spec.Avoids) == 0 || resources.OnViolation(d) == resources.ViolationNone || status.DecisionPhase(d, e.view) != resources.DecisionResolved {
			continue
		}
		for _, added := range e.call.Adds {
			if entry, ok := avoids(d, added); ok {
				found = append(found, breach{added, d, entry})
			}
		}
	}
	return found
}

// avoids returns the entry of a decision that avoids a package in its manifest.
func avoids(d *resources.Decision, added Added) (entry string, ok bool) {
	if len(d.Spec.Paths) > 0 && !resources.MatchesAny(added.File, d.Spec.Paths) {
		return "", false
	}
	for _, entry := range d.Spec.Avoids {
		if added.Is(packages.Named(entry)) {
			return entry, true
		}
	}
	return "", false
}

// reason returns the denial of a call that adds an avoided package.
func (b breach) reason(c Call) *Reason {
	what := triedText(c)
	if b.added.By != "" {
		what = "You tried to run " + quote(b.added.By)
	}
	name := b.decision.Metadata.Name
	return &Reason{
		What:       what + ", which adds " + quote(b.added.String()) + ": decision " + quote(name) + " avoids it.",
		Why:        []string{b.text()},
		UseInstead: b.instead(),
		Evidence:   []string{"decisions/" + name + " spec.avoids has " + quote(b.avoids), b.added.File},
	}
}

// text describes the decision in one or two sentences.
func (b breach) text() string {
	spec := &b.decision.Spec
	text := "decision/" + b.decision.Metadata.Name + " (" + quote(spec.Title) + ") avoids " + quote(b.avoids)
	if spec.Because != "" {
		text += ", because: " + clean(spec.Because)
	}
	return strings.TrimSuffix(text, ".") + "."
}

// instead returns the choice of the decision, or who can change it.
func (b breach) instead() string {
	name := b.decision.Metadata.Name
	if uses := b.decision.Spec.Uses; len(uses) > 0 {
		return "Take " + orList(uses) + " instead: decision " + quote(name) + " chose it."
	}
	return "Do not add it. If it is required, propose another decision and ask the user: `idumb decide \"...\" --supersedes " + name + "`."
}
