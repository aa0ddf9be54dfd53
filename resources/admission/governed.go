package admission

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/admission/command"
)

// governedFiles lists the files that agents must not write with their own tools, in addition
// to most of .idumb: settings of hooks and tools, agent definitions for roles, and internal
// files of git. They are path.Match patterns in lower case. A pattern that ends in "/"
// includes everything below.
var governedFiles = [...]string{
	".claude/settings*.json", ".claude/agents/idumb-*.md", ".mcp.json",
	".codex/",
	".opencode/plugin/", ".opencode/plugins/", "opencode.json", "opencode.jsonc",
	".gemini/settings.json", ".gemini/extensions/", ".gemini/agents/", ".qwen/", ".cursor/hooks.json",
	".github/hooks/", ".github/copilot/", ".github/agents/", ".github/mcp.json",
	".git/",
}

// homeFiles lists the same for the home folder of the person.
var homeFiles = [...]string{
	".claude/settings*.json", ".claude.json",
	".codex/",
	".config/opencode/plugin/", ".config/opencode/plugins/", ".config/opencode/opencode.json", ".config/opencode/opencode.jsonc",
	".gemini/settings.json", ".gemini/extensions/", ".gemini/agents/", ".gemini/policies/", ".gemini/trustedfolders.json",
	".copilot/", ".qwen/", ".cursor/hooks.json",
	".gitconfig", ".config/git/",
	".config/idumb/", "library/application support/idumb/", // trust settings of the person
}

// planFiles lists the files into which hosts let their agents write plans, below a repository or the home folder of the
// person. Claude Code 2.1.332, OpenCode 1.18.33, Copilot CLI 1.0.102 and Gemini CLI 0.61.0 have such files by default.
var planFiles = [...]string{
	".claude/plans/*.md",
	".opencode/plans/*.md", ".local/share/opencode/plans/*.md",
	".copilot/session-state/*/plan.md",
	".gemini/tmp/*/plans/*.md", ".gemini/tmp/*/*/plans/*.md",
}

// sessionFiles lists other files that hosts let their agents write, below governed folders of the home folder.
var sessionFiles = [...]string{".copilot/session-state/*/files/*", ".copilot/session-state/*/research/*"}

// openKinds lists the kinds that agents may edit as files without an active task, because
// work starts with planning.
var openKinds = [...]string{resources.WorkPlans, resources.Tasks, resources.Anchors, resources.Mems, resources.Decisions, resources.Artifacts, resources.Delegations}

// governedPath denies writes to files that govern agents. The rule checks files that tools
// and redirections write. Files written by other programs (sed -i, cp) are checked by
// governedShell, and changes by idumb commands (idumb patch config, idumb hook uninstall)
// by governedCommand.
func governedPath(e *evaluation) *Reason {
	for _, p := range e.call.Paths {
		if why := governed(p); why != "" && p.By == "" {
			return &Reason{
				What:       triedText(e.call) + " but that file is governed: agents do not write it.",
				Why:        []string{why},
				UseInstead: insteadOfGoverned(p),
				Evidence:   []string{"path, links resolved = " + p.resolved()},
			}
		}
	}
	return nil
}

const ownProgramWhy = "It is a program of iDumb that enforces the plan."

// governed returns the reason why agents must not write a path, or "". Names are compared
// case-insensitively, because file systems can be case-insensitive.
func governed(p Path) string {
	if p.Program {
		return ownProgramWhy
	}
	if p.Repo != "" {
		return governedInRepo(p)
	}
	if low := strings.ToLower(p.Home); low != "" && matchesAny(low, homeFiles[:]) && !IsPlanFile(p) && !matchesAny(low, sessionFiles[:]) {
		return "It contains settings for all agents and hooks of this user."
	}
	return ""
}

// governedInRepo returns the reason why agents must not write a path inside the repository, or "".
func governedInRepo(p Path) string {
	low := strings.ReplaceAll(strings.ToLower(p.Repo), `\`, "/")
	segments := strings.Split(low, "/")
	if i := slices.Index(segments, ".idumb"); i >= 0 {
		if openToAll(p) {
			return ""
		}
		if p.Tree != "" {
			return "It belongs to the plans of another working tree of this repository, which do not govern you."
		}
		if len(segments) > i+1 && segments[i+1] == resources.Comments {
			return "Comments are written only by `idumb comment`, which records their author."
		}
		return "Under .idumb, agents write only plans, tasks, anchors, mems, decisions, artifacts, delegations and the trajectory."
	}
	for i := range segments {
		if matchesAny(strings.Join(segments[i:], "/"), governedFiles[:]) {
			if segments[i] == ".git" {
				return "It belongs to git, which stores the history, the branches and the hooks there."
			}
			return "It contains settings or agents of an agent host, which decide which hooks run."
		}
	}
	return ""
}

// IsPlanFile reports whether a host lets its agents write their plans into a file. Like a to-do list, such a plan needs no
// task.
func IsPlanFile(p Path) bool {
	return p.Tree == "" && matchesAny(strings.ToLower(cmp.Or(p.Repo, p.Home)), planFiles[:])
}

// openToAll reports whether the path is an object that agents may edit as a file. Case must
// match. Similar names are governed.
func openToAll(p Path) bool {
	if p.Tree != "" { // plans of another work tree are changed by its agents
		return false
	}
	dir, file := path.Split(p.Repo)
	if !strings.HasSuffix(file, ".json") || strings.HasPrefix(file, ".") {
		return false
	}
	if p.Repo == readHeadFile {
		return true
	}
	kind, ok := strings.CutPrefix(dir, ".idumb/")
	return ok && slices.Contains(openKinds[:], strings.TrimSuffix(kind, "/"))
}

// readHeadFile is the file with the trajectory of the work tree.
const readHeadFile = ".idumb/" + resources.Trajectories + ".json"

// matchesAny matches a lower-case path against patterns like governedFiles.
func matchesAny(low string, patterns []string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		folder, all := strings.CutSuffix(pattern, "/")
		same, _ := path.Match(folder, low)
		return same || all && strings.HasPrefix(low, pattern)
	})
}

// insteadOfGoverned returns the step to suggest after a denied write to a governed file.
func insteadOfGoverned(p Path) string {
	if strings.HasPrefix(p.Repo, ".idumb/"+resources.Comments+"/") {
		return "Write the comment by the command: `idumb comment task/NAME \"...\"`."
	}
	if right := respelt(p); right != "" {
		return "Write " + right + ": iDumb does not read " + path.Dir(p.Repo) + "."
	}
	kind, name, ok := object(p)
	if k, _ := resources.LookupKind(kind); ok && p.Tree != "" && openKind(k.Plural) {
		return "Change the object that governs you: `idumb patch " + kind + " " + name + " -p '{\"spec\": {...}}'`. Leave the other working tree's file unchanged."
	} else if ok && p.Tree == "" {
		return "Ask the user to change it: `idumb edit " + kind + " " + name + "`."
	}
	return "Leave the " + fileOrFolder(p) + " unchanged; ask the user to make the change if it is needed."
}

// respelt returns the path that agents may write if the directory of an object below .idumb is
// misspelt, or "".
func respelt(p Path) string {
	dir, file := path.Split(strings.TrimPrefix(p.Repo, ".idumb/"))
	kind := resources.MisspeltKind(strings.TrimSuffix(dir, "/"))
	if kind == nil {
		return ""
	}
	p.Repo = ".idumb/" + kind.Plural + "/" + file
	if !openToAll(p) {
		return ""
	}
	return p.Repo
}

// object returns the resource that a path below .idumb contains.
func object(p Path) (kind, name string, ok bool) {
	rest, inside := strings.CutPrefix(p.Repo, ".idumb/")
	file, isJSON := strings.CutSuffix(rest, ".json")
	if !inside || !isJSON {
		return "", "", false
	}
	kind, name, ok = strings.Cut(file, "/")
	if !ok {
		kind, name = file, file
	}
	k, known := resources.KindOf(kind)
	if !known || resources.CheckName(name) != nil {
		return "", "", false
	}
	return k.Singular, name, true
}

// GoverningKind reports whether objects of a kind govern agents. Agents must not write
// them, and they only take effect if a person trusts them. Session records are not in
// git and are only written by iDumb itself. Comments must not be written as files
// either, but only their holds affect agents, and holds have their own ownership check.
func GoverningKind(kind *resources.Kind) bool {
	return !kind.Local && kind.Plural != resources.Comments && !openKind(kind.Plural)
}

// ObjectAt returns the object at a path, if agents may edit it as a file.
func ObjectAt(p Path) (resources.Key, bool) {
	kind, name, ok := object(p)
	if !ok || !openToAll(p) {
		return resources.Key{}, false
	}
	k, _ := resources.LookupKind(kind)
	return resources.Key{Kind: k.Plural, Name: name}, true
}

// GovernedNames returns the files and folders at the root of a repository that contain
// plans or govern agents, without .git.
func GovernedNames() []string {
	names := []string{".idumb"}
	for _, pattern := range governedFiles {
		if name, _, _ := strings.Cut(pattern, "/"); name != ".git" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}

// Plans reports whether a file, given by its path from the repository root, contains a
// planning object or governs agents.
func Plans(file string) bool {
	if !strings.Contains(file, ".") || !strings.ContainsAny(file, "/") && !strings.HasPrefix(file, ".") && !strings.HasPrefix(file, "opencode") {
		return false
	}
	p := Path{Repo: file}
	return openToAll(p) || governedInRepo(p) != ""
}

// GovernsAgents reports whether a file, given by its path from the repository root, decides what
// agents may do: settings, roles and rules, and settings of hosts. Schemas, comments and
// ignore files do not.
func GovernsAgents(file string) bool {
	p := Path{Repo: file}
	if kind, _, ok := object(p); ok {
		k, known := resources.LookupKind(kind)
		return known && GoverningKind(k)
	}
	return !strings.HasPrefix(file, ".idumb/") && governedInRepo(p) != ""
}

// Governs reports whether agents must not write a file.
func Governs(p Path) bool { return governed(p) != "" }

// GovernedBelow returns a governed file that may be below a folder, since removing or
// moving the folder affects the file.
func GovernedBelow(folder Path) (Path, bool) {
	patterns, name := homeFiles[:], &folder.Home
	if folder.Repo != "" {
		patterns, name = governedFiles[:], &folder.Repo
	}
	switch {
	case *name == "":
		return Path{}, false
	case *name == "." && folder.Repo == "":
		*name, folder.Whole = ".claude/settings.json", true
		return folder, true
	case *name == ".":
		*name, folder.Whole = ".idumb/config.json", true
		return folder, true
	}
	segments := strings.Split(strings.ToLower(*name), "/")
	for _, pattern := range patterns {
		parts := strings.Split(strings.TrimSuffix(pattern, "/"), "/")
		for n := 1; n < len(parts) && n <= len(segments); n++ {
			if (folder.Repo != "" || n == len(segments)) && slices.Equal(segments[len(segments)-n:], parts[:n]) {
				*name += "/" + strings.ReplaceAll(path.Join(parts[n:]...), "*", "")
				return folder, true
			}
		}
	}
	return Path{}, false
}

// MentionsGoverned reports whether the literal part of an unknown word names a governed
// file, as in $PWD/.claude/settings.json.
func MentionsGoverned(w command.Word) (Path, bool) {
	name := path.Clean("/" + w.Text)[1:]
	if w.Literal || w.Pattern != "" || name == "" {
		return Path{}, false
	}
	switch path.Base(name) { // in any folder
	case "settings.local.json":
		name = ".claude/settings.local.json"
	case "hooks.json":
		name = ".codex/hooks.json"
	}
	p := Path{Given: w.Text, Repo: name, Unsure: true}
	return p, Governs(p)
}

// governedShell denies commands that write, move or remove files that tools must not write,
// or that change governance in another way.
func governedShell(e *evaluation) *Reason {
	for _, p := range e.call.Paths {
		why := governed(p)
		if p.By == "" || why == "" || p.Whole && e.gateDenies(p.By) {
			continue
		}
		does := "which changes "
		switch {
		case p.Unsure:
			does = "which may change "
		case p.Below:
			does = "which changes everything below a folder, including "
		}
		return &Reason{
			What:       "You tried to run " + quote(p.By) + ", " + does + p.name() + ": that " + fileOrFolder(p) + " is governed, and agents do not change it.",
			Why:        []string{why},
			UseInstead: insteadOfShell(p),
			Evidence:   []string{"part of the command = " + quote(p.By), "path, links resolved = " + p.resolved()},
		}
	}
	for _, c := range e.call.Changes {
		return &Reason{
			What:       "You tried to run " + quote(c.Part) + ", which bypasses governance.",
			Why:        []string{c.Why},
			UseInstead: cmp.Or(c.Instead, "Leave it to the user: ask them to run it if it is needed."),
			Evidence:   []string{"part of the command = " + quote(c.Part)},
		}
	}
	return nil
}

// gateDenies reports whether the shell gate denies a command for effects on other than
// governed files.
func (e *evaluation) gateDenies(part string) bool {
	g := e.call.Gate
	return g != nil && g.Verdict == command.Deny && g.Part == part && !slices.Contains(e.call.Lifted, "shell-gate")
}

// fileOrFolder returns the kind of a governed path, determined from its name.
func fileOrFolder(p Path) string {
	if slices.Contains(governedFiles[:], path.Base(p.Repo)+"/") || p.Repo == ".idumb" {
		return "folder"
	}
	return "file"
}

// insteadOfShell returns the step to suggest after a denied command that would change a governed
// file.
func insteadOfShell(p Path) string {
	if p.Below {
		return "Name the files or folders to change, without " + p.name() + "."
	}
	if p.Unsure {
		return "To read the file, use `cat " + p.Given + "`; to change it, ask the user."
	}
	return insteadOfGoverned(p)
}
