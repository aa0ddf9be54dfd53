package documents

import (
	"cmp"
	"path"
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources/project/manifest"
)

// classOf decides what a document is where no framework does: by its front matter, its name and
// folder, its headings, what speaks for a class in it, and last by being below a folder of documentation.
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
	if isPost(t) {
		return Other, "front matter"
	}
	if class = headingClass(t); class != "" {
		return class, "headings"
	}
	if class = evidenceClass(t, file != ""); class != "" {
		return class, "evidence"
	}
	if file != "" && belowDocs(file) && !t.moved() {
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

// isPost reports whether front matter is that of a post, whose name says nothing else.
func isPost(t *text) bool {
	return slices.ContainsFunc([]string{"authors", "author", "published", "slug"}, func(key string) bool { return t.front.Get(key) != nil }) &&
		(t.front.Get("date") != nil || t.front.Get("tags") != nil)
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
		if _, rest, found := strings.Cut("/"+lower, "/"+folder); found && !isWork(rest) {
			return Rules
		}
	}
	return ""
}

// isWork reports whether a path below a folder of rules stands in one of plans, reports and their like: what
// an agent wrote, and is not told.
func isWork(file string) bool {
	folder, _, nested := strings.Cut(file, "/")
	return nested && slices.Contains([]string{Plan, Tasks, Research, Report, Architecture}, folderClass(folder))
}

// names are words of a file's name, of one or several, in the order in which they decide: a word stands at its
// end, or at its beginning, apart from the rest.
var names = [...]struct{ word, class string }{
	{"readme", Readme}, {"changelog", Changelog}, {"changes", Changelog}, {"history", Changelog}, {"releases", Changelog}, {"release-note", Changelog}, {"news", Changelog}, {"whats-new", Changelog},
	{"pull-request-template", Config}, {"issue-template", Config}, {"license", Other}, {"licence", Other}, {"author", Other}, {"code-of-conduct", Guide}, {"contributing", Guide}, {"release", Guide}, {"releasing", Guide}, {"maintaining", Guide}, {"security", Guide}, {"support", Guide}, {"governance", Guide}, {"maintainer", Other},
	{"todo", Tasks}, {"tech-debt", Tasks}, {"technical-debt", Tasks}, {"task", Tasks}, {"backlog", Tasks}, {"checklist", Tasks}, {"roadmap", Roadmap}, {"milestone", Roadmap}, {"adr", ADR}, {"decision", ADR}, {"prd", PRD}, {"requirement", PRD}, {"product-brief", PRD}, {"project-brief", PRD},
	{"research", Research}, {"investigation", Research}, {"finding", Research}, {"brainstorm", Research}, {"brainstorming", Research}, {"comparison", Research}, {"analysis", Research},
	{"report", Report}, {"evaluation", Report}, {"feedback", Report}, {"verification", Report}, {"readiness", Report}, {"completed", Report}, {"complete", Report}, {"baseline", Report}, {"progress", Report}, {"fix", Report}, {"fixes", Report}, {"diagnosis", Report}, {"log", Report},
	{"retro", Report}, {"retrospective", Report}, {"postmortem", Report}, {"post-mortem", Report}, {"audit", Report}, {"summary", Report}, {"status", Report}, {"review", Report}, {"handoff", Report}, {"result", Report}, {"benchmark", Report},
	{"plan", Plan}, {"proposal", Plan}, {"threat-model", Architecture}, {"architecture", Architecture}, {"design", Architecture}, {"data-model", Architecture}, {"structure", Architecture}, {"schema", Architecture}, {"tech-stack", Architecture},
	{"spec", Spec}, {"specification", Spec}, {"rfc", Spec}, {"api", Reference}, {"reference", Reference}, {"documentation", Reference}, {"cli", Reference}, {"configuration", Reference}, {"glossary", Reference}, {"contracts", Reference}, {"endpoint", Reference}, {"faq", Guide},
	{"guide", Guide}, {"guideline", Guide}, {"tutorial", Guide}, {"quickstart", Guide}, {"getting-started", Guide}, {"onboarding", Guide}, {"installation", Guide}, {"install", Guide}, {"setup", Guide}, {"usage", Guide}, {"development", Guide}, {"deployment", Guide}, {"testing", Guide}, {"troubleshooting", Guide}, {"how-to", Guide}, {"upgrading", Guide}, {"migration", Guide}, {"runbook", Guide}, {"workflow", Guide}, {"policy", Guide}, {"procedure", Guide}, {"process", Guide}, {"playbook", Guide},
}

// folders are names of folders, of one or several, whose documents are of a class, the deepest first.
var folders = map[string]string{
	"adr": ADR, "decision": ADR, "decision-record": ADR, "changelog": Changelog, "release-note": Changelog, "release": Changelog, ".changeset": Changelog, "prd": PRD, "requirement": PRD, "spec": Spec, "rfc": Spec,
	"proposal": Plan, "plan": Plan, "planning": Plan, "task": Tasks, "todo": Tasks, "stories": Tasks, "backlog": Tasks, "issue": Tasks, "roadmap": Roadmap, "research": Research, "exploration": Research, "brainstorm": Research, "spike": Research, "idea": Research, "analysis": Research,
	"report": Report, "review": Report, "eval": Report, "result": Report, "audit": Report, "retro": Report, "retrospective": Report, "postmortem": Report, "status": Report, "session": Report, "summaries": Report,
	"architecture": Architecture, "design": Architecture, "diagram": Architecture, "reference": Reference, "references": "", "api": Reference, "guide": Guide, "tutorial": Guide, "how-to": Guide, "howto": Guide, "runbook": Guide, "releasing": Guide, "contributing": Guide, "agent": Rules, "skill": Rules, "role": Rules,
	"blog": Other, "post": Other, "marketing": Other, "issue_template": Config, "pull_request_template": Config, "prompt": Rules, "template": Config,
}

// folderClass looks a folder up, and the last word of its name: user-guides.
func folderClass(folder string) string {
	for _, name := range []string{folder, folder[strings.LastIndexAny(folder, "-_")+1:]} {
		for _, name := range []string{name, strings.TrimSuffix(name, "s")} {
			if class, known := folders[name]; known {
				return class
			}
		}
	}
	return ""
}

// nameClass decides by the words of the name, else by the nearest folder that says something.
// A name that is a number and words (0007-use-x) is one of its folder's, whatever the words; so are
// decisions, and posts, whatever they are about.
func nameClass(file string) string {
	lower := strings.ToLower(strings.TrimSuffix(file, path.Ext(file)))
	dir, base := path.Split(lower)
	parts := strings.Split(strings.Trim(dir, "/"), "/")
	slices.Reverse(parts)
	if base == "readme" || strings.HasPrefix(base, "readme.") || strings.HasPrefix(base, "readme_") {
		return Readme
	}
	nearest := folderClass(parts[0])
	if numbered := base != strings.TrimLeft(base, "0123456789"); numbered && nearest != "" {
		return nearest
	}
	base = undated(strings.NewReplacer("_", "-", " ", "-", ".", "-").Replace(base))
	switch {
	case base == "template", strings.HasSuffix(base, "-template"), strings.HasSuffix(base, "-tmpl"):
		return Config
	case base == "index" && nearest == ADR:
		return "" // says which there are, and is none
	case nearest == ADR:
		return ADR
	case slices.ContainsFunc(parts, func(folder string) bool { return folderClass(folder) == Other }):
		return Other
	}
	if class := wordClass(base); class != "" {
		return class
	}
	for _, folder := range parts {
		if class := folderClass(folder); class != "" {
			return class
		}
	}
	return ""
}

// wordClass decides by the last words of a name, else by its first.
func wordClass(base string) string {
	for _, n := range names {
		for _, name := range []string{base, strings.TrimSuffix(base, "s")} {
			if rest, found := strings.CutSuffix(name, n.word); found && (rest == "" || strings.HasSuffix(rest, "-")) {
				return n.class
			}
		}
	}
	for _, n := range names {
		if strings.HasPrefix(base, n.word+"-") && leads[n.class] {
			return n.class
		}
	}
	return ""
}

// undated is a name without the numbers at its end: those of a date, a version, a part.
func undated(base string) string {
	short := strings.TrimRight(strings.TrimRight(base, "0123456789-"), "-")
	if rest, isVersion := strings.CutSuffix(short, "-v"); isVersion {
		short = rest
	}
	return cmp.Or(short, base)
}

// leads are the classes whose words decide at the beginning of a name too: what follows only
// says of what.
var leads = map[string]bool{Reference: true, Report: true, PRD: true, ADR: true, Changelog: true, Plan: true, Tasks: true, Roadmap: true, Spec: true, Architecture: true}

// belowDocs reports whether a file is in a folder of documentation.
func belowDocs(file string) bool {
	return slices.ContainsFunc(strings.Split(strings.ToLower(path.Dir(file)), "/"), func(folder string) bool {
		return slices.Contains([]string{"docs", "doc", "documentation", "wiki"}, folder)
	})
}
