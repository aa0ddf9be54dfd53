package documents_test

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/idumb-dev/idumb/resources/project"
	"github.com/idumb-dev/idumb/resources/project/documents"
)

// folder is the files of a folder of this disk.
type folder struct {
	root  string
	paths []string
}

func (f folder) Paths() []string { return f.paths }

func (f folder) Read(path string) ([]byte, error) {
	r, err := os.Open(filepath.Join(f.root, path))
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(io.LimitReader(r, project.MaxRead))
}

// write puts files into a folder of its own.
func write(t testing.TB, files map[string]string) project.Files {
	t.Helper()
	root := t.TempDir()
	for name, text := range files {
		file := filepath.Join(root, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(file), 0o755))
		require.NoError(t, os.WriteFile(file, []byte(text), 0o644))
	}
	f := folder{root: root}
	require.NoError(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			name, _ := filepath.Rel(root, path)
			f.paths = append(f.paths, filepath.ToSlash(name))
		}
		return err
	}))
	slices.Sort(f.paths)
	return f
}

// Every framework is seen by its folders, and its documents are what their places say.
func TestFrameworks(t *testing.T) {
	for name, want := range map[string]map[string]string{
		"bmad": {
			"_bmad/core/agents/x.md": "rules", "_bmad/core/agents/x-template.md": "config", "_bmad/core/data/x.md": "config", "_bmad-output/planning-artifacts/prd.md": "prd", "_bmad-output/planning-artifacts/prd-validation-report.md": "report",
			"_bmad-output/planning-artifacts/architecture.md": "architecture", "_bmad-output/planning-artifacts/epics.md": "tasks", "_bmad-output/implementation-artifacts/1-2-login.md": "tasks",
			"docs/stories/1.1.story.md": "tasks", "docs/prd.md": "prd", "docs/architecture/tech-stack.md": "architecture",
		},
		"gsd": {
			".planning/PROJECT.md": "prd", ".planning/ROADMAP.md": "roadmap", ".planning/STATE.md": "report", ".planning/REQUIREMENTS.md": "prd", ".planning/phases/01-x/01-02-PLAN.md": "plan",
			".planning/phases/01-x/01-02-SUMMARY.md": "report", ".planning/codebase/ARCHITECTURE.md": "architecture", ".planning/milestones/v1.0-ROADMAP.md": "roadmap", ".planning/research/STACK.md": "research",
		},
		"spec-kit": {
			".specify/memory/constitution.md": "rules", ".specify/templates/spec-template.md": "config", "specs/001-login/spec.md": "spec", "specs/001-login/plan.md": "plan", "specs/001-login/research.md": "research",
			"specs/001-login/data-model.md": "architecture", "specs/001-login/tasks.md": "tasks", "specs/001-login/quickstart.md": "guide", "specs/001-login/contracts/api.md": "reference",
			".specify/specs/002-pay/plan.md": "plan", ".specify/specs/client-v1.md": "other",
		},
		"openspec": {
			"openspec/project.md": "rules", "openspec/specs/auth/spec.md": "spec", "openspec/changes/add-x/proposal.md": "plan", "openspec/changes/add-x/design.md": "architecture", "openspec/changes/add-x/tasks.md": "tasks",
			"openspec/changes/add-x/specs/auth/spec.md": "spec", "openspec/changes/archive/2025-01-01-y/proposal.md": "plan",
		},
		"kiro":        {".kiro/specs/login/requirements.md": "prd", ".kiro/specs/login/design.md": "architecture", ".kiro/specs/login/tasks.md": "tasks", ".kiro/steering/tech.md": "rules"},
		"agent-os":    {".agent-os/product/mission.md": "prd", ".agent-os/product/roadmap.md": "roadmap", ".agent-os/specs/2025-01-01-x/spec.md": "spec", ".agent-os/specs/2025-01-01-x/sub-specs/api-spec.md": "spec", ".agent-os/specs/2025-01-01-x/tasks.md": "tasks", ".agent-os/standards/css.md": "rules"},
		"task-master": {".taskmaster/docs/prd.md": "prd", ".taskmaster/tasks/task_001.md": "tasks"},
		"backlog.md":  {"backlog/tasks/task-1 - X.md": "tasks", "backlog/decisions/decision-1 - X.md": "adr", "backlog/completed/task-2 - Y.md": "tasks"},
		"beads":       {".beads/README.md": "config"},
	} {
		t.Run(name, func(t *testing.T) {
			files := map[string]string{}
			for path := range want {
				files[path] = "# Nothing that says what it is\n"
			}
			all := write(t, files)
			found := documents.Frameworks(all)
			require.Len(t, found, 1)
			assert.Equal(t, name, found[0].Name)
			assert.NotEmpty(t, found[0].Evidence)
			for _, d := range documents.Find(all, nil) {
				assert.Equal(t, want[d.Path], d.Class, d.Path)
				assert.Equal(t, name, d.Framework, d.Path)
			}
		})
	}
}

func TestTheDocumentsOfAFrameworkThatIsNotThereAreNotItsOwn(t *testing.T) {
	all := write(t, map[string]string{"docs/stories/tale.md": "# A tale\n", "specs/login/plan.md": "# X\n", "examples/.specify/memory/constitution.md": "# X"})
	assert.Empty(t, documents.Frameworks(all))
	for _, d := range documents.Find(all, nil) {
		assert.Empty(t, d.Framework, d.Path)
	}
}

// A document plans work by its front matter or by a whole name at the root or in docs/, never by a word.
func TestClasses(t *testing.T) {
	for _, c := range []struct{ path, text, class, by string }{
		{"AGENTS.md", "# Project\n## Goals\n## User stories\n", "rules", "name"},
		{"src/.cursor/rules/go.mdc", "x", "rules", "name"},
		{".claude/plans/login.md", "x", "other", "none"},
		{".claude/skills/plan/SKILL.md", "x", "rules", "name"},
		{"notes/a.md", "---\ntype: prd\n---\n# X\n", "prd", "front matter"},
		{"notes/a.md", "---\ntype: implementation plan\n---\n# X\n", "plan", "front matter"},
		{"notes/a.md", "---\nstatus: accepted\ndeciders: [me]\n---\n# X\n", "adr", "front matter"},
		{"notes/a.md", "---\nname: x\ndescription: y\n---\n# X\n", "rules", "front matter"},
		{"notes/a.md", "---\n'shop': minor\n---\nMore\n", "changelog", "front matter"},
		{"docs/adr/0007-plan-the-guide.md", "# X\n", "adr", "name"},
		{"adr/old/0007-x.md", "# X\n", "adr", "name"},
		{"docs/adr/index.md", "# X\n", "other", "name"},
		{"docs/adr/adr-template.md", "# X\n", "other", "name"},
		{"docs/architecture-decisions/fonts.md", "x", "other", "none"},
		{"README.md", "# X\n## Context\n## Decision\n## Consequences\n", "readme", "name"},
		{"pkg/README.zh.md", "x", "readme", "name"},
		{"CHANGELOG.md", "x", "changelog", "name"},
		{"PRD.md", "x", "prd", "name"},
		{"docs/roadmap.md", "x", "roadmap", "name"},
		{"docs/Architecture.md", "x", "architecture", "name"},
		{"SPEC.md", "x", "spec", "name"},
		{"docs/web/spec.md", "x", "other", "none"},
		{"crates/x/ARCHITECTURE.md", "x", "other", "none"},
		{"docs/billing-prd.md", "x", "other", "none"},
		{"docs/guides/10.tasks.md", "- [ ] 1. a\n- [ ] 2. b\n- [ ] 3. c\n", "guide", "name"},
		{"10.tasks.md", "- [ ] 1. a\n- [ ] 2. b\n- [ ] 3. c\n", "other", "none"},
		{"docs/version-2-schema.md", "# Database schema\n", "guide", "folder"},
		{"docs/incident-response-plan.md", "# Plan\n## Why\n## What changes\n", "other", "none"},
		{"schema.md", "x", "other", "none"},
		{"docs/tasks.md", "x", "other", "none"},
		{"plan.md", "x", "other", "none"},
		{"docs/plans/x.md", "x", "other", "none"},
		{"docs/threat-model.md", "x", "guide", "folder"},
		{"docs/loop-evaluation-2026-06-19.md", "x", "other", "none"},
		{"docs/research/fonts.md", "x", "research", "name"},
		{"website/blog/roadmap.md", "x", "other", "none"},
		{".github/ISSUE_TEMPLATE/bug.md", "x", "config", "name"},
		{"notes/a.md", "# Use Postgres\n## Context\n## Decision\n## Consequences\n", "other", "none"},
		{"notes/a.md", "# Implementation Plan\n- [ ] 1. a\n- [ ] 2. b\n- [x] 2.1 c\n", "other", "none"},
		{"docs/a.md", "# Fonts\n", "guide", "folder"},
	} {
		d := documents.Read(c.path, []byte(c.text), nil)
		assert.Equal(t, c.class+" by "+c.by, d.Class+" by "+d.Rule, "%s: %q", c.path, c.text)
	}
}

func TestStates(t *testing.T) {
	for text, want := range map[string]string{
		"# A\nStatus: Accepted\n":                                            "accepted@2",
		"# A\n\n**Status**: Draft, to be done\n":                             "draft@3",
		"# A\n* Status: proposed\n":                                          "proposed@2",
		"# A\n> **Status:** In Progress\n":                                   "active@2",
		"# A\n## Status\n\nSuperseded by [ADR 5](0005-x.md)\n":               "superseded@4 by docs/adr/0005-x.md",
		"---\nstatus: superseded by ADR-0123\n---\n# A\n":                    "superseded@2 by ADR-0123",
		"---\nstatus: done\nsupersedes: old.md\n---\n":                       "completed@2 for docs/adr/old.md",
		"---\nstatus: \"{proposed | rejected | accepted}\"\n---\n# A\n":      "@0",
		"# A\nStatus: proposed | accepted\n":                                 "@0",
		"# A\n```\nStatus: Accepted\n```\n":                                  "@0",
		"# A\nStatus codes: done\n":                                          "@0",
		"# A\nSupersedes: [the old one](../old/plan.md)\nStatus: Rejected\n": "rejected@3 for docs/old/plan.md",
	} {
		d := documents.Read("docs/adr/0001-a.md", []byte(text), nil)
		got := d.State + "@" + string(rune('0'+d.StateLine))
		if d.SupersededBy != "" {
			got += " by " + d.SupersededBy
		}
		if d.Supersedes != "" {
			got += " for " + d.Supersedes
		}
		assert.Equal(t, want, got, text)
	}
}

func TestAnArchiveIsCompleted(t *testing.T) {
	all := write(t, map[string]string{"openspec/changes/archive/2025-01-01-y/tasks.md": "# X\n- [x] a\n- [ ] b\n"})
	found := documents.Find(all, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "completed", found[0].State)
	assert.Equal(t, 1, found[0].BoxesDone)
	assert.Equal(t, 1, found[0].BoxesOpen)
}

// Links to what is there are kept; those to what once was are gone; others are nobody's business.
func TestLinks(t *testing.T) {
	all := write(t, map[string]string{
		"docs/a.md": "# A\n[b](b.md#x) [src](../src/) ![i](<img/a b.png>) `[code](../gone.go)`\n" +
			"[dead](../scripts/plan.ts \"title\") [never](../never.ts) [out](../../etc/passwd) [web](https://x.y/z.md) [root](/docs/b.md)\n" +
			"```\n[fenced](../scripts/plan.ts)\n```\n\n[ref]: b.md\n[^1]: scripts/x\n",
		"docs/b.md": "b", "src/main.go": "x", "docs/img/a b.png": "x",
	})
	was := func(path string) bool { return path == "scripts/plan.ts" || path == "gone.go" }
	found := documents.Find(all, was)
	require.Len(t, found, 2)
	assert.Equal(t, []documents.Link{{Path: "docs/b.md", Line: 2}, {Path: "docs/img/a b.png", Line: 2}, {Path: "docs/b.md", Line: 8}}, found[0].Links)
	assert.Equal(t, []documents.Link{{Path: "scripts/plan.ts", Line: 3}}, found[0].DeadLinks)
	assert.Empty(t, found[0].Sections, "the title is none")
	assert.Empty(t, documents.Find(all, nil)[0].DeadLinks)
}

func TestFixturesAndVendoredFilesAreNoDocuments(t *testing.T) {
	all := write(t, map[string]string{"examples/README.md": "x", "gen/a.md": "x", "b.md": "x", ".gitattributes": "gen/** linguist-generated\n"})
	found := documents.Find(all, nil)
	require.Len(t, found, 1)
	assert.Equal(t, "b.md", found[0].Path)
}

// hostile are texts of strangers, each as long as asked.
var hostile = map[string]func(n int) string{
	"links":        func(n int) string { return strings.Repeat("[a](b.md) ", n/10) },
	"open links":   func(n int) string { return strings.Repeat("[a](", n/4) },
	"ticks":        func(n int) string { return strings.Repeat("`", n) },
	"fences":       func(n int) string { return strings.Repeat("```\n", n/4) },
	"headings":     func(n int) string { return strings.Repeat("# context\n", n/10) },
	"front matter": func(n int) string { return "---\n" + strings.Repeat("a:\n ", n/4) },
	"states":       func(n int) string { return strings.Repeat("Status: \n", n/9) },
	"not UTF-8":    func(n int) string { return "# " + strings.Repeat("\xff\x80", n/2) },
	"boxes":        func(n int) string { return strings.Repeat("- [ ] 1\n", n/8) },
	"one line":     func(n int) string { return "Status: " + strings.Repeat("superseded by ", n/14) },
}

func TestHostileDocumentsAreRead(t *testing.T) {
	for name, text := range hostile {
		data := []byte(text(project.MaxRead))
		began := time.Now()
		documents.Read("docs/a.md", data, nil)
		assert.Less(t, time.Since(began), 5*time.Second, name)
	}
}

func FuzzRead(f *testing.F) {
	for _, text := range hostile {
		f.Add("docs/a.md", []byte(text(200)))
	}
	f.Add("a/../b.md", []byte("---\nstatus: superseded by [x](../../y.md)\n---\n# A\n[b](../../../c)"))
	f.Fuzz(func(t *testing.T, path string, data []byte) {
		d := documents.Read(path, data, nil)
		assert.NotEmpty(t, d.Class)
		lines := strings.Count(string(data), "\n") + 1
		for _, l := range d.Links {
			assert.True(t, l.Line > 0 && l.Line <= lines)
			assert.False(t, strings.HasPrefix(l.Path, "../") || strings.HasPrefix(l.Path, "/"), l.Path)
		}
		assert.LessOrEqual(t, d.StateLine, lines)
	})
}
