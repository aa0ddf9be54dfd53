package resources

import "time"

// Derive computes the status of any object: a pointer to its kind's status, and
// the next moment at which it changes by itself, zero if it never does. Phases
// follow from specs, logs and the clock alone. What only the machinery knows is
// not filled in (see FillStatus), nor are transition times (see MergeConditions).
// nil for an object that is of no kind of this package.
func Derive(o Object, v WideView) (status any, next time.Time) {
	switch o := o.(type) {
	case *Task:
		return derived(DeriveTask(o, v))
	case *WorkPlan:
		return derived(DerivePlan(o, v))
	case *Anchor:
		return derived(DeriveAnchor(o, v))
	case *Mem:
		return derived(DeriveMem(o, v))
	case *Role:
		return derived(DeriveRole(o, v))
	case *Trigger:
		return derived(DeriveTrigger(o, v))
	case *Delegation:
		return derived(DeriveDelegation(o, v))
	case *ChainRule:
		return derived(DeriveChainRule(o, v))
	case *Session:
		return derived(DeriveSession(o, v))
	case *Trajectory:
		return derived(DeriveTrajectory(o, v))
	case *Config:
		return derived(DeriveConfig(o, v))
	case *ShellRules:
		return derived(DeriveShellRules(o, v))
	}
	return nil, time.Time{}
}

func derived[S any](status S, next time.Time) (any, time.Time) { return &status, next }

// DeriveRole has nothing to observe: roles that a role names may be made later.
func DeriveRole(*Role, View) (RoleStatus, time.Time) { return RoleStatus{}, time.Time{} }

// DeriveShellRules has nothing to observe.
func DeriveShellRules(*ShellRules, View) (ShellRulesStatus, time.Time) {
	return ShellRulesStatus{}, time.Time{}
}

// DeriveConfig has nothing to observe.
func DeriveConfig(*Config, View) (ConfigStatus, time.Time) { return ConfigStatus{}, time.Time{} }

// FillStatus adds to a derived status what the machinery knows: the revision of
// the file that it is about, a uid where the object carries none, and, for a file
// that cannot be read or is invalid, phase Invalid and Valid=False. o is the last
// good version, nil if there is none; problem is nil for a file in good order.
func FillStatus(c *Common, key Key, o Object, revision string, problem *Problem) {
	c.ObservedRevision = revision
	if o == nil || o.Head().Metadata.UID == "" {
		c.UID = DerivedUID(key)
	}
	if problem != nil {
		c.Phase = PhaseInvalid
		c.Conditions = append(c.Conditions, Condition{Type: Valid, Status: False, Reason: "InvalidFile", Message: problem.Error()})
	}
}
