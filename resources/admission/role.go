package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
)

// roleKnown denies writes in a role whose file is there and cannot be read, with
// no good version of it left: breaking a file must not open a gate.
func roleKnown(e *evaluation) *Reason {
	c := e.caller()
	key := resources.Key{Kind: resources.Roles, Name: c.roleName}
	if c.role != nil || c.roleName == "" || !e.view.Exists(key) {
		return nil
	}
	return &Reason{
		What:       tried(e.call) + " in the role " + quote(c.roleName) + ", whose file cannot be read.",
		Why:        []string{"What the role may do is not known, and there is no good version of it to go by."},
		UseInstead: "Tell the user: `idumb doctor` says what is wrong with the file.",
		Evidence:   []string{"roles/" + c.roleName},
	}
}

func roleTools(e *evaluation) *Reason {
	c := e.caller()
	if c.role == nil {
		return nil
	}
	tools := c.role.Spec.Tools
	matches := func(patterns []string) bool { return matchesTool(e.call.Tool, patterns) }
	if permits(tools.Allow, tools.Deny, matches) {
		e.askFirst("role-tools", tried(e.call), "spec.tools", tools.Ask, matches)
		return nil
	}
	what := tried(e.call) + " in the role " + quote(c.roleName) + ", whose tools do not include it."
	return e.roleReason(what, "spec.tools", tools.Allow, tools.Deny, func(r *resources.Role) bool { return permits(r.Spec.Tools.Allow, r.Spec.Tools.Deny, matches) })
}

// roleShell holds every command of the line against the role's shell rules. Those of
// idumb are held against them however they come: in a shell, as a call of one of our own
// tools, or as a file that is written to the same end, whatever writes it. What only reads
// passes whatever the role allows, if the role does not deny it by name.
func roleShell(e *evaluation) *Reason {
	c := e.caller()
	if c.role == nil {
		return nil
	}
	shell := c.role.Spec.Shell
	for _, r := range e.call.runs() {
		d, own := ownCommandOf(r.Words)
		if !own && e.call.Action != Shell {
			continue
		}
		words := r.Words
		if own {
			words = d.plain()
		}
		matches := func(patterns []string) bool {
			return startsWithAny(words, patterns) || own && d.startsWith(plainly(patterns))
		}
		allow := shell.Allow
		if r.ReadOnly {
			allow = nil // what a role does is limited, and looking is open
		}
		what := "You tried to run " + quote(r.Shown())
		if own && !d.permitted(shell) || !own && !permits(allow, shell.Deny, matches) {
			deny := those(shell.Deny, matches)
			if len(deny) > 0 {
				allow = nil // that is not why
			}
			return e.roleReason(what+" in the role "+quote(c.roleName)+", which may not.", "spec.shell", allow, deny, func(r *resources.Role) bool {
				return own && d.permitted(r.Spec.Shell) || !own && permits(r.Spec.Shell.Allow, r.Spec.Shell.Deny, matches)
			})
		}
		if own && d.alwaysOpen() {
			continue
		}
		if reason := e.askFirst("role-shell", what, "spec.shell", shell.Ask, matches); reason != nil && e.call.Action == Governance {
			e.asks = nil // our own tools judge once more, and cannot ask
			reason.UseInstead = "Run `" + r.Shown() + "` in a shell: there the user is asked."
			return reason
		}
	}
	return nil
}

// those are the patterns that are about a call.
func those(patterns []string, matches func(patterns []string) bool) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool { return !matches([]string{pattern}) })
}

// askFirst leaves a call that the role's rules allow to a person, if one of their patterns to ask
// about is about it: the reason, else nil. What is asked already comes first.
func (e *evaluation) askFirst(rule, what, field string, ask []string, matches func(patterns []string) bool) *Reason {
	ask = those(ask, matches)
	if e.asks != nil || len(ask) == 0 {
		return nil
	}
	role := e.caller().roleName
	e.asks = &Reason{
		Rule: rule, What: what + ", which the role " + quote(role) + " does only where a user agrees.",
		Why:        []string{"The role " + quote(role) + " is to ask about " + list(ask) + "; where nobody can be asked, it is denied."},
		UseInstead: "Ask the user to do it, or do it another way.",
		Evidence:   []string{"roles/" + role + " " + field + ".ask has " + list(ask)},
	}
	return e.asks
}

// permitted holds a command of idumb against a role's shell rules. What only looks
// and what hands work back no rule closes. An allow that names no command of idumb
// does not speak of them.
func (d ownCommand) permitted(shell resources.RuleSet) bool {
	allow := slices.DeleteFunc(slices.Clone(shell.Allow), func(pattern string) bool {
		_, own := ownCommandOf(strings.Fields(pattern))
		return !own
	})
	return d.alwaysOpen() || !slices.ContainsFunc(d.each(), func(one ownCommand) bool {
		return !permits(allow, shell.Deny, func(patterns []string) bool { return one.startsWith(plainly(patterns)) })
	})
}

// plainly spells those patterns that name a command of idumb as commands are spelt.
func plainly(patterns []string) []string {
	plain := make([]string, len(patterns))
	for i, pattern := range patterns {
		plain[i] = pattern
		if d, own := ownCommandOf(strings.Fields(pattern)); own {
			plain[i] = strings.TrimRight(strings.Join(d.plain(), " "), " ")
		}
	}
	return plain
}

// startsWithAny reports whether the words of a command start with the words of a pattern.
func startsWithAny(words, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		want := strings.Fields(pattern)
		if len(want) > 0 && want[len(want)-1] == "*" {
			want = want[:len(want)-1]
		}
		return len(want) <= len(words) && slices.Equal(words[:len(want)], want)
	})
}

func rolePaths(e *evaluation) *Reason {
	c := e.caller()
	if c.role == nil {
		return nil
	}
	rules := c.role.Spec.Paths
	for _, p := range e.call.Paths {
		if p.Repo == "" || e.call.Ignored != nil && e.call.Ignored(p.Repo) {
			continue
		}
		allow := rules.Write
		if openToAll(p) || e.planless() {
			allow = nil // how a plan is changed, or nothing is planned; only an explicit deny covers it
		}
		matches := func(patterns []string) bool { return resources.MatchesAny(p.Repo, patterns) }
		if !permits(allow, rules.Deny, matches) {
			what := tried(e.call) + " but " + p.Repo + " is not for the role " + quote(c.roleName) + " to write."
			reason := e.roleReason(what, "spec.paths", rules.Write, rules.Deny, func(r *resources.Role) bool { return permits(r.Spec.Paths.Write, r.Spec.Paths.Deny, matches) })
			reason.Why = append(reason.Why, "A user changes that with `idumb edit role "+c.roleName+"`.")
			return reason
		}
	}
	return nil
}

// roleReason is a denial by the caller's role, with its rules as evidence; may says of which
// roles they would let the call pass.
func (e *evaluation) roleReason(what, field string, allow, deny []string, may func(*resources.Role) bool) *Reason {
	c := e.caller()
	r := &Reason{What: what, UseInstead: e.handOver(c, may)}
	at := "roles/" + c.roleName + " " + field
	if len(allow) > 0 {
		r.Why = append(r.Why, "The role "+quote(c.roleName)+" is limited to "+list(allow)+".")
		r.Evidence = append(r.Evidence, at+" allows "+list(allow))
	}
	if len(deny) > 0 {
		if len(allow) == 0 {
			r.Why = append(r.Why, "The role "+quote(c.roleName)+" is denied "+list(deny)+".")
		}
		r.Evidence = append(r.Evidence, at+" denies "+list(deny))
	}
	if c.unknown {
		r.Why = append(r.Why, "No role names the agent "+quote(c.agent)+", so it has the rights of the least role; a user puts it into spec.agents of another.")
	}
	return r
}

// firstTool: a role may ask that a session begins with a look at things: until one of
// its first tools was used, or anything of idumb, nothing but looking at files and
// asking is open. That is how it never traps: `idumb next` is one of them everywhere.
func firstTool(e *evaluation) *Reason {
	c := e.caller()
	if c.role == nil || len(c.role.Spec.FirstTools) == 0 {
		return nil
	}
	first := c.role.Spec.FirstTools
	if e.call.Action == Governance || matchesTool(e.call.Tool, first) {
		e.opens = !e.planless()
		return nil
	}
	if e.call.Action == Read || e.call.Opened == nil || e.call.Opened() {
		return nil
	}
	return &Reason{
		What:       tried(e.call) + " but a session in the role " + quote(c.roleName) + " does not begin with that.",
		Why:        []string{"Before anything else it uses one of " + list(first) + ", or a command or tool of idumb."},
		UseInstead: "Run `idumb next`, then repeat the call.",
		Evidence:   []string{"roles/" + c.roleName + " spec.firstTools = " + list(first)},
	}
}
