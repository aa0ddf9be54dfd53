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

// shellOptions returns the context in which the shell gate judges, with its rules.
func (h *handler) shellOptions(at effects.Resolver) command.Options {
	git := &gitState{root: layout.Root(at.Root), loosens: h.loosens}
	return command.Options{
		Dir: effects.ResolveLinks(at.Cwd), Root: at.Root, Home: effects.ResolveLinks(at.Home), Ignored: h.ignored(), Rules: h.repo.shellRules(h.env),
		Changed: git.changed, Staged: git.staged, InState: git.inState, Drops: git.drops, Loses: git.loses, Brings: git.brings, SetsBack: git.setsBack, Exists: pathExists, Text: textOf,
	}
}

// interpreted returns the interpretation of the event's command line, which
// runs in the folder of at. The line is interpreted once.
func (h *handler) interpreted(at effects.Resolver) command.Reading {
	if l := h.event.CommandLine(); h.reading == nil || h.readingOf != l {
		reading := l.Line.Read(h.shellOptions(at))
		h.reading, h.readingOf = &reading, l
	}
	return *h.reading
}

// overwritten adds the shell gate's verdict on a file outside the repository
// that a tool writes. The verdict is the same as for a redirection to the file.
func (h *handler) overwritten(c *admission.Call, at effects.Resolver, file string) {
	real, err := at.Real(file)
	if err != nil {
		return // already resolved before, or the call is denied for that
	}
	v := command.Overwrite(filepath.ToSlash(real), h.shellOptions(at))
	if c.Gate != nil {
		v = c.Gate.Stricter(v)
	}
	c.Gate = &v
}

// addLine adds the effects of the command line to a call.
func (h *handler) addLine(c *admission.Call, at effects.Resolver) error {
	line := h.interpreted(at)
	c.Gate = &line.Verdict
	c.Runs = line.Runs
	applied := at.Applied(line.Runs)
	h.noteAgentIn(at.OutsideDirectories(line.Runs))
	c.Changes = slices.Concat(admission.Changes(line, h.host().CanType), h.endings(admission.Ends(line)), applied.Changes)
	paths, err := at.TouchedFiles(line)
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

// endings returns a change if one of the ended processes is the controller,
// according to its heartbeat.
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

// hasPath reports whether a list contains a file.
func hasPath(paths []admission.Path, p admission.Path) bool {
	return slices.ContainsFunc(paths, func(have admission.Path) bool {
		return have.Repo == p.Repo && have.Tree == p.Tree && have.Home == p.Home && (p.Repo != "" || p.Home != "" || have.Given == p.Given) && (have.By != "" || p.By == "")
	})
}

// CheckShell returns the verdict of the shell gate on a command line in a
// repository, for an agent or role (empty for an unnamed agent), independent of
// current work. It records nothing. dir is the folder in which the line would
// run.
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

// shellRules returns the rules of the repository and the person, or nil if only
// the shipped ones apply.
func (r *repo) shellRules(env environment) *command.Rules {
	here := r.ownRules()
	own := personsRules(r.Root, env)
	if here == nil && own == nil {
		return nil
	}
	change := changeBy(here)
	if here != nil && !r.trusted() { // the rules apply, but their texts are not passed on
		for i := range change.Patterns {
			change.Patterns[i].Why, change.Patterns[i].Instead = "", ""
		}
	}
	return command.NewRules(change, changeBy(own))
}

// ownRules returns the rules of the repository's shell.json. If the file is
// invalid and has no last valid version, the readable rules apply. They only
// make the gate stricter, and one wrong word must not disable the rest.
func (r *repo) ownRules() *resources.ShellRules {
	key := resources.Key{Kind: resources.Shell, Name: resources.ShellRulesName}
	if o, state := r.overlay.Get(key); o != nil || state != graph.Broken {
		rules, _ := o.(*resources.ShellRules)
		return rules
	}
	_, data, err := r.spec(key)
	if err != nil {
		return nil
	}
	var rules resources.ShellRules
	_ = json.Unmarshal(data, &rules) // invalid parts are skipped
	return &rules
}

// maxRules limits the person's rules file, in bytes.
const maxRules = 1 << 20

// personsRules reads the person's shell.json. Only this file may make the gate
// less strict, because the repository's file comes from the repository's
// author.
func personsRules(root Root, env environment) *resources.ShellRules {
	name := personsFile(env)
	if name == "" {
		return nil
	}
	data, err := os.ReadFile(name)
	if err != nil || len(data) > maxRules || trust.UserDir(root, env.get) == "" {
		return nil
	}
	var rules resources.ShellRules
	if json.Unmarshal(data, &rules) != nil {
		return nil
	}
	return &rules
}

// personsFile returns the path of the person's shell.json, or an empty path.
func personsFile(env environment) string {
	dir := trust.ConfigDir(env.get)
	if dir == "" {
		return ""
	}
	return filepath.Join(dir, "idumb", "shell.json")
}

// changeBy returns the changes to the rules in a file.
func changeBy(r *resources.ShellRules) command.Change {
	if r == nil {
		return command.Change{}
	}
	c := command.Change{Verdicts: map[string]string{}}
	for _, rule := range r.Spec.Rules {
		if c.Verdicts[rule.Name] != command.Deny { // a change to trusted rules does not make them less strict
			c.Verdicts[rule.Name] = rule.Verdict
		}
	}
	for _, row := range r.Spec.Commands {
		c.Patterns = append(c.Patterns, command.Pattern{Match: row.Match, Verdict: row.Verdict, Why: row.Because, Instead: row.UseInstead})
	}
	return c
}

// ignores determines which files git ignores, based on the repository's
// .gitignore. It reads the file on demand, because few command lines delete
// files.
type ignores struct {
	root   string
	loaded bool
	ignore []string
}

// ignored returns a function that reports whether git ignores a path of the
// repository.
func (h *handler) ignored() func(path string) bool {
	return (&ignores{root: string(h.repo.Root)}).match
}

// match reports whether a path, relative to the repository root, is ignored. As in
// git, the last line of .gitignore that matches decides, and "!keep" is an
// exception.
func (g *ignores) match(path string) bool {
	if !g.loaded {
		g.loaded = true
		file := filepath.Join(g.root, ".gitignore")
		if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() || info.Size() > 1<<20 {
			return false // reading a pipe would block the hook, and a hook that times out denies little
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
		if pattern, negated := strings.CutPrefix(line, "!"); ignoredBy(pattern, path) {
			matched = !negated
		}
	}
	return matched
}

// ignoredBy reports whether a line of .gitignore matches a path or a folder
// above it.
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

// ShellRule is one rule of the shell gate in a repository.
type ShellRule struct {
	Name       string `json:"name"`       // name of a shipped rule, else the first words of the matching commands
	Verdict    string `json:"verdict"`    // allow, ask or deny
	Because    string `json:"because"`    // the effect of such a command, as the end of a sentence
	UseInstead string `json:"useInstead"` // one safe step; may be empty
	Source     string `json:"source"`     // "shipped", ".idumb/shell.json", "role/NAME", or the path of the person's file
}

// ShellRules lists the rules of the shell gate in a repository for agents in a
// role, or for all roles if role is empty. The order is: shipped rules, rules
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

// roleShellRules returns the rules in a role's spec.shell.
func roleShellRules(r *resources.Role) []ShellRule {
	var all []ShellRule
	source := "role/" + r.Metadata.Name
	for _, match := range r.Spec.Shell.Deny {
		all = append(all, ShellRule{match, command.Deny, "is not for the role " + r.Metadata.Name, "", source})
	}
	for _, match := range r.Spec.Shell.Ask {
		all = append(all, ShellRule{match, command.Ask, "needs the user's agreement in the role " + r.Metadata.Name, "", source})
	}
	for _, match := range r.Spec.Shell.Allow {
		all = append(all, ShellRule{match, command.Allow, "is allowed to the role " + r.Metadata.Name + ", which runs no other commands", "", source})
	}
	return all
}
