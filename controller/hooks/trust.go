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

// The content of a repository that the person does not trust (package trust)
// reaches no model. One line replaces the pack, denials contain only names, no
// turn is held, and no controller is started. The repository's rules
// still apply if they restrict, so the person can rely on a gate that a foreign
// config cannot open.
//
// The trust record is read once, and only when needed: for text that is sent,
// and for settings that loosen. Most calls do not need it.

// Lines that replace a pack, by the state of trust. They have the same bytes
// each time, so that a session receives them once.
const (
	unknownLine = "iDumb: the user has not trusted this repository's .idumb, so its contents are not shown, and its rules can deny calls but allow none. Ask the user to read it and run `idumb trust`. Continue your work until then.\n"
	changedLine = "iDumb: the settings, roles or rules in this repository's .idumb changed since the user trusted them, so its contents are not shown, and its rules can deny calls but allow none. Ask the user to review the change and run `idumb trust`. Continue your work until then.\n"
)

// Notices to the person. Only the person can change the state.
const (
	unknownNotice = "iDumb: this repository's .idumb is not trusted, so its contents are not sent to agents. Read it and run: idumb trust"
	changedNotice = "iDumb: %s changed since you trusted this repository's .idumb. The trusted version stays in effect, and the change can only make it stricter. Review it (idumb trust --dry-run) and run: idumb trust"
)

// withheld replaces the omitted parts of a denial.
const withheld = "The user has not trusted this repository's .idumb, so only names out of it are shown (idumb trust)."

// trustState returns the state of trust in the repository. It is determined
// once.
func (r *repo) trustState() trust.State {
	if !r.examined {
		r.examined, r.trust = true, trust.Unknown
		if r.trustRecord().Any() {
			r.trust, r.news = r.trustRecord().Examine()
		}
	}
	return r.trust
}

// trusted reports whether the content of the repository may reach a model. All
// effective governing objects must be as the person trusted them.
func (r *repo) trusted() bool {
	state := r.trustState()
	return state == trust.Trusted || state == trust.Changed && r.trustRecord().CanStayInEffect(r.news)
}

// trustRecord reads the person's trust record for this repository once.
func (r *repo) trustRecord() trust.Record {
	if r.record == nil {
		record := trust.StoreOf(r.env.get).LoadAfter(r.trusts, r.Root)
		r.record = &record
	}
	return *r.record
}

// trustLine returns the line that replaces the pack, or an empty line if the
// content may be shown. It also returns the notice for the person.
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

// guarded returns the effective settings. An untrusted config may only be
// stricter than the defaults.
func (r *repo) guarded(config *resources.Config) *resources.ConfigSpec {
	c := resources.EffectiveConfig(config)
	if config == nil || r.isTrustedVersion(config) || !loosens(c) {
		return c
	}
	return restricted(c)
}

// override returns the mode with the person's setting in the environment. A
// value that an untrusted repository sets for its agents is ignored.
func (r *repo) override(mode string) string {
	word := r.env.get(admission.EnforceVariable)
	over := admission.Mode(word, mode)
	if over == mode || over == admission.ModeEnforce {
		return over
	}
	if trust.SetByRepository(r.Root, admission.EnforceVariable) && !r.trusted() {
		return mode
	}
	return over
}

// loosens reports whether settings allow or do more than the defaults.
func loosens(c *resources.ConfigSpec) bool {
	d := resources.DefaultConfig()
	return c.Mode != d.Mode || c.UnknownAgents != d.UnknownAgents || c.SplitAt != d.SplitAt || c.Planning.Mirror == resources.MirrorTasks || c.ContextWindow != d.ContextWindow ||
		c.SessionCollectAfter != d.SessionCollectAfter || slices.ContainsFunc(c.AllowOnce, func(rule string) bool { return !slices.Contains(d.AllowOnce, rule) })
}

// restricted returns the defaults with the restrictions in c added, and the
// role of unnamed agents in c. Any role is accepted, because roles only
// restrict.
func restricted(c *resources.ConfigSpec) *resources.ConfigSpec {
	d := resources.DefaultConfig()
	d.RequirePlan, d.RequireTodo, d.DefaultRole = c.RequirePlan, c.RequireTodo, c.DefaultRole
	d.Record = c.Record // full, the default, records most
	if c.Planning.Mirror == resources.MirrorOff {
		d.Planning.Mirror = resources.MirrorOff
	}
	d.AllowOnce = intersectRules(d.AllowOnce, c.AllowOnce)
	return &d
}

// intersectRules returns the rules that are in both lists.
func intersectRules(rules, others []string) []string {
	return slices.DeleteFunc(slices.Clone(rules), func(rule string) bool { return !slices.Contains(others, rule) })
}

// redact removes text that may not be shown from the answer. Every answer of
// this package passes here. For untrusted content it keeps only the line about
// trust, denials, which decide has filtered, and the notices of this package.
func (h *handler) redact(a hosts.Answer) hosts.Answer {
	if a.Context == "" && a.Hold == "" && a.Notice == "" {
		return a
	}
	line, notice := h.repo.trustLine()
	if line == "" {
		return a
	}
	if a.Context != line {
		a.Context = h.allowed // the decision of the person, who is present
	}
	if a.Notice != notice && !strings.HasPrefix(a.Notice, brokeWords) && !strings.HasPrefix(a.Notice, splitWords) && h.event.Type != hosts.SettingsChange {
		a.Notice = ""
	}
	a.Hold = ""
	return a
}

// inTools rewrites the commands in a line as calls of iDumb's tools, which the
// host runs without asking its person. A pack is sent unchanged.
func (h *handler) inTools(text string) string { return admission.InTools(text, h.host().ToolPrefix) }

// plain removes text that may not be shown from a verdict. Most denials quote
// only tasks. For these it is sufficient that the person ever trusted the
// repository, because tasks of other authors arrive all the time. It checks the
// governing files only for a denial that quotes them.
func (h *handler) plain(call admission.Call, v admission.Verdict) admission.Verdict {
	if v.Reason.Rule == "shell-gate" && call.Gate != nil && call.Gate.Rule != command.RepositoryRule {
		return v // the text of a shipped rule about the agent's command
	}
	if v.Reason.What == "" || h.repo.trustRecord().Any() && !v.Reason.QuotesRules(call) {
		return v
	}
	if h.repo.trustState() != trust.Trusted { // text in an untrusted change is foreign too
		v.Reason = v.Reason.NamesOnly(call, withheld)
	}
	return v
}
