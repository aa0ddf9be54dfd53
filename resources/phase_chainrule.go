package resources

import "time"

// Phases of a chain rule.
const (
	ChainRuleActive   = "active"
	ChainRuleDisabled = "disabled"
)

// DeriveChainRule says whether a rule counts. What it requires is looked at when a call
// is judged, and at no other time.
func DeriveChainRule(r *ChainRule, _ View) (ChainRuleStatus, time.Time) {
	status := ChainRuleStatus{}
	status.Phase = ChainRuleActive
	if r.Spec.Disabled {
		status.Phase = ChainRuleDisabled
	}
	return status, time.Time{}
}
