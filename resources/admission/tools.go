package admission

import (
	"path"
	"slices"
	"strings"
)

// families are the other names that tools of a sort bear across hosts, so that a rule written
// for one holds for all: allowedTools ["edit"] covers Claude Code's Edit, MultiEdit and
// NotebookEdit and Gemini's replace. apply_patch is the only tool that writes in Codex.
var families = [...]string{
	"write: write_file create apply_patch",
	"edit: multiedit notebookedit replace str_replace patch apply_patch",
	"read: read_file view notebookread",
	"bash: shell run_shell_command exec_command",
	"shell: bash run_shell_command exec_command",
	"grep: search_file_content",
	"glob: find_files",
	"list: ls list_directory",
	"ls: list list_directory",
	"webfetch: web_fetch fetch",
	"websearch: web_search google_web_search",
	"task: agent",
	"agent: task",
	"write_file: write",
	"read_file: read",
	"run_shell_command: bash shell",
}

// family lists the other names of a tool.
func family(name string) []string {
	for _, row := range families {
		if others, found := strings.CutPrefix(row, name+": "); found {
			return strings.Fields(others)
		}
	}
	return nil
}

// KnownTool reports whether tools of some host bear a name, as far as is known; case does
// not matter. One that is not known is judged like any that writes nothing.
func KnownTool(name string) bool { return family(strings.ToLower(name)) != nil }

// matchesTool reports whether one of the patterns names the tool: by its own
// name, by its family's, or as a glob; case does not matter.
func matchesTool(tool string, patterns []string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.ToLower(strings.TrimSpace(pattern))
		ok, _ := path.Match(pattern, tool)
		return ok || slices.Contains(family(pattern), tool)
	})
}

// permits reports whether a set of patterns lets something through: deny wins,
// an empty allow allows all.
func permits(allow, deny []string, matches func(patterns []string) bool) bool {
	return !matches(deny) && (len(allow) == 0 || matches(allow))
}
