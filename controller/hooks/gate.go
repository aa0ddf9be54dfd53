package hooks

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/hosts"
	"github.com/idumb-dev/idumb/controller/planvisibility"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/status"
)

// beforeTool judges a tool call before it runs, records the verdict, and returns the answer to the
// host.
func (h *handler) beforeTool() hosts.Answer {
	call, err := h.call()
	warning := ""
	call.Loop, warning = h.watchLoop()
	var verdict admission.Verdict
	switch {
	case h.event.UnreadReason != "":
		verdict = admission.Undecided(call, h.repo.settings.Mode, h.event.UnreadReason, "Repeat the call with complete arguments.")
	case err != nil:
		verdict = h.unfollowed(call, err)
	default:
		verdict = h.decide(call)
		if h.tooLate(call, verdict) || verdict.Outcome == admission.Deny && verdict.Reason.Rule == "write-gate" && h.startCurrentItem() {
			verdict = h.decide(call)
		}
		verdict = h.decideWithGrants(&call, verdict)
		if err := h.repo.specs.unlisted; err != nil && verdict.Outcome == admission.Advise { // it is unknown whether a plan exists
			verdict = admission.Undecided(call, h.repo.settings.Mode, "The plans cannot be read: "+err.Error()+".", "Run `idumb doctor` to see the problem, and tell the user.")
		}
	}
	verdict = h.useGrants(&call, verdict)
	h.opening(verdict)
	h.bypassed(verdict)
	h.askedToDecide(nil)
	answer := h.settle(call, verdict)
	if answer.Deny == "" {
		h.nameCaller()
	}
	agent := "-"
	if h.event.Agent != "" {
		agent = toolWord(h.event.Agent)
	}
	line := strconv.FormatInt(h.repo.now.UnixMilli(), 10) + " " + toolWord(h.event.Tool) + " " + agent + " " + h.aboutCall()
	h.appendNotes(notesCalls, []byte(strings.TrimRight(line, " ")+"\n"))
	if warning != "" && answer.Deny == "" {
		answer.Context = strings.TrimPrefix(answer.Context+"\n"+warning, "\n")
	}
	answer.Context = inLines(h.allowed, answer.Context)
	return answer
}

// call converts the event for admission, with its paths resolved.
func (h *handler) call() (admission.Call, error) {
	e := h.event
	c := admission.Call{
		Host: e.Host, Tools: h.host().ToolPrefix, Tool: e.Tool, Action: e.Action, Own: e.Own, Command: e.Command,
		Session: h.sessionName(), Parent: h.parentName(), Agent: e.Agent, SubagentID: e.Subagent, Role: h.record().Role, To: e.DelegateTo,
		Opened: h.opened(), Ignored: h.ignored(), UnseenPlans: h.unseenPlans, Untrusted: func() bool { return !h.repo.trusted() },
	}
	if h.event.Action == admission.Delegate {
		c.Names = named(e.Text)
	}
	if h.event.Action == admission.Read && !slices.ContainsFunc(e.Paths, namesOwnFolder) { // no rule examines other reads
		return c, nil
	}
	resolve := h.repo.resolver(h.env, e.Cwd)
	resolve.Replaces, resolve.Creates, resolve.Tracked, resolve.Changed = h.replaces(), h.creates(), h.tracked(), h.uncommitted()
	for _, file := range e.Paths {
		p, err := resolve.Resolve(file)
		if err != nil {
			c.Paths = fromPaths(e.Paths)
			return c, err
		}
		c.Paths = append(c.Paths, resolve.OrLink(file, p))
		if trimmed := strings.TrimSpace(file); trimmed != file { // some hosts and tools trim blanks
			if p, err := resolve.Resolve(trimmed); err == nil {
				c.Paths = append(c.Paths, resolve.OrLink(trimmed, p))
			}
		}
		if e.UnknownTool && p.Repo != "." && p.Home != "." {
			fills := command.File{Word: command.Word{Text: file, Literal: true}, Tree: true, Unsure: true}
			if found, err := resolve.TouchedFiles(command.Reading{Files: []command.File{fills}}); err == nil {
				c.Paths = append(c.Paths, found...)
			}
		}
		if e.Action == admission.Write && p.Repo == "" {
			h.overwritten(&c, resolve, file)
		}
	}
	if e.Action == admission.Write {
		c.Amounts, c.Planned = resolve.WritingCommands(e, c.Paths)
		c.Adds = resolve.AddsByTool(e, c.Paths)
	}
	if line := h.decidesByTool(); line != "" {
		c.Runs = runsIn(line)
	}
	var err error
	if e.Action == admission.Shell || e.Action == admission.Governance && e.Command != "" {
		err = h.addLine(&c, resolve)
	}
	if e.Action == admission.Write || e.Action == admission.Shell {
		c.Secret = h.secretIn(c.Paths)
	}
	return c, err
}

// secretIn returns a likely secret in the arguments of a call that writes files
// of .idumb, or an empty text.
func (h *handler) secretIn(paths []admission.Path) string {
	if !slices.ContainsFunc(paths, func(p admission.Path) bool { return strings.HasPrefix(p.Repo, layout.Dir+"/") }) {
		return ""
	}
	if found := resources.NewSecret(h.event.Command, ""); found != "" {
		return found
	}
	for _, value := range h.event.Args {
		// The text of a file is JSON too, so it is quoted twice here.
		if found := resources.NewSecret(strings.ReplaceAll(string(value), `\\`, `\`), ""); found != "" {
			return found
		}
	}
	return ""
}

// namesOwnFolder reports whether the text of a path contains the name of iDumb's
// folder.
func namesOwnFolder(file string) bool { return strings.Contains(strings.ToLower(file), layout.Dir) }

// settle converts a verdict to the answer to the host, and records it: a denial, a question to the
// person, a violation, or work on a task.
func (h *handler) settle(call admission.Call, v admission.Verdict) hosts.Answer {
	asks := h.host().CanAsk
	switch v.Outcome {
	case admission.AskPerson:
		if !asks {
			return h.deny(call, v.WithoutAsking())
		}
		h.report(resources.ReasonAsked, call, v, false)
		if v.Reason.Rule == admission.SharedPlans {
			h.updateState(func(m *sessionState) { m.PlansAsked = h.callName() })
		}
		h.appendNoteLine(notesAsked, h.denialRecord(call, v))
		h.askedToDecide(v.Decides)
		return hosts.Answer{Ask: v.Reason.Question()}
	case admission.Deny:
		return h.deny(call, v)
	case admission.Record:
		if v.Asks && asks { // mode enforce would have asked, which is not a denial
			h.report("WouldAsk", call, v, false)
		} else {
			h.violation(call, v)
		}
		return hosts.Answer{}
	}
	// A call that does not write only updates the time of the session.
	h.updateSession(func(s *resources.SessionSpec) {
		if v.Task != "" && call.Action == admission.Write {
			s.ActiveTask = v.Task
		}
	})
	h.notePassed(call)
	switch v.Outcome {
	case admission.Allow:
		return hosts.Answer{Allow: true}
	case admission.Advise:
		if slices.Contains(h.readState().Advised, v.Advice) {
			return hosts.Answer{}
		}
		h.updateState(func(m *sessionState) { m.Advised = append(m.Advised[max(0, len(m.Advised)+1-maxAdvised):], v.Advice) })
		return hosts.Answer{Context: h.inTools(v.Advice)}
	}
	return hosts.Answer{}
}

// deny returns the answer that denies a call. It records the denial, so that the
// next denial of the same call is reported as a retry.
func (h *handler) deny(call admission.Call, v admission.Verdict) hosts.Answer {
	signature := call.Signature()
	v.Reason.Evidence = append(slices.Clip(v.Reason.Evidence), h.radius(call, v.Reason.Rule)...)
	v.Reason.Retry = v.Reason.IsRetry(call, h.lastDenial(signature), h.repo.now)
	h.recordDenial(h.denialRecord(call, v))
	h.report(resources.ReasonDenied, call, v, false)
	if v.Reason.Rule == admission.RuleDepth {
		v.Reason.Why = append(slices.Clip(v.Reason.Why), h.haltDeep()...)
	}
	if counts, chain := h.record().Counters, &v.Reason.Chain; chain.Plan != "" {
		chain.Drift = cmp.Or(chain.Drift, status.Figures{}.DriftText()) // a session without a record has not drifted
		chain.Anchors, chain.Checkpoints = h.anchorsMade(), counts.Writes
		chain.Outputs = status.Outputs{All: counts.Outputs, Stale: counts.StaleOutputs}.String()
	}
	h.keepLate(v, true)
	return hosts.Answer{Deny: v.Reason.Text()}
}

// notePassed records that a call passes that was denied earlier in this
// session. The denial then needs no decision.
func (h *handler) notePassed(call admission.Call) {
	denied := h.lastDenial(call.Signature())
	if denied == nil || h.dryRun {
		return
	}
	if before := h.lastNoted(notesPassed, denied.Call); before != nil && before.Time.After(denied.Time) {
		return
	}
	passed := admission.Verdict{Reason: admission.Reason{Rule: denied.Rule}}
	_ = h.repo.AppendEvent(resources.Event{
		Time: resources.NewTime(h.repo.now), Type: resources.Normal, Reason: resources.ReasonPassed, Object: "session/" + h.sessionName(),
		Message: "the call passed that was denied before (" + denied.Rule + ")", From: "hook/" + h.event.Host, Violation: h.violationOf(call, passed),
	})
	h.appendNoteLine(notesPassed, h.denialRecord(call, passed))
}

// radius returns one line about the first code file of a denied call: its
// importers, and the open task that covers it if the denial does not name the
// task. It returns nothing if the code map is not available at once.
func (h *handler) radius(call admission.Call, rule string) []string {
	if h.repo.code == nil || !slices.Contains([]string{"role-paths", "file-owner", "assignee", "task-paths"}, rule) || !h.repo.trusted() {
		return nil
	}
	for _, p := range call.Paths[:min(len(call.Paths), maxFiles)] {
		if p.Repo == "" || p.Tree != "" {
			continue
		}
		line := h.repo.code.Radius(p.Repo)
		if line == "" {
			continue
		}
		line = admission.Plain(p.Repo) + ": " + line
		if claims := h.repo.contexts.FileClaims(p.Repo); len(claims) > 0 && rule != "file-owner" {
			line += ", " + strings.TrimPrefix(claims[0].Text, "- ")
		}
		return []string{line}
	}
	return nil
}

// maxAdvised limits the remembered lines of advice.
const maxAdvised = 32

// unseenPlans returns why plans of the team may not be visible in this clone. It
// also returns whether the user agreed to work without them, permanently or for
// this session.
func (h *handler) unseenPlans() admission.UnseenPlans {
	sharing := h.sharing()
	agreed := !sharing.HasHidden() || h.sessionName() != "" && h.readState().PlansUnseen
	return admission.UnseenPlans{Why: sharing.Clause(), Agreed: agreed && sharing.Reason == "", Command: sharing.RestoreCommand, Follow: sharing.Quoted(), Missing: sharing.Missing > 0}
}

// sharing returns whether all plans are visible in this clone.
func (h *handler) sharing() planvisibility.Sharing {
	return planvisibility.Look(h.repo.Root, h.env.get)
}

// callName identifies a call before and after it runs.
func (h *handler) callName() string {
	if h.event.CallID != "" {
		return h.event.CallID
	}
	return strings.Join(append([]string{h.event.Tool, h.event.Command}, h.event.Paths...), " ")
}

// report records a call that was denied, asked about, or broke a rule. It
// counts a call that broke a rule.
func (h *handler) report(reason string, call admission.Call, v admission.Verdict, violates bool) {
	object := "session/" + h.sessionName()
	if v.Task != "" {
		object = "task/" + v.Task
	}
	violation := h.violationOf(call, v)
	if reason == resources.ReasonDenied || reason == resources.ReasonWouldDeny {
		violation.Stays = h.remainingRule(call, v)
	}
	violation.Why, violation.UseInstead, violation.Evidence = masked(strings.Join(v.Reason.Why, "\n")), masked(v.Reason.Instead()), masked(strings.Join(v.Reason.Evidence, "; "))
	h.warn(reason, object, masked(v.Reason.What)+" ("+v.Reason.Rule+")", violation) // first: clients read it when the session changes
	outputs := h.countOutputs()
	h.updateSession(func(s *resources.SessionSpec) {
		s.Counters.Outputs, s.Counters.StaleOutputs = outputs.All, outputs.Stale
		if violates {
			s.Counters.Violations++
		}
		if reason == resources.ReasonDenied { // drift and health are computed from the counts in the record
			catchUp(&s.Counters, h.readNotes)
		}
	})
}

// masked returns a text whose lines contain no secrets.
func masked(text string) string {
	if !resources.HoldsSecret(text) {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = strings.Join(resources.MaskSecrets(strings.Fields(line)), " ")
	}
	return strings.Join(lines, "\n")
}

// warn writes an event. It ignores errors, because a failed write must not
// change the answer.
func (h *handler) warn(reason, object, message string, violation *resources.Violation) {
	_ = h.repo.AppendEvent(resources.Event{
		Time: resources.NewTime(h.repo.now), Type: resources.Warning, Reason: reason, Object: object,
		Message: message, From: "hook/" + h.event.Host, Violation: violation,
	})
}

// self returns a call of the acting agent without further data.
func (h *handler) self() admission.Call {
	return admission.Call{Session: h.sessionName(), Agent: h.event.Agent, Role: h.record().Role}
}

// work returns the current task of the acting agent.
func (h *handler) work() (*resources.Task, bool) { return admission.WorkOf(h.self(), h.repo) }

// unfollowed returns the verdict on a call with a path that cannot be resolved.
func (h *handler) unfollowed(call admission.Call, err error) admission.Verdict {
	return admission.Undecided(call, h.repo.settings.Mode, "The path cannot be followed: "+err.Error()+".", byItsPath)
}

// byItsPath is the advice if a path cannot be resolved.
const byItsPath = "Name the file by its path from the repository's root."

// nameCaller records the caller of one of iDumb's tools for the MCP server,
// which receives only the id of the call, or not even that. Without the record the caller is an
// unnamed agent in the default role.
func (h *handler) nameCaller() {
	e := h.event
	if !e.Own {
		return
	}
	// Several agents may have made the call: the one with the fewest permissions is named.
	var roles []*resources.Role
	agents := map[*resources.Role]string{}
	for _, c := range h.asEach(h.self()) {
		if role := admission.RoleOf(c, h.repo); role != nil && c.Agent != "" {
			roles, agents[role] = append(roles, role), c.Agent
		}
	}
	e.Agent = cmp.Or(agents[resources.LeastRole(roles)], h.event.Agent)
	who := callers.Caller{
		Host: e.Host, Session: h.sessionName(), Agent: e.Agent, Subagent: e.Subagent, Role: h.record().Role, Time: h.repo.now,
	}
	if role := admission.RoleOf(admission.Call{Session: who.Session, Agent: who.Agent, Role: who.Role}, h.repo); role != nil {
		who.Role = role.Metadata.Name
	}
	id := cmp.Or(e.CallID, callers.CallID(strings.TrimPrefix(e.Tool, h.host().ToolPrefix), e.Args))
	_ = callers.Record(h.repo.Root, id, who)
}

// opened returns a function that reports whether the session has used one of
// its role's first tools. It returns nil if the session is unknown, because the
// use could not be recorded.
func (h *handler) opened() func() bool {
	if h.sessionName() == "" {
		return nil
	}
	return func() bool { return h.readState().Opened }
}

// opening records the use of a first tool. A role without first tools costs
// nothing.
func (h *handler) opening(v admission.Verdict) {
	if v.Opens && v.Outcome != admission.Deny {
		h.updateState(func(m *sessionState) { m.Opened = true })
	}
}

// bypassed records each chain rule that a call bypassed.
func (h *handler) bypassed(v admission.Verdict) {
	for _, b := range v.Bypassed {
		h.warn("ChainBypassed", "chainrule/"+b.Rule, b.Level+" passed with "+b.Word+" in session "+h.sessionName()+": "+admission.Plain(b.Command), nil)
	}
}
