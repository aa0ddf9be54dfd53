package documents

import (
	"slices"
	"strings"
	"unicode"
)

// sign is what speaks for a class where no rule decides: words that begin a word of the title, of headings, or of
// what the document says of itself in its first lines. Each of a title counts two, all others one.
type sign struct{ class, title, headings, opening string }

// signs are looked at in this order: of classes with as much evidence the first holds. Words are parted by |. They
// were counted in 2,800 documents whose places say their class: one that its class does not have twice as often as the
// others was left out. Those of sections that are rarer, and of other languages, are by reading.
var signs = [...]sign{
	{ADR, "adr", "considered|context|decision|decisions|decision drivers|alternatives|consequences|positive|negative|rejected", "deciders"},
	{PRD, "product |requirements|требования|需求|产品", "functional requirements|problem|target users|personas|users|user stories|core value|out of scope|success criteria|success metrics|constraints|персоны|проблема|用户|功能", "product |requirements"},
	{Tasks, "tasks|task list|backlog|checklist|todo|issues|tickets", "checklist|backlog|todo|to do|regression", "checklist|backlog|tasks|priority:|depends on:|category:"},
	{Report, "summary|report|audit|review|handoff|status|verification|complete|results|result|baseline|findings|diagnosis|evaluation|progress",
		"result|results|finding|findings|verification|evidence|conclusion|test coverage|test results|recommendations|executive summary|root cause|what was|what changed|files changed|files created|issues|gaps|blockers|verdict|lessons|success metrics|immediate actions",
		"this report|summary|executive|completed|successfully|achiev|passed|delivered|reviewed|audit|remediation|verdict|diagnos"},
	{Research, "research|analysis|comparison|exploration|options|study|研究|分析", "sources|open questions|alternatives|comparison|recommended|recommendation|state of|pitfall|common pitfalls|pros|cons|trade-offs", "research|analysis|landscape|recommendation|compar|investigat|candidate|paper"},
	{Spec, "spec|rfc|规范", "purpose|invariants|interface|failure modes|edge cases|requirement|requirements|scenario|acceptance|acceptance criteria|out of scope|non-goals|proposed|motivation|detailed design|drawbacks|unresolved questions", "shall|specification|scenario|requirement|规范"},
	{Architecture, "architecture|design|structure|flow|storage|model|pipeline|schema|internals|map|схема|архитектура|架构|设计",
		"background|design|goals|decisions|risks|migration plan|data flow|flow|components|core components|layers|state machine|modules|data model|schema|pipeline|design principles|directory structure|architecture|system architecture|implementation|known limitations|storage|lifecycle|интерфейс|диаграмм|背景|设计|实现",
		"architecture|design|consists of|component|data flow|describes how|principles|subsystem|responsib|diagram|架构|设计"},
	{Rules, "agent|agents|prompt|role|skill|instructions|rules|claude", "rules|critical rules|never|always|output|guardrails|when to use|workflow|input|conventions|naming", "agent|you are|your task|instructions|claude"},
	{Readme, "documentation|scripts|index", "license|contributing|installation|usage|quick start|quick links|getting started|features|tech stack|project structure|structure|contents|community|documentation|what is|what it does", "this folder|this directory|this package|this crate|this repository|contains|documentation for|license|эта папка"},
	{Reference, "api|reference|schema|glossary|fields|variables|parameters|commands|error codes|configuration|cli|metrics|format|команды",
		"fields|parameters|request|response|types|syntax|properties|endpoint|endpoints|methods|api endpoints|authentication|errors|environment variables|schema|options|defaults|events|commands|команды|severity|detection",
		"reference|endpoint|openapi|method|settings|options"},
	{Guide, "guide|setup|using|running|installing|contributing|debugging|development|testing|custom|deploy|upgrad|migrating|onboarding|troubleshooting|security|policy|getting started|how|безопасность|руководство|指南",
		"prerequisites|pre-requisites|before|step|install|installing|configure|running|using|adding|how to|accessing|verify|troubleshooting|common issues|getting help|reporting|supported versions|development setup|pull request|code style|setup|controls|авторизация",
		"guide|contributing|prerequisites|please|you can|you need|to run|how to|learn|install|choose|set up|指南"},
	{Roadmap, "roadmap|vision|дорожная|路线图", "now|later|shipped|phases|milestone|milestones|progress|q1|q2|q3|q4|v1|v2", "roadmap|milestone|shipped|planned|future"},
	{Plan, "plan|implementation|计划|план", "task|phase|goal|impact|what changes|milestones|file structure|deliverables|success criteria|rollback|rollout", "plan|objective|goal|execut|implement"},
}

// How much evidence decides: more for what agents follow or plan by. A document that has less is other.
const leastEvidence, leastToFollow = 2, 3

// licences are what only the texts of licences say at their beginning.
const licences = "permission is hereby granted|all rights reserved.|redistribution and use in source|gnu general public license\nversion|apache license\nversion"

// evidenceClass is the class for which most speaks, "" where too little does. Where the place of a document is known,
// rules and readmes are known by it, and what only reads like one is something else.
func evidenceClass(t *text, placed bool) string {
	if begins(t.opening, licences) > 0 {
		return ""
	}
	best, class := 0, ""
	for _, s := range signs {
		if placed && (s.class == Rules || s.class == Readme) {
			continue
		}
		least := leastEvidence
		if slices.Contains([]string{PRD, Spec, Plan, Tasks, Rules, Roadmap}, s.class) {
			least = leastToFollow
		}
		if n := t.evidence(s); n > best && n >= least {
			best, class = n, s.class
		}
	}
	return class
}

// evidence is how much speaks for a class: words, and how the document is made.
func (t *text) evidence(s sign) int {
	n := 2*min(1, begins(strings.ToLower(t.title), s.title)) + min(2, begins(t.opening, s.opening))
	found := 0
	for _, h := range t.headings {
		if h != strings.ToLower(t.title) {
			found += min(1, leading(h, s.headings))
		}
	}
	n += min(3, found)
	switch s.class {
	case ADR:
		n += count(slices.Contains([]string{"proposed", "accepted", "rejected", "superseded", "deprecated"}, t.state)) // whichever: a class stays where a decision is taken
	case Report:
		n += count(t.dated) + t.every(10, t.past) + t.every(4, t.past)
	case Spec:
		n += 2*t.every(7, t.musts) + 2*count(t.ids >= 8)
	case Architecture:
		n += 2 * count(t.diagrams > 0)
	case Readme:
		n += 2*count(t.badges > 0) + count(packageName(t.title))
	case Reference:
		n += t.every(3, t.rows) + 2*count(t.calls >= 2) + 2*count(t.quoted >= 3)
	case Guide:
		n += count(t.commands > 0) + count(t.orders >= 3)
	case Rules:
		n += t.every(7, t.musts) + t.every(3, t.orders)
	case Tasks:
		n += 2*t.every(3, t.open+t.done) + 2*begins(t.opening, "priority:")
	}
	return n
}

// every is 1 where there are so many of something that, spread evenly, one of so many lines has it.
func (t *text) every(lines, many int) int { return count(many > 0 && many*lines >= t.lines) }

func count(is bool) int {
	if is {
		return 1
	}
	return 0
}

// begins counts the words of a list that begin a word of a text.
func begins(text, words string) (n int) {
	if words == "" {
		return 0
	}
	for word := range strings.SplitSeq(words, "|") {
		for rest := text; ; {
			at := strings.Index(rest, word)
			if at < 0 {
				break
			}
			if at == 0 || !isLetter(rest[at-1]) && rest[at-1] != '-' && rest[at-1] != '_' {
				n++
				break
			}
			rest = rest[at+len(word):]
		}
	}
	return n
}

// leading is how many words of a list a heading begins with.
func leading(heading, words string) (n int) {
	if words == "" {
		return 0
	}
	for word := range strings.SplitSeq(words, "|") {
		if rest, found := strings.CutPrefix(heading, word); found && (rest == "" || !isLetter(rest[0]) || strings.HasSuffix(word, "-")) {
			n++
		}
	}
	return n
}

// packageName reports whether a title is what programs are called: one word in lower case, or a path.
func packageName(title string) bool {
	return title != "" && !strings.ContainsAny(title, " ") && (strings.ContainsAny(title, "-_/") || title == strings.ToLower(title)) && unicode.IsLetter(rune(title[0]))
}
