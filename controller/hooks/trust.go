package hooks

import (
	"fmt"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// What a repository says that the person does not trust (package trust) reaches no model:
// in place of the pack stands one line, denials carry names only, nothing is asked for at
// the end of a turn, no controller is started. Its rules hold all the same, as far as
// they restrict: the person may rely on a gate that a stranger's config cannot open.
//
// The record of what is trusted is read where it matters, once: for text that goes out,
// and for settings that loosen. Most calls pass without.

// Lines that stand in place of a pack, by what the person has said. They are the same
// bytes each time, so that a session hears them once.
const (
	unknownLine = "iDumb: the user has not trusted this repository's .idumb, so nothing that it says is shown, and its rules only restrict. Ask the user to read it and run `idumb trust`; go on with what you were asked for meanwhile.\n"
	changedLine = "iDumb: the settings, roles or rules in this repository's .idumb changed since the user trusted them, so nothing that it says is shown, and its rules only restrict. Ask the user to look at the change and run `idumb trust`; go on with what you were asked for meanwhile.\n"
)

// Notices to the person, who can do something about it.
const (
	unknownNotice = "iDumb: this repository's .idumb is not trusted, so agents are not told what it says. Read it and run: idumb trust"
	changedNotice = "iDumb: %s changed since you trusted this repository's .idumb. What you trusted goes on counting, and a change can only tighten it. Look at it (idumb trust --dry-run) and run: idumb trust"
)

// withheld is what denials say in place of what is left out of them.
const withheld = "The user has not trusted this repository's .idumb, so only names out of it are shown (idumb trust)."

// trustState is how the repository stands with the person, looked up once.
func (r *repo) trustState() trust.State {
	if !r.examined {
		r.examined, r.standing = true, trust.Unknown
		if r.trustRecord().Any() {
			r.standing, r.news = r.trustRecord().Examine()
		}
	}
	return r.standing
}

// trusted reports whether what the repository says may reach a model: all that governs counts as
// the person trusted it.
func (r *repo) trusted() bool {
	state := r.trustState()
	return state == trust.Trusted || state == trust.Changed && r.trustRecord().Holds(r.news)
}

// trustRecord reads what the person trusts here, once.
func (r *repo) trustRecord() trust.Record {
	if r.record == nil {
		record := trust.For(r.env.get).LoadAfter(r.trusts, r.Root)
		r.record = &record
	}
	return *r.record
}

// trustLine is what stands in place of the pack, "" if what the repository says may be shown; and
// what the person is told.
func (r *repo) trustLine() (line, notice string) {
	switch r.trustState() {
	case trust.Trusted:
		return "", ""
	case trust.Unknown:
		return unknownLine, unknownNotice
	}
	if !r.trusted() {
		line = changedLine
	}
	files := r.news[:min(len(r.news), 3)]
	if more := len(r.news) - len(files); more > 0 {
		files = append(files[:3:3], fmt.Sprintf("%d more", more))
	}
	return line, fmt.Sprintf(changedNotice, admission.Plain(strings.Join(files, ", ")))
}

// guarded returns the settings as far as they count: those of a config that is not
// trusted may restrict more than the defaults do, not less.
func (r *repo) guarded(config *resources.Config) *resources.ConfigSpec {
	c := resources.EffectiveConfig(config)
	if config == nil || r.knows(config) || !loosens(c) {
		return c
	}
	return restricted(c)
}

// override is the mode that holds with the person's word in the environment. What a
// repository that is not trusted sets there for its own agents is no word of the person's.
func (r *repo) override(mode string) string {
	word := r.env.get(admission.EnforceVariable)
	over := admission.Mode(word, mode)
	if over == mode || over == admission.ModeEnforce {
		return over
	}
	if trust.Brought(r.Root, admission.EnforceVariable) && !r.trusted() {
		return mode
	}
	return over
}

// loosens reports whether settings let anything through, or do anything, that the
// defaults do not.
func loosens(c *resources.ConfigSpec) bool {
	d := resources.DefaultConfig()
	return c.Mode != d.Mode || c.UnknownAgents != d.UnknownAgents || c.SplitAt != d.SplitAt || c.ContextWindow != d.ContextWindow ||
		c.SessionCollectAfter != d.SessionCollectAfter || slices.ContainsFunc(c.AllowOnce, func(rule string) bool { return !slices.Contains(d.AllowOnce, rule) })
}

// restricted are the defaults with what the settings add to them: demands, and whose
// rights the unnamed have. Roles set bounds and lift none, so that any may be named.
func restricted(c *resources.ConfigSpec) *resources.ConfigSpec {
	d := resources.DefaultConfig()
	d.RequirePlan, d.RequireTodo, d.DefaultRole = c.RequirePlan, c.RequireTodo, c.DefaultRole
	d.AllowOnce = both(d.AllowOnce, c.AllowOnce)
	return &d
}

// both are the rules in two lists: what one of them leaves out nobody allows.
func both(rules, others []string) []string {
	return slices.DeleteFunc(slices.Clone(rules), func(rule string) bool { return !slices.Contains(others, rule) })
}

// shown is the answer without what may not be shown. Whatever a part of this package puts
// into an answer passes here: of what is not trusted only the line that says so comes
// through, denials, which decide has seen to, and this package's own notices.
func (h *handler) shown(a hosts.Answer) hosts.Answer {
	if a.Context == "" && a.Hold == "" && a.Notice == "" {
		return a
	}
	line, notice := h.repo.trustLine()
	if line == "" {
		return a
	}
	if a.Context != line {
		a.Context = h.allowed // a person's word, who is here
	}
	if a.Notice != notice && !strings.HasPrefix(a.Notice, brokeWords) && !strings.HasPrefix(a.Notice, splitWords) && h.event.Type != hosts.SettingsChange {
		a.Notice = ""
	}
	a.Hold = ""
	return a
}

// inTools says the commands of a line to an agent as calls of our tools, which the host lets
// pass without asking its person. A pack goes out as its file has it.
func (h *handler) inTools(text string) string { return admission.InTools(text, h.host().Tools) }

// plain leaves out of a verdict what may not be shown. Most denials quote tasks at most:
// for those it is enough that the person ever trusted the repository, where tasks come
// from others all the time. The files that govern are read only for those that quote them.
func (h *handler) plain(call admission.Call, v admission.Verdict) admission.Verdict {
	if v.Reason.Rule == "shell-gate" && call.Gate != nil && call.Gate.Rule != command.RepositoryRule {
		return v // the shipped rules' own words, about the agent's own command
	}
	if v.Reason.What == "" || h.repo.trustRecord().Any() && !v.Reason.QuotesRules(call) {
		return v
	}
	if h.repo.trustState() != trust.Trusted { // what a change adds is a stranger's, too
		v.Reason = v.Reason.NamesOnly(call, withheld)
	}
	return v
}
