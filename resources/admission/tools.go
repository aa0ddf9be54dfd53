package admission

import (
	"path"
	"slices"
	"strings"
)

// families lists equivalent tool names of different hosts, so that a rule for one applies
// to all: allowedTools ["edit"] covers Edit, MultiEdit and NotebookEdit of Claude Code and
// replace of Gemini. apply_patch is the only writing tool of Codex.
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

// family returns the other names of a tool.
func family(name string) []string {
	for _, row := range families {
		if others, found := strings.CutPrefix(row, name+": "); found {
			return strings.Fields(others)
		}
	}
	return nil
}

// KnownTool reports whether a tool name of a host is in a family, ignoring case. Unknown tools
// are treated as tools that do not write.
func KnownTool(name string) bool { return family(strings.ToLower(name)) != nil }

// matchesTool reports whether a pattern matches a tool by name, family or glob, ignoring
// case.
func matchesTool(tool string, patterns []string) bool {
	tool = strings.ToLower(tool)
	return slices.ContainsFunc(patterns, func(pattern string) bool {
		pattern = strings.ToLower(strings.TrimSpace(pattern))
		ok, _ := path.Match(pattern, tool)
		return ok || slices.Contains(family(pattern), tool)
	})
}

// permits reports whether a set of patterns allows something. deny has precedence; an empty
// allow list allows all.
func permits(allow, deny []string, matches func(patterns []string) bool) bool {
	return !matches(deny) && (len(allow) == 0 || matches(allow))
}
