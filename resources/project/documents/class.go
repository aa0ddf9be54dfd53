package documents

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// classOf decides what a document is if no framework does: by its front matter, or by its whole name and its
// place. Documents that plan work are never told by a word within a longer name.
func classOf(file string, t *text) (class, by string) {
	if class = rulesOf(file); class != "" {
		return class, "name"
	}
	if class = frontClass(t); class != "" {
		return class, "front matter"
	}
	if class = nameClass(file); class != "" {
		return class, "name"
	}
	if belowDocs(file) && !isRecord(file) {
		return Guide, "folder"
	}
	return Other, "none"
}

// types are what front matter calls classes, in "type" and the like.
var types = map[string]string{
	"prd": PRD, "requirements": PRD, "product-requirements": PRD, "brief": PRD, "spec": Spec, "specification": Spec, "rfc": Spec, "feature-spec": Spec, "tech-spec": Spec, "architecture": Architecture, "design": Architecture, "diagram": Architecture,
	"adr": ADR, "decision": ADR, "plan": Plan, "implementation-plan": Plan, "feat": Plan, "refactor": Plan, "tasks": Tasks, "task": Tasks, "story": Tasks, "todo": Tasks, "roadmap": Roadmap, "research": Research, "brainstorm": Research,
	"report": Report, "review": Report, "retrospective": Report, "postmortem": Report, "guide": Guide, "how-to": Guide, "howto": Guide, "tutorial": Guide, "reference": Reference, "changelog": Changelog,
	"release": Changelog, "rules": Rules, "skill": Rules,
}

// frontClass reads front matter: a type that is one of ours, fields that only a decision has,
// or those of a rule or skill of an agent.
func frontClass(t *text) string {
	for _, key := range []string{"type", "doc_type", "doctype", "document_type", "documentType", "class", "kind"} {
		if class := types[strings.ToLower(strings.ReplaceAll(t.front.Text(key), " ", "-"))]; class != "" {
			return class
		}
	}
	has := func(keys ...string) bool {
		return slices.ContainsFunc(keys, func(key string) bool { return t.front.Get(key) != nil })
	}
	switch {
	case has("deciders", "decision-makers", "decision_makers"), has("adr", "adr_id") && has("status"):
		return ADR
	case has("phase") && has("plan") && has("files_modified", "depends_on") && !has("completed", "provides", "status"):
		return Plan
	case has("phase") && has("plan", "verified") && has("completed", "provides", "status", "requires"):
		return Report
	case has("globs", "alwaysApply", "allowed-tools", "argument-hint", "applyTo"):
		return Rules
	case has("name") && has("description") && len(t.front.List()) <= 6 && !has("title", "about", "date", "labels", "slug"):
		return Rules // a skill, agent or command
	case has("about", "assignees") && has("name"):
		return Config // the form of an issue
	case len(t.front.List()) > 0 && !slices.ContainsFunc(t.front.List(), func(n *manifest.Node) bool { return n.Value != "major" && n.Value != "minor" && n.Value != "patch" }):
		return Changelog // a change of packages, as changesets has it
	}
	return ""
}

// ruleFiles are names of files that agents read, wherever they stand; ruleFolders are folders
// of them.
var (
	ruleFiles = [...]string{"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md", "skill.md", "warp.md", "qwen.md", "conventions.md", "constitution.md", "llms.md"}

	ruleFolders = [...]string{
		".cursor/", ".windsurf/", ".clinerules/", ".roo/", ".claude/", ".agents/", ".agent/", ".codex/", ".gemini/", ".opencode/", ".augment/", ".continue/", ".junie/", ".kilocode/", ".kiro/steering/", ".trae/", ".qwen/", ".amazonq/",
		".github/instructions/", ".github/prompts/", ".github/chatmodes/", ".github/agents/", ".github/skills/", ".devin/", ".factory/", ".serena/",
	}
)

// rulesOf finds rules for agents by their place, which decides whatever else is in them.
func rulesOf(file string) string {
	lower := strings.ToLower(file)
	if slices.Contains(ruleFiles[:], path.Base(lower)) || path.Ext(lower) == ".mdc" {
		return Rules
	}
	for _, folder := range ruleFolders {
		if _, rest, found := strings.Cut("/"+lower, "/"+folder); found && !isRecord(path.Dir(rest)) {
			return Rules
		}
	}
	return ""
}

// records are words of names whose documents say what was or may be done, not how it is.
var records = [...]string{
	"plan", "planning", "proposal", "prd", "requirement", "debt", "report", "evaluation", "research", "review", "audit", "retro", "retrospective", "postmortem", "rfc", "spec", "task", "todo", "adr", "decision", "design", "diagram",
	"roadmap", "log", "archive", "brainstorm", "summary", "status", "release", "blog", "post", "template",
}

// isRecord reports whether a word of a path is one of records.
func isRecord(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(file), func(r rune) bool { return strings.ContainsRune("/-_. ", r) })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(records[:], strings.TrimSuffix(word, "s")) })
}

// planNames are whole names at the root or directly in docs/ of documents that plan work; names are those of others,
// wherever they are; folders are whole names of folders.
var (
	planNames = map[string]string{"prd": PRD, "roadmap": Roadmap, "architecture": Architecture, "spec": Spec}
	names     = map[string]string{
		"changelog": Changelog, "changes": Changelog, "history": Changelog, "releases": Changelog, "news": Changelog, "release-notes": Changelog, "pull-request-template": Config, "issue-template": Config,
		"license": Other, "authors": Other, "code-of-conduct": Guide, "contributing": Guide, "releasing": Guide, "security": Guide, "support": Guide,
	}
	folders = map[string]string{
		"adr": ADR, "adrs": ADR, "issue_template": Config, "pull_request_template": Config, "templates": Config, "research": Research, "reports": Report, "reference": Reference, "guides": Guide, "tutorials": Guide,
	}
)

// nameClass decides by the whole name, else by the nearest folder whose name is one of folders.
func nameClass(file string) string {
	dir, base := path.Split(strings.ToLower(strings.TrimSuffix(file, path.Ext(file))))
	if base == "readme" || strings.HasPrefix(base, "readme.") || strings.HasPrefix(base, "readme_") {
		return Readme
	}
	if class := planNames[base]; class != "" && (dir == "" || dir == "docs/") {
		return class
	}
	if class := names[strings.ReplaceAll(base, "_", "-")]; class != "" {
		return class
	}
	for folder := path.Dir(dir + "x"); folder != "."; folder = path.Dir(folder) {
		switch class := folders[path.Base(folder)]; {
		case class == ADR && (base == "index" || strings.Contains(base, "template")):
			return Other // is no decision
		case class != "":
			return class
		}
	}
	return ""
}

// belowDocs reports whether a file is in a folder of documentation.
func belowDocs(file string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path.Dir(file)), "/"), func(folder string) bool {
		return slices.Contains([]string{"docs", "doc", "documentation", "wiki"}, folder)
	})
}
