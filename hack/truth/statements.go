package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/hack/drive"
)

// A claim is a form of words that states a fact about the world. check returns the true fact, or ""
// if the words are true. s is nil if the reader is the user.
type claim struct {
	name  string
	form  *regexp.Regexp
	check func(m *model, s *session, match []string) string
}

const aName = `([a-z][a-z0-9.-]*)`

// claims lists the forms in which the programs state facts. Every text is searched for all of them.
var claims = []claim{
	{"phase in a chain", regexp.MustCompile(`(?m)^[\s│├└─-]*` + aName + ` \[([a-z]+)\]`), func(m *model, _ *session, c []string) string {
		return m.phaseIs(c[1], c[2])
	}},
	{"phase in a sentence", regexp.MustCompile(`task "` + aName + `" is (blocked|planned|active|in review|completed|failed|abandoned)\b`), func(m *model, _ *session, c []string) string {
		return m.phaseIs(c[1], strings.TrimPrefix(c[2], "in "))
	}},
	{"phase of a dependency", regexp.MustCompile(`depends on "` + aName + `"[^".]*, which is (planned|active|in review|failed|abandoned|blocked)`), func(m *model, _ *session, c []string) string {
		return m.phaseIs(c[1], strings.TrimPrefix(c[2], "in "))
	}},
	{"evidence of a phase", regexp.MustCompile(`tasks/` + aName + ` (?:status\.)?phase = ([a-z]+)`), func(m *model, _ *session, c []string) string {
		return m.phaseIs(c[1], c[2])
	}},
	{"evidence of a state", regexp.MustCompile(`tasks/` + aName + ` (?:spec\.)?state = ([a-z]+)`), func(m *model, _ *session, c []string) string {
		if t := m.tasks[c[1]]; t != nil && !m.unread(c[1]) && t.State != c[2] {
			return c[1] + " has spec.state = " + t.State
		}
		return ""
	}},
	{"evidence of paths", regexp.MustCompile(`tasks/` + aName + ` spec\.paths = "([^"]+)"`), func(m *model, _ *session, c []string) string {
		if t := m.tasks[c[1]]; t != nil && !slices.Contains(t.Paths, c[2]) {
			return fmt.Sprintf("%s has spec.paths = %q", c[1], t.Paths)
		}
		return ""
	}},
	{"assignee", regexp.MustCompile(`"` + aName + `" is assigned to "` + aName + `"`), func(m *model, _ *session, c []string) string {
		if t := m.tasks[c[1]]; t != nil && t.Assigned != c[2] {
			return fmt.Sprintf("%s is assigned to %q", c[1], t.Assigned)
		}
		return ""
	}},
	{"role of the reader", regexp.MustCompile(`[Yy]ou act (?:as|in the role) (?:"[a-zA-Z-]+" in the role )?"?` + aName + `"?\.`), func(m *model, s *session, c []string) string {
		if s != nil && m.w.role(s.agent) != strings.TrimSuffix(c[1], ".") {
			return "it acts as " + m.w.role(s.agent)
		}
		return ""
	}},
	{"holder", regexp.MustCompile(`"` + aName + `"(?:: it)? is held by (?:[a-z-]+'s session "|[a-z-]+/)?([a-z0-9-]+)`), func(m *model, s *session, c []string) string {
		if t := m.tasks[c[1]]; t != nil && !m.unread(c[1]) && m.holder[c[1]] != c[2] && (t.State != "active" || m.holder[c[1]] != "") { // an active task without a start is inherited
			return fmt.Sprintf("%s is held by %q", c[1], m.holder[c[1]])
		}
		return ""
	}},
	{"delegation", regexp.MustCompile(`"` + aName + `" has it(?: already)?, by delegation "` + aName + `"`), func(m *model, _ *session, c []string) string {
		if !slices.ContainsFunc(m.handed, func(d *delegation) bool { return d.Name == c[2] && d.To == c[1] && !d.Recalled }) {
			return "no open delegation " + c[2] + " is addressed to " + c[1]
		}
		return ""
	}},
	{"evidence of a delegation", regexp.MustCompile(`delegations/` + aName + ` spec\.task = "` + aName + `"`), func(m *model, _ *session, c []string) string {
		if !slices.ContainsFunc(m.handed, func(d *delegation) bool { return d.Name == c[1] && d.Task == c[2] }) {
			return "no delegation " + c[1] + " hands over " + c[2]
		}
		return ""
	}},
	{"recalled", regexp.MustCompile(`delegation "` + aName + `", under which you work, was recalled`), func(m *model, s *session, c []string) string {
		if s != nil && !m.delegate[s.Name].Recalled {
			return c[1] + " holds"
		}
		return ""
	}},
	{"own task", regexp.MustCompile(`(?m)^  yours, active until you complete it: (.+)$`), func(m *model, s *session, c []string) string {
		for _, name := range strings.Split(c[1], ", ") {
			if holder := m.holder[name]; s == nil || holder != "" && m.w.task(name) != nil && holder != m.w.owner(s.agent) { // an active task without a start is inherited
				return fmt.Sprintf("%s is held by %q", name, m.holder[name])
			}
		}
		return ""
	}},
	{"being worked on", regexp.MustCompile(`(?m)^  being worked on: (.+)$`), func(m *model, s *session, c []string) string {
		for _, name := range strings.Split(c[1], ", ") {
			if name, _, _ = strings.Cut(name, " "); s != nil && m.holder[name] == m.w.owner(s.agent) {
				return name + " is its own"
			}
		}
		return ""
	}},
	{"ended in another worktree", regexp.MustCompile(aName + `( +[^\n]*?|" is | is |", "[^\n]*?)(completed|abandoned) in the worktree`), func(m *model, _ *session, c []string) string {
		if t := m.tasks[c[1]]; t != nil && (m.beside[c[1]] == nil || m.beside[c[1]].State != c[3]) {
			return c[1] + " is not " + c[3] + " there"
		}
		return ""
	}},
	{"agent that takes a task", regexp.MustCompile(`(?:Hand the task over: start the agent|hand it to) "?(?:idumb-)?` + aName), func(m *model, _ *session, c []string) string {
		if !startsTasks(c[1]) {
			return "role " + c[1] + " starts no tasks"
		}
		return ""
	}},
	{"nothing ready for you", regexp.MustCompile(`No (?:other )?task is ready for you|No (?:other )?task is ready\b`), func(m *model, s *session, _ []string) string {
		if s == nil {
			return ""
		}
		free := slices.DeleteFunc(m.startable(s.agent), func(name string) bool { return name == m.current[s.Name] })
		return truthOf("ready for it: ", free)
	}},
	{"nothing active", regexp.MustCompile(`no task has spec\.state = active`), func(m *model, _ *session, _ []string) string {
		var active []string
		for name, t := range m.tasks {
			if t.State == "active" && !m.unread(name) {
				active = append(active, name)
			}
		}
		return truthOf("active: ", active)
	}},
	{"nothing needs anybody", regexp.MustCompile(`Nothing needs you|No problems found`), func(m *model, _ *session, _ []string) string {
		return m.problem()
	}},
	{"nothing planned", regexp.MustCompile(`[Nn]othing is planned`), func(m *model, _ *session, _ []string) string {
		if m.w.Sync == "elsewhere" {
			return m.problem()
		}
		if m.planned() {
			return "an active plan has open tasks"
		}
		return ""
	}},
	{"next task", regexp.MustCompile(`Nothing needs you\. Next: ` + aName + `\.`), func(m *model, _ *session, c []string) string {
		return m.proposed(nil, strings.TrimSuffix(c[1], "."))
	}},
	{"unblocked", regexp.MustCompile(`UNBLOCKED: ` + aName), func(m *model, s *session, c []string) string {
		return m.proposed(s, c[1])
	}},
	{"marked as ready", regexp.MustCompile(`(?m)^\s+` + aName + ` \[[a-z]+\]\s+<- ready`), func(m *model, s *session, c []string) string {
		return m.proposed(s, c[1])
	}},
	{"the task below", regexp.MustCompile(`<active_task id="(?:tasks?/)?` + aName), func(m *model, s *session, c []string) string {
		switch t := m.tasks[c[1]]; {
		case t == nil || s == nil:
			return ""
		case m.otherHolder(s.agent, c[1]) != "":
			return c[1] + " is held by " + m.otherHolder(s.agent, c[1])
		case m.foreign(s.agent, t) && m.delegate[s.Name].Task != c[1]:
			return c[1] + " is assigned to " + t.Assigned
		}
		return ""
	}},
}

func truthOf(label string, names []string) string {
	slices.Sort(names)
	if len(names) == 0 {
		return ""
	}
	return label + strings.Join(names, ", ")
}

// phaseIs returns the true phase of a task if it differs from said. A word that is not a task's
// name states nothing.
func (m *model) phaseIs(name, said string) string {
	if want := m.phase(name); want != "" && want != said {
		return name + " is " + want
	}
	return ""
}

// proposed returns why a task cannot be proposed to a reader.
func (m *model) proposed(s *session, name string) string {
	switch t := m.tasks[name]; {
	case t == nil:
		return name + " is no task"
	case s != nil:
		if may, why := m.mayStart(s.agent, name); may == no {
			return name + " cannot be started: " + why
		}
	case !m.ready(name):
		return fmt.Sprintf("%s is %s, held by %q", name, m.phase(name), m.holder[name])
	}
	return ""
}

// judge compares every claim in a text with the model.
func (r *run) judge(s *session, source, text string) {
	if r.snared {
		return
	}
	m := r.modelFor(nil)
	if s != nil {
		m = r.modelFor(s.agent)
	}
	text = ended.ReplaceAllString(text, "")
	for _, c := range claims {
		for _, match := range c.form.FindAllStringSubmatch(text, -1) {
			r.stats["claim: "+c.name]++
			if truth := c.check(m, s, match); truth != "" {
				r.falsehood(source+": "+c.name+mark(r.w.Sync == "elsewhere", ", plans shared elsewhere"), text, truth)
			}
		}
	}
}

// hear judges the context and the reason in a hook's answer.
func (r *run) hear(s *session, a drive.Answer) {
	r.hearText(s, a.Context)
	r.judge(s, "denial", a.Reason)
}

var (
	ended     = regexp.MustCompile(`(?s)<ended>.*?</ended>`) // withdrawn statements
	nextBlock = regexp.MustCompile(`(?s)<next>\n(.*?)</next>`)
	offered   = regexp.MustCompile(`^- ` + aName)
)

func (r *run) hearText(s *session, text string) {
	if text == "" {
		return
	}
	m := r.modelFor(s.agent)
	r.judge(s, "context", text)
	for _, block := range nextBlock.FindAllStringSubmatch(ended.ReplaceAllString(text, ""), -1) {
		for line := range strings.Lines(block[1]) {
			name := offered.FindStringSubmatch(line)
			if name == nil {
				continue
			}
			r.stats["offers in <next>"]++
			if strings.Contains(line, "held") {
				if m.holder[name[1]] == "" {
					r.falsehood("context: <next> lists a task as held", line, name[1]+" has no holder")
				}
			} else if why := m.proposed(s, name[1]); why != "" {
				r.falsehood("context: <next>", block[0], why)
			}
		}
	}
}

// readCommands compares the output of the reading commands with the model.
func (r *run) readCommands() {
	m := r.modelFor(nil)
	texts := map[string]string{}
	for _, command := range []string{"status", "doctor", "tree", "next", "get needs", "get tasks"} {
		texts[command] = r.ask(command)
		r.judge(nil, command, texts[command])
	}
	r.readStatus(m)
	r.readPhases(m)
	if problem := m.problem(); problem != "" {
		r.named(m, "status", texts["status"], problem)
		r.named(m, "get needs", r.ask("get needs -o json"), problem)
		r.named(m, "doctor", texts["doctor"], problem)
	}
	for _, s := range r.sessions() {
		if s.Parent == "" {
			if out, ok := r.shell(s, "idumb next -o json"); ok {
				r.readNext(r.modelFor(s.agent), s, out)
			}
			if out, ok := r.shell(s, "idumb next"); ok {
				r.judge(s, "next", out)
			}
		}
	}
	r.readNext(m, nil, r.ask("next -o json"))
}

func (r *run) sessions() []*session {
	var all []*session
	for _, name := range slices.Sorted(maps.Keys(r.agents)) {
		all = append(all, r.agents[name])
	}
	return all
}

func (r *run) ask(command string) string {
	out, _ := r.main.Shell("idumb " + command)
	r.log("$ idumb %s\n%s", command, out)
	r.stats["questions"]++
	return out
}

// named checks that a source names the problem: one of its tasks, or the command that joins the
// sync.
func (r *run) named(m *model, source, text, problem string) {
	words := m.deadlocked()
	switch {
	case r.w.Sync == "elsewhere":
		words = []string{"sync enable"}
	case m.damaged:
		words = []string{r.w.Missing + r.w.Broken}
		if r.w.Sync == "on" && r.w.Missing != "" {
			words = append(words, "sync now") // it brings the file back
		}
	}
	if !slices.ContainsFunc(words, func(word string) bool { return regexp.MustCompile(`\b` + word + `\b`).MatchString(text) }) {
		r.falsehood(source+": leaves out "+kindOf(problem), text, problem)
	}
}

// kindOf returns the sort of a problem.
func kindOf(problem string) string {
	for word, kind := range map[string]string{"shares": "the team's sync", "removed": "a removed file", "torn": "a torn file", "cycle": "a cycle"} {
		if strings.Contains(problem, word) {
			return kind
		}
	}
	return problem
}

// readStatus compares the counts of status with the model.
func (r *run) readStatus(m *model) {
	var status struct {
		Plans []struct {
			Name    string
			Total   int
			ByPhase map[string]int
		}
	}
	text := r.ask("status -o json")
	if json.Unmarshal([]byte(text), &status) != nil || r.w.Sync == "elsewhere" {
		return
	}
	for _, p := range status.Plans {
		want, open := map[string]int{}, false
		for name, t := range m.tasks {
			if t.Plan == p.Name {
				want[m.phase(name)]++
				open = open || m.phase(name) == "" || t.State == "abandoned" // it will be archived
			}
		}
		r.stats["plans counted"]++
		if !open && !maps.Equal(want, p.ByPhase) {
			r.falsehood("status: counts of a plan", fmt.Sprintf("%s: %v", p.Name, p.ByPhase), fmt.Sprint(want))
		}
	}
}

// readPhases compares the phases of "get tasks" with the model.
func (r *run) readPhases(m *model) {
	var list struct {
		Items []struct {
			Metadata struct{ Name string }
			Status   struct {
				Phase string
				Ready bool
			}
		}
	}
	if text := r.ask("get tasks -o json"); json.Unmarshal([]byte(text), &list) != nil {
		return
	}
	for _, item := range list.Items {
		r.stats["phases"]++
		if truth := m.phaseIs(item.Metadata.Name, item.Status.Phase); truth != "" && item.Status.Phase != "Invalid" {
			r.falsehood("get tasks: phase", item.Metadata.Name+" "+item.Status.Phase, truth)
		}
	}
}

// readNext compares the offers of next with the model: no task that the reader cannot start, and every task that it can.
func (r *run) readNext(m *model, s *session, text string) {
	var list struct{ Items []map[string]any }
	if json.Unmarshal([]byte(text), &list) != nil {
		return
	}
	offers := map[string]bool{}
	for _, item := range list.Items {
		name, _ := item["name"].(string)
		held := item["heldBy"] != nil || item["holder"] != nil
		r.stats["offers of next"]++
		offers[name] = true
		if t := m.beside[name]; t != nil && (t.State == "completed" || t.State == "abandoned") && !strings.Contains(fmt.Sprint(item["why"]), t.State+" in the worktree") {
			r.falsehood("next: conceals that another worktree ended a task", text, name+" is "+t.State+" there")
		}
		if why := m.proposed(s, name); why != "" && !held {
			r.falsehood("next"+mark(s != nil, " of an agent")+": offers a task that cannot start", text, why)
		}
	}
	if s == nil || r.w.Sync == "elsewhere" {
		return
	}
	for _, name := range m.startable(s.agent) {
		if !offers[name] && len(list.Items) < 5 {
			r.falsehood("next of an agent: leaves out a task", text, name+" may be started")
		}
	}
}
