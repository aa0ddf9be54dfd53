package hooks

import (
	"slices"

	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/graph"
)

// The governing files count in the version that the person trusted. A later
// change can only make them stricter, and a removed file still counts. In a
// repository that the person never trusted, the current files count only
// if they restrict.

// governs reports whether the person must trust objects of a kind.
func governs(kind string) bool {
	k, known := resources.KindOf(kind)
	return known && admission.GoverningKind(k)
}

// isTrustedVersion reports whether the person trusts this version of an object, or its
// absence if o is nil.
func (r *repo) isTrustedVersion(o resources.Object) bool {
	return r.trustRecord().KnowsRevision(layout.Path(o.Key()), o.Source().Revision)
}

// effectiveVersion returns the effective version of a governing object. now is the
// current version in the files.
func (r *repo) effectiveVersion(key resources.Key, now resources.Object, state graph.State) (resources.Object, graph.State) {
	now = r.withoutDeciding(now)
	record, file := r.trustRecord(), layout.Path(key)
	if !record.TrustsEarlier() || now != nil && r.isTrustedVersion(now) || now == nil && !record.Has(file) {
		return now, state
	}
	before := (&text{data: record.Last(file)}).object(key)
	if before == nil && record.Has(file) {
		return now, state // an earlier version of iDumb kept only the checksum
	}
	if before == nil {
		// The object was added after the person trusted the repository. A role grants rights and
		// does not count; every other kind restricts and counts.
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
	switch now := now.(type) {
	case *resources.Role:
		trusted := &before.(*resources.Role).Spec
		trusted.Tools, trusted.Shell = tighter(trusted.Tools, now.Spec.Tools), tighter(trusted.Shell, now.Spec.Shell)
		paths := tighter(resources.RuleSet{Allow: trusted.Paths.Write, Deny: trusted.Paths.Deny}, resources.RuleSet{Allow: now.Spec.Paths.Write, Deny: now.Spec.Paths.Deny})
		trusted.Paths = resources.PathRules{Write: paths.Allow, Deny: paths.Deny}
	case *resources.ShellRules:
		spec := &before.(*resources.ShellRules).Spec
		spec.Rules, spec.Commands = slices.Concat(spec.Rules, now.Spec.Rules), slices.Concat(spec.Commands, wordless(now.Spec.Commands))
	case *resources.Config:
		tightenConfig(&before.(*resources.Config).Spec, resources.EffectiveConfig(now))
	}
	return before, graph.Good
}

// withoutDeciding returns a role without the right to decide, unless the person
// trusts that it has the right.
func (r *repo) withoutDeciding(now resources.Object) resources.Object {
	role, ok := now.(*resources.Role)
	if !ok || !admission.Decides(role) || r.trusted() || r.isTrustedVersion(role) {
		return now
	}
	less := resources.Clone(role).(*resources.Role)
	less.Spec.Tools.Deny = append(less.Spec.Tools.Deny, admission.DecideTool)
	return less
}

// wordless returns rules about commands without their explanations.
func wordless(rules []resources.ShellCommand) []resources.ShellCommand {
	rules = slices.Clone(rules)
	for i := range rules {
		rules[i].Because, rules[i].UseInstead = "", ""
	}
	return rules
}

// tightenConfig adds the stricter settings of now to the trusted settings.
func tightenConfig(trusted, now *resources.ConfigSpec) {
	trusted.RequirePlan, trusted.RequireTodo = trusted.RequirePlan || now.RequirePlan, trusted.RequireTodo || now.RequireTodo
	if now.Mode == admission.ModeEnforce {
		trusted.Mode = now.Mode
	}
	trusted.AllowOnce = intersectRules(resources.EffectiveConfig(&resources.Config{Spec: *trusted}).AllowOnce, now.AllowOnce)
}

// tighter returns the trusted rules with the restrictions of now added.
func tighter(trusted, now resources.RuleSet) resources.RuleSet {
	added := slices.ContainsFunc(now.Allow, func(pattern string) bool { return !slices.Contains(trusted.Allow, pattern) })
	if len(trusted.Allow) == 0 || len(now.Allow) > 0 && !added {
		trusted.Allow = now.Allow
	}
	trusted.Deny = append(slices.Clone(trusted.Deny), now.Deny...)
	trusted.Ask = append(slices.Clone(trusted.Ask), now.Ask...)
	return trusted
}

// trustedNames returns the trusted objects of a kind that may match one of the
// terms, or all of them without terms. They count even if their files were
// removed.
func (r *repo) trustedNames(kind string, terms ...graph.Term) (names []string) {
	if !governs(kind) || !r.trustRecord().TrustsEarlier() {
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
