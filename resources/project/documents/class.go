package documents

import (
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// classOf returns the class of a document outside of frameworks, based on its front matter,
// its full name and its directory. Classes of planning documents are never derived from a
// part of a name.
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
	return Unclassified, "none"
}

// types maps values of "type" and similar fields in front matter to classes.
var types = map[string]string{
	"prd": PRD, "requirements": PRD, "product-requirements": PRD, "brief": PRD, "spec": Spec, "specification": Spec, "rfc": Spec, "feature-spec": Spec, "tech-spec": Spec, "architecture": Architecture, "design": Architecture, "diagram": Architecture,
	"adr": ADR, "decision": ADR, "plan": Plan, "implementation-plan": Plan, "feat": Plan, "refactor": Plan, "tasks": Tasks, "task": Tasks, "story": Tasks, "todo": Tasks, "roadmap": Roadmap, "research": Research, "brainstorm": Research,
	"report": Report, "review": Report, "retrospective": Report, "postmortem": Report, "guide": Guide, "how-to": Guide, "howto": Guide, "tutorial": Guide, "reference": Reference, "changelog": Changelog,
	"release": Changelog, "rules": Rules, "skill": Rules,
}

// frontClass derives the class from front matter: a known type, fields that only decisions
// have, or fields of an agent's rule or skill.
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
		return Config // an issue form
	case len(t.front.List()) > 0 && !slices.ContainsFunc(t.front.List(), func(n *manifest.Node) bool { return n.Value != "major" && n.Value != "minor" && n.Value != "patch" }):
		return Changelog // a change description of changesets
	}
	return ""
}

// ruleFiles lists names of files that agents read, in any directory. ruleFolders lists
// directories with such files.
var (
	ruleFiles = [...]string{"agents.md", "agents.override.md", "claude.md", "claude.local.md", "gemini.md", "copilot-instructions.md", "skill.md", "warp.md", "qwen.md", "conventions.md", "constitution.md", "llms.md"}

	ruleFolders = [...]string{
		".cursor/", ".windsurf/", ".clinerules/", ".roo/", ".claude/", ".agents/", ".agent/", ".codex/", ".gemini/", ".opencode/", ".augment/", ".continue/", ".junie/", ".kilocode/", ".kiro/steering/", ".trae/", ".qwen/", ".amazonq/",
		".github/instructions/", ".github/prompts/", ".github/chatmodes/", ".github/agents/", ".github/skills/", ".devin/", ".factory/", ".serena/",
	}
)

// rulesOf detects rules for agents by their path, which has precedence over all other
// rules.
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

// records lists words in names of documents about the past or about plans, as opposed to
// the current state.
var records = [...]string{
	"plan", "planning", "proposal", "prd", "requirement", "debt", "report", "evaluation", "research", "review", "audit", "retro", "retrospective", "postmortem", "rfc", "spec", "task", "todo", "adr", "decision", "design", "diagram",
	"roadmap", "log", "archive", "brainstorm", "summary", "status", "release", "blog", "post", "template",
}

// isRecord reports whether a word of a path is in records.
func isRecord(file string) bool {
	words := strings.FieldsFunc(strings.ToLower(file), func(r rune) bool { return strings.ContainsRune("/-_. ", r) })
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(records[:], strings.TrimSuffix(word, "s")) })
}

// planNames lists full names of planning documents in the root or directly in docs/. names
// lists full names of other documents in any directory. folders lists full names of
// directories.
var (
	planNames = map[string]string{"prd": PRD, "roadmap": Roadmap, "architecture": Architecture, "spec": Spec}
	names     = map[string]string{
		"changelog": Changelog, "changes": Changelog, "history": Changelog, "releases": Changelog, "news": Changelog, "release-notes": Changelog, "pull-request-template": Config, "issue-template": Config,
		"license": Unclassified, "authors": Unclassified, "code-of-conduct": Guide, "contributing": Guide, "releasing": Guide, "security": Guide, "support": Guide,
	}
	folders = map[string]string{
		"adr": ADR, "adrs": ADR, "issue_template": Config, "pull_request_template": Config, "templates": Config, "research": Research, "reports": Report, "reference": Reference, "guides": Guide, "tutorials": Guide,
	}
)

// nameClass derives the class from the full name, or else from the nearest directory in
// folders.
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
			return Unclassified // not a decision
		case class != "":
			return class
		}
	}
	return ""
}

// belowDocs reports whether a file is in a documentation directory.
func belowDocs(file string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path.Dir(file)), "/"), func(folder string) bool {
		return slices.Contains([]string{"docs", "doc", "documentation", "wiki"}, folder)
	})
}

// Planning returns the names of the frameworks that plan work, in the order of the table.
// It omits earlier versions of iDumb, which are migrated.
func Planning(found []Framework) (names []string) {
	for _, f := range found {
		if f.Name != "idumb" {
			names = append(names, f.Name)
		}
	}
	return names
}

// FrameworkInUse returns the framework in effect: the one that is configured as primary, or the
// only one. If there are several and none of them is primary, it returns "" and true for
// open, and no framework is in effect.
func FrameworkInUse(found []Framework, primary string) (rules string, open bool) {
	names := Planning(found)
	switch {
	case slices.Contains(names, primary):
		return primary, false
	case len(names) == 1:
		return names[0], false
	}
	return "", len(names) > 1
}
