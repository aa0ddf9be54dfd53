package status

import (
	"time"

	"github.com/idumb-dev/idumb/resources"
)

// Phases of a chain rule.
const (
	ChainRuleActive   = "active"
	ChainRuleDisabled = "disabled"
)

// DeriveChainRule says whether a rule counts. What it requires is looked at when a call
// is judged, and at no other time.
func DeriveChainRule(r *resources.ChainRule, _ View) (resources.ChainRuleStatus, time.Time) {
	status := resources.ChainRuleStatus{}
	status.Phase = ChainRuleActive
	if r.Spec.Disabled {
		status.Phase = ChainRuleDisabled
	}
	return status, time.Time{}
}
