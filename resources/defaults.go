package resources

import (
	"cmp"
	"slices"
	"time"
)

// TaskState is spec.state with its default, planned.
func TaskState(t *Task) string { return cmp.Or(t.Spec.State, TaskPlanned) }

// PlanState is spec.state with its default, draft.
func PlanState(p *WorkPlan) string { return cmp.Or(p.Spec.State, PlanDraft) }

// MemType is spec.type with its default, insight.
func MemType(m *Mem) string { return cmp.Or(m.Spec.Type, "insight") }

// AnchorType is spec.type with its default, context.
func AnchorType(a *Anchor) string { return cmp.Or(a.Spec.Type, "context") }

// DefaultPriority is what an empty priority means.
const DefaultPriority = "normal"

// priorities in their order, the highest first.
var priorities = [...]string{"critical", "high", "medium", DefaultPriority, "low"}

// PriorityRank orders priorities: 0 for critical, 4 for low. An empty or unknown
// one counts as normal.
func PriorityRank(priority string) int {
	if i := slices.Index(priorities[:], priority); i >= 0 {
		return i
	}
	return slices.Index(priorities[:], DefaultPriority)
}

// Duration reads a duration as Go writes it ("72h"), or returns fallback where s is
// empty, malformed or not positive.
func Duration(s string, fallback time.Duration) time.Duration {
	if s == "" {
		return fallback
	}
	d, err := time.ParseDuration(s)
	if err != nil || d <= 0 {
		return fallback
	}
	return d
}

// EffectiveConfig returns the settings with every default filled in. config may
// be nil, for a repository without config.json; it is not changed.
func EffectiveConfig(config *Config) *ConfigSpec {
	d := DefaultConfig()
	if config == nil {
		return &d
	}
	c := config.Spec
	for _, s := range []struct{ set, fallback *string }{
		{&c.Mode, &d.Mode}, {&c.DefaultRole, &d.DefaultRole}, {&c.UnknownAgents, &d.UnknownAgents}, {&c.DelegationGrace, &d.DelegationGrace}, {&c.AnchorStaleAfter, &d.AnchorStaleAfter},
		{&c.TaskStaleAfter, &d.TaskStaleAfter}, {&c.OrphanGracePeriod, &d.OrphanGracePeriod}, {&c.PurgeAfter, &d.PurgeAfter},
		{&c.SessionIdleAfter, &d.SessionIdleAfter}, {&c.SessionStaleAfter, &d.SessionStaleAfter},
		{&c.SessionCollectAfter, &d.SessionCollectAfter}, {&c.EventsKept, &d.EventsKept},
	} {
		*s.set = cmp.Or(*s.set, *s.fallback)
	}
	for _, n := range []struct{ set, fallback *int }{
		{&c.ContextWindow, &d.ContextWindow}, {&c.ContextShare, &d.ContextShare}, {&c.SplitAt, &d.SplitAt}, {&c.ContextMinCharacters, &d.ContextMinCharacters},
		{&c.MemFadingBelow, &d.MemFadingBelow}, {&c.MemStaleBelow, &d.MemStaleBelow}, {&c.Controller.MemoryMB, &d.Controller.MemoryMB},
	} {
		*n.set = cmp.Or(*n.set, *n.fallback)
	}
	return &c
}
