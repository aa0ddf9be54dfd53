package admission

import (
	"path"
	"strings"
)

// families are the names that tools of the same sort share across hosts, so
// that a rule written for one holds for all: allowedTools ["edit"] covers Claude
// Code's Edit, MultiEdit and NotebookEdit and Gemini's replace.
var families = map[string][]string{
	"write":             {"write_file", "create"},
	"edit":              {"multiedit", "notebookedit", "replace", "str_replace", "patch", "apply_patch"},
	"read":              {"read_file", "view", "notebookread"},
	"bash":              {"shell", "run_shell_command", "exec_command"},
	"shell":             {"bash", "run_shell_command", "exec_command"},
	"grep":              {"search_file_content"},
	"glob":              {"find_files"},
	"list":              {"ls", "list_directory"},
	"ls":                {"list", "list_directory"},
	"webfetch":          {"web_fetch", "fetch"},
	"websearch":         {"web_search", "google_web_search"},
	"task":              {"agent"},
	"agent":             {"task"},
	"write_file":        {"write"},
	"read_file":         {"read"},
	"run_shell_command": {"bash", "shell"},
}

// matchesTool reports whether one of the patterns names the tool: by its own
// name, by its family's, or as a glob; case does not matter.
func matchesTool(tool string, patterns []string) bool {
	tool = strings.ToLower(tool)
	for _, pattern := range patterns {
		pattern = strings.ToLower(strings.TrimSpace(pattern))
		if ok, _ := path.Match(pattern, tool); ok {
			return true
		}
		for _, member := range families[pattern] {
			if member == tool {
				return true
			}
		}
	}
	return false
}

// permits reports whether a set of patterns lets something through: deny wins,
// an empty allow allows all.
func permits(allow, deny []string, matches func(patterns []string) bool) bool {
	return !matches(deny) && (len(allow) == 0 || matches(allow))
}
