package hooks

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/hooks/grants"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
)

// A person may allow a denied call once (package grants). The call may then break
// the rules that the settings list; every other rule applies as before. Grants
// are searched only when a call is denied, so that other calls cost nothing. A
// grant is used only when the call breaks no other rule.

// callDigest identifies a call: the command line and its folder, the tool and its
// files, the agent to start and the named objects; for Action Other also the
// arguments. The written content and a prompt do not count: two edits of the same
// files by one tool have the same digest. It is empty if the session is unknown.
func (h *handler) callDigest(call admission.Call) string {
	if h.sessionName() == "" {
		return ""
	}
	exact := struct {
		Action, Tool, Command, Dir, To string
		Commands, Paths, Names         []string
		Args                           string
	}{Action: call.Action.String(), Tool: call.Tool, Command: h.event.Command, To: call.To}
	for _, p := range call.Paths {
		exact.Paths = append(exact.Paths, p.Repo+"\x00"+p.Home+"\x00"+p.Tree)
		if p.Repo == "" && p.Home == "" {
			exact.Paths = append(exact.Paths, p.Given)
		}
	}
	for _, key := range call.Names {
		exact.Names = append(exact.Names, key.String())
	}
	switch call.Action {
	case admission.Shell, admission.Governance:
		exact.Dir = h.runsIn()
		for _, r := range call.Runs {
			exact.Commands = append(exact.Commands, strings.Join(r.Words, "\x00"))
		}
	case admission.Other:
		exact.Args = hex.EncodeToString([]byte(h.event.Args.Digest()))
	}
	data, _ := json.Marshal(exact) // consists of texts only
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:16])
}

// runsIn returns the folder in which a command line runs, relative to the
// repository root if it is inside.
func (h *handler) runsIn() string {
	inside := func(root, at string) (string, bool) {
		below, err := filepath.Rel(root, at)
		return "./" + filepath.ToSlash(below), err == nil && filepath.IsLocal(below)
	}
	if below, ok := inside(string(h.repo.Root), h.event.Cwd); ok { // hosts usually send this form
		return below
	}
	at := effects.ResolveLinks(h.event.Cwd)
	if below, ok := inside(effects.ResolveLinks(string(h.repo.Root)), at); ok {
		return below
	}
	return at
}

// fullCommandLine returns the event's command line if its signature, which is one
// line, does not show all of it.
func (h *handler) fullCommandLine() string {
	if line := h.event.Command; line != strings.Join(strings.Fields(line), " ") {
		return line
	}
	return ""
}

// callText returns a call as one line for people. It is the signature, but with
// visible line breaks, because each line of a command is a separate command.
func (h *handler) callText(call admission.Call) string {
	lines := strings.Split(strings.TrimSpace(h.event.Command), "\n")
	if call.Action != admission.Shell || len(lines) == 1 {
		return call.Signature()
	}
	for i := range lines {
		lines[i] = strings.Join(strings.Fields(lines[i]), " ")
	}
	return "shell " + strings.Join(lines, `\n`)
}

// denialRecord returns the record of a denial, with all details of the call.
func (h *handler) denialRecord(call admission.Call, v admission.Verdict) admission.Denial {
	return admission.Denial{Call: call.Signature(), Rule: v.Reason.Rule, Time: h.repo.now, Step: v.Reason.UseInstead, Digest: h.callDigest(call), Line: h.fullCommandLine()}
}

// deniedBy returns the denial of a call of the acting session by a rule.
func (h *handler) deniedBy(call admission.Call, rule string) resources.Violation {
	return resources.Violation{Session: h.sessionName(), Rule: rule, Digest: h.callDigest(call)}
}

// decideWithGrants judges a denied call again if there is a grant for it. The call may then
// break every rule that a person may lift, which lifting notes in call.Lifted. The
// grant is not used yet; v.Lifted names its rule. Without a grant v is returned.
func (h *handler) decideWithGrants(call *admission.Call, v admission.Verdict) admission.Verdict {
	if !denies(v) || !mayLift(h.repo.settings, v.Reason.Rule) {
		return v
	}
	rules := liftable(h.repo.settings)
	i := slices.IndexFunc(rules, func(rule string) bool {
		_, found := grants.Find(h.repo.Root, h.deniedBy(*call, rule), !h.dryRun, h.repo.now)
		return found
	})
	if i < 0 {
		return v
	}
	call.Lifted = rules
	if v = h.decide(*call); h.tooLate(*call, v) {
		v = h.decide(*call)
	}
	if !denies(v) {
		v.Lifted = rules[i : i+1]
	}
	return v
}

// denies reports whether a verdict denies the call: with Deny, or with AskPerson, which only a
// person can lift.
func denies(v admission.Verdict) bool {
	return v.Outcome == admission.Deny || v.Outcome == admission.AskPerson
}

// remainingRule returns the rule that would still deny a call after the person allows
// it. It is empty if no rule would, or if the person may not allow the call.
func (h *handler) remainingRule(call admission.Call, v admission.Verdict) string {
	if !mayLift(h.repo.settings, v.Reason.Rule) {
		return ""
	}
	call.Lifted = liftable(h.repo.settings)
	if v = h.decide(call); stops(v) {
		return v.Reason.Rule
	}
	return ""
}

// liftable lists the rules that a person may lift for a call.
func liftable(settings *resources.ConfigSpec) []string {
	return slices.DeleteFunc(admission.LiftableRules(), func(rule string) bool { return !mayLift(settings, rule) })
}

// mayLift reports whether a person may lift a rule for a call.
func mayLift(settings *resources.ConfigSpec, rule string) bool {
	return slices.Contains(settings.AllowOnce, rule) && slices.Contains(admission.LiftableRules(), rule)
}

// useGrants uses the grants of a call that v.Lifted names, and records that. If another
// call has used a grant first, the call is judged without grants.
func (h *handler) useGrants(call *admission.Call, v admission.Verdict) admission.Verdict {
	for _, rule := range v.Lifted {
		g, ok := grants.Take(h.repo.Root, h.deniedBy(*call, rule), h.repo.now)
		if !ok {
			call.Lifted = nil
			return h.decide(*call)
		}
		h.recordGrantUse(*call, v, &g)
	}
	return v
}

// recordGrantUse records as an event that a grant lets a call break a rule, and adds a
// line for the agent to h.allowed.
func (h *handler) recordGrantUse(call admission.Call, v admission.Verdict, g *grants.Grant) {
	reason := ""
	if g.Reason != "" {
		reason = " (" + admission.Plain(g.Reason) + ")"
	}
	h.allowed = inLines(h.allowed, "ALLOWED ONCE by "+admission.Plain(g.Grantor)+reason+": this very call passes the rule "+g.Rule+". The next one is judged as before.")
	v.Reason = admission.Reason{Rule: g.Rule}
	violation := h.violationOf(call, v)
	object := "session/" + h.sessionName()
	if v.Task != "" {
		object = "task/" + v.Task
	}
	_ = h.repo.AppendEvent(resources.Event{
		Time: resources.NewTime(h.repo.now), Type: resources.Normal, Reason: resources.ReasonAllowed, Object: object,
		Message: admission.Plain(g.Grantor) + " let one call pass the rule " + g.Rule + reason + ": " + admission.Plain(violation.Call),
		From:    "hook/" + h.event.Host, Violation: violation,
	})
}

// MayAllow lists the rules that a person may lift for a call in a repository:
// the rules in the trusted settings.
func MayAllow(root Root, env []string, now time.Time) []string {
	g := Backend{}.OpenGate(root, callers.Caller{}, env, now)
	return liftable(g.h.repo.settings)
}

// ModeIn returns the mode in which the gate judges in an environment. An
// untrusted configuration cannot loosen the mode.
func ModeIn(root Root, env []string, now time.Time) string {
	return Backend{}.OpenGate(root, callers.Caller{}, env, now).h.repo.settings.Mode
}

// DenialOf returns the complete record of a denial, or of a call that the
// person was asked about. It returns false if the record no longer exists.
func DenialOf(root Root, denied resources.Violation) (found admission.Denial, ok bool) {
	notes := slices.Concat(notesOf(root, denied.Session, notesAsked), notesOf(root, denied.Session, notesDenials))
	for line := range strings.Lines(string(notes)) {
		var d admission.Denial
		if json.Unmarshal([]byte(line), &d) == nil && d.Digest == denied.Digest && d.Rule == denied.Rule {
			found, ok = d, true
		}
	}
	return found, ok
}
