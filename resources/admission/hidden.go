package admission

import "strings"

// leftOut denies writes while git excludes .idumb from the work tree. Agents may not decide
// to work without plans.
func leftOut(e *evaluation) *Reason {
	u := e.unseenPlans()
	if u.Command == "" {
		return nil
	}
	return &Reason{
		What:       triedText(e.call) + " but .idumb with the plans of this repository is missing from the working tree.",
		Why:        []string{u.sentence()},
		UseInstead: "Ask the user to run `" + u.Command + "`, which restores it. Reading, building and testing are allowed.",
		Evidence:   []string{"git has files below .idumb/ that are missing here"},
	}
}

// hiddenPlans asks the user before the first write of a session in a clone without the
// team's shared plans. Agents may not decide to work without plans.
func hiddenPlans(e *evaluation) *Reason {
	u := e.unseenPlans()
	if u.Why == "" || u.Agreed || e.asks != nil {
		return nil
	}
	if u.Missing {
		e.asks = &Reason{
			Rule:       SharedPlans,
			What:       triedText(e.call) + " but not all plans of this repository are visible here.",
			Why:        []string{u.sentence()},
			UseInstead: "Ask the user to run " + u.Follow + ", which restores them. Reading, building and testing are allowed.",
			Evidence:   []string{"the last exchange with the team found objects that have no files below .idumb/"},
		}
		return nil
	}
	e.asks = &Reason{
		Rule:       SharedPlans,
		What:       triedText(e.call) + " but the plans of this repository are not visible here.",
		Why:        []string{u.sentence()},
		UseInstead: "Ask the user to run " + u.Follow + ", which fetches the plans, or `idumb sync decline` to work without them. Reading, building and testing are allowed.",
		Evidence:   []string{".idumb/.gitignore leaves out /workplans/ and /tasks/; sync is not enabled for plans in this clone"},
	}
	return nil
}

// unseenPlans returns the reason why existing plans may not be visible.
func (e *evaluation) unseenPlans() UnseenPlans {
	if e.standalone || e.call.UnseenPlans == nil {
		return UnseenPlans{}
	}
	return e.call.UnseenPlans()
}

// sentence returns the reason as a sentence.
func (u UnseenPlans) sentence() string { return strings.ToUpper(u.Why[:1]) + u.Why[1:] + "." }

// LeftOut is the rule that denies writes while git excludes .idumb from the work tree.
const LeftOut = "plans-left-out"

// SharedPlans is the rule that asks a user once per session whether to work without the
// team's shared plans.
const SharedPlans = "shared-plans"
