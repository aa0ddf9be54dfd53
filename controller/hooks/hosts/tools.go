package hosts

import (
	"path"
	"strings"

	"github.com/idumb-dev/idumb/resources/admission"
)

// toolbox describes the tools of a host. The first matching row applies. A tool
// without a row is described as an MCP tool, or else as Other.
type toolbox struct {
	ownPatterns []string // patterns of iDumb's tools
	server      string   // the pattern of the prefix of an MCP tool's name
	table       []toolRow
}

// toolRow is the effect of a tool, with the arguments that determine it. Only
// the arguments that the host uses are listed: judging an unused argument would
// hide the real effect.
type toolRow struct {
	pattern string // of path.Match, for the name of the tool
	action  admission.Action
	args    []string // of Read and Write, files; of Delegate, the agent, its prompt, and its name
	patch   string   // the argument with a patch; may be empty
}

// rows yields all rows, in the order of precedence.
func (b toolbox) rows(yield func(toolRow) bool) {
	for _, row := range b.table {
		if !yield(row) {
			return
		}
	}
	for _, pattern := range b.ownPatterns {
		if !yield(toolRow{pattern: pattern, action: admission.Governance}) {
			return
		}
	}
}

// rowOf returns the first row whose pattern matches a tool, the zero row if none does.
func (b toolbox) rowOf(tool string) toolRow {
	isForeign, _ := path.Match(b.server+"*", tool)
	for row := range b.rows {
		if isForeign && strings.HasPrefix(row.pattern, "*") { // of the host's own tools
			continue
		}
		if ok, _ := path.Match(row.pattern, tool); ok {
			return row
		}
	}
	return toolRow{}
}

// shellTool is the suffix of the name of idumb's tool that runs a command line.
const shellTool = "_govern_shell"

// describe fills in the effect of a call. args is nil if the arguments are not
// an object.
func (b toolbox) describe(e *Event, tool string, args Object) {
	row := b.rowOf(tool)
	e.Tool, e.Action, e.Own, e.Args = tool, row.action, row.action == admission.Governance, args
	e.RunsCommand = e.Own && strings.HasSuffix(tool, shellTool)
	switch {
	case row.pattern == "":
		b.describeForeign(e, tool, args)
	case row.action == admission.Shell:
		if e.SetCommand(args.Text("command")); e.Command == "" {
			e.UnreadReason = "The call has no command as a text."
		}
	case row.action == admission.Delegate:
		for i, field := range []*string{&e.DelegateTo, &e.Text, &e.DelegateName}[:len(row.args)] {
			*field = args.Text(row.args[i])
		}
	case e.Own:
		switch action := args.Text("action"); {
		case e.Failed:
		case action == "start":
			e.StartedTasks = memberTexts(args, []string{"task", "name"})
		case action == "complete":
			e.StartedTasks, e.EndedTask = memberTexts(args, []string{"then"}), args.Text("task")
		}
	case row.patch != "":
		text := args.Text(row.patch)
		paths, ok := PatchPaths(text)
		e.Patch, e.Paths = text, paths
		if e.Type == AfterTool {
			var files []string
			for _, line := range patchLines(text) {
				if file, next, named := patchFile(trimPatch(line)); named && next == patchAdds && !strings.HasPrefix(line, " ") {
					files = append(files, file)
				}
			}
			e.Created = files
		}
		if !ok {
			e.UnreadReason = "The patch cannot be read: every file needs a line \"*** Add File: NAME\", \"*** Update File: NAME\" or \"*** Delete File: NAME\", between \"*** Begin Patch\" and \"*** End Patch\"."
		}
	default:
		e.Paths = memberTexts(args, row.args)
		if len(e.Paths) == 0 && row.action == admission.Write {
			e.UnreadReason = "The call names no file as a text (" + row.args[0] + ")."
		}
	}
}

// memberTexts returns the string members with these keys that are not empty.
func memberTexts(args Object, keys []string) []string {
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
	box := toolboxOf(host)
	ok, _ := path.Match(box.server, tool)
	return ok && box.server != "" || box.rowOf(tool).pattern != ""
}

// NamesEvent reports whether the table of a host that runs a command for each
// event names the event. This includes ignored events.
func NamesEvent(host, event string) bool {
	for _, h := range commandHooks {
		if _, named := h.kindOf(event); named && h.name == host {
			return true
		}
	}
	return false
}
