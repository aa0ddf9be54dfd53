package soak

import (
	"slices"
	"strings"
)

// The model is what the gate is meant to do, told once more and in the simplest way: no
// look-ups by name, no hints, no order of rules, no words for the agent. It shares no
// code with the gate. A call is stopped if anything at all speaks against it.

// task is one task of the world, as its file says.
type task struct {
	plan, state  string // state: planned, active, completed, failed, abandoned
	after        []string
	gate         string // of a temporal gate, "" for none
	proved       bool   // completed, with evidence
	assigned     string
	tools        []string
	paths, locks []string // folders that end in "/", or files
	hangs        bool     // on the decision
}

// role is one role of the world.
type role struct {
	agents             []string // names, or prefixes that end in "*"
	level              int
	primary            bool
	to                 []string
	allow, deny        []string // tools
	writes, writesNot  []string // folders that end in "/", or files; "*" for everything
	run, runNot        []string // first words of commands
	runIdumb, notIdumb []string // the same, of idumb's own
}

// world is everything that a decision may depend on.
type world struct {
	mode         string
	requirePlan  bool
	unknownLeast bool
	defaultRole  string
	plans        map[string]string // states
	tasks        map[string]*task
	roles        map[string]*role
	least        string            // the role with the fewest rights
	on           map[string]string // the task that a session is on
	owners       map[string]string // the session that last started a task, or wrote for it first
	decision     string            // the state of the one that there is: moment is avoided, and denied
	trusted      bool
	known        map[string]bool // sessions that have a record
	against      map[string]int  // how often what spoke against a call
}

// target is one file that a call writes.
type target struct {
	file string // from the root
	sort string // code, plan (open to all), governed, outside
	same string // of a plan: the command of idumb that does to it what writing it does
	told bool   // a command line says what it will hold
}

// command is one command in a line.
type command struct {
	words string
	idumb string // "": none of idumb's; look, work, govern
	reads bool   // it changes nothing
	adds  string // the package that it adds
}

// call is what an agent wants to do.
type call struct {
	tool     string
	names    []string // what rules may call the tool
	does     string   // write, shell, read, other, ask, own, start
	targets  []target
	commands []command
	starts   string // the agent that it starts
}

// answer is deny, allow, or "" for no opinion.
func (w *world) answer(session, agent string, c call) string {
	mode := w.mode
	if !w.trusted {
		mode = "enforce"
	}
	if mode == "off" {
		return ""
	}
	stopped := c.does != "ask" && w.stopped(session, agent, c)
	name, t := w.work(session, agent) // before the session has a record: that comes of the call
	w.known[session] = true
	switch {
	case stopped && mode == "enforce":
		return "deny"
	case stopped:
		return ""
	}
	if c.does == "write" && c.targets[0].sort != "plan" && t != nil {
		w.on[session] = name // who writes for a task is on the one that let it write from then on
	}
	if c.writesCode() && t != nil && t.state == "active" {
		w.owners[name] = session // it falls to the first who writes for it
	}
	if c.does == "own" {
		return "allow"
	}
	return ""
}

// stopped reports whether anything speaks against a call.
func (w *world) stopped(session, agent string, c call) bool {
	r := w.roles[w.acting(agent)]
	against := ""
	for _, objection := range []struct {
		name string
		made bool
	}{
		{"governed", w.governed(c)}, {"role", w.byRole(r, c)}, {"owner", w.ofOthers(session, c)}, {"head", w.turnsOthers(session, c)}, {"untold", w.untold(c)}, {"decision", w.byDecision(c)}, {"assignee", w.beginsOthers(session, agent, c)}, {"task", w.byTask(session, agent, c)}, {"file", w.byFiles(session, agent, c)},
	} {
		if objection.made {
			against = strings.TrimPrefix(against+"+"+objection.name, "+")
		}
	}
	if against != "" {
		w.against[against]++
	}
	return against != ""
}

// governed: nobody's agent writes what governs it, by tool or by command.
func (w *world) governed(c call) bool {
	return slices.ContainsFunc(c.targets, func(t target) bool { return t.sort == "governed" }) ||
		slices.ContainsFunc(c.commands, func(c command) bool { return c.idumb == "govern" })
}

// governing reports whether a shell line is nothing but commands of idumb, with a word
// said beside them: that is never held against tools, tasks or plans.
func (c call) governing() bool {
	if c.does == "own" {
		return true
	}
	ours := slices.ContainsFunc(c.commands, func(c command) bool { return c.idumb != "" })
	others := slices.ContainsFunc(c.commands, func(c command) bool { return c.idumb == "" && !begins(c.words, "echo") })
	return c.does == "shell" && len(c.targets) == 0 && ours && !others
}

// planning reports whether a call writes plans and the like and nothing else.
func (c call) planning() bool {
	return c.does == "write" && !slices.ContainsFunc(c.targets, func(t target) bool { return t.sort != "plan" })
}

// byRole is what the caller's role forbids.
func (w *world) byRole(r *role, c call) bool {
	if r == nil {
		return false
	}
	if w.free() { // a role waits until something is planned, but for the files that it never writes
		return slices.ContainsFunc(c.targets, func(t target) bool {
			return (t.sort == "code" || t.sort == "plan") && !permitted(nil, r.writesNot, func(rule string) bool { return covers(rule, t.file) })
		})
	}
	if !c.governing() && !c.planning() && !permitted(r.allow, r.deny, func(rule string) bool { return names(rule, c.names) }) {
		return true
	}
	for _, cmd := range c.commands {
		run := r.run
		if cmd.reads {
			run = nil
		}
		switch {
		case cmd.idumb == "" && !c.governing() && !permitted(run, r.runNot, func(rule string) bool { return begins(cmd.words, rule) }),
			cmd.idumb == "work" && !permitted(r.runIdumb, r.notIdumb, func(rule string) bool { return begins(cmd.words, rule) }):
			return true
		}
	}
	for _, t := range c.targets {
		switch t.sort {
		case "code":
			if !permitted(r.writes, r.writesNot, func(rule string) bool { return covers(rule, t.file) }) {
				return true
			}
		case "plan": // by tool or redirection, it is what the command would be
			if !permitted(nil, r.writesNot, func(rule string) bool { return covers(rule, t.file) }) ||
				!permitted(r.runIdumb, r.notIdumb, func(rule string) bool { return begins(t.same, rule) }) {
				return true
			}
		}
	}
	return c.does == "start" && w.mayNotStart(r, c.starts)
}

// ofOthers: a task that another session has started is nobody else's to start or to end.
func (w *world) ofOthers(session string, c call) bool {
	return slices.ContainsFunc(c.commands, func(cmd command) bool {
		words := strings.Fields(cmd.words)
		return (begins(cmd.words, "idumb start") || begins(cmd.words, "idumb fail")) && w.owned(words[2], session)
	})
}

// turnsOthers: nobody's agent turns the work to another plan while others are at it.
func (w *world) turnsOthers(session string, c call) bool {
	if !slices.ContainsFunc(c.targets, func(t target) bool { return t.file == readHead }) {
		return false
	}
	for name := range w.tasks {
		if w.owned(name, session) {
			return true
		}
	}
	return false
}

// owned reports whether a task that is worked on is another session's.
func (w *world) owned(name, session string) bool {
	t, owner := w.tasks[name], w.owners[name]
	return t != nil && t.state == "active" && owner != "" && owner != session
}

// byDecision: what a decision that holds avoids is not added where anything is planned.
func (w *world) byDecision(c call) bool {
	return w.decision == "accepted" && !w.free() && slices.ContainsFunc(c.commands, func(cmd command) bool { return cmd.adds == "moment" })
}

// untold: a command line writes no plan without saying what that will hold.
func (w *world) untold(c call) bool {
	return c.does == "shell" && slices.ContainsFunc(c.targets, func(t target) bool { return t.sort == "plan" && !t.told })
}

// beginsOthers: an agent in a role of its own does not start a task that is another's. Who
// has no name, or only the one that a host gives to everybody, stands in for all.
func (w *world) beginsOthers(session, agent string, c call) bool {
	if w.named(agent) == "" && (agent == "" || agent == "build" || !w.unknownLeast && w.trusted) {
		return false
	}
	return slices.ContainsFunc(c.commands, func(cmd command) bool {
		name, starts := strings.CutPrefix(cmd.words, "idumb start ")
		t := w.tasks[name]
		return starts && t != nil && w.whose(t.assigned, session, agent) == "others"
	})
}

// mayNotStart: nobody starts an agent of a role above its own, of one that talks to the
// person, or of one that its role does not list.
func (w *world) mayNotStart(r *role, agent string) bool {
	name := w.named(agent)
	taker := w.roles[name]
	return taker != nil && (taker.level < r.level || taker.primary || len(r.to) > 0 && !slices.Contains(r.to, name))
}

// byTask is what the work that is going on forbids.
func (w *world) byTask(session, agent string, c call) bool {
	if c.governing() || c.planning() {
		return false
	}
	name, t := w.work(session, agent)
	if t != nil && len(t.tools) > 0 && !slices.ContainsFunc(t.tools, c.among) {
		return true
	}
	if !c.writesCode() {
		return false
	}
	free := w.free()
	switch {
	case t == nil:
		return !free
	case w.phase(name) != "active" && !free:
		return true
	}
	return len(t.paths) > 0 && slices.ContainsFunc(c.targets, func(f target) bool {
		return f.sort == "code" && !coveredBy(t.paths, f)
	})
}

// byFiles: files that an open task of an active plan has locked, and those of one that is blocked
// or that somebody else holds, but what the own task names as well. Where both have locked a file
// and are at work, it is the first one's by name.
func (w *world) byFiles(session, agent string, c call) bool {
	name, own := w.work(session, agent)
	for other, t := range w.tasks {
		if other == name || t.state != "planned" && t.state != "active" || w.plans[t.plan] != "active" {
			continue
		}
		blocked := w.phase(other) == "blocked"
		for _, f := range c.targets {
			if f.sort != "code" {
				continue
			}
			named := own != nil && coveredBy(append(slices.Clone(own.paths), own.locks...), f)
			before := own != nil && own.state == "active" && name < other && coveredBy(own.locks, f)
			switch {
			case coveredBy(t.locks, f) && (!named || t.state == "active" && !blocked && !before):
				return true
			case coveredBy(t.paths, f) && !named && (blocked || w.owned(other, session)):
				return true
			}
		}
	}
	return false
}

func coveredBy(rules []string, f target) bool {
	return slices.ContainsFunc(rules, func(rule string) bool { return covers(rule, f.file) })
}

func (c call) writesCode() bool {
	return slices.ContainsFunc(c.targets, func(t target) bool { return t.sort == "code" })
}

// work is the task that a session works on: the one it is on unless another role is to do it, or else the only active one
// that is its own, or else the only one that is nobody's. Of several, the only one that
// nothing blocks.
func (w *world) work(session, agent string) (string, *task) {
	if t := w.tasks[w.on[session]]; t != nil && !w.owned(w.on[session], session) && (t.state == "planned" || t.state == "active") && w.whose(t.assigned, session, agent) != "others" {
		return w.on[session], t
	}
	candidates := map[string][]string{}
	for name, t := range w.tasks {
		if t.state == "active" && !w.owned(name, session) {
			whose := w.whose(t.assigned, session, agent)
			candidates[whose] = append(candidates[whose], name)
		}
	}
	mine := candidates["own"]
	if len(mine) == 0 {
		mine = candidates["anybody's"]
	}
	if len(mine) > 1 {
		mine = slices.DeleteFunc(mine, func(name string) bool { return w.phase(name) == "blocked" })
	}
	if len(mine) != 1 {
		return "", nil
	}
	return mine[0], w.tasks[mine[0]]
}

// whose tells whether a task with that assignee is the caller's own, anybody's or others'.
// People, whose names no role knows, may stand behind any agent.
func (w *world) whose(assigned, session, agent string) string {
	acting := w.acting(agent)
	switch named := w.named(assigned); {
	case assigned == "":
		return "anybody's"
	case strings.EqualFold(assigned, agent), assigned == acting, assigned == session && w.known[session]:
		return "own"
	case named == "":
		return "anybody's"
	case named == acting && agent == "":
		return "own"
	}
	return "others"
}

// phase is a task's state, or blocked, where something has to come first that is not done.
func (w *world) phase(name string) string {
	t := w.tasks[name]
	if t.state == "planned" || t.state == "active" {
		for _, before := range append(slices.Clone(t.after), t.gate) {
			if first := w.tasks[before]; before != "" && (first == nil || !first.done()) {
				return "blocked"
			}
		}
		if t.hangs && w.decision != "accepted" {
			return "blocked"
		}
		if state := w.plans[t.plan]; state == "abandoned" || state == "" {
			return "blocked"
		}
	}
	return t.state
}

func (t *task) done() bool { return t.state == "completed" && t.proved }

// free reports whether nobody plans anything here, and nobody asks for a plan.
func (w *world) free() bool { return !w.requirePlan && !w.planned() }

// planned reports whether any plan is being worked on.
func (w *world) planned() bool {
	for plan, state := range w.plans {
		open, all := 0, 0
		for _, t := range w.tasks {
			if t.plan != plan || t.state == "abandoned" {
				continue
			}
			if all++; !t.done() {
				open++
			}
		}
		if state == "active" && (open > 0 || all == 0) {
			return true
		}
	}
	return false
}

// acting is the role that an agent acts in.
func (w *world) acting(agent string) string {
	if name := w.named(agent); name != "" {
		return name
	}
	if agent != "" && agent != "build" && (w.unknownLeast || !w.trusted) {
		return w.least
	}
	return w.defaultRole
}

// named is the role that a name belongs to, "" if none.
func (w *world) named(agent string) string {
	if _, ok := w.roles[strings.ToLower(agent)]; ok {
		return strings.ToLower(agent)
	}
	for name, r := range w.roles {
		for _, a := range r.agents {
			if prefix, glob := strings.CutSuffix(a, "*"); agent != "" && (a == agent || glob && strings.HasPrefix(agent, prefix)) {
				return name
			}
		}
	}
	return ""
}

// permitted: what is denied is not allowed, and an empty list allows everything.
func permitted(allow, deny []string, matches func(rule string) bool) bool {
	return !slices.ContainsFunc(deny, matches) && (len(allow) == 0 || slices.ContainsFunc(allow, matches))
}

// among reports whether what a task allows is about a call: what only reads is reading, by
// whatever tool.
func (c call) among(allowed string) bool {
	changes := func(c command) bool { return !c.reads }
	reads := c.does == "read" || c.does == "shell" && len(c.targets) == 0 && len(c.commands) > 0 && !slices.ContainsFunc(c.commands, changes)
	return names(allowed, c.names) || allowed == "read" && reads
}

// names reports whether a rule is about a tool of these names.
func names(rule string, tool []string) bool { return slices.Contains(tool, rule) }

// covers reports whether a rule for files is about one of them.
func covers(rule, file string) bool {
	return rule == "*" || rule == file || strings.HasSuffix(rule, "/") && strings.HasPrefix(file, rule)
}

// begins reports whether a command begins with the words of a rule.
func begins(words, rule string) bool { return strings.HasPrefix(words+" ", rule+" ") }
