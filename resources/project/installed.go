package project

import (
	"encoding/json"
	"path"
	"slices"
	"strings"
)

// program is the prefix of names of installed files and entries.
const program = "idumb"

// Installed reports whether iDumb installed a file for agents and the file has no other content. Such
// a file does not describe the project. A user's file with entries of iDumb remains the user's.
func Installed(files Files, file string) bool {
	folder, _, below := strings.Cut(file, "/")
	if below && slices.Contains([]string{".claude", ".codex", ".opencode", ".github"}, folder) && !strings.HasPrefix(file, ".github/hooks/") {
		for part := range strings.SplitSeq(file, "/") {
			if part == program || strings.HasPrefix(part, program+"-") || strings.HasPrefix(part, program+".") {
				return true
			}
		}
	}
	switch file {
	case ".claude/settings.json", ".mcp.json", ".codex/hooks.json", "opencode.json", ".gemini/settings.json", ".github/hooks/idumb.json", ".github/mcp.json":
		data, err := files.Read(file)
		var all map[string]any
		return err == nil && json.Unmarshal(data, &all) == nil && len(all) > 0 && entriesInstalled(all)
	case ".codex/config.toml", ".opencode/.npmrc":
		data, err := files.Read(file)
		return err == nil && blocksInstalled(string(data))
	}
	return false
}

// entriesInstalled reports whether iDumb made all entries of a JSON value.
func entriesInstalled(value any) bool {
	switch v := value.(type) {
	case map[string]any:
		command, ok := v["command"].(string)
		if !ok {
			command, ok = v["bash"].(string)
		}
		if ok {
			return slices.ContainsFunc(strings.Fields(command), func(word string) bool {
				return strings.HasPrefix(path.Base(strings.Trim(word, `"'`)), program+"-")
			})
		}
		for key, entry := range v {
			if !slices.Contains([]string{"$schema", "matcher", "version"}, key) && !strings.HasPrefix(key, program) && !entriesInstalled(entry) {
				return false
			}
		}
		return true
	case []any:
		return !slices.ContainsFunc(v, func(entry any) bool { return !entriesInstalled(entry) })
	}
	return false
}

// blocksInstalled reports whether a file has lines, and all are between iDumb's marks.
func blocksInstalled(text string) bool {
	inside, any := false, false
	for line := range strings.Lines(text) {
		switch line = strings.TrimSpace(line); {
		case strings.HasPrefix(line, "# >>> "+program+" "):
			inside, any = true, true
		case strings.HasPrefix(line, "# <<< "+program+" "):
			inside = false
		case !inside && line != "":
			return false
		}
	}
	return any
}
