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

// DeriveChainRule computes the status of a rule: active or disabled. The requirements of
// a rule are only evaluated when a call is checked.
func DeriveChainRule(r *resources.ChainRule, _ View) (resources.ChainRuleStatus, time.Time) {
	status := resources.ChainRuleStatus{}
	status.Phase = ChainRuleActive
	if r.Spec.Disabled {
		status.Phase = ChainRuleDisabled
	}
	return status, time.Time{}
}
