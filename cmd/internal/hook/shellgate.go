package hook

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/cmd/internal/callers"
	"github.com/idumb-dev/idumb/cmd/internal/trust"
	"github.com/idumb-dev/idumb/controller/store/filestore/layout"
	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission"
	"github.com/idumb-dev/idumb/resources/admission/shell"
)

// interpreted is what the shell gate makes of a command line that runs in cwd.
func (h *handler) interpreted(line string, at resolver) shell.Reading {
	return shell.Read(line, h.place(at))
}

// place is where the shell gate judges, by the rules that hold there.
func (h *handler) place(at resolver) shell.Options {
	ignored := &ignores{root: at.root}
	return shell.Options{
		Dir: followed(at.cwd), Root: at.root, Home: followed(at.home), Ignored: ignored.match, Rules: h.repo.shellRules(h.env),
	}
}

// overwritten adds what the shell gate makes of a file outside the repository that a tool
// writes: a redirection to it is no worse.
func (h *handler) overwritten(c *admission.Call, at resolver, file string) {
	real, err := at.real(file)
	if err != nil {
		return // it was resolved before, or the call is denied for that
	}
	v := shell.Overwrite(filepath.ToSlash(real), h.place(at))
	if c.Gate != nil {
		v = c.Gate.Stricter(v)
	}
	c.Gate = &v
}

// reachedToo adds what the interpreted commands of a line touch and write, which the
// line itself does not show.
func (r resolver) reachedToo(c *admission.Call, reading shell.Reading) error {
	line := shell.Line{Commands: reading.Commands, Writes: reading.Writes}
	reach := admission.ReachOf(line)
	applied := r.applied(reach.Commands, true)
	c.Changes = append(append(c.Changes, reach.Changes...), applied.changes...)
	c.Amounts = append(c.Amounts, applied.amounts...)
	for _, command := range reach.Commands {
		c.Commands = append(c.Commands, strings.Join(command.Words, " "))
	}
	written, err := redirected(line, r)
	if err != nil {
		return err
	}
	touched, err := r.reached(reach)
	if err != nil {
		return err
	}
	for _, p := range append(written, touched...) {
		if !hasPath(c.Paths, p) {
			c.Paths = append(c.Paths, p)
		}
	}
	return nil
}

// hasPath reports whether a file is among those of a call.
func hasPath(paths []admission.Path, p admission.Path) bool {
	for _, have := range paths {
		if have.Repo == p.Repo && have.Home == p.Home && (p.Repo != "" || p.Home != "" || have.Given == p.Given) && (have.By != "" || p.By == "") {
			return true
		}
	}
	return false
}

// canAsk reports whether the host can put a call before its person.
func (h *handler) canAsk() bool { return h.event.Host == (claude{}).Name() }

// question puts a call before the person, where the host can ask; elsewhere it is denied.
func (h *handler) question(call admission.Call, v admission.Verdict) Answer {
	if !h.canAsk() {
		return h.deny(call, v.WithoutAsking())
	}
	h.updateSession(func(*resources.SessionSpec) {})
	h.warn("Asked", call, v)
	return Answer{Ask: v.Reason.Text()}
}

// CheckShell says what the shell gate makes of a command line in a repository, for an
// agent or role of that name ("" for one without a name), whatever work is going on.
// Nothing is recorded. Dir is where it would run.
func CheckShell(root layout.Root, as, dir, line string, env []string, now time.Time) shell.Verdict {
	g := OpenGate(root, callers.Caller{Session: asker, Agent: as}, env, now)
	defer g.Close()
	g.h.imagine(Question{Tool: "bash", Action: admission.Shell, Command: line, As: as, Dir: dir})
	call, err := g.h.call()
	if call.Gate != nil && call.Gate.Verdict == shell.Deny {
		return *call.Gate
	}
	if err != nil {
		return shell.Verdict{Verdict: shell.Ask, Rule: "undecided", Because: "the path cannot be followed: " + err.Error(), UseInstead: "Name the file by its path from the repository's root."}
	}
	v := admission.DecideShell(call, g.h.repo)
	switch {
	case v.Outcome == admission.Deny && v.Reason.Rule != "shell-gate":
		return shell.Verdict{Verdict: shell.Deny, Rule: v.Reason.Rule, Because: admission.Plain(v.Reason.What + " " + strings.Join(v.Reason.Why, " ")), UseInstead: v.Reason.UseInstead}
	case call.Gate != nil:
		return *call.Gate
	}
	return shell.Judge(line, shell.Options{Dir: dir, Root: string(root)})
}

// shellRules are the rules as the repository and the person have them; nil for the
// shipped ones.
func (r *repo) shellRules(env environment) *shell.Rules {
	here := r.ownRules()
	own := personsRules(r.root, env)
	if here == nil && own == nil {
		return nil
	}
	change := changeBy(here)
	if here != nil && !r.trusted() { // it counts, and its words are not passed on
		for i := range change.Patterns {
			change.Patterns[i].Why, change.Patterns[i].Instead = "", ""
		}
	}
	return shell.NewRules(change, changeBy(own))
}

// ownRules are the repository's shell.json. Of a file that is not valid, and has no good
// version, what can be read of it counts: it only makes the gate stricter, and one word
// that is wrong must not take away the rest.
func (r *repo) ownRules() *resources.ShellRules {
	key := resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName}
	o, found := r.get(key)
	if _, broken := r.broken[key]; found || !broken {
		rules, _ := o.(*resources.ShellRules)
		return rules
	}
	data, _, err := r.files.Read(layout.Path(key), layout.MaxSpec)
	if err != nil {
		return nil
	}
	var rules resources.ShellRules
	_ = json.Unmarshal(data, &rules) // what does not fit is left out
	return &rules
}

// personsRules reads the person's own shell.json. What makes the gate milder counts only
// there: a repository's comes from whoever wrote the repository.
func personsRules(root layout.Root, env environment) *resources.ShellRules {
	name := personsFile(env)
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil || len(data) > layout.MaxSpec || trust.PersonFolder(root, env.get) == "" {
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
func changeBy(r *resources.ShellRules) shell.Change {
	if r == nil {
		return shell.Change{}
	}
	c := shell.Change{Verdicts: map[string]string{}}
	for _, rule := range r.Spec.Rules {
		c.Verdicts[rule.Name] = rule.Verdict
	}
	for _, command := range r.Spec.Commands {
		c.Patterns = append(c.Patterns, shell.Pattern{Match: command.Match, Verdict: command.Verdict, Why: command.Because, Instead: command.UseInstead})
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
