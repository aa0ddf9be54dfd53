package doctor

import (
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/cmd/internal/agents"
	"github.com/idumb-dev/idumb/controller/store/githistory"
	"github.com/idumb-dev/idumb/controller/trust"
	"github.com/idumb-dev/idumb/resources"
)

// Agent describes an agent's host and the results of its checks.
type Agent struct {
	Name      string   `json:"name"`
	Installed string   `json:"installed"`         // as printed by idumb hook status
	Program   string   `json:"program,omitempty"` // path of the program; empty if it is not in PATH
	Version   string   `json:"version,omitempty"`
	Verified  string   `json:"verified"` // version that iDumb was tested with
	Hook      string   `json:"hook,omitempty"`
	SelfTest  string   `json:"selfTest,omitempty"` // answer of the configured command
	Tools     string   `json:"tools,omitempty"`    // path of the MCP server
	Notes     []string `json:"notes,omitempty"`    // facts and actions for the user
}

// checkAgents checks for each host in use that its agents are subject to the gate.
func (x *examination) checkAgents() {
	none := true
	for _, h := range agents.Hosts() {
		c := agents.FindCommands(h.Name)
		s := agents.Status(h, string(x.root), c)
		if s.Summary() == agents.NotInstalled && !h.InUse(string(x.root)) {
			continue
		}
		none = false
		x.checkLinkedTree(s)
		// Other clones and working trees lose such files with the next commit.
		var files []string
		for _, f := range s.Files {
			if f.Present && x.isUntracked(f.File) {
				files = append(files, f.File)
			}
		}
		if len(files) > 0 {
			x.fileProblem(files[0], "git no longer tracks the files of "+s.Host.Title+": other clones and worktrees do not have "+resources.Listed(files, 3, ", "), "run \"git add "+strings.Join(files, " ")+"\" and commit them")
		}
		x.report.Agents = append(x.report.Agents, x.agent(s, c))
	}
	if none {
		x.report.Next = "install the hooks of your agent: idumb hook install " + strings.Join(agents.HostNames(), "|")
	}
}

// checkLinkedTree reports a linked working tree without the hooks of the main working tree. A host reads
// the hooks of the directory in which it is started.
func (x *examination) checkLinkedTree(s agents.State) {
	if x.tree == "" || !s.Files[0].Present {
		return
	}
	file := s.Files[0].File
	if _, err := os.Stat(filepath.Join(x.tree, filepath.FromSlash(file))); err == nil {
		return
	}
	x.fileProblem(file, "exists only in the main worktree: "+s.Host.Title+" runs without hooks in "+x.tree,
		fmt.Sprintf("run \"mkdir -p %s && cp %s %s\" there", path.Dir(file), x.root.Abs(file), file))
}

// isUntracked reports whether git tracked a file and its index no longer contains it.
func (x *examination) isUntracked(file string) bool {
	if x.tracked == nil {
		x.tracked = x.root.Tracked()
	}
	return len(x.tracked) > 0 && !slices.Contains(x.tracked, file) && githistory.Tracks(context.Background(), x.root, file)
}

// agent reports the problems of one host's installation, and returns its line of the report.
func (x *examination) agent(s agents.State, c agents.Commands) Agent {
	a := Agent{Name: s.Host.Title, Installed: s.Summary(), Program: s.Host.Binary(), Verified: s.Host.Verified}
	if a.Installed == agents.NotInstalled {
		a.Notes = append(a.Notes, fmt.Sprintf("hooks are not installed; install them with idumb hook install %s", s.Host.Name))
		return a
	}
	x.agentFiles(s)
	x.version(s.Host, &a)
	x.conflicts(s.Host)
	x.programs(s, c, &a)
	if x.trust(s) && s.Host.Trust != "" {
		a.Notes = append(a.Notes, s.Host.Trust)
	}
	a.Notes = append(a.Notes, s.Host.Limits...)
	if note := x.hiddenTodos(s.Host.Name); note != "" {
		a.Notes = append(a.Notes, note)
	}
	return a
}

// todoSettings lists the hosts that offer their agents a to-do list only with a setting.
var todoSettings = map[string]struct {
	setting, name, home string // name identifies the setting in the environment and in files
	files               []string
}{
	"claude": {"CLAUDE_CODE_ENABLE_TODO_TOOLS=1 (newest models)", "CLAUDE_CODE_ENABLE_TODO_TOOLS", "CLAUDE_CONFIG_DIR", []string{".claude/settings.json", ".claude/settings.local.json"}},
	"codex":  {"tools.update_plan.enabled=true", "update_plan", "CODEX_HOME", []string{".codex/config.toml"}},
}

// hiddenTodos returns a note if the host hides its to-do list from agents and no setting of the user or the repository
// shows it. The note is information only.
func (x *examination) hiddenTodos(host string) string {
	s, known := todoSettings[host]
	if !known || os.Getenv(s.name) != "" {
		return ""
	}
	home, _ := os.UserHomeDir()
	for _, file := range s.files {
		own := filepath.Join(home, file)
		if dir := os.Getenv(s.home); dir != "" {
			own = filepath.Join(dir, path.Base(file))
		}
		for _, at := range []string{x.root.Abs(file), own} {
			if info, err := os.Stat(at); err != nil || !info.Mode().IsRegular() { // a pipe would not end
				continue
			}
			if data, err := os.ReadFile(at); err == nil && strings.Contains(string(data), s.name) {
				return ""
			}
		}
	}
	return "its agents get a to-do list only with " + s.setting + "; otherwise iDumb sees accepted plans and goals"
}

// trust reports whether the host runs the hooks of the repository. It is true if the host does not
// answer.
func (x *examination) trust(s agents.State) bool {
	h := s.Host
	switch problem, err := h.Trusts(string(x.root)); {
	case err != nil:
		x.notice("%s: %v", h.Title, err)
	case problem != "":
		x.fileProblem(s.Files[0].File, problem, h.Trust)
		return false
	}
	return true
}

// agentFiles checks that the host's files contain all entries that it needs.
func (x *examination) agentFiles(s agents.State) {
	remedy := fmt.Sprintf("run \"idumb hook install %s\"", s.Host.Name)
	for _, f := range s.Files {
		switch {
		case f.Err != nil:
			x.fileProblem(f.File, strings.TrimLeft(strings.TrimPrefix(f.Err.Error(), f.File), ": "), "fix the file; "+s.Host.Title+" reads it as well")
		case len(f.Missing) > 0:
			x.fileProblem(f.File, "lacks "+strings.Join(f.Missing, ", "), remedy)
		}
		if len(f.Edited) > 0 {
			x.notice("%s: %s is edited and is not updated; \"idumb hook install %s --renew\" replaces it", f.File, strings.Join(f.Edited, ", "), s.Host.Name)
		}
	}
}

// version compares the version of the host's program with the tested version.
func (x *examination) version(h agents.Host, a *Agent) {
	if a.Program == "" {
		a.Notes = append(a.Notes, fmt.Sprintf("%s is not in PATH on this machine", h.Program))
		return
	}
	version, err := agents.Version(h)
	if err != nil {
		x.notice("%s: %v", h.Title, err)
		return
	}
	a.Version = version
	switch agents.CompareVersions(version, h.Verified) {
	case agents.Older:
		x.notice("%s %s is older than the tested version %s; it ignores unknown settings without a warning", h.Title, version, h.Verified)
	case agents.OtherMajor:
		x.fileProblem(h.Program, fmt.Sprintf("is version %s; iDumb was tested with %s", version, h.Verified), "use the tested version, or check with \"idumb get events\" that writes are still checked")
	}
}

// conflicts reports settings that disable the gate.
func (x *examination) conflicts(h agents.Host) {
	for _, c := range agents.Conflicts(h, string(x.root)) {
		x.fileProblem(c.File, c.Reason, c.Remedy)
	}
}

// programs checks that the configured commands exist and that the hook passes its self-test.
func (x *examination) programs(s agents.State, c agents.Commands, a *Agent) {
	// The first file of a host has the hooks. The tools are in the second file, or in the only one.
	h, hookFile, toolsFile := s.Host, s.Files[0].File, s.Files[min(1, len(s.Files)-1)].File
	configured := agents.ConfiguredIn(h, string(x.root), c)
	a.Hook = configured.Hook.Line()
	if configured.Hook.Find() == "" {
		x.fileProblem(hookFile, fmt.Sprintf("the hook %q does not exist on this machine: agents run without the gate", configured.Hook.Program),
			"add idumb-hook to PATH, or run \"idumb hook install "+h.Name+"\" on a machine that has it")
	} else if err := agents.MayTest(string(x.root), configured.Hook, c.Hook, trust.StoreOf(os.Getenv).Load(x.root).State() == trust.Trusted); err != nil {
		x.fileProblem(hookFile, fmt.Sprintf("the hook %q was not tested: %v", a.Hook, err), "review the program; \"idumb hook install "+h.Name+"\" replaces it with idumb-hook")
	} else if took, err := agents.SelfTest(h, configured.Hook); err != nil {
		x.fileProblem(hookFile, fmt.Sprintf("the hook %q failed its self-test: %v", a.Hook, err), "install idumb and idumb-hook of the same version, then run \"idumb hook install "+h.Name+"\"")
	} else {
		a.SelfTest = fmt.Sprintf("denied a write as expected, in %d ms", took.Milliseconds())
	}
	if a.Tools = configured.MCP.Find(); a.Tools == "" {
		x.fileProblem(toolsFile, fmt.Sprintf("the MCP server %q does not exist on this machine: agents have no governance tools", configured.MCP.Program),
			"add idumb-mcp to PATH, or put it next to idumb and run \"idumb hook install "+h.Name+"\"")
	}
}
