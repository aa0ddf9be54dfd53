package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A run drives the real programs in one world and collects false statements.
type run struct {
	w      *world
	dir    string      // temporary directory of everything
	main   *drive.Repo // main worktree
	linked *drive.Repo // linked worktree, may be nil
	model              // observed by the run: holder, current, delegate
	trees  map[string]string
	agents map[string]*session
	ends   []func()
	calls  int
	trace  []string // calls and their answers, for the report
	faults []fault
	stats  map[string]int
	snared bool // the scene of a trap is built: the model does not know it
}

// A fault is a false statement, or a remedy that does not work.
type fault struct {
	Kind string // short and stable: source and rule
	Text string // the statement
	True string // the true fact
}

// A session is an agent with its client and its tools.
type session struct {
	*agent
	repo   *drive.Repo
	client *drive.Client
	tools  *drive.Dialogue
	plugin *drive.Dialogue // hook of OpenCode's plugin
}

// play builds the world, tries everything in it and returns the run. An error means that the run itself failed.
func play(bin drive.Bin, w *world) (r *run, err error) {
	r = &run{w: w, agents: map[string]*session{}, trees: map[string]string{}, stats: map[string]int{}, model: model{w: w, holder: map[string]string{}, current: map[string]string{}, delegate: map[string]handover{}, ended: map[string]bool{}}}
	defer func() {
		for _, end := range slices.Backward(r.ends) {
			end()
		}
		if cause := recover(); cause != nil {
			failure, ok := cause.(error)
			if !ok {
				panic(cause)
			}
			err = failure
		}
	}()
	r.build(bin)
	if len(w.Agents) > 0 {
		r.tell()
	}
	r.snare()
	return r, nil
}

func must(err error) {
	if err != nil {
		panic(err)
	}
}

// falsehood records a fault.
func (r *run) falsehood(kind, text, truth string) {
	for _, f := range r.faults {
		if f.Kind == kind {
			return // one of a kind is enough for a run
		}
	}
	r.faults = append(r.faults, fault{kind, text, truth})
}

func (r *run) log(format string, args ...any) {
	r.trace = append(r.trace, fmt.Sprintf(format, args...))
}

// sh runs a script as a user does. It must succeed.
func (r *run) sh(repo *drive.Repo, script string) string {
	out, ok := repo.Shell(script)
	r.log("$ %s\n%s", script, out)
	if !ok {
		panic(fmt.Errorf("%s: %s", script, out))
	}
	return out
}

// build makes the repositories, starts the agents and lets them start their tasks.
func (r *run) build(bin drive.Bin) {
	dir, err := os.MkdirTemp("", "idumb-truth-")
	must(err)
	r.dir = dir
	r.ends = append(r.ends, func() { _ = os.RemoveAll(dir) })
	vars := []string{"XDG_CONFIG_HOME=" + filepath.Join(dir, "settings"), "HOME=" + filepath.Join(dir, "home"), "IDUMB_AUTOSTART=off", "GIT_CONFIG_NOSYSTEM=1", "LANG=C"}
	r.main = &drive.Repo{Dir: filepath.Join(dir, "main"), Bin: bin, Vars: vars}
	if len(r.w.Agents) == 0 {
		r.main.Vars = append(vars, "IDUMB_TRUST="+dir)
		must(os.CopyFS(r.main.Dir, os.DirFS(template)))
		return
	}
	for _, folder := range []string{"main/src/deep", "main/docs", "home"} {
		must(os.MkdirAll(filepath.Join(dir, folder), 0o755))
	}
	r.sh(r.main, `git init -q -b trunk; git config user.name Ann; git config user.email ann@example.com; idumb init --agent none`)
	r.files()
	for _, file := range files {
		must(os.WriteFile(filepath.Join(r.main.Dir, file), []byte("text\n"), 0o644))
	}
	if r.w.Sync == "" {
		r.sh(r.main, `git add -A; git commit -qm world`)
	} else {
		r.share()
	}
	if r.w.Linked {
		r.linked = &drive.Repo{Dir: filepath.Join(dir, "linked"), Bin: bin, Vars: vars}
		r.sh(r.main, `git worktree add -q ../linked -b side`)
	}
	if r.w.Controller {
		r.control()
	}
	r.handOver("")
	for _, a := range r.w.Agents {
		r.join(a)
		r.handOver(a.Name)
	}
	for _, h := range r.w.Holds {
		if a := r.w.agent(h.Agent); a != nil {
			if may, _ := r.modelFor(a).mayStart(a, h.Task); may == yes {
				r.start(r.agents[a.Name], h.Task, len(r.w.Tasks)%2 == 0)
			}
		}
	}
	r.damage()
}

// template is a repository with all roles and without plans, which worlds without agents copy.
var template string

// handOver creates the delegations of an agent, or of the user, without a subagent.
func (r *run) handOver(giver string) {
	for i, h := range r.w.Handovers {
		if h.Giver != giver || h.Taken != "" || r.w.Sync == "elsewhere" {
			continue
		}
		d := &delegation{Name: fmt.Sprintf("open-%d", i), Task: h.Task, From: h.From, To: h.Role, Giver: giver, Recalled: h.Recalled}
		ok := false
		if giver == "" {
			_, ok = r.main.Shell("idumb create delegation " + d.Name + " --task " + d.Task + " --from " + d.From + " --to " + d.To)
		} else {
			ok = r.assign(r.agents[giver], d)
		}
		r.log("delegated %s: %v", h.Task, ok)
		if ok {
			r.handed = append(r.handed, d)
		}
		if ok && h.Recalled {
			r.sh(r.main, "idumb delegation revoke "+d.Name)
		}
	}
}

// assign lets an agent hand a task over.
func (r *run) assign(s *session, d *delegation) bool {
	_, ok := r.tool(s, "govern_delegate", map[string]any{"action": "assign", "task": d.Task, "to": d.To, "name": d.Name})
	return ok
}

// files writes the objects by hand, as an editor does.
func (r *run) files() {
	put := func(file string, spec map[string]any) {
		data, err := json.MarshalIndent(map[string]any{"spec": spec}, "", "  ")
		must(err)
		must(os.WriteFile(r.main.Path(filepath.FromSlash(file)), append(data, '\n'), 0o644))
	}
	for _, p := range r.w.Plans {
		spec := map[string]any{"title": "Plan " + p.Name, "acceptance": []string{"it works"}, "state": p.State}
		if len(p.After) > 0 {
			spec["dependsOn"] = p.After
		}
		put("workplans/"+p.Name+".json", spec)
	}
	for _, t := range r.w.Tasks {
		put("tasks/"+t.Name+".json", t.spec())
	}
	put("decisions/d.json", map[string]any{"title": "Which database", "state": map[bool]string{true: "proposed", false: "accepted"}[r.w.Undecided]})
	put("roles/scribe.json", map[string]any{"level": 2, "agents": []string{"idumb-scribe"}, "paths": map[string]any{"write": []string{"docs/**"}}})
	put("roles/clerk.json", map[string]any{"level": 2, "agents": []string{"idumb-clerk"}, "paths": map[string]any{"write": []string{"src/**"}}, "shell": map[string]any{"allow": []string{"git log", "idumb next", "idumb complete"}}})
	if r.w.Clerk {
		r.sh(r.main, `idumb patch role solo -p '{"spec":{"delegatesTo":["executor","investigator","clerk"]}}'`)
	}
	if r.w.Default != "solo" {
		r.sh(r.main, `idumb patch config config -p '{"spec":{"defaultRole":"`+r.w.Default+`"}}'`)
	}
	r.sh(r.main, `idumb trust`)
}

// share enables sync of plans with a bare remote. In "elsewhere" another clone does it, and this one has only what git carries.
func (r *run) share() {
	r.sh(r.main, `git init -q --bare -b trunk ../remote.git; git remote add origin ../remote.git; idumb sync enable --plans; git add -A; git commit -qm world; git push -q -u origin trunk; idumb sync`)
	if r.w.Sync == "elsewhere" {
		r.main.Dir = filepath.Join(r.dir, "clone")
		r.sh(&drive.Repo{Dir: r.dir, Bin: r.main.Bin, Vars: r.main.Vars}, `git clone -q remote.git clone; cd clone; git config user.name Ben; git config user.email ben@example.com; idumb trust; mkdir -p src/deep docs`)
	}
}

// control starts a controller for the main worktree.
func (r *run) control() {
	c, err := r.main.StartController()
	must(err)
	r.ends = append(r.ends, c.Kill)
	must(drive.Eventually(context.Background(), 20*time.Second, func() error {
		if _, err := os.Stat(r.main.Path("run", "hook.sock")); err != nil || !r.main.Leads() {
			return errors.New("no controller answers")
		}
		_, err := os.Stat(r.main.Path("context", "context.xml"))
		return err
	}))
}

// damage removes or tears a file. It does nothing if the task is not open.
func (r *run) damage() {
	name := r.w.Missing + r.w.Broken
	if tasks, _ := readTasks(r.main.Dir); name == "" || !open(tasks[name]) || r.w.Sync == "elsewhere" {
		return
	}
	if r.w.Missing != "" {
		must(os.Remove(r.main.Path("tasks", name+".json")))
	} else {
		must(os.WriteFile(r.main.Path("tasks", name+".json"), []byte(`{"spec": {"workPlan": "p", "sta`), 0o644))
	}
	r.damaged = true
	r.log("damaged %s", name)
}

// join begins the session of an agent. A subagent is started by the agent above it.
func (r *run) join(a *agent) {
	s := &session{agent: a, repo: r.main}
	if a.Linked && r.linked != nil {
		s.repo = r.linked
	}
	r.agents[a.Name] = s
	if a.Parent != "" {
		r.spawn(r.agents[a.Parent], s)
		return
	}
	client, err := s.repo.NewClient()
	must(err)
	s.client = client
	r.ends = append(r.ends, func() { _ = client.Close() })
	r.hear(s, r.event(s, "SessionStart", map[string]any{"source": "startup"}))
}

// spawn starts a subagent, for a delegation if one names it.
func (r *run) spawn(parent, s *session) {
	s.client, s.repo = parent.client, parent.repo
	prompt := "look around"
	for _, h := range r.w.Handovers {
		if t := r.w.task(h.Task); h.Taken != s.Name || t == nil || r.delegate[s.Name].Task != "" {
			continue
		}
		d := &delegation{Name: "handed", Task: h.Task, From: h.From, To: h.Role, Giver: parent.Name, Delegate: s.Name}
		if !r.assign(parent, d) {
			continue
		}
		prompt = "delegation/handed go"
		r.delegate[s.Name], r.handed = h, append(r.handed, d)
	}
	input := map[string]any{"tool_name": "Agent", "tool_input": map[string]any{"subagent_type": s.Kind, "prompt": prompt, "description": "d"}, "tool_use_id": r.id()}
	if asked := r.event(parent, "PreToolUse", input); asked.Decision == "deny" {
		r.judge(parent, "denial", asked.Reason)
	}
	note := filepath.Join(s.repo.Dir, "log", parent.Name, "subagents", "agent-"+s.Name+".meta.json")
	must(os.MkdirAll(filepath.Dir(note), 0o755))
	must(os.WriteFile(note, []byte(fmt.Sprintf(`{"agentType": %q, "toolUseId": %q, "parentAgentId": ""}`, s.Kind, input["tool_use_id"])), 0o644))
	r.hear(s, r.event(s, "SubagentStart", nil))
	if h := r.delegate[s.Name]; h.Recalled {
		r.handed[len(r.handed)-1].Recalled = true
		r.sh(r.main, `idumb delegation revoke handed`)
	}
}

func (r *run) id() string {
	r.calls++
	return fmt.Sprintf("toolu_%d", r.calls)
}

// event sends an event to the hook as the agent's host does.
func (r *run) event(s *session, name string, fields map[string]any) drive.Answer {
	all := map[string]any{"session_id": s.Name, "hook_event_name": name, "cwd": s.repo.Dir, "transcript_path": filepath.Join(s.repo.Dir, "log", s.Name+".jsonl"), "permission_mode": "acceptEdits", "prompt_id": "p1"}
	if s.Parent != "" {
		all["session_id"], all["agent_id"], all["agent_type"] = s.Parent, s.Name, s.Kind
		all["transcript_path"] = filepath.Join(s.repo.Dir, "log", s.Parent+".jsonl")
	}
	maps.Copy(all, fields)
	began := time.Now()
	answer, err := drive.Answer{}, error(nil)
	if s.Host == "opencode" {
		answer = s.openCode(name, fields)
	} else {
		answer, err = s.client.Hook(s.Host, all)
	}
	r.stats["hook calls"]++
	r.stats["hook ms"] += int(time.Since(began).Milliseconds())
	must(err)
	r.log("%s %s %v\n%s%s%s", s.Name, name, fields, answer.Decision, answer.Reason, answer.Context)
	return answer
}

// call asks the gate about a tool call, lets it happen and reports it. It returns the denial or the output of the tool.
func (r *run) call(s *session, tool string, input map[string]any, do func(id string) (string, bool)) (text string, passed bool) {
	fields := map[string]any{"tool_name": tool, "tool_input": input, "tool_use_id": r.id()}
	if s.Host == "opencode" {
		fields["tool_use_id"] = s.Name + "/" + r.id()
	}
	asked := r.event(s, "PreToolUse", fields)
	if ask := ours.MatchString(tool+" {}") && s.Host == "claude" && asked.Decision == ""; ask {
		r.falsehood("gate: lets the host ask before our tool", tool, "our tools need no permission")
	}
	switch {
	case asked.Decision == "deny":
		r.judge(s, "denial", asked.Reason)
		return asked.Reason, false
	case asked.Decision == "ask":
		return asked.Reason, true // the user may allow it
	}
	r.hearText(s, asked.Context)
	text, passed = do(fields["tool_use_id"].(string))
	name := "PostToolUse"
	fields["tool_response"] = text // Codex reports the output of a command, not its exit status
	if !passed && ours.MatchString(tool+" {}") {
		fields["tool_response"] = map[string]any{"content": []map[string]any{{"type": "text", "text": text}}, "isError": true}
	}
	if s.Host == "claude" {
		fields["tool_response"] = map[string]any{"stdout": text}
	}
	if !passed && s.Host == "claude" {
		name, fields["error"] = "PostToolUseFailure", text
	}
	r.hear(s, r.event(s, name, fields))
	return text, passed
}

// shell runs a command in the agent's shell.
func (r *run) shell(s *session, command string) (string, bool) {
	return r.call(s, "Bash", map[string]any{"command": command}, func(string) (string, bool) {
		out, ok := s.client.Shell("cd " + s.repo.Dir + "\n" + command)
		r.log("%s $ %s\n%s", s.Name, command, out)
		if !ok {
			r.judge(s, "refusal", out)
		}
		return out, ok
	})
}

// write writes a file with the host's edit tool.
func (r *run) write(s *session, file string) (string, bool) {
	tool, input := "Write", map[string]any{"file_path": filepath.Join(s.repo.Dir, file), "content": "changed\n"}
	if s.Host == "codex" {
		tool, input = "apply_patch", map[string]any{"command": "*** Begin Patch\n*** Update File: " + file + "\n@@\n-text\n+changed\n*** End Patch"}
	}
	work, certain := r.modelFor(s.agent).work(s.agent)
	return r.call(s, tool, input, func(string) (string, bool) {
		must(os.WriteFile(filepath.Join(s.repo.Dir, file), []byte("text\n"), 0o644))
		switch {
		case work == "" || r.holder[work] != "":
		case certain:
			r.take(s, work)
		case r.current[s.Name] == "":
			r.current[s.Name] = unclear
		}
		return "", true
	})
}

// tool calls a tool of idumb-mcp.
func (r *run) tool(s *session, tool string, input map[string]any) (string, bool) {
	prefix := "mcp__idumb__"
	if s.Host == "opencode" {
		prefix = "idumb_"
	}
	return r.call(s, prefix+tool, input, func(id string) (string, bool) {
		if s.tools == nil {
			d, err := s.repo.Talk("idumb-mcp")
			must(err)
			r.ends = append(r.ends, func() { _ = d.Close() })
			s.tools = d
			client := map[string]string{"claude": "claude-code", "codex": "codex-mcp-client", "opencode": "opencode"}[s.Host]
			_, err = d.Ask(map[string]any{"jsonrpc": "2.0", "method": "initialize", "params": map[string]any{"protocolVersion": "2025-06-18", "capabilities": map[string]any{}, "clientInfo": map[string]any{"name": client, "version": "1"}}})
			must(err)
			must(d.Tell(map[string]any{"jsonrpc": "2.0", "method": "notifications/initialized"}))
		}
		meta := map[string]any{"claudecode/toolUseId": id}
		if s.Host == "codex" {
			meta = map[string]any{"callId": id}
		}
		if s.Host == "opencode" {
			input = maps.Clone(input)
			input["_idumb"], meta = id, nil
		}
		got, err := s.tools.Ask(map[string]any{"jsonrpc": "2.0", "method": "tools/call", "params": map[string]any{"name": tool, "arguments": input, "_meta": meta}})
		must(err)
		result, _ := got["result"].(map[string]any)
		content, _ := result["content"].([]any)
		if len(content) == 0 {
			panic(fmt.Errorf("%s %v: no answer: %v", tool, input, got))
		}
		first, _ := content[0].(map[string]any)
		text, _ := first["text"].(string)
		r.log("%s %s %v\n%s", s.Name, tool, input, text)
		if result["isError"] == true || strings.Contains(text, `"status":"error"`) {
			r.judge(s, "refusal", text)
			return text, false
		}
		return text, true
	})
}

// start starts a task, by MCP or by the command line, and records who holds it if that works.
func (r *run) start(s *session, task string, mcp bool) (string, bool) {
	text, ok := "", false
	if mcp {
		text, ok = r.tool(s, "govern_task", map[string]any{"action": "start", "task": task})
	} else {
		text, ok = r.shell(s, "idumb start "+task)
	}
	if ok {
		r.take(s, task)
	}
	return text, ok
}

// unclear stands for the task of an agent that wrote for one that the model cannot name.
const unclear = "?"

// take records that an agent works on a task now.
func (r *run) take(s *session, task string) {
	r.current[s.Name] = task
	r.holder[task] = r.w.owner(s.agent)
	r.trees[task] = s.repo.Dir
}

// modelFor returns the model of the worktree in which an agent works, of the main one if a is nil.
func (r *run) modelFor(a *agent) *model {
	dir := r.main.Dir
	if a != nil && r.agents[a.Name] != nil {
		dir = r.agents[a.Name].repo.Dir
	}
	for task, tree := range r.trees {
		tasks, _ := readTasks(tree)
		if t := tasks[task]; t == nil || t.State != "active" && t.State != "review" {
			delete(r.holder, task) // it has ended
			delete(r.trees, task)
			r.ended[task] = r.linked != nil
		}
	}
	m := r.model
	m.holder = maps.Clone(r.holder)
	for task, tree := range r.trees {
		if tree != dir && r.w.task(task) == nil { // created there: here the name means another task
			delete(m.holder, task)
		}
	}
	m.handed = slices.DeleteFunc(slices.Clone(r.handed), func(d *delegation) bool {
		_, err := os.Stat(filepath.Join(dir, ".idumb", "delegations", d.Name+".json"))
		return err != nil // created in another worktree
	})
	m.tasks, m.plans = readTasks(dir)
	switch {
	case r.linked != nil && dir == r.main.Dir:
		m.beside, _ = readTasks(r.linked.Dir)
	case r.linked != nil:
		m.beside, _ = readTasks(r.main.Dir)
	}
	m.damaged = r.damaged && dir == r.main.Dir
	if damaged := r.w.Missing + r.w.Broken; m.damaged && m.tasks[damaged] == nil {
		m.tasks[damaged] = r.w.task(damaged)
	}
	return &m
}
