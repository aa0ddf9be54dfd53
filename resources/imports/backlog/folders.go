package backlog

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/imports/markdown"
	"github.com/idumb-dev/idumb/resources/migrate"
)

// kindOf is the folder that decides what a file is: the last one of its path that means something.
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
	if decisionFile().MatchString(path.Base(file)) { // given alone, or its folder
		return "decisions"
	}
	return "tasks"
}

// decisionFile matches what Backlog.md calls the file of a decision.
var decisionFile = migrate.Pattern(`^(?i:decision)-[0-9]+( -|\.(?i:md|markdown)$)`)

// Wanted reports whether Convert has a rule for a file.
func Wanted(file string) bool {
	return kindOf(file) != "" || path.Base(file) == "config.yml" || isMarkdown(file) && !strings.Contains(file, "docs/")
}

// isBacklog tells a file of Backlog.md from other Markdown: by its folder, or by what stands before its text.
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

func isMarkdown(file string) bool {
	ending := strings.ToLower(path.Ext(file))
	return ending == ".md" || ending == ".markdown"
}

// stem is a file's name without its ending.
func stem(file string) string {
	if isMarkdown(file) {
		file = strings.TrimSuffix(file, path.Ext(file))
	}
	return path.Base(file)
}
