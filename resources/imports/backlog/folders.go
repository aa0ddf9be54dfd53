package backlog

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// kindOf returns the directory that determines the kind of a file: the last known directory
// in its path.
func kindOf(file string) string {
	if !isMarkdown(file) || strings.EqualFold(path.Base(file), "readme.md") {
		return ""
	}
	folders := strings.Split(path.Dir(file), "/")
	for i, folder := range slices.Backward(folders) {
		switch folder {
		case "milestones", "decisions", "drafts", "completed", "archive":
			return folder
		case "tasks":
			if i > 0 && folders[i-1] == "archive" {
				return "archive"
			}
			return "tasks"
		case "docs":
			return ""
		}
	}
	if decisionFile().MatchString(path.Base(file)) { // for a single file or directory
		return "decisions"
	}
	return "tasks"
}

// decisionFile matches the file name of a decision.
var decisionFile = migrate.Pattern(`^(?i:decision)-[0-9]+( -|\.(?i:md|markdown)$)`)

// Accepts reports whether Convert reads a file.
func Accepts(file string) bool {
	return kindOf(file) != "" || path.Base(file) == "config.yml" || isMarkdown(file) && !strings.Contains(file, "docs/")
}

// isBacklog reports whether a file belongs to Backlog.md, by its directory or its front
// matter.
func isBacklog(f migrate.File) bool {
	if !isMarkdown(f.Path) {
		return false
	}
	for folder := range strings.SplitSeq(path.Dir(f.Path), "/") {
		if slices.Contains([]string{"tasks", "drafts", "completed", "milestones", "decisions"}, folder) {
			return true
		}
	}
	head := migrate.NewRecord(markdown.Parse(f.Data).Head)
	return head.Has("id") || head.Has("title") && head.Has("status")
}

// isMarkdown reports whether a path has an extension of Markdown.
func isMarkdown(file string) bool {
	ending := strings.ToLower(path.Ext(file))
	return ending == ".md" || ending == ".markdown"
}

// stem returns a file name without its extension.
func stem(file string) string {
	if isMarkdown(file) {
		file = strings.TrimSuffix(file, path.Ext(file))
	}
	return path.Base(file)
}
