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
)

// Agent is what was found out about one agent's host.
type Agent struct {
	Name      string   `json:"name"`
	Installed string   `json:"installed"`         // as idumb hook status says it
	Program   string   `json:"program,omitempty"` // "" if it is not in PATH
	Version   string   `json:"version,omitempty"`
	Verified  string   `json:"verified"` // the version that was tested with
	Hook      string   `json:"hook,omitempty"`
	SelfTest  string   `json:"selfTest,omitempty"` // what the configured command answered
	Tools     string   `json:"tools,omitempty"`    // where the MCP server is
	Notes     []string `json:"notes,omitempty"`    // what a person has to do or know
}

// agents looks whether each agent that is used here is held to the plan.
func (x *examination) agents() {
	none := true
	for _, h := range agents.Hosts() {
		c := agents.FindCommands(h.Name)
		s := agents.Status(h, string(x.root), c)
		if s.Summary() == agents.NotInstalled && !h.Used(string(x.root)) {
			continue
		}
		none = false
		x.elsewhere(s)
		x.untracked(s)
		x.report.Agents = append(x.report.Agents, x.agent(s, c))
	}
	if none {
		x.notice("no agent is in use here: put iDumb into one with \"idumb hook install\" and its name (%s)", strings.Join(agents.HostNames(), ", "))
	}
}

// elsewhere tells if the linked working tree in which doctor runs lacks the hooks that the main one
// has: a host reads them where it is started.
func (x *examination) elsewhere(s agents.State) {
	if x.tree == "" || !s.Files[0].Present {
		return
	}
	file := s.Files[0].File
	if _, err := os.Stat(filepath.Join(x.tree, filepath.FromSlash(file))); err == nil {
		return
	}
	x.file(file, "is only in the main working tree: "+s.Host.Title+" that is started in "+x.tree+" is not held to the plan",
		fmt.Sprintf("run \"mkdir -p %s && cp %s %s\" there", path.Dir(file), x.root.Abs(file), file))
}

// untracked tells of files that git tracked until they were removed from its index: other clones
// and working trees lose them with the next commit.
func (x *examination) untracked(s agents.State) {
	var files []string
	for _, f := range s.Files {
		if f.Present && x.dropped(f.File) {
			files = append(files, f.File)
		}
	}
	if len(files) > 0 {
		x.file(files[0], fmt.Sprintf("git does not track %d files of %s any more: other clones and working trees do not have them", len(files), s.Host.Title), "run \"git add "+strings.Join(files, " ")+"\" and commit them")
	}
}

// dropped reports whether HEAD, or the commit before it was removed, has a file that git's index does not have.
func (x *examination) dropped(file string) bool {
	if x.tracked == nil {
		x.tracked = x.root.Tracked()
	}
	return len(x.tracked) > 0 && !slices.Contains(x.tracked, file) && githistory.Tracks(context.Background(), x.root, file)
}

func (x *examination) agent(s agents.State, c agents.Commands) Agent {
	a := Agent{Name: s.Host.Title, Installed: s.Summary(), Program: s.Host.Binary(), Verified: s.Host.Verified}
	if a.Installed == agents.NotInstalled {
		a.Notes = append(a.Notes, fmt.Sprintf("not held to the plan; to change that: idumb hook install %s", s.Host.Name))
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
	return a
}

// trust asks the host whether it runs our hooks; false if it said that it does not.
func (x *examination) trust(s agents.State) bool {
	h := s.Host
	problem, err := h.Trusts(string(x.root))
	switch {
	case err != nil:
		x.notice("%s: %v", h.Title, err)
	case problem != "":
		x.file(s.Files[0].File, problem, h.Trust)
		return false
	}
	return true
}

// agentFiles looks whether everything is there that the host needs.
func (x *examination) agentFiles(s agents.State) {
	remedy := fmt.Sprintf("run \"idumb hook install %s\"", s.Host.Name)
	for _, f := range s.Files {
		switch {
		case f.Err != nil:
			x.file(f.File, strings.TrimLeft(strings.TrimPrefix(f.Err.Error(), f.File), ": "), "mend the file; "+s.Host.Title+" reads it as well")
		case len(f.Missing) > 0:
			x.file(f.File, "lacks "+strings.Join(f.Missing, ", "), remedy)
		}
		if len(f.Edited) > 0 {
			x.notice("%s: %s is not as iDumb wrote it, and stays as it is; \"idumb hook install %s --renew\" replaces it", f.File, strings.Join(f.Edited, ", "), s.Host.Name)
		}
	}
}

// version asks the host's program for its version.
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
		x.notice("%s %s is older than %s, with which iDumb was tested: what it does not know, it skips without a word", h.Title, version, h.Verified)
	case agents.OtherMajor:
		x.file(h.Program, fmt.Sprintf("is version %s; iDumb was tested with %s", version, h.Verified), "use that version, or see with \"idumb get events\" whether writes are still judged")
	}
}

// conflicts looks for settings that switch the gate off.
func (x *examination) conflicts(h agents.Host) {
	for _, c := range agents.Conflicts(h, string(x.root)) {
		x.file(c.File, c.Reason, c.Remedy)
	}
}

// programs looks whether the commands in the settings start something, and whether
// the hook answers as it should.
func (x *examination) programs(s agents.State, c agents.Commands, a *Agent) {
	h, hookFile, toolsFile := s.Host, s.Files[0].File, s.Files[1].File // in each host these two come first
	configured := agents.ConfiguredIn(h, string(x.root), c)
	a.Hook = configured.Hook.Line()
	if configured.Hook.Find() == "" {
		x.file(hookFile, fmt.Sprintf("the hook, %q, is not on this machine: agents are not held to the plan", configured.Hook.Program),
			"put idumb-hook into PATH, or run \"idumb hook install "+h.Name+"\" where it is")
	} else if err := agents.MayTest(string(x.root), configured.Hook, c.Hook, trust.For(os.Getenv).Load(x.root).State() == trust.Trusted); err != nil {
		x.file(hookFile, fmt.Sprintf("the hook, %q, was not tested: %v", a.Hook, err), "look at what it is; \"idumb hook install "+h.Name+"\" names iDumb's own in its place")
	} else if took, err := agents.SelfTest(h, configured.Hook); err != nil {
		x.file(hookFile, fmt.Sprintf("the hook, %q, fails its self-test: %v", a.Hook, err), "install idumb and idumb-hook of the same version, then run \"idumb hook install "+h.Name+"\"")
	} else {
		a.SelfTest = fmt.Sprintf("denied a write as it should, in %d ms", took.Milliseconds())
	}
	if a.Tools = configured.MCP.Find(); a.Tools == "" {
		x.file(toolsFile, fmt.Sprintf("the MCP server, %q, is not on this machine: agents have no governance tools", configured.MCP.Program),
			"put idumb-mcp into PATH, or beside idumb and run \"idumb hook install "+h.Name+"\"")
	}
}
