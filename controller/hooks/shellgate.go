package hooks

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/controller/hooks/callers"
	"github.com/idumb-dev/idumb/controller/hooks/effects"
	"github.com/idumb-dev/idumb/controller/store/layout"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/graph"
)

// place is where the shell gate judges, by the rules that hold there.
func (h *handler) place(at effects.Resolver) command.Options {
	git := &gitState{root: layout.Root(at.Root), loosens: h.loosens}
	return command.Options{
		Dir: effects.Followed(at.Cwd), Root: at.Root, Home: effects.Followed(at.Home), Ignored: h.ignored(), Rules: h.repo.shellRules(h.env),
		Changed: git.changed, Staged: git.staged, InState: git.inState, Drops: git.drops, Loses: git.loses, Brings: git.brings, Exists: pathExists, Text: textOf,
	}
}

// interpreted is what the event's command line comes to, which runs in at's folder: it is
// interpreted once.
func (h *handler) interpreted(at effects.Resolver) command.Reading {
	if l := h.event.CommandLine(); h.reading == nil || h.readingOf != l {
		reading := l.Line.Read(h.place(at))
		h.reading, h.readingOf = &reading, l
	}
	return *h.reading
}

// overwritten adds what the shell gate makes of a file outside the repository that a tool
// writes: a redirection to it is no worse.
func (h *handler) overwritten(c *admission.Call, at effects.Resolver, file string) {
	real, err := at.Real(file)
	if err != nil {
		return // it was resolved before, or the call is denied for that
	}
	v := command.Overwrite(filepath.ToSlash(real), h.place(at))
	if c.Gate != nil {
		v = c.Gate.Stricter(v)
	}
	c.Gate = &v
}

// addLine adds to a call what its command line does.
func (h *handler) addLine(c *admission.Call, at effects.Resolver) error {
	line := h.interpreted(at)
	c.Gate = &line.Verdict
	c.Runs = line.Runs
	applied := at.Applied(line.Runs)
	h.noteAgentIn(at.Elsewhere(line.Runs))
	c.Changes = slices.Concat(admission.Changes(line, h.host().Types), h.endings(admission.Ends(line)), applied.Changes)
	paths, err := at.Touched(line)
	for _, p := range paths {
		if !hasPath(c.Paths, p) {
			c.Paths = append(c.Paths, p)
		}
	}
	c.Adds = at.AddsByLine(line)
	written, planned := at.WrittenByLine(c.Paths, line.Files)
	c.Amounts, c.Planned = append(applied.Amounts, written...), planned
	return err
}

// endings are the changes that ending processes by their ids is: if one of them is
// the controller, by the heartbeat that it keeps.
func (h *handler) endings(ids []string) []admission.Change {
	if len(ids) == 0 {
		return nil
	}
	pid := h.repo.controllerPID()
	if pid == "" || !slices.Contains(ids, pid) {
		return nil
	}
	return []admission.Change{admission.Ending("kill " + pid)}
}

// hasPath reports whether a file is among those of a call.
func hasPath(paths []admission.Path, p admission.Path) bool {
	for _, have := range paths {
		if have.Repo == p.Repo && have.Tree == p.Tree && have.Home == p.Home && (p.Repo != "" || p.Home != "" || have.Given == p.Given) && (have.By != "" || p.By == "") {
			return true
		}
	}
	return false
}

// CheckShell says what the shell gate makes of a command line in a repository, for an
// agent or role of that name ("" for one without a name), whatever work is going on.
// Nothing is recorded. Dir is where it would run.
func CheckShell(root Root, as, dir, line string, env []string, now time.Time) command.Verdict {
	g := Backend{}.OpenGate(root, callers.Caller{Session: asker, Agent: as}, env, now)
	g.h.imagine(Question{Tool: "bash", Action: admission.Shell, Command: line, As: as, Dir: dir})
	call, err := g.h.call()
	if call.Gate.Verdict == command.Deny {
		return *call.Gate
	}
	if err != nil {
		return command.Verdict{Verdict: command.Ask, Rule: "undecided", Because: "the path cannot be followed: " + err.Error(), UseInstead: byItsPath}
	}
	if v := admission.DecideShell(call, g.h.repo); v.Outcome == admission.Deny && v.Reason.Rule != "shell-gate" {
		return command.Verdict{Verdict: command.Deny, Rule: v.Reason.Rule, Because: admission.Plain(v.Reason.What + " " + strings.Join(v.Reason.Why, " ")), UseInstead: v.Reason.UseInstead}
	}
	return *call.Gate
}

// shellRules are the rules as the repository and the person have them; nil for the
// shipped ones.
func (r *repo) shellRules(env environment) *command.Rules {
	here := r.ownRules()
	own := personsRules(r.Root, env)
	if here == nil && own == nil {
		return nil
	}
	change := changeBy(here)
	if here != nil && !r.trusted() { // it counts, and its words are not passed on
		for i := range change.Patterns {
			change.Patterns[i].Why, change.Patterns[i].Instead = "", ""
		}
	}
	return command.NewRules(change, changeBy(own))
}

// ownRules are the repository's shell.json. Of a file that is not valid, and has no good
// version, what can be read of it counts: it only makes the gate stricter, and one word
// that is wrong must not take away the rest.
func (r *repo) ownRules() *resources.ShellRules {
	key := resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName}
	o, state := r.overlay.Get(key)
	if o != nil || state != graph.Broken {
		rules, _ := o.(*resources.ShellRules)
		return rules
	}
	_, data, err := r.spec(key)
	if err != nil {
		return nil
	}
	var rules resources.ShellRules
	_ = json.Unmarshal(data, &rules) // what does not fit is left out
	return &rules
}

// maxRules is how long the person's own file may be, in bytes.
const maxRules = 1 << 20

// personsRules reads the person's own shell.json. What makes the gate milder counts only
// there: a repository's comes from whoever wrote the repository.
func personsRules(root Root, env environment) *resources.ShellRules {
	name := personsFile(env)
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil || len(data) > maxRules || trust.PersonFolder(root, env.get) == "" {
		return nil
	}
	var rules resources.ShellRules
	if json.Unmarshal(data, &rules) != nil {
		return nil
	}
	return &rules
}

// personsFile is where the person's own shell.json stands; "" if there is no such place.
func personsFile(env environment) string {
	dir := trust.ConfigFolder(env.get)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "idumb", "shell.json")
}

// changeBy is what a file says of the rules.
func changeBy(r *resources.ShellRules) command.Change {
	if r == nil {
		return command.Change{}
	}
	c := command.Change{Verdicts: map[string]string{}}
	for _, rule := range r.Spec.Rules {
		if c.Verdicts[rule.Name] != command.Deny { // a change of what was trusted does not make it milder
			c.Verdicts[rule.Name] = rule.Verdict
		}
	}
	for _, row := range r.Spec.Commands {
		c.Patterns = append(c.Patterns, command.Pattern{Match: row.Match, Verdict: row.Verdict, Why: row.Because, Instead: row.UseInstead})
	}
	return c
}

// ignores answers what git ignores, by the repository's own .gitignore. It reads the
// file when it is first asked: few command lines delete anything.
type ignores struct {
	root   string
	read   bool
	ignore []string
}

// ignored answers what git ignores in the repository.
func (h *handler) ignored() func(path string) bool {
	return (&ignores{root: string(h.repo.Root)}).match
}

// match reports whether a path, from the repository's root, is ignored. What an
// exception names ("!keep") may be kept: then nothing of that name is ignored.
func (g *ignores) match(path string) bool {
	if !g.read {
		g.read = true
		file := filepath.Join(g.root, ".gitignore")
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return false // a pipe would hold the hook up, and a hook that gives up denies little
		}
		data, err := os.ReadFile(file)
		if err != nil {
			return false
		}
		for line := range strings.Lines(string(data)) {
			if line = strings.TrimSpace(line); line != "" && line[0] != '#' {
				g.ignore = append(g.ignore, line)
			}
		}
	}
	matched := false
	for _, line := range g.ignore {
		pattern, negated := strings.CutPrefix(line, "!")
		if ignoredBy(pattern, path) {
			matched = !negated
		}
	}
	return matched
}

// ignoredBy reports whether a line of .gitignore is about a path or a folder above it.
func ignoredBy(pattern, path string) bool {
	pattern = strings.TrimSuffix(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "**/")
	rooted := strings.Contains(pattern, "/")
	pattern = strings.TrimPrefix(pattern, "/")
	if pattern == "" || strings.Trim(pattern, "*/") == "" {
		return false
	}
	names := strings.Split(path, "/")
	for n := range names {
		candidate := names[n]
		if rooted {
			candidate = strings.Join(names[:n+1], "/")
		}
		if ok, _ := filepath.Match(pattern, candidate); ok {
			return true
		}
	}
	return false
}

// ShellRule is one rule of the shell gate as it holds in a repository.
type ShellRule struct {
	Name       string `json:"name"`       // of a shipped rule; else the first words of the commands that it is about
	Verdict    string `json:"verdict"`    // allow, ask or deny
	Because    string `json:"because"`    // what such a command does, as the end of a sentence
	UseInstead string `json:"useInstead"` // one safe step, "" for none
	Source     string `json:"source"`     // "shipped", ".idumb/shell.json", "role/NAME", or the path of the person's own file
}

// ShellRules lists the rules of the shell gate in a repository, as they hold for agents
// in that role, or with those of every role for "": the shipped rules first, then those
// of the repository, of the person, and of roles.
func ShellRules(root Root, role string, env []string, now time.Time) []ShellRule {
	g := Backend{}.OpenGate(root, callers.Caller{Session: asker}, env, now)
	sources := map[command.Source]string{
		command.FromIdumb: "shipped", command.FromRepository: ".idumb/shell.json", command.FromPerson: personsFile(g.h.env),
	}
	var all []ShellRule
	for _, h := range g.h.repo.shellRules(g.h.env).All() {
		all = append(all, ShellRule{h.Name, h.Verdict, h.Why, h.Instead, sources[h.Source]})
	}
	for _, r := range g.h.repo.Roles() {
		if role == "" || r.Metadata.Name == role {
			all = append(all, roleShellRules(r)...)
		}
	}
	return all
}

// roleShellRules are the rules that a role's spec.shell comes to.
func roleShellRules(r *resources.Role) []ShellRule {
	var all []ShellRule
	source := "role/" + r.Metadata.Name
	for _, match := range r.Spec.Shell.Deny {
		all = append(all, ShellRule{match, command.Deny, "is not for the role " + r.Metadata.Name, "", source})
	}
	for _, match := range r.Spec.Shell.Ask {
		all = append(all, ShellRule{match, command.Ask, "is what the role " + r.Metadata.Name + " asks about", "", source})
	}
	for _, match := range r.Spec.Shell.Allow {
		all = append(all, ShellRule{match, command.Allow, "is what the role " + r.Metadata.Name + " runs, and nothing else", "", source})
	}
	return all
}
