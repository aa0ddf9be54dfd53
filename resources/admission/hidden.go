package admission

import "strings"

// hiddenPlans asks the user before the first write of a session in a clone that does not see the
// plans that the team shares: to work as if nothing was planned is not the agent's decision.
func hiddenPlans(e *evaluation) *Reason {
	if e.alone || e.call.Hidden == nil || e.asks != nil {
		return nil
	}
	why, agreed := e.call.Hidden()
	if why == "" || agreed {
		return nil
	}
	e.asks = &Reason{
		Rule:       SharedPlans,
		What:       tried(e.call) + " but the plans of this repository are not visible here.",
		Why:        []string{strings.ToUpper(why[:1]) + why[1:] + "."},
		UseInstead: "Ask the user to run `idumb sync enable --plans`, which fetches the plans, or `idumb sync decline` to work without them. Reading, building and testing is open.",
		Evidence:   []string{".idumb/.gitignore leaves out /workplans/ and /tasks/; sync is not enabled for plans in this clone"},
	}
	return nil
}

// SharedPlans is the rule by which a user is asked once a session whether to work without the
// plans that the team shares.
const SharedPlans = "shared-plans"
