package hooks

import (
	"slices"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
)

// What governs counts as it was when the person trusted it: a change since then can only tighten
// it, and a removal takes nothing away. In a repository that the person never trusted each file
// counts as it is, as far as it restricts.

// governs reports whether a kind is one of those that the person trusts.
func governs(kind string) bool {
	k, known := resources.KindOf(kind)
	return known && admission.GoverningKind(k)
}

// knows reports whether the person trusts an object in this form; nil is that there is none.
func (r *repo) knows(o resources.Object) bool {
	return r.trustRecord().KnowsRevision(layout.Path(o.Key()), o.Source().Revision)
}

// counting is an object that governs as far as it counts, of which the files say that it is now.
func (r *repo) counting(key resources.Key, now resources.Object, state graph.State) (resources.Object, graph.State) {
	now = r.undeciding(now)
	record, file := r.trustRecord(), layout.Path(key)
	if !record.Kept() || now != nil && r.knows(now) || now == nil && !record.Has(file) {
		return now, state
	}
	before := (&text{data: record.Last(file)}).object(key)
	if before == nil && record.Has(file) {
		return now, state // it was trusted by a version that kept only its sum
	}
	if before == nil {
		return sinceTrusted(now, state)
	}
	switch now := now.(type) {
	case *resources.Role:
		tightenRole(&before.(*resources.Role).Spec, now.Spec)
	case *resources.ShellRules:
		spec := &before.(*resources.ShellRules).Spec
		spec.Rules, spec.Commands = slices.Concat(spec.Rules, now.Spec.Rules), slices.Concat(spec.Commands, wordless(now.Spec.Commands))
	case *resources.Config:
		tightenConfig(&before.(*resources.Config).Spec, resources.EffectiveConfig(now))
	}
	return before, graph.Good
}

// undeciding is a role without the right to decide, where the person did not trust that it has it.
func (r *repo) undeciding(now resources.Object) resources.Object {
	role, ok := now.(*resources.Role)
	if !ok || !admission.Decides(role) || r.trusted() || r.knows(role) {
		return now
	}
	less := resources.Clone(role).(*resources.Role)
	less.Spec.Tools.Deny = append(less.Spec.Tools.Deny, admission.DecideTool)
	return less
}

// sinceTrusted is an object that came since the person trusted the repository: a role gives rights,
// and does not count; all else restricts.
func sinceTrusted(now resources.Object, state graph.State) (resources.Object, graph.State) {
	switch now := now.(type) {
	case *resources.Role:
		return nil, graph.Missing
	case *resources.ShellRules:
		plain := *now
		plain.Spec.Commands = wordless(now.Spec.Commands)
		return &plain, state
	}
	return now, state
}

// wordless are rules about commands without what they say of them.
func wordless(rules []resources.ShellCommand) []resources.ShellCommand {
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].Because, rules[i].UseInstead = "", ""
	}
	return rules
}

// tightenConfig demands what settings demand besides.
func tightenConfig(trusted, now *resources.ConfigSpec) {
	trusted.RequirePlan, trusted.RequireTodo = trusted.RequirePlan || now.RequirePlan, trusted.RequireTodo || now.RequireTodo
	if now.Mode == admission.ModeEnforce {
		trusted.Mode = now.Mode
	}
	trusted.AllowOnce = both(resources.EffectiveConfig(&resources.Config{Spec: *trusted}).AllowOnce, now.AllowOnce)
}

// tightenRole denies in a role what another form of it denies and leaves out besides.
func tightenRole(trusted *resources.RoleSpec, now resources.RoleSpec) {
	trusted.Tools, trusted.Shell = tighter(trusted.Tools, now.Tools), tighter(trusted.Shell, now.Shell)
	paths := tighter(resources.RuleSet{Allow: trusted.Paths.Write, Deny: trusted.Paths.Deny}, resources.RuleSet{Allow: now.Paths.Write, Deny: now.Paths.Deny})
	trusted.Paths = resources.PathRules{Write: paths.Allow, Deny: paths.Deny}
}

// tighter are the rules that were trusted, with what others deny, ask about and leave out besides.
func tighter(trusted, now resources.RuleSet) resources.RuleSet {
	added := slices.ContainsFunc(now.Allow, func(pattern string) bool { return !slices.Contains(trusted.Allow, pattern) })
	if len(trusted.Allow) == 0 || len(now.Allow) > 0 && !added {
		trusted.Allow = now.Allow
	}
	trusted.Deny = append(slices.Clone(trusted.Deny), now.Deny...)
	trusted.Ask = append(slices.Clone(trusted.Ask), now.Ask...)
	return trusted
}

// trustedNames are the objects of a kind that were trusted and may be found under one of the terms, or any for
// none: they count whatever became of their files.
func (r *repo) trustedNames(kind string, terms ...graph.Term) (names []string) {
	if !governs(kind) || !r.trustRecord().Kept() {
		return nil
	}
	for _, name := range r.trustRecord().Names(kind) {
		if len(terms) == 0 || graph.MayHold(r.trustRecord().Last(layout.Path(resources.Key{Kind: kind, Name: name})), terms...) {
			names = append(names, name)
		}
	}
	return names
}

// joinNames adds names to a sorted list.
func joinNames(names, more []string) []string {
	if len(more) == 0 {
		return names
	}
	names = slices.Concat(names, more)
	slices.Sort(names)
	return slices.Compact(names)
}
