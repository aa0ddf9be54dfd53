package documents

import (
	"slices"
	"strings"
	"unicode"
)

// sign is what speaks for a class where no rule decides: words that begin a word of the title, of headings, or of
// what the document says of itself in its first lines. Each of a title counts two, all others one.
type sign struct{ class, title, headings, opening string }

// signs are looked at in this order: of classes with as much evidence the first holds. Words are parted by |.
var signs = [...]sign{
	{ADR, "", "considered options|decision|alternatives|consequences|rejected", "accepted|proposed|superseded"},
	{PRD, "product |требования|需求|产品", "persona|personas|problem|users|user stories|success metric|персоны|проблема|用户|功能", "product |hypothesis|for whom"},
	{Tasks, "issues|sprint|backlog|ticket|tickets|todo|scratchpad", "sprint|ideas|implementation|priorit|next session|acceptance criteria|to do", "priority:|status:|blocked by|список"},
	{Report, "eval|evaluation|result|results|analysis|baseline|synthesis|critique|diagnosis|findings|test coverage|iteration",
		"result|results|finding|findings|verification|evidence|caveats|conclusion|metrics|regressions|follow-up|follow-ups|coverage|test coverage|recommendation|recommendations|executive summary|limitations|what improved|root cause|run|baseline|per-",
		"this report|date:|audit|evaluat|measured|diagnos|summari|results|reviewed|run id"},
	{Research, "options|comparison|matrix|alternatives|exploration|taxonomy|rationale|trade-offs", "option|alternatives|alternative|trade-offs|comparison|pros|cons|sources|open questions|what about|vs", "options|compar|investigat|why not|candidate"},
	{Spec, "spec|methodology|proposal|console", "requirements|acceptance criteria|goal|scope|out of scope|non-goals|proposed|rules", "formal specification|specification|release target|shall"},
	{Architecture, "flow|storage|database|model|pipeline|internals|overview|map|схема|поток|хранилище|архитектура|架构|generation|game design",
		"flow|data flow|process flow|components|layers|threading|state machine|modules|data model|schema|pipeline|sequence|lifecycle|detailed steps|interface|интерфейс|erd|topology|diagrams|диаграмм|key components|how it works|tables",
		"architecture|consists of|component|data flow|describes how|pipeline|subsystem|erd"},
	{Rules, "agent|agents|prompt|prompts|skill|skills", "rules|process|output|before|tone|style", "agent|agents|skills|you are|your task|claude|copilot|teaching workspace"},
	{Readme, "", "license|quick links|reading order|structure|contents|documentation|what is|rules|wiring|how to use this|users and policies|configuration", "this folder|this directory|this repository|this package|this crate|folder contains|documentation for|examples|эта папка|pipeline for|environment|templates|files live"},
	{Reference, "api|schema|format|glossary|fields|variables|commands|команды|keybindings|reference|use cases|variants|rule|error codes|configuration|linter",
		"fields|parameters|request|response|types|syntax|options|properties|endpoints|api endpoints|default|defaults|schema|events|commands|команды|severity|variant|identity|column|columns|module map|levels|format",
		"specifies|this document specifies|reference|lists|authoritative|mapping|field|each rule|gesture|table|describes the"},
	{Guide, "setup|using|running|debugging|development|strategy|testing|custom|customizing|internationalization|operations|deploying|security|безопасность|logging|руководство|指南",
		"requirements|step|option|install|local install|permanent|configure|configuration|running|run|usage|use|adding|how|opening|accessing|troubleshooting|prerequisites|shortcuts|keyboard|controls|build|operator setup|what to build|educational|levers|tools|default|авторизация|валидация",
		"guide|you can|you need|to run|follow|how to|install|this chapter|how the|choose|pick|set up|steps|teach|press|click"},
	{Roadmap, "roadmap|vision|дорожная|路线图", "now|next|later|shipped|planned|in progress|short term|long term|future|phase|q1|q2|q3|q4|v0|v1|v2|milestone|m1|m2", "m0|m1|m2|q1|q2|shipped|planned"},
	{Plan, "plan|milestone", "milestones|phase|next steps|order|tracks|success criteria|timeline|deliverables|risks", "plan|will be|milestone"},
}

// How much evidence decides: more for what agents follow or plan by. A document that has less is other.
const leastEvidence, leastToFollow = 2, 3

// licences are what only the texts of licences say at their beginning.
const licences = "permission is hereby granted|all rights reserved.|redistribution and use in source|gnu general public license\nversion|apache license\nversion"

// evidenceClass is the class for which most speaks, "" where too little does.
func evidenceClass(t *text) string {
	if begins(t.opening, licences) > 0 {
		return ""
	}
	best, class := 0, ""
	for _, s := range signs {
		least := leastEvidence
		if slices.Contains([]string{PRD, Spec, Plan, Tasks, Rules}, s.class) {
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
	case Report:
		n += 2*count(t.dated) + count(t.past >= 3)
	case Spec:
		n += 2*count(t.musts >= 5) + 2*count(t.ids >= 8)
	case Architecture:
		n += 2 * count(t.diagrams > 0)
	case Readme:
		n += 2*count(t.badges > 0) + count(packageName(t.title))
	case Reference:
		n += count(t.rows*10 > t.lines*3) + 2*count(t.calls >= 2) + 2*count(t.quoted >= 3)
	case Guide:
		n += count(t.commands > 0) + count(t.orders >= 3)
	case Rules:
		n += count(t.musts+t.orders >= 6)
	case Tasks:
		n += count(t.open+t.done >= 3) + count(strings.Contains(t.opening, "priority:"))
	}
	return n
}

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
