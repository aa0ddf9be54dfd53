package documents

import (
	"slices"
	"strings"

	"github.com/idumb-dev/idumb/resources"
	"github.com/idumb-dev/idumb/resources/project"
)

// Framework is a planning framework with files in a repository.
type Framework struct {
	Name     string   `json:"name"`
	Evidence []string `json:"evidence"` // files that indicate it, one per sign
	table    *frameworkRow
}

// frameworkRow is a framework with its signs, and its documents in order of precedence.
type frameworkRow struct {
	name      string
	signs     []string // file patterns
	documents []documentRow
}

// documentRow is a pattern of a framework's documents. If class is empty, other rules
// determine the class.
type documentRow struct {
	pattern, class, state string
}

// frameworks is the table of planning frameworks.
var frameworks = [...]frameworkRow{
	{"bmad", []string{"_bmad/**", "_bmad-output/**", ".bmad-core/**", ".bmad/**", "bmad/_cfg/**"}, []documentRow{
		{"_bmad-output/**/*report*.md", Report, ""}, {"_bmad-output/**/*review*.md", Report, ""}, {"_bmad-output/**/*validation*.md", Report, ""},
		{"_bmad-output/**/*prd*.md", PRD, ""}, {"_bmad-output/**/*prd*/**", PRD, ""}, {"_bmad-output/**/*brief*.md", PRD, ""},
		{"_bmad-output/**/*architecture*.md", Architecture, ""}, {"_bmad-output/**/*architecture*/**", Architecture, ""},
		{"_bmad-output/**/*readiness*.md", Report, ""}, {"_bmad-output/**/*retro*.md", Report, ""}, {"_bmad-output/**/*change-proposal*.md", Plan, ""},
		{"_bmad-output/**/*epic*.md", Tasks, ""}, {"_bmad-output/**/*epics*/**", Tasks, ""}, {"_bmad-output/**/*ux*.md", Spec, ""}, {"_bmad-output/**/*ux*/**", Spec, ""},
		{"_bmad-output/**/*research*.md", Research, ""}, {"_bmad-output/**/research/**", Research, ""}, {"_bmad-output/**/*brainstorm*", Research, ""}, {"_bmad-output/**/brainstorming/**", Research, ""},
		{"_bmad-output/**/*tech-spec*.md", Spec, ""}, {"_bmad-output/**/project-context.md", Rules, ""}, {"_bmad-output/**/*deferred-work*.md", Tasks, ""},
		{"_bmad-output/**/[0-9]*-[0-9]*-*.md", Tasks, ""}, {"_bmad-output/**/*story*.md", Tasks, ""}, {"_bmad-output/**/stories/**", Tasks, ""},
		{"_bmad-output/**", "", ""}, {"{_bmad,.bmad-core,.bmad}/**/*template*", Config, ""}, {"{_bmad,.bmad-core,.bmad}/**/{agents,tasks,workflows}/**", Rules, ""}, {"_bmad/**", Config, ""}, {".bmad-core/**", Config, ""}, {".bmad/**", Config, ""}, {"bmad/_cfg/**", Config, ""},
		{"docs/prd/*report*.md", Report, ""}, {"docs/prd*.md", PRD, ""}, {"docs/prd/**", PRD, ""}, {"docs/*brief*.md", PRD, ""}, {"docs/architecture*.md", Architecture, ""}, {"docs/architecture/**", Architecture, ""},
		{"docs/front-end-spec*.md", Spec, ""}, {"docs/stories/**", Tasks, ""}, {"docs/epics/**", Tasks, ""}, {"docs/qa/gates/**", Report, ""}, {"docs/qa/assessments/*test-design*", Plan, ""}, {"docs/qa/assessments/**", Report, ""},
	}},
	{"gsd", []string{".planning/PROJECT.md", ".planning/ROADMAP.md", ".planning/STATE.md"}, []documentRow{
		{".planning/**/*-PLAN.md", Plan, ""}, {".planning/**/PLAN.md", Plan, ""}, {".planning/**/*-SUMMARY.md", Report, ""}, {".planning/**/*RESEARCH*.md", Research, ""},
		{".planning/**/*-CONTEXT.md", Research, ""}, {".planning/**/*DISCUSSION*.md", Research, ""}, {".planning/**/*VERIFICATION*.md", Report, ""}, {".planning/**/*UAT*.md", Report, ""},
		{".planning/**/*REVIEW*.md", Report, ""}, {".planning/**/*AUDIT*.md", Report, ""}, {".planning/phases/**/*SECURITY*.md", Report, ""}, {".planning/**/*VALIDATION*.md", Report, ""}, {".planning/**/*UI-SPEC*.md", Spec, ""},
		{".planning/**/*ROADMAP*.md", Roadmap, ""}, {".planning/**/*REQUIREMENTS*.md", PRD, ""}, {".planning/PROJECT.md", PRD, ""}, {".planning/STATE.md", Report, ""},
		{".planning/MILESTONES.md", Report, ""}, {".planning/RETROSPECTIVE.md", Report, ""}, {".planning/research/**", Research, ""},
		{".planning/codebase/ARCHITECTURE.md", Architecture, ""}, {".planning/codebase/STACK.md", Architecture, ""}, {".planning/codebase/STRUCTURE.md", Architecture, ""}, {".planning/codebase/INTEGRATIONS.md", Architecture, ""},
		{".planning/codebase/CONVENTIONS.md", Rules, ""}, {".planning/codebase/**", Report, ""}, {".planning/todos/done/**", Tasks, "completed"}, {".planning/todos/**", Tasks, ""},
		{".planning/debug/**", Report, ""}, {".planning/**", "", ""},
	}},
	{"spec-kit", []string{".specify/**", "specs/[0-9][0-9][0-9]-*/spec.md"}, []documentRow{
		{".specify/memory/**", Rules, ""}, {".specify/**/commands/**", Rules, ""}, {"{.specify/,}specs/*/spec.md", Spec, ""}, {"{.specify/,}specs/*/plan.md", Plan, ""}, {"{.specify/,}specs/*/research.md", Research, ""},
		{"{.specify/,}specs/*/data-model.md", Architecture, ""}, {"{.specify/,}specs/*/tasks.md", Tasks, ""}, {"{.specify/,}specs/*/quickstart.md", Guide, ""}, {"{.specify/,}specs/*/contracts/**", Reference, ""},
		{"{.specify/,}specs/*/checklists/**", Tasks, ""}, {"{.specify/,}specs/**", "", ""}, {".specify/**", Config, ""},
	}},
	{"openspec", []string{"openspec/project.md", "openspec/config.yaml", "openspec/specs/**", "openspec/changes/**"}, []documentRow{
		{"openspec/project.md", Rules, ""}, {"openspec/AGENTS.md", Rules, ""}, {"openspec/specs/**/spec.md", Spec, ""}, {"openspec/specs/**/design.md", Architecture, ""}, {"openspec/specs/**", Spec, ""},
		{"openspec/changes/archive/**/proposal.md", Plan, "completed"}, {"openspec/changes/archive/**/design.md", Architecture, "completed"},
		{"openspec/changes/archive/**/tasks.md", Tasks, "completed"}, {"openspec/changes/archive/**/spec.md", Spec, "completed"}, {"openspec/changes/archive/**", "", "completed"},
		{"openspec/changes/**/proposal.md", Plan, ""}, {"openspec/changes/**/design.md", Architecture, ""}, {"openspec/changes/**/tasks.md", Tasks, ""},
		{"openspec/changes/**/spec.md", Spec, ""}, {"openspec/changes/*/specs/**", Spec, ""}, {"openspec/explorations/**", Research, ""}, {"openspec/**", "", ""},
	}},
	{"kiro", []string{".kiro/specs/**", ".kiro/steering/**"}, []documentRow{
		{".kiro/steering/**", Rules, ""}, {".kiro/specs/**/requirements.md", PRD, ""}, {".kiro/specs/**/bugfix.md", PRD, ""}, {".kiro/specs/**/design.md", Architecture, ""},
		{".kiro/specs/**/tasks.md", Tasks, ""}, {".kiro/specs/**/research.md", Research, ""}, {".kiro/settings/**", Config, ""}, {".kiro/**", "", ""},
	}},
	{"agent-os", []string{".agent-os/**", "agent-os/product/**", "agent-os/specs/**", "agent-os/standards/**"}, agentOS()},
	{"task-master", []string{".taskmaster/**"}, []documentRow{
		{".taskmaster/docs/*prd*", PRD, ""}, {".taskmaster/tasks/**", Tasks, ""}, {".taskmaster/reports/**", Report, ""}, {".taskmaster/templates/**", Config, ""}, {".taskmaster/**", "", ""},
	}},
	{"backlog.md", []string{"backlog/config.yml", "backlog/tasks/**", ".backlog/tasks/**"}, []documentRow{
		{"{.,}backlog/tasks/**", Tasks, ""}, {"{.,}backlog/drafts/**", Tasks, "draft"}, {"{.,}backlog/completed/**", Tasks, "completed"}, {"{.,}backlog/archive/**", Tasks, "abandoned"},
		{"{.,}backlog/decisions/**", ADR, ""}, {"{.,}backlog/milestones/**", Roadmap, ""}, {"{.,}backlog/**", "", ""},
	}},
	{"beads", []string{".beads/**"}, []documentRow{{".beads/**", Config, ""}}},
	{"hivemind", []string{".hivemind/**"}, []documentRow{{".hivemind/**", "", ""}}},
	{"idumb", []string{".idumb/brain/**", ".idumb/idumb-brain/**", ".idumb/idumb-config.json"}, []documentRow{{".idumb/**", "", ""}}},
}

// agentOS returns the documents in the directories of both versions of Agent OS.
func agentOS() []documentRow {
	var rows []documentRow
	for _, folder := range []string{".agent-os/", "agent-os/"} {
		for _, row := range []documentRow{
			{"product/mission*.md", PRD, ""}, {"product/roadmap.md", Roadmap, ""}, {"product/tech-stack.md", Architecture, ""}, {"product/decisions.md", ADR, ""},
			{"**/specs/**/tasks.md", Tasks, ""}, {"**/specs/**/*spec*.md", Spec, ""}, {"**/sub-specs/**", Spec, ""}, {"**/specs/**/requirements.md", PRD, ""},
			{"specs/**/verification*/**", Report, ""}, {"specs/**/implementation/**", Report, ""}, {"specs/**/planning/**", "", ""}, {"recaps/**", Report, ""}, {"standards/**", Rules, ""}, {"instructions/**", Rules, ""}, {"**", "", ""},
		} {
			rows = append(rows, documentRow{folder + row.pattern, row.class, row.state})
		}
	}
	return rows
}

// Frameworks returns the planning frameworks in use, in the order of the table. It ignores
// signs in fixture directories.
func Frameworks(files project.Files) []Framework {
	var found []Framework
	for i := range frameworks {
		row := &frameworks[i]
		f := Framework{Name: row.name, table: row}
		for _, sign := range row.signs {
			if file, ok := firstMatch(files.Paths(), sign); ok {
				f.Evidence = append(f.Evidence, file)
			}
		}
		if len(f.Evidence) > 0 {
			found = append(found, f)
		}
	}
	return found
}

// firstMatch returns the first path that matches a pattern. It uses the sort order to skip
// paths without the pattern's fixed prefix.
func firstMatch(paths []string, pattern string) (string, bool) {
	start := pattern[:strings.IndexAny(pattern+"*", "*[{")]
	from, _ := slices.BinarySearch(paths, start)
	for _, file := range paths[from:] {
		if !strings.HasPrefix(file, start) {
			break
		}
		if resources.MatchGlob(pattern, file) {
			return file, true
		}
	}
	return "", false
}

// place is the information that the place of a document in a framework implies.
type place struct{ framework, class, state string }

// placeOf returns the first matching document pattern of a framework.
func placeOf(frameworks []Framework, file string) (place, bool) {
	for _, f := range frameworks {
		if f.table == nil {
			continue
		}
		for _, row := range f.table.documents {
			if resources.MatchGlob(row.pattern, file) {
				return place{f.Name, row.class, row.state}, true
			}
		}
	}
	return place{}, false
}

// FrameworkOf returns the name of the first framework with a document, or "". Earlier
// versions of iDumb do not count, because they are migrated.
func FrameworkOf(frameworks []Framework, file string) string {
	if at, found := placeOf(frameworks, file); found && at.framework != "idumb" {
		return at.framework
	}
	return ""
}

// inFramework reports whether a file is a document of one of the frameworks.
func inFramework(frameworks []Framework, file string) bool {
	_, found := placeOf(frameworks, file)
	return found
}
