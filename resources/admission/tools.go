package admission

import (
	"path"
	"slices"
	"strings"
)

// family lists the other names that tools of a sort bear across hosts, so that a
// rule written for one holds for all: allowedTools ["edit"] covers Claude Code's
// Edit, MultiEdit and NotebookEdit and Gemini's replace. A map of them would be
// built at every start of the hook.
func family(name string) []string {
	switch name {
	case "write":
		return []string{"write_file", "create", "apply_patch"} // the only tool that writes in Codex
	case "edit":
		return []string{"multiedit", "notebookedit", "replace", "str_replace", "patch", "apply_patch"}
	case "read":
		return []string{"read_file", "view", "notebookread"}
	case "bash":
		return []string{"shell", "run_shell_command", "exec_command"}
	case "shell":
		return []string{"bash", "run_shell_command", "exec_command"}
	case "grep":
		return []string{"search_file_content"}
	case "glob":
		return []string{"find_files"}
	case "list":
		return []string{"ls", "list_directory"}
	case "ls":
		return []string{"list", "list_directory"}
	case "webfetch":
		return []string{"web_fetch", "fetch"}
	case "websearch":
		return []string{"web_search", "google_web_search"}
	case "task":
		return []string{"agent"}
	case "agent":
		return []string{"task"}
	case "write_file":
		return []string{"write"}
	case "read_file":
		return []string{"read"}
	case "run_shell_command":
		return []string{"bash", "shell"}
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
