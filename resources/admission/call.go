package admission

import (
	"slices"
	"strings"
	"time"

	"github.com/idumb-dev/idumb/resources"

	"github.com/idumb-dev/idumb/resources/admission/command"
	"github.com/idumb-dev/idumb/resources/admission/packages"
)

// Action is what a call does, whatever the host calls its tool.
type Action int

// Actions. The zero Action is Other: a tool that is not known to write.
const (
	Other      Action = iota // anything else: fetching, delegating, foreign MCP tools
	Read                     // looks at files
	Write                    // changes files, named by Call.Paths
	Shell                    // runs a command line; Call.Paths are the files it would write
	Governance               // changes plans, tasks and the like through idumb
	Delegate                 // starts a subagent
	Ask                      // asks the person, keeps the agent's own to-do list, stops
)

// String names the action as a denial's first line does.
func (a Action) String() string {
	return [...]string{"tool", "read", "write", "shell", "governance", "subagent", "ask"}[a]
}

// Path is one file that a call would read or write, after resolution: absolute,
// links followed on the deepest parent that exists, ".." gone.
type Path struct {
	Given string // as the agent spelt it, for messages only
	Repo  string // from the repository's root, with '/'; "" if it is outside, "." for the root
	Home  string // from the person's home folder, with '/'; "" if it is outside that, or inside the repository

	// Tree is the root of another working tree of the repository that has plans of its own, with '/'; Repo is from that
	// root. Empty for the working tree that governs the session.
	Tree string

	Program bool // it is one of iDumb's own programs, or stands where one would be found

	// For Shell, of what a command writes by itself, and not by a redirection:
	By     string // the command, as a message shows it
	Unsure bool   // it names the file, and cannot be told to leave it alone
	Below  bool   // it names a folder above the file
	Whole  bool   // of Below: that folder is the repository or the home folder, or is above one of them
	// Unchanged says, of a file that a formatter or a fixer would look at, that it has no uncommitted changes. Such a
	// program hardly ever changes it: paths of tasks do not keep it from the file, and locks do.
	Unchanged bool
}

// Call is what an agent is about to do, in no host's own words.
type Call struct {
	Tool    string // as the host names it: "Write", "mcp__github__create_issue"
	Action  Action
	Own     bool          // one of idumb's own tools: its call may be allowed outright
	Paths   []Path        // for Write and Shell: what it would write; for Read: what it would look at
	Command string        // for Shell, and Governance by command: the command line
	Runs    []command.Run // the single commands in it, without assignments; of one of idumb's own tools, the command that does the same
	// Hidden says why plans may exist that are not visible here. nil: all is visible.
	Hidden func() Unseen
	// Ignored reports whether git ignores a file of the repository, by its path from the root;
	// nil: none. It is asked only where a role limits paths.
	Ignored    func(path string) bool
	Secret     string           // what looks like a secret in the text that the call writes into .idumb; empty if nothing does
	Planned    []Planned        // plans, tasks and the like that the call writes as files
	Adds       []Added          // the packages that the call adds to what manifests name
	Amounts    []command.Run    // the commands of idumb that would do what the call does to plans by files: by writing one, or by giving idumb one
	Changes    []Change         // for Shell: what in it changes how agents are governed, files aside
	Gate       *command.Verdict // what the shell gate says of the command line, and for Write of a file outside the repository; nil if it was not asked
	Host       string           // "claude", "codex", "opencode": whose names of agents it knows; "" where nobody can tell
	Tools      string           // what stands before the names of idumb's tools in that host; "" if the caller has none
	Session    string           // the host's conversation, as recorded under .idumb/sessions
	Parent     string           // the session that started it, for one that has no record yet; "" for one that a person started
	Agent      string           // the host's name for the agent; "" for the main one
	SubagentID string           // set if the call comes from inside a subagent
	To         string           // for Delegate: the name of the agent that is to be started
	Role       string           // the role recorded for the caller; "" means: find it by Agent
	Person     bool             // a user makes the call
	// Names are, for Delegate and Take, the tasks and delegations that the prompt names.
	Names []resources.Key
	// Opened reports whether a call of this session was answered with Verdict.Opens before.
	// It is asked only where the caller's role has first tools; nil: it was.
	Opened func() bool
	// Agreed reports whether the person was asked to let this very call decide about the decision of that
	// name, and did not refuse; nil: nobody was asked.
	Agreed func(decision string) bool
	Loop   *Loop // set if the call goes on with what a trigger halts
	// Lifted are the rules that a person lets this very call pass, as far as any may be.
	Lifted []string
}

// Added is a package that a call brings into a project.
type Added struct {
	packages.Package
	File string // the manifest that names it from then on, from the repository's root
	By   string // the command that adds it, as a message shows it; "" for a file that is written
}

// Planned is what a file of a plan, a task or the like will hold after a call.
type Planned struct {
	Key   resources.Key
	Path  Path
	Known bool             // what it will hold can be told; else nothing below
	Next  resources.Object // nil: it will be gone, or hold nothing that can be read
	Gone  bool
}

// Denial is an earlier denial of the same session, as the host's adapter
// recorded it, for telling a retry.
type Denial struct {
	Call string    `json:"call"` // Call.Signature
	Rule string    `json:"rule"` // Reason.Rule
	Time time.Time `json:"time"`

	Digest string `json:"digest,omitempty"` // of the exact call
	Line   string `json:"line,omitempty"`   // the command line, where Call does not show it to the letter
}

// Unseen says why plans may exist that are not visible.
type Unseen struct {
	Why     string // a sentence without an end; empty if all is visible
	Agreed  bool   // the user works without them
	Missing bool   // this clone follows them, and their files are missing
	Follow  string // the commands that make them visible, as Markdown
	Command string // that brings .idumb back, which git keeps out of the working tree: writes are denied; empty if the team shares its plans by sync
}

// Signature is equal for two calls that would do the same: same action, same files, same
// command line or commands of idumb, same agent to start, whatever the new content is.
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
	return strings.Join(slices.Compact(parts), " ") // a command may be found in a line in two ways
}

// runs are the single commands that a call runs, and those that it amounts to.
func (c Call) runs() []command.Run {
	switch {
	case c.Action != Governance && c.Action != Shell:
		return c.Amounts
	case len(c.Amounts) == 0:
		return c.Runs
	}
	return slices.Concat(c.Runs, c.Amounts)
}

// name is how a message calls the path: from the repository's root if it is inside.
func (p Path) name() string {
	if p.Tree != "" {
		return p.Tree + "/" + p.Repo
	}
	if p.Repo != "" {
		return p.Repo
	}
	return p.Given
}

// resolved is where the path leads.
func (p Path) resolved() string {
	if p.Repo == "" && p.Home != "" {
		return "~/" + p.Home
	}
	return p.name()
}

// writes reports whether the call would change a file that governance cares for.
func (c Call) writes() bool {
	return (c.Action == Write || c.Action == Shell) && len(c.Paths) > 0
}
