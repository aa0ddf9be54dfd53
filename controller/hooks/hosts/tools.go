package hosts

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// toolbox is what is known of a host's tools. The first row that matches counts; a tool that no
// row names is described as one of an MCP server, or else Other.
type toolbox struct {
	own    []string // patterns of iDumb's own tools
	server string   // the pattern in front of the name of a tool of an MCP server
	table  []toolRow
}

// toolRow says what a tool does, and which of its arguments count: what a host does not look at
// must not be judged in place of what it does.
type toolRow struct {
	pattern string // of path.Match, over the tool's name
	action  admission.Action
	args    []string // of Read and Write, files; of Delegate, the agent, its prompt, and its name
	patch   string   // the argument that is a patch, "" for none
}

// rows yields all that is known, in the order in which it counts.
func (b toolbox) rows(yield func(toolRow) bool) {
	for _, row := range b.table {
		if !yield(row) {
			return
		}
	}
	for _, pattern := range b.own {
		if !yield(toolRow{pattern: pattern, action: admission.Governance}) {
			return
		}
	}
}

// named returns the row of a tool.
func (b toolbox) named(tool string) toolRow {
	for row := range b.rows {
		if ok, _ := path.Match(row.pattern, tool); ok {
			return row
		}
	}
	return toolRow{}
}

// runner is our own tool that runs a command line, behind the name of its server.
const runner = "_govern_shell"

// describe fills in what a call does; args is nil if they are no object.
func (b toolbox) describe(e *Event, tool string, args Object) {
	row := b.named(tool)
	e.Tool, e.Action, e.Own, e.Args = tool, row.action, row.action == admission.Governance, args
	e.Runs = e.Own && strings.HasSuffix(tool, runner)
	switch {
	case row.pattern == "":
		b.describeForeign(e, tool, args)
	case row.action == admission.Shell:
		if e.SetCommand(args.Text("command")); e.Command == "" {
			e.Unread = "The call has no command as a text."
		}
	case row.action == admission.Delegate:
		for i, field := range []*string{&e.Delegates, &e.Text, &e.Names}[:len(row.args)] {
			*field = args.Text(row.args[i])
		}
	case e.Own:
		if args.Text("action") == "start" && !e.Failed {
			e.Starts = textsAt(args, []string{"task", "name"})
		}
	case row.patch != "":
		e.describePatch(args.Text(row.patch))
	default:
		e.Paths = textsAt(args, row.args)
		if len(e.Paths) == 0 && row.action == admission.Write {
			e.Unread = "The call names no file as a text (" + row.args[0] + ")."
		}
	}
}

// describePatch fills in the files of a patch.
func (e *Event) describePatch(text string) {
	paths, ok := PatchPaths(text)
	e.Patch, e.Paths = text, paths
	if e.Type == AfterTool {
		e.Created = patchAdded(text)
	}
	if !ok {
		e.Unread = "The patch cannot be read: every file needs a line \"*** Add File: NAME\", \"*** Update File: NAME\" or \"*** Delete File: NAME\", between \"*** Begin Patch\" and \"*** End Patch\"."
	}
}

// textsAt are the texts among some members.
func textsAt(args Object, keys []string) []string {
	var all []string
	for _, key := range keys {
		if text := args.Text(key); text != "" {
			all = append(all, text)
		}
	}
	return all
}

// NamesTool reports whether the table of a host names a tool.
func NamesTool(host, tool string) bool {
	box := map[string]toolbox{claude.name: claude.tools, codex.name: codex.tools, OpenCode{}.Name(): opencodeTools}[host]
	ok, _ := path.Match(box.server, tool)
	return ok && box.server != "" || box.named(tool).pattern != ""
}

// NamesEvent reports whether the table of a host that runs a command for each event names an event,
// be it to ignore it.
func NamesEvent(host, event string) bool {
	for _, h := range [...]commandHook{claude, codex} {
		if h.name == host && slices.ContainsFunc(h.events, func(row eventRow) bool { return row.name == event }) {
			return true
		}
	}
	return false
}
