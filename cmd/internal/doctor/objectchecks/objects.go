package objectchecks

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/serve/queries"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

func (x *examination) add(p resources.Problem) { x.findings.Problems = append(x.findings.Problems, p) }

// checkLostSources reports mems and anchors that are no longer in any context because the files that they cite
// were deleted.
func (x *examination) checkLostSources() {
	all := queries.LostSources(x.Source)
	if len(all) == 0 {
		return
	}
	notice(&x.findings.Lost, "not in the context because their sources were deleted: %s; see idumb review mems,anchors", resources.Listed(all, 5, ", "))
}

// checkDoubts reports decisions in effect that have a doubt, with the first doubt of each.
func (x *examination) checkDoubts() {
	var all []string
	for _, key := range x.List(resources.Decisions) {
		st, known := x.Derived(key).(*resources.DecisionStatus)
		if !known || st.Phase != resources.DecisionResolved {
			continue
		}
		for _, doubt := range resources.DecisionDoubts() {
			if c := resources.FindCondition(st.Conditions, doubt); c != nil {
				what, _, _ := strings.Cut(c.Message, "; ")
				all = append(all, key.Name+" ("+what+")")
				break
			}
		}
	}
	if len(all) > 0 {
		notice(&x.findings.Doubted, "the project contradicts decisions: %s; see idumb review", status.Listed(all, ", "))
	}
}

// unreadable reports all problems of a file's text, or the error that prevents reading it.
func (x *examination) unreadable(p resources.Problem) {
	if p.Key.Name == "" {
		return // a whole directory: reported by folders
	}
	data, _, err := x.Root.ReadSpec(p.Key)
	if err != nil {
		x.add(withObject(p, p.Key))
		return
	}
	all := resources.Problems(p.Key, data)
	if len(all) == 0 {
		return // repaired in the meantime
	}
	for _, one := range all {
		one.File = layout.Path(p.Key)
		x.add(withObject(one, p.Key))
	}
}

// withObject adds the object, and the file if it is missing, to a problem.
func withObject(p resources.Problem, key resources.Key) resources.Problem {
	p.Key, p.Object = key, key.String()
	if p.File == "" {
		p.File = layout.Path(key)
	}
	return p
}

// reportedConditions lists the conditions that need a fix by the user.
var reportedConditions = [...]string{resources.ChainBroken, resources.Orphaned, resources.EvidenceMissing, resources.Conflict, resources.DelegateGone}

// checkConditions reports each of reportedConditions that is true for an object. It reports a
// cycle for one member only.
func (x *examination) checkConditions(key resources.Key) {
	common := resources.CommonOf(x.Derived(key))
	if common == nil {
		return
	}
	for _, name := range reportedConditions {
		c := resources.FindCondition(common.Conditions, name)
		if c == nil || c.Status != resources.True || x.reportedBefore(key, c) {
			continue
		}
		x.condition(key, c)
	}
}

// reportedBefore reports whether a condition is a cycle that is reported for another member.
func (x *examination) reportedBefore(key resources.Key, c *resources.Condition) bool {
	circle := x.Circle(key)
	return c.Type == resources.ChainBroken && len(circle) > 0 && circle[0] != key
}

// condition reports a condition as a problem. Its message begins with the field, if it is about a
// field, and ends with the remedy.
func (x *examination) condition(key resources.Key, c *resources.Condition) {
	p := withObject(resources.Problem{}, key)
	reason, remedy, _ := strings.Cut(c.Message, "; ")
	p.Reason, p.Remedy = c.Type+": "+reason, remedy
	if p.Remedy == "" {
		kind, _ := resources.KindOf(key.Kind)
		p.Remedy = fmt.Sprintf("see idumb describe %s %s", kind.Singular, key.Name)
	}
	field, _, _ := strings.Cut(reason, " ")
	p.Field = fieldOf(c, field)
	if data, _, err := x.Root.ReadSpec(key); err == nil && p.Field != "" {
		p.Line, p.Column = resources.Position(data, p.Field)
	}
	x.add(p)
}

// fieldOf returns the field that a condition is about, empty if there is no such field.
func fieldOf(c *resources.Condition, firstWord string) string {
	switch {
	case strings.HasPrefix(firstWord, "spec."):
		return strings.TrimRight(firstWord, ",:")
	case c.Type == resources.ChainBroken && strings.HasPrefix(c.Message, "is a part of itself"):
		return "spec.parent"
	case c.Type == resources.ChainBroken:
		return "spec.dependsOn"
	case c.Type == resources.EvidenceMissing:
		return "spec.state"
	}
	return ""
}

// checkStatuses counts statuses that differ from the statuses that the controller would write. A
// controller that answers checks only that the files exist. Otherwise each file is read.
func (x *examination) checkStatuses() {
	read := x.Stock == nil
	for _, kind := range resources.Kinds() {
		written := map[string]bool{}
		names, _ := x.Root.Names(layout.StatusDir + "/" + kind.Plural) // doctor reports a path that is not a directory
		for _, name := range names {
			written[name] = true
		}
		for _, key := range x.List(kind.Plural) {
			o, readable := x.Get(key)
			if _, broken := x.Problem(key); !readable || broken {
				continue
			}
			if common := resources.CommonOf(x.Derived(key)); common != nil && (!written[key.Name+".json"] || read && x.differs(key, o, common.Phase)) {
				x.findings.Outdated++
			}
		}
	}
}

// differs reports whether an object's status file has another revision or phase.
func (x *examination) differs(key resources.Key, o resources.Object, phase string) bool {
	var seen resources.Common
	data, _, err := x.Root.Read(layout.StatusPath(key), layout.MaxSpec)
	return err != nil || json.Unmarshal(data, &seen) != nil || seen.ObservedRevision != o.Source().Revision || seen.Phase != phase
}

// shellVerdicts is sorted from the mildest to the strictest.
var shellVerdicts = [...]string{command.Allow, command.Ask, command.Deny}

// checkShell reports the repository's rules for the shell gate that have no effect.
func (x *examination) checkShell() {
	o, _ := x.Get(resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName})
	if rules, ok := o.(*resources.ShellRules); ok {
		x.findings.Shell = ShellRules(layout.Dir+"/shell.json", rules, false)
	}
}

// ShellRules returns notices about the rules of one file that have no effect. own is true for the
// user's file: only its rules may be milder than the shipped rules.
func ShellRules(file string, rules *resources.ShellRules, own bool) (notices []string) {
	shipped := command.Shipped()
	for _, rule := range rules.Spec.Rules {
		i := slices.IndexFunc(shipped, func(s command.Rule) bool { return s.Name == rule.Name })
		switch strictness := slices.Index(shellVerdicts[:], rule.Verdict); {
		case i < 0:
			notice(&notices, "%s: unknown shell rule %q, ignored; idumb get shellrules lists all rules", file, rule.Name)
		case strictness < 0:
			notice(&notices, "%s: rule %s: unknown verdict %q, ignored; use allow, ask or deny", file, rule.Name, rule.Verdict)
		case !own && strictness < slices.Index(shellVerdicts[:], shipped[i].Verdict):
			notice(&notices, "%s: rule %s: %s is less strict than the default %s, ignored; only your own shell.json can relax rules", file, rule.Name, rule.Verdict, shipped[i].Verdict)
		}
	}
	return notices
}

// checkUnknownFields reports fields that this build does not support. They are kept and harm nothing, but they
// may be misspelt.
func (x *examination) checkUnknownFields() {
	const most = 8
	found := map[string]int{}
	for _, kind := range resources.Kinds() {
		for _, key := range x.List(kind.Plural) {
			if o, ok := x.Get(key); ok {
				for _, field := range fieldsOf(o) {
					found[kind.Plural+" "+field]++
				}
			}
		}
	}
	if len(found) == 0 {
		return
	}
	fields := slices.SortedFunc(maps.Keys(found), func(a, b string) int { return cmp.Or(found[b]-found[a], strings.Compare(a, b)) })
	var named []string
	for _, field := range fields[:min(most, len(fields))] {
		named = append(named, fmt.Sprintf("%s (%d)", field, found[field]))
	}
	if more := len(fields) - most; more > 0 {
		named = append(named, fmt.Sprintf("%d more", more))
	}
	notice(&x.findings.Newer, "unknown fields, kept unchanged (with the number of files): %s; upgrade idumb if a later version wrote them, otherwise remove them", strings.Join(named, ", "))
}

// fieldsOf returns the unsupported fields of an object's file, without duplicates.
func fieldsOf(o resources.Object) []string {
	var fields []string
	for _, u := range o.Head().Unknown() {
		fields = append(fields, u.Field())
	}
	slices.Sort(fields)
	return slices.Compact(fields)
}

// checkRoles reports agents in the records of sessions that no role names: their permissions were never
// decided.
func (x *examination) checkRoles() {
	var roles []*resources.Role
	for _, key := range x.List(resources.Roles) {
		o, _ := x.Get(key)
		if r, ok := o.(*resources.Role); ok {
			roles = append(roles, r)
		}
	}
	settings := x.Settings()
	if !slices.ContainsFunc(roles, func(r *resources.Role) bool { return r.Metadata.Name == settings.DefaultRole }) {
		notice(&x.findings.Roles, "role %q does not exist (config.defaultRole): no role rules apply to agents without a role; idumb init creates the default roles", settings.DefaultRole)
	}
	unknown := x.unknownAgents(roles)
	if len(unknown) == 0 {
		return
	}
	acts := resources.ActingRole(unknown[0], roles, settings)
	notice(&x.findings.Roles, "no role lists these agents of recent sessions: %s; they have the role %s (config.unknownAgents = %s); to assign another role, add the name to spec.agents: idumb edit role NAME",
		strings.Join(unknown, ", "), acts, settings.UnknownAgents)
}

// unknownAgents returns the names of agents in sessions that no role names, sorted.
func (x *examination) unknownAgents(roles []*resources.Role) []string {
	unknown := map[string]bool{}
	for _, key := range x.List(resources.Sessions) {
		o, _ := x.Get(key)
		s, ok := o.(*resources.Session)
		if !ok || s.Spec.Agent == "" || s.Spec.Role != "" || resources.HostAgent(s.Spec.Agent) || resources.RoleNamed(s.Spec.Agent, roles) != nil {
			continue
		}
		unknown[s.Spec.Agent] = true
	}
	return slices.Sorted(maps.Keys(unknown))
}
