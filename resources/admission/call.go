package admission

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"

	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// Action is the effect of a call, independent of the name of the tool.
type Action int

// Actions. The zero Action is Other: a tool that is not known to write.
const (
	Other      Action = iota // anything else, like fetching and unknown MCP tools
	Read                     // reads files
	Write                    // writes the files in Call.Paths
	Shell                    // runs a command line; Call.Paths are the files that it would write
	Governance               // changes plans, tasks and similar objects with idumb
	Delegate                 // starts a subagent
	Ask                      // asks the person, updates the agent's to-do list, stops
)

// String returns the name of the action as used in denials.
func (a Action) String() string {
	return [...]string{"tool", "read", "write", "shell", "governance", "subagent", "ask"}[a]
}

// Path is a resolved file that a call would read or write: absolute, without "..", with
// links followed on the deepest existing parent.
type Path struct {
	Given string // as written by the agent, for messages only
	Repo  string // from the repository root, with '/'; empty if outside, "." for the root
	Home  string // from the home folder of the person, with '/'; empty if outside, or inside the repository

	// Tree is the root of another work tree of the repository with its own plans, with '/'.
	// Repo is then relative to that root. Empty for the work tree of the session.
	Tree string

	Program bool // the path of an iDumb program, or a path that the search for one tries

	// For Shell, if a command writes the file and not a redirection:
	By     string // text of the command for messages
	Unsure bool   // names the file and may or may not change it
	Below  bool   // names a folder above the file
	Whole  bool   // for Below: the folder is the repository or home folder, or above one of them
	// Unchanged means, for files passed to a formatter or fixer, that they have no
	// uncommitted changes. Such programs rarely change them, so paths of tasks do not apply
	// to them, but locks do. The same holds for lock files that follow a manifest.
	Unchanged bool
}

// Call is a planned operation of an agent, independent of the host.
type Call struct {
	Tool    string // name used by the host: "Write", "mcp__github__create_issue"
	Action  Action
	Own     bool          // tool of idumb, which can be allowed without asking
	Paths   []Path        // for Write and Shell: files to write; for Read: files to read
	Command string        // command line, for Shell and Governance
	Runs    []command.Run // single commands in it, without assignments; for tools of idumb, the equivalent command
	// UnseenPlans returns the reason why plans may exist that are not visible here. nil means
	// that all are visible.
	UnseenPlans func() UnseenPlans
	// Untrusted reports whether the user does not trust the rules of the repository. They can
	// then deny calls but permit none. nil means that they are trusted.
	Untrusted func() bool
	// Ignored reports whether git ignores a file, given by its path from the repository
	// root; nil means none. It is only called if a role limits paths.
	Ignored    func(path string) bool
	Secret     string           // possible secret in text written below .idumb; "" without one
	Planned    []Planned        // plans, tasks and similar objects written as files
	Adds       []Added          // packages that the call adds to manifests
	Amounts    []command.Run    // idumb commands equivalent to the file changes of the call: plan files that it writes, or files that idumb reads
	Changes    []Change         // for Shell: changes of governance other than by files
	Gate       *command.Verdict // verdict of the shell gate on the command line, and for Write on files outside the repository; nil if not computed
	Host       string           // "claude", "codex", "opencode": host with its agent names; empty if unknown
	Tools      string           // prefix of idumb tool names in the host; empty if the caller has no tools
	Session    string           // conversation of the host, as recorded below .idumb/sessions
	Parent     string           // parent session, if the session has no record yet; empty if a person started it
	Agent      string           // agent name in the host; empty for the main agent
	SubagentID string           // set if the call comes from a subagent
	To         string           // for Delegate: name of the agent to start
	Role       string           // recorded role of the caller; "" means by Agent
	Person     bool             // call of a user
	// Names are, for Delegate and Take, the tasks and delegations in the prompt.
	Names []resources.Key
	// Opened reports whether Verdict.Opens was returned in this session before. It is only
	// called if the caller's role has first tools; nil means yes.
	Opened func() bool
	// Agreed reports whether the person was asked to allow this call to make a decision,
	// and did not refuse; nil means not asked.
	Agreed func(decision string) bool
	Loop   *Loop // set if the call repeats an operation that a trigger stops
	// Lifted are the rules that a person lifted for this call.
	Lifted []string
}

// Added is a package that a call adds to a project.
type Added struct {
	packages.Package
	File string // manifest with the package, from the repository root
	By   string // text of the adding command for messages; empty for a written file
}

// Planned is the content of a planning file after a call.
type Planned struct {
	Key   resources.Key
	Path  Path
	Known bool             // content is available; otherwise the fields below are not set
	Next  resources.Object // nil if deleted or invalid
	Gone  bool
}

// Denial is an earlier denial of the session, recorded by the host's adapter to detect
// retries.
type Denial struct {
	Call string    `json:"call"` // Call.Signature
	Rule string    `json:"rule"` // Reason.Rule
	Time time.Time `json:"time"`
	Step string    `json:"step,omitempty"` // Reason.UseInstead; empty in records of older versions

	Digest string `json:"digest,omitempty"` // digest of the exact call
	Line   string `json:"line,omitempty"`   // command line, if it differs from Call
}

// UnseenPlans is the reason why existing plans may not be visible.
type UnseenPlans struct {
	Why     string // a sentence without full stop; empty if all are visible
	Agreed  bool   // the user chose to work without them
	Missing bool   // the clone follows them, but their files are missing
	Follow  string // commands that make them visible, as Markdown
	Command string // command that restores .idumb, which git excludes from the work tree. Writes are denied. Empty if the team shares plans by sync
}

// Signature returns a text that is equal for equivalent calls: same action, files, command
// line or idumb commands, and agent to start. The written content does not matter.
func (c Call) Signature() string {
	if c.Action == Shell {
		return "shell " + strings.Join(strings.Fields(c.Command), " ")
	}
	parts := []string{c.Action.String()}
	if c.Action == Other || len(c.Paths) == 0 {
		parts = append(parts, c.Tool)
	}
	if c.To != "" {
		parts = append(parts, c.To)
	}
	for _, r := range c.Runs {
		parts = append(parts, r.Shown())
	}
	for _, key := range c.Names {
		parts = append(parts, key.String())
	}
	for _, p := range c.Paths {
		parts = append(parts, p.name())
	}
	slices.Sort(parts[1:])
	return strings.Join(slices.Compact(parts), " ") // commands can be found twice in a line
}

// runs returns the commands that a call runs or is equivalent to.
func (c Call) runs() []command.Run {
	switch {
	case c.Action != Governance && c.Action != Shell:
		return c.Amounts
	case len(c.Amounts) == 0:
		return c.Runs
	}
	return slices.Concat(c.Runs, c.Amounts)
}

// name returns the path for messages, from the repository root if it is inside.
func (p Path) name() string {
	if p.Tree != "" {
		return p.Tree + "/" + p.Repo
	}
	if p.Repo != "" {
		return p.Repo
	}
	return p.Given
}

// resolved returns the location of the path.
func (p Path) resolved() string {
	if p.Repo == "" && p.Home != "" {
		return "~/" + p.Home
	}
	return p.name()
}

// writes reports whether the call would change a file under governance.
func (c Call) writes() bool {
	return (c.Action == Write || c.Action == Shell) && len(c.Paths) > 0
}
