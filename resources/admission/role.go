package admission

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// roleKnown denies writes if the role file is invalid and has no valid earlier version.
// Otherwise a broken file would remove all limits.
func roleKnown(e *evaluation) *Reason {
	c := e.caller()
	key := resources.Key{Kind: resources.Roles, Name: c.roleName}
	if c.role != nil || c.roleName == "" || !e.view.Exists(key) {
		return nil
	}
	return &Reason{
		What:       triedText(e.call) + " in the role " + quote(c.roleName) + ", whose file cannot be read.",
		Why:        []string{"The rights of the role are unknown, because no readable version of its file exists."},
		UseInstead: "Tell the user to run `idumb doctor`, which reports the error in the file.",
		Evidence:   []string{"roles/" + c.roleName},
	}
}

// roleTools checks the tool of a call against the allow, deny and ask lists of the caller's role.
func roleTools(e *evaluation) *Reason {
	c := e.caller()
	if c.role == nil {
		return nil
	}
	tools := c.role.Spec.Tools
	matches := func(patterns []string) bool { return matchesTool(e.call.Tool, patterns) }
	if permits(tools.Allow, tools.Deny, matches) {
		e.askFirst("role-tools", triedText(e.call), "spec.tools", tools.Ask, matches)
		return nil
	}
	what := triedText(e.call) + " in the role " + quote(c.roleName) + ", whose tools do not include it."
	return e.roleReason(what, "spec.tools", tools.Allow, tools.Deny, func(r *resources.Role) bool { return permits(r.Spec.Tools.Allow, r.Spec.Tools.Deny, matches) })
}

// roleShell checks the commands of a line against the role's shell rules. idumb commands
// are checked in any form: in a shell, as a call of our tools, or as an equivalent file
// change. Reading commands are allowed unless the role denies them explicitly.
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
			allow = nil // roles limit changes, reading is always allowed
		}
		what := "You tried to run " + quote(r.Shown())
		if own && !d.permitted(shell) || !own && !permits(allow, shell.Deny, matches) {
			deny := matchingPatterns(shell.Deny, matches)
			if len(deny) > 0 {
				allow = nil // not the cause
			}
			return e.roleReason(what+" in the role "+quote(c.roleName)+", which does not allow it.", "spec.shell", allow, deny, func(r *resources.Role) bool {
				return own && d.permitted(r.Spec.Shell) || !own && permits(r.Spec.Shell.Allow, r.Spec.Shell.Deny, matches)
			})
		}
		if own && d.alwaysOpen() {
			continue
		}
		if reason := e.askFirst("role-shell", what, "spec.shell", shell.Ask, matches); reason != nil && e.call.Action == Governance {
			e.asks = nil // tools of idumb are judged again and cannot ask
			reason.UseInstead = "Run `" + r.Shown() + "` in a shell; the user can approve it there."
			return reason
		}
	}
	return nil
}

// matchingPatterns returns the patterns that match a call. It passes each pattern to matches separately.
func matchingPatterns(patterns []string, matches func(patterns []string) bool) []string {
	return slices.DeleteFunc(slices.Clone(patterns), func(pattern string) bool { return !matches([]string{pattern}) })
}

// askFirst requests approval for an allowed call if one of the role's ask patterns matches.
// It returns the reason, or nil. An earlier question has precedence.
func (e *evaluation) askFirst(rule, what, field string, ask []string, matches func(patterns []string) bool) *Reason {
	ask = matchingPatterns(ask, matches)
	if e.asks != nil || len(ask) == 0 {
		return nil
	}
	role := e.caller().roleName
	e.asks = &Reason{
		Rule: rule, What: what + ", which the role " + quote(role) + " does only if a user agrees.",
		Why:        []string{"The role " + quote(role) + " needs the user's agreement for " + list(ask) + "; if no user can answer, it is denied."},
		UseInstead: "Ask the user to do it, or do it another way.",
		Evidence:   []string{"roles/" + role + " " + field + ".ask has " + list(ask)},
	}
	return e.asks
}

// permitted checks an idumb command against a role's shell rules. Commands that only read
// or hand work back are always allowed. Allow rules without an idumb command do not apply.
func (d ownCommand) permitted(shell resources.RuleSet) bool {
	allow := slices.DeleteFunc(slices.Clone(shell.Allow), func(pattern string) bool {
		_, own := ownCommandOf(strings.Fields(pattern))
		return !own
	})
	return d.alwaysOpen() || !slices.ContainsFunc(d.each(), func(one ownCommand) bool {
		return !permits(allow, shell.Deny, func(patterns []string) bool { return one.startsWith(plainly(patterns)) })
	})
}

// plainly converts patterns that name an idumb command to their normal form.
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

// startsWithAny reports whether the words of a command start with the words of a pattern. A pattern for git need not
// name its global options.
func startsWithAny(words, patterns []string) bool {
	if len(words) > 2 && words[0] == "git" && strings.HasPrefix(words[1], "-") && startsWithAny(command.GitWords(words), patterns) {
		return true
	}
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		want := strings.Fields(pattern)
		if len(want) > 0 && want[len(want)-1] == "*" {
			want = want[:len(want)-1]
		}
		return len(want) <= len(words) && slices.Equal(words[:len(want)], want)
	})
}

// rolePaths checks the written files against the allow and deny patterns of the caller's role.
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
			allow = nil // plan files, or no plans; only an explicit deny applies
		}
		matches := func(patterns []string) bool { return resources.MatchesAny(p.Repo, patterns) }
		if !permits(allow, rules.Deny, matches) {
			what := triedText(e.call) + " but " + p.Repo + " is not for the role " + quote(c.roleName) + " to write."
			reason := e.roleReason(what, "spec.paths", rules.Write, rules.Deny, func(r *resources.Role) bool { return permits(r.Spec.Paths.Write, r.Spec.Paths.Deny, matches) })
			reason.Why = append(reason.Why, "A user changes that with `idumb edit role "+c.roleName+"`.")
			return reason
		}
	}
	return nil
}

// roleReason returns a denial by the caller's role with the rules as evidence. may reports
// which roles would allow the call.
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
		r.Why = append(r.Why, "No role names the agent "+quote(c.agent)+", so it has the rights of the most limited role; a user can add it to spec.agents of another role.")
	}
	return r
}

// firstTool enforces that sessions of a role start with one of its first tools. Before
// that, or any use of idumb, only reading files and asking is allowed. `idumb next` always
// works, so no agent can get stuck.
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
		What:       triedText(e.call) + " but a session in the role " + quote(c.roleName) + " must not start with it.",
		Why:        []string{"The session must first use one of " + list(first) + ", or a command or tool of idumb."},
		UseInstead: "Run `idumb next`, then repeat the call.",
		Evidence:   []string{"roles/" + c.roleName + " spec.firstTools = " + list(first)},
	}
}

// afterFirstTool returns a step with a call that firstTool would deny now, preceded by a first tool.
func (e *evaluation) afterFirstTool(step string) string {
	c := e.caller()
	if c.role == nil || len(c.role.Spec.FirstTools) == 0 || e.call.Opened == nil || e.call.Opened() || e.planless() {
		return step
	}
	return "Run `idumb next` first. " + step
}
