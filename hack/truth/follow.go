package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// tell tries everything in the world: it reads, tries starts, and writes by following every remedy.
func (r *run) tell() {
	r.readCommands()
	for _, s := range r.sessions() {
		r.hear(s, r.event(s, "UserPromptSubmit", map[string]any{"prompt": "continue the work"}))
		r.starts(s)
	}
	for i, s := range r.sessions() {
		for j := range files {
			r.wants(s, files[(i+j)%len(files)])
		}
	}
	for _, s := range r.sessions() {
		r.finish(s)
	}
	for _, s := range r.sessions() {
		if s.Parent == "" {
			r.hear(s, r.event(s, "UserPromptSubmit", map[string]any{"prompt": "which task comes next?"}))
			r.hear(s, r.event(s, "Stop", nil))
			r.hear(s, r.event(s, "SessionStart", map[string]any{"source": "compact"}))
		}
	}
	r.readCommands()
}

// starts tries to start tasks that an agent may not start, in turn by the command line and by MCP.
// Both must refuse. It also tries to delegate tasks that are delegated to another agent.
func (r *run) starts(s *session) {
	for i, name := range slices.Sorted(maps.Keys(r.modelFor(s.agent).tasks)) {
		may, why := r.modelFor(s.agent).mayStart(s.agent, name)
		if may != no {
			continue
		}
		mcp := (i+len(s.Name)+len(r.w.Tasks))%2 == 0
		way := map[bool]string{false: "idumb start", true: "govern_task start"}[mcp]
		r.stats["starts refused"]++
		text, passed := r.start(s, name, mcp)
		if passed {
			r.falsehood(way+": starts a forbidden task", "", s.Name+" started "+name+": "+why)
			return // the world has changed
		}
		r.wayOut(s, way, text, func() (string, bool) { return "", false }, "")
		if d := r.modelFor(s.agent).handedAway(s.agent, name); d != nil && d.Delegate != "" && d.To != r.w.role(s.agent) {
			r.stats["handovers refused"]++
			if again := (&delegation{Name: "again", Task: name, To: "executor"}); r.assign(s, again) {
				r.falsehood("govern_delegate assign: hands over what another has", "", s.Name+" handed "+name+" over, which "+d.To+" has")
				return
			}
		}
	}
	if free := r.modelFor(s.agent).startable(s.agent); len(free) > 0 && len(r.w.Tasks)%3 == 0 {
		r.stats["starts"]++
		if text, ok := r.start(s, free[0], s.Host == "claude"); !ok {
			r.falsehood("start: is refused", text, free[0]+" may be started")
		}
	}
}

// finish completes the task of an agent. This is always possible, except for a recalled delegate.
func (r *run) finish(s *session) {
	m := r.modelFor(s.agent)
	name, certain := m.work(s.agent)
	d := m.delegate[s.Name]
	if t := m.tasks[name]; t == nil || t.State != "active" || (!certain || m.holder[name] != m.w.owner(s.agent)) && d.Task == "" || m.unread(name) || m.plans[t.Plan].State != "active" || m.foreign(s.agent, t) && d.Task == "" {
		return
	}
	r.stats["completions"]++
	complete := func() (string, bool) {
		if s.Host == "codex" {
			return r.shell(s, "idumb complete "+name+` --evidence "see workplan/`+m.tasks[name].Plan+`"`)
		}
		return r.tool(s, "govern_task", map[string]any{"action": "complete", "task": name, "evidence": "see workplan/" + m.tasks[name].Plan})
	}
	switch text, passed := complete(); {
	case passed && d.Recalled:
		r.falsehood("complete: passes for a recalled delegate", text, d.Task+" was taken back")
	case !passed && !d.Recalled && r.phaseOf(s, name) == "active":
		r.falsehood("complete: is refused", text, s.Name+" works on "+name+", and finishing is always open")
	}
}

func (r *run) phaseOf(s *session, name string) string { return r.modelFor(s.agent).phase(name) }

// wants writes a file, follows the denial if there is one, and compares the result with the model.
func (r *run) wants(s *session, file string) {
	m := r.modelFor(s.agent)
	may, why := m.mayWrite(s.agent, file)
	text, passed := r.write(s, file)
	r.stats["writes"]++
	switch {
	case passed && may == no:
		r.falsehood("gate: lets a write pass", s.Name+" wrote "+file, why)
	case !passed && may == yes:
		r.falsehood("gate: denies a write", text, "no rule denies it")
	}
	if !passed {
		r.wayOut(s, "write", text, func() (string, bool) { return r.write(s, file) }, file)
	}
}

var (
	quoted = regexp.MustCompile("`([^`]+)`")
	// cannot matches texts which state that the reader cannot do the act itself.
	cannot = regexp.MustCompile(`(?i)ask the (person|user)|tell the (person|user)|end your turn|hand (it |the task |the work )?(back|over)|hand back|leave (it|this|the task)|other files|elsewhere|no (other )?task is ready|wait for|report (to|back|the (completed|remaining))|work on other|until it is|take another|you cannot|not for your role`)
	// following matches the words between two commands of which the second is run after the first.
	following = regexp.MustCompile(`^[^;]*\bthen\b[^;]*$|^ first\.`)
	// placeholder marks words that the reader replaces.
	placeholder = regexp.MustCompile(`\b[A-Z]{3,}\b`)
	// blank matches a text that the reader replaces by one of its own.
	blank = regexp.MustCompile(`"\(([^()"]+)\)"`)
)

// instead returns the USE INSTEAD part of a denial, of a command's refusal or of a tool's answer.
func instead(text string) string {
	if _, after, ok := strings.Cut(text, "USE INSTEAD: "); ok {
		step, _, _ := strings.Cut(after, "\nEVIDENCE:")
		step, _, _ = strings.Cut(step, "\n\nCHAIN")
		return step
	}
	var answer struct{ UseInstead string }
	if json.Unmarshal([]byte(text), &answer) == nil && answer.UseInstead != "" {
		return answer.UseInstead
	}
	if i := strings.LastIndex(text, "; "); i >= 0 && strings.HasPrefix(text, "error: ") {
		return text[i+2:]
	}
	return text
}

// wayOut follows USE INSTEAD at most two times and repeats the act. The act must pass, or the text
// must state that it cannot pass, and the model must not know a way either.
func (r *run) wayOut(s *session, act, text string, again func() (string, bool), file string) {
	for range 2 {
		step := instead(text)
		r.stats["steps followed"]++
		way := ""
		if file != "" {
			way = r.modelFor(s.agent).way(s.agent, file)
		}
		switch did, looked, wrong := r.obey(s, text); {
		case wrong != "":
			r.falsehood(act+": a step of USE INSTEAD is refused", text, wrong)
			return
		case !did && !looked && !cannot.MatchString(step):
			r.falsehood(act+": USE INSTEAD names nothing to do", text, "no command, and no word that it cannot be done")
			return
		case !did && way != "":
			r.falsehood(act+": denies a possible step", text, "start "+way+", then write "+file)
			return
		case file == "" || !did:
			return
		}
		passed := false
		if text, passed = again(); passed {
			r.stats["ways that led out"]++
			return
		}
		if cannot.MatchString(step) && way == "" {
			return
		}
	}
	r.falsehood(act+": USE INSTEAD leads in a circle", text, "denied after two steps")
}

// obey runs the commands of USE INSTEAD in their order. did reports that there was one, looked that one only reads.
func (r *run) obey(s *session, text string) (did, looked bool, wrong string) {
	step := instead(text)
	if m := bare.FindStringSubmatch(step); m != nil {
		step = m[1] + "`" + m[2] + "`"
	}
	parts := quoted.FindAllStringSubmatchIndex(step, -1)
	for i, at := range parts {
		command := blank.ReplaceAllString(step[at[2]:at[3]], `"my own $1"`)
		before := step[:at[0]]
		if i > 0 && !following.MatchString(step[parts[i-1][1]:at[0]]) {
			break // an alternative
		}
		if regexp.MustCompile(`(?i)(ask|tell) the (person|user)`).MatchString(before) || strings.Contains(command, "--take-over") {
			break // for the user
		}
		if s.Host == "claude" && strings.HasPrefix(command, "idumb ") && strings.HasPrefix(text, "GOVERNANCE BLOCK") {
			return true, looked, "the host asks its user before this command: " + command
		}
		if placeholder.MatchString(command) {
			continue
		}
		if strings.HasPrefix(command, "idumb describe") || strings.HasPrefix(command, "idumb next") || strings.HasPrefix(command, "idumb get") || strings.Contains(command, `"status"`) {
			looked = true
			if !r.snared {
				continue
			}
		}
		if text, ok := r.run(s, command); !ok {
			return true, looked, fmt.Sprintf("%s: %s", command, text)
		}
		did = true
	}
	return did, looked, ""
}

var (
	starts = regexp.MustCompile(`^idumb start ` + aName)
	ours   = regexp.MustCompile(`^(?:mcp__idumb__|idumb_)?(govern_[a-z]+|mem|anchor) (\{.*\})$`)
	bare   = regexp.MustCompile("^([^`{]*: |\\s*)(idumb [a-z][^`]*|(?:mcp__idumb__|idumb_)?(?:govern_[a-z]+|mem|anchor) \\{.*\\})\\s*$") // a step without quotes that ends in a command
)

// run runs one command literally and records the task that it starts.
func (r *run) run(s *session, command string) (string, bool) {
	if m := ours.FindStringSubmatch(command); m != nil {
		var input map[string]any
		if err := json.Unmarshal([]byte(m[2]), &input); err != nil {
			return "the arguments cannot be read: " + err.Error(), false
		}
		text, ok := r.tool(s, m[1], input)
		if name, _ := input["task"].(string); ok && m[1] == "govern_task" && input["action"] == "start" {
			r.take(s, name)
		}
		return text, ok
	}
	if !strings.HasPrefix(command, "idumb ") || s.Host == "opencode" {
		return r.call(s, hostTools[s.Host]["shell"], map[string]any{"command": command}, func(string) (string, bool) { return "", true })
	}
	text, ok := r.shell(s, command)
	if m := starts.FindStringSubmatch(command); m != nil && ok {
		r.take(s, m[1])
	}
	return text, ok
}
