package documents

import (
	"strings"

	"github.com/idumb-dev/idumb/resources/source"
)

// headingSet is a class that headings show: all of one list, and as many as said of another.
type headingSet struct {
	class string
	all   []string
	some  []string
	least int
}

// headingSets are looked at in this order. A heading counts if it begins with the words.
var headingSets = [...]headingSet{
	{Spec, nil, []string{"added requirements", "modified requirements", "removed requirements", "renamed requirements"}, 1},
	{Spec, []string{"purpose", "requirements"}, []string{"requirement:", "scenario:"}, 1},
	{Spec, []string{"motivation"}, []string{"detailed design", "drawbacks", "unresolved questions", "basic example", "adoption strategy", "how we teach this", "prior art"}, 2},
	{Plan, []string{"why", "what changes"}, nil, 0},
	{Changelog, nil, []string{"added", "changed", "fixed", "removed", "security", "bugfixes", "bug fixes", "breaking changes", "minor changes", "major changes", "patch changes", "deprecations"}, 2},
	{PRD, []string{"goals"}, []string{"user stories", "functional requirements", "success metrics", "target users", "personas"}, 1},
	{PRD, []string{"core value", "requirements"}, nil, 0},
	{Readme, []string{"license"}, []string{"installation", "install", "usage", "features", "getting started", "quick start", "quickstart", "contributing", "development"}, 2},
	{Readme, []string{"installation", "features"}, nil, 0},
	{Readme, []string{"installation", "usage"}, nil, 0},
	{Readme, nil, []string{"features", "tech stack", "getting started", "quick start", "documentation", "license", "contributing", "acknowledgement", "acknowledgements", "badges", "demo"}, 2},
}

// decisionSets are the headings of decisions and of forms, which hold whatever the title says.
var decisionSets = [...]headingSet{
	{ADR, []string{"context", "decision", "consequences"}, nil, 0},
	{ADR, []string{"considered options", "decision outcome"}, nil, 0},
	{ADR, []string{"context", "decision"}, []string{"status", "alternatives", "options", "rationale", "considered"}, 1},
	{Config, nil, []string{"type of change", "related issues", "related issue", "checklist", "checklist before", "how has this been tested", "screenshots", "changes made"}, 2},
}

// titles are words of a title, and what it is a title of. Of several the first in this list decides.
var titles = [...]struct{ words, class string }{
	{"changelog", Changelog}, {"change log", Changelog}, {"release notes", Changelog}, {"what's new", Changelog}, {"agents.md", Rules}, {"claude.md", Rules}, {"gemini.md", Rules}, {"constitution", Rules}, {"agent instructions", Rules}, {"copilot instructions", Rules}, {"coding standards", Rules}, {"conventions", Rules},
	{"adr-", ADR}, {"adr", ADR}, {"decision record", ADR}, {"decisions", ADR}, {"audit", Report}, {"retrospective", Report}, {"postmortem", Report}, {"post-mortem", Report}, {"report", Report}, {"review", Report}, {"assessment", Report},
	{"prd", PRD}, {"product brief", PRD}, {"product mission", PRD}, {"roadmap", Roadmap}, {"research", Research}, {"brainstorm", Research}, {"brainstorming", Research}, {"feasibility", Research},
	{"epics", Plan}, {"tasks:", Tasks}, {"task list", Tasks}, {"todo", Tasks}, {"story", Tasks}, {"checklist", Tasks}, {"quickstart", Guide},
	{"data model", Architecture}, {"data models", Architecture}, {"database schema", Architecture}, {"architecture", Architecture}, {"design:", Architecture}, {"technology stack", Architecture}, {"tech stack", Architecture}, {"structure", Architecture},
	{"summary", Report}, {"specification", Spec}, {"rfc", Spec}, {"api reference", Reference}, {"reference", Reference}, {"api contract", Reference}, {"api contracts", Reference}, {"contributing", Guide}, {"contribution", Guide}, {"contributor covenant", Guide}, {"code of conduct", Guide}, {"security policy", Guide}, {"guide", Guide}, {"tutorial", Guide}, {"how to", Guide}, {"getting started", Guide}, {"installation", Guide}, {"frequently asked", Guide}, {"runbook", Guide}, {"process", Guide}, {"procedure", Guide}, {"plan", Plan}, {"requirements", PRD},
}

// headingClass decides by the headings of a decision, by the title, by boxes, and by what other
// headings stand in a document.
func headingClass(t *text) string {
	if class := setClass(decisionSets[:], t.headings); class != "" {
		return class
	}
	switch boxes := t.done + t.open; {
	case versions(t.parts) >= 3:
		return Changelog
	case boxes >= 3 && t.numbered*2 > boxes:
		return Tasks // even where it calls itself a plan
	case t.named && titleClass(t.title) != "":
		return titleClass(t.title)
	case endpoints(t.headings) >= 2:
		return Reference
	case setClass(headingSets[:], t.headings) != "":
		return setClass(headingSets[:], t.headings)
	case boxes*10 >= t.lines && t.steps >= 1:
		return Plan
	}
	return ""
}

// titleClass finds the first words of the list that stand in a title, apart from others.
func titleClass(title string) string {
	title = " " + strings.ToLower(title) + " "
	apart := func(c byte) bool { return !isLetter(c) && c != '-' && c != '_' && c != '.' }
	for _, one := range titles {
		at := strings.Index(title, one.words)
		if at > 0 && apart(title[at-1]) && (apart(title[at+len(one.words)]) || strings.HasSuffix(one.words, "-") || strings.HasSuffix(one.words, ":")) {
			return one.class
		}
	}
	return ""
}

// setClass is the class of the first set that the headings have.
func setClass(sets []headingSet, headings []string) string {
	for _, set := range sets {
		if hits(headings, set.all) == len(set.all) && hits(headings, set.some) >= set.least {
			return set.class
		}
	}
	return ""
}

// hits counts the words that some heading begins with.
func hits(headings, words []string) int {
	n := 0
	for _, w := range words {
		for _, h := range headings {
			if rest, found := strings.CutPrefix(h, w); found && (rest == "" || !isLetter(rest[0])) {
				n++
				break
			}
		}
	}
	return n
}

func isLetter(c byte) bool { return c >= 'a' && c <= 'z' || c >= 0x80 }

// versions counts headings that are versions: [1.2.0] - 2024-01-01, v1.2, unreleased. A
// chapter has a number too (1.2 Services), but words behind it.
func versions(headings []source.Heading) int {
	n := 0
	for _, section := range headings {
		h := strings.TrimPrefix(strings.TrimLeft(strings.ToLower(section.Text), "[( "), "version ")
		if strings.HasPrefix(h, "unreleased") {
			n++
			continue
		}
		number := firstField(strings.TrimPrefix(h, "v"))
		rest := strings.TrimSpace(strings.TrimPrefix(strings.TrimPrefix(h, "v"), number))
		dots := strings.Count(strings.TrimRight(number, ".])"), ".")
		if number != "" && number[0] >= '0' && number[0] <= '9' && section.Level <= 3 && (dots >= 2 || dots == 1 && (rest == "" || !isLetter(rest[0]))) {
			n++
		}
	}
	return n
}

func firstField(s string) string {
	first, _, _ := strings.Cut(s, " ")
	return first
}

// endpoints counts headings that are calls of an interface: GET /users.
func endpoints(headings []string) int {
	n := 0
	for _, h := range headings {
		method, rest, _ := strings.Cut(strings.Trim(h, "`* "), " ")
		switch strings.Trim(method, "*`") {
		case "get", "post", "put", "patch", "delete":
			if strings.HasPrefix(strings.Trim(rest, "`* "), "/") {
				n++
			}
		}
	}
	return n
}
